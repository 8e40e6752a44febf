//! What the masks of a run cost.

use std::fmt;
use std::time::Duration;

/// Counts and times of a run.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The time that each step took in matchers and masks: neither the model nor compiling is in it.
    pub steps: Vec<Duration>,
    /// Masks that were asked for.
    pub masks: u64,
    /// Rows that had to be written for them.
    pub rows_written: u64,
    /// Steps in which none was written.
    pub steps_without_writing: u64,
    /// Tokens of all texts.
    pub tokens: u64,
    /// Tokens that were forced, and taken without the model.
    pub tokens_forced: u64,
    /// Tokens of drafts that the grammar allowed.
    pub tokens_drafted: u64,
    /// Those of them that the model chose, too.
    pub tokens_confirmed: u64,
    /// Grammars that were compiled.
    pub compiled: u64,
    /// Grammars that were dropped from the cache.
    pub evicted: u64,
    /// The most bytes of tables that were alive at once.
    pub most_bytes: usize,
}

impl Figures {
    /// The time that all but a share of the steps took at most.
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut steps = self.steps.clone();
        steps.sort_unstable();
        let at = (steps.len() * percent).div_ceil(100).saturating_sub(1);
        steps.get(at).copied().unwrap_or_default()
    }

    /// Masks for each second of the time that matchers and masks took.
    pub fn masks_per_second(&self) -> f64 {
        let seconds = self.steps.iter().sum::<Duration>().as_secs_f64();
        self.masks as f64 / seconds.max(f64::MIN_POSITIVE)
    }

    /// The share of steps in which no row was written.
    pub fn share_without_writing(&self) -> f64 {
        self.steps_without_writing as f64 / self.steps.len().max(1) as f64
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "steps:                         {}", self.steps.len())?;
        writeln!(f, "masks:                         {}", self.masks)?;
        writeln!(
            f,
            "masks per second:              {:.0}",
            self.masks_per_second()
        )?;
        writeln!(f, "rows written:                  {}", self.rows_written)?;
        let share = 100.0 * self.share_without_writing();
        writeln!(f, "steps without a row written:   {share:.1} %")?;
        writeln!(
            f,
            "p50 of a step:                 {:?}",
            self.percentile(50)
        )?;
        writeln!(
            f,
            "p99 of a step:                 {:?}",
            self.percentile(99)
        )?;
        writeln!(f, "tokens:                        {}", self.tokens)?;
        writeln!(f, "tokens forced:                 {}", self.tokens_forced)?;
        let (drafted, confirmed) = (self.tokens_drafted, self.tokens_confirmed);
        writeln!(f, "tokens drafted, and confirmed: {drafted}, {confirmed}")?;
        let (compiled, evicted) = (self.compiled, self.evicted);
        writeln!(f, "grammars compiled, evicted:    {compiled}, {evicted}")?;
        write!(f, "bytes of tables, at most:      {}", self.most_bytes)
    }
}
