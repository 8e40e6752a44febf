//! What the masks of a run cost.

use std::fmt;
use std::time::Duration;

/// Counts and times of a run.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The time that each step took in matchers and masks: neither the model nor compiling is in
    /// it.
    pub steps: Vec<Duration>,
    /// The time from each request to its matcher, with which its first mask can be asked for.
    pub begun: Vec<Duration>,
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
    /// Grammars that were dropped from the registry.
    pub evicted: u64,
    /// The most bytes of tables that the registry kept.
    pub most_bytes: u64,
}

/// The time that all but a share of some take at most.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or_default()
}

impl Figures {
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
        let [steps, begun] = [&self.steps, &self.begun]
            .map(|times| [50, 99].map(|percent| percentile(times, percent)));
        writeln!(f, "a step, p50 and p99:           {steps:?}")?;
        writeln!(f, "request to matcher:            {begun:?}")?;
        writeln!(f, "tokens:                        {}", self.tokens)?;
        writeln!(f, "tokens forced:                 {}", self.tokens_forced)?;
        let (drafted, confirmed) = (self.tokens_drafted, self.tokens_confirmed);
        writeln!(f, "tokens drafted, and confirmed: {drafted}, {confirmed}")?;
        let (compiled, evicted) = (self.compiled, self.evicted);
        writeln!(f, "grammars compiled, evicted:    {compiled}, {evicted}")?;
        write!(f, "bytes of tables kept, at most: {}", self.most_bytes)
    }
}
