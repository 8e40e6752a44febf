//! Limits on what a compile may cost, the error when one is passed, and what trades one cost for another.

use crate::setters::setters;
use core::fmt;
use std::time::{Duration, Instant};

/// Bounds on a compile. Each has a default that real grammars stay far below.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of grammar text. Default 16 MiB.
    pub grammar_bytes: usize,
    /// How deep groups and repetitions may nest in the text. Default 200.
    pub nesting: usize,
    /// The largest bound of a counted repetition. Default 100,000.
    pub repetition: u32,
    /// States of the finite automata of all rules together. Default 400,000.
    pub automaton_states: usize,
    /// States of the pushdown automaton. Default 100,000.
    pub states: usize,
    /// Branches of the decision trees of its edges, while it is built: how often what an edge does depends on the frames under the top. Each
    /// takes about half a kilobyte. Default 1,000,000.
    pub branches: usize,
    /// Bytes of the packed tables. Default 256 MiB.
    pub table_bytes: usize,
    /// Stacks that a matcher may carry where the automaton splits and no bound can be proved. Default 8.
    pub stacks: usize,
    /// Time for one compile. Default one minute.
    pub time: Duration,
}

setters!(Limits {
    grammar_bytes: usize,
    nesting: usize,
    repetition: u32,
    automaton_states: usize,
    states: usize,
    branches: usize,
    table_bytes: usize,
    stacks: usize,
    time: Duration,
});

impl Default for Limits {
    fn default() -> Self {
        Limits {
            grammar_bytes: 16 << 20,
            nesting: 200,
            repetition: 100_000,
            automaton_states: 400_000,
            states: 100_000,
            branches: 1_000_000,
            table_bytes: 256 << 20,
            stacks: 8,
            time: Duration::from_secs(60),
        }
    }
}

/// How counted repetitions such as `x{3,400}` are compiled: what saves states costs frames. Nothing is refused for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// States that a counted repetition may take when it is written out; a longer one is counted in blocks, which costs
    /// frames instead. Default 200.
    pub expansion: u64,
    /// Iterations in a block of a counted repetition; 0 to write all out. Default 16.
    pub block: u32,
}

setters!(Tuning {
    expansion: u64,
    block: u32,
});

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            expansion: 200,
            block: 16,
        }
    }
}

/// A limit that a compile would have passed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// The field of [`Limits`].
    pub limit: &'static str,
    /// Its value.
    pub value: u64,
    /// What passed it, in the grammar's terms.
    pub what: String,
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (limit `{}` = {})", self.what, self.limit, self.value)
    }
}

impl std::error::Error for LimitExceeded {}

/// The moment at which a compile must have ended.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    limit: Duration,
}

impl Deadline {
    /// The deadline of a compile that starts now.
    pub fn start(limits: &Limits) -> Self {
        Deadline {
            end: Instant::now().checked_add(limits.time),
            limit: limits.time,
        }
    }

    /// Fails if the time is over; `doing` says what was being done.
    pub fn check(&self, doing: &str) -> Result<(), LimitExceeded> {
        match self.end {
            Some(end) if Instant::now() > end => Err(LimitExceeded {
                limit: "time",
                value: self.limit.as_millis() as u64,
                what: format!("compiling took longer than {:?}, while {doing}", self.limit),
            }),
            _ => Ok(()),
        }
    }
}
