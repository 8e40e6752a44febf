//! Bounds on automata and on the time for them, and the error when one is passed.

use super::LanguageState;
use crate::limits::{Deadline, LimitExceeded};
use core::fmt;

/// States that a [`Language`](super::Language) may have.
pub const MAX_STATES: usize = 30_000;

/// Edges that a [`Language`](super::Language) may have: its JSON texts take some states for each.
const MAX_EDGES: usize = 1_000_000;

/// States that may be built on the way, before trimming and minimization.
const MAX_BUILT: usize = 200_000;

/// States that a set of listed strings may have: a state for each character of the list, unless
/// strings share some. What is made of such a set by another operation may have about as many.
const MAX_LISTED: usize = 2_000_000;

/// Edges that may be looked at in one operation.
const MAX_WORK: usize = 20_000_000;

/// What is being done.
pub(super) const DOING: &str = "working out sets of strings";

/// A set of strings could not be worked out within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LanguageError {
    /// Its automaton would be too large.
    TooLarge {
        /// The most that there may be.
        bound: usize,
        /// Of what.
        what: &'static str,
    },
    /// The time was over.
    Time(LimitExceeded),
}

impl fmt::Display for LanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LanguageError::TooLarge { bound, what } => write!(
                f,
                "the automaton of a set of strings takes more than {bound} {what}"
            ),
            LanguageError::Time(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for LanguageError {}

impl From<LimitExceeded> for LanguageError {
    fn from(limit: LimitExceeded) -> Self {
        LanguageError::Time(limit)
    }
}

impl LanguageError {
    /// Checks the size of a result that has been made of sets of so many states.
    pub(super) fn check(states: &[LanguageState], of: usize) -> Result<(), LanguageError> {
        if states.len() <= of.min(MAX_LISTED) {
            return Ok(());
        }
        let edges = states.iter().map(|s| s.edges.len()).sum();
        LanguageError::check_sizes(states.len(), edges)
    }

    /// Checks the numbers of states and edges of a result.
    pub(super) fn check_sizes(states: usize, edges: usize) -> Result<(), LanguageError> {
        let (bound, what) = match (states > MAX_STATES, edges > MAX_EDGES) {
            (true, _) => (MAX_STATES, "states"),
            (_, true) => (MAX_EDGES, "edges"),
            _ => return Ok(()),
        };
        Err(LanguageError::TooLarge { bound, what })
    }

    /// The result would have more than [`MAX_STATES`] states.
    pub(super) fn states() -> LanguageError {
        let (bound, what) = (MAX_STATES, "states");
        LanguageError::TooLarge { bound, what }
    }
}

/// What an operation may still spend.
#[derive(Debug)]
pub(super) struct Budget<'d> {
    built: usize,
    max_built: usize,
    work: usize,
    deadline: &'d Deadline,
}

impl<'d> Budget<'d> {
    /// All that the bounds allow, until the deadline.
    pub(super) fn new(deadline: &'d Deadline) -> Self {
        Budget {
            built: 0,
            max_built: MAX_BUILT,
            work: 0,
            deadline,
        }
    }

    /// The same for a set of listed strings.
    pub(super) fn of_listed(deadline: &'d Deadline) -> Self {
        Budget {
            max_built: MAX_LISTED,
            ..Budget::new(deadline)
        }
    }

    /// The same for what is made of sets of so many states.
    pub(super) fn of_states(states: usize, deadline: &'d Deadline) -> Self {
        Budget {
            max_built: MAX_BUILT.max(states.min(MAX_LISTED)),
            ..Budget::new(deadline)
        }
    }

    /// The deadline.
    pub(super) fn deadline(&self) -> &'d Deadline {
        self.deadline
    }

    /// Counts a state that is built.
    pub(super) fn state(&mut self) -> Result<(), LanguageError> {
        self.built += 1;
        self.deadline.tick(DOING)?;
        if self.built <= self.max_built {
            return Ok(());
        }
        Err(LanguageError::TooLarge {
            bound: self.max_built,
            what: "states before minimization",
        })
    }

    /// Counts `edges` looked at.
    pub(super) fn work(&mut self, edges: usize) -> Result<(), LanguageError> {
        self.work = self.work.saturating_add(edges);
        self.deadline.ticks(edges, DOING)?;
        if self.work <= MAX_WORK {
            return Ok(());
        }
        Err(LanguageError::TooLarge {
            bound: MAX_WORK,
            what: "steps",
        })
    }
}
