//! Bounds on automata, and the error when one is passed.

use super::LanguageState;
use core::fmt;

/// States that a [`Language`](super::Language) may have.
pub const MAX_STATES: usize = 30_000;

/// Edges that a [`Language`](super::Language) may have: its JSON texts take some states for each.
const MAX_EDGES: usize = 1_000_000;

/// States that may be built on the way, before trimming and minimization.
const MAX_BUILT: usize = 200_000;

/// Edges that may be looked at in one operation.
const MAX_WORK: usize = 20_000_000;

/// A set of strings would need an automaton beyond the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageTooLarge {
    bound: usize,
    what: &'static str,
}

impl fmt::Display for LanguageTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LanguageTooLarge { bound, what } = self;
        write!(
            f,
            "the automaton of a set of strings takes more than {bound} {what}"
        )
    }
}

impl std::error::Error for LanguageTooLarge {}

impl LanguageTooLarge {
    /// Checks the size of a result.
    pub(super) fn check(states: &[LanguageState]) -> Result<(), LanguageTooLarge> {
        let edges = states.iter().map(|s| s.edges.len()).sum();
        LanguageTooLarge::check_sizes(states.len(), edges)
    }

    /// Checks the numbers of states and edges of a result.
    pub(super) fn check_sizes(states: usize, edges: usize) -> Result<(), LanguageTooLarge> {
        let (bound, what) = match (states > MAX_STATES, edges > MAX_EDGES) {
            (true, _) => (MAX_STATES, "states"),
            (_, true) => (MAX_EDGES, "edges"),
            _ => return Ok(()),
        };
        Err(LanguageTooLarge { bound, what })
    }

    /// The result would have more than [`MAX_STATES`] states.
    pub(super) fn states() -> LanguageTooLarge {
        let (bound, what) = (MAX_STATES, "states");
        LanguageTooLarge { bound, what }
    }
}

/// What an operation may still spend.
#[derive(Debug, Default)]
pub(super) struct Budget {
    built: usize,
    work: usize,
}

impl Budget {
    /// Counts a state that is built.
    pub(super) fn state(&mut self) -> Result<(), LanguageTooLarge> {
        self.built += 1;
        if self.built <= MAX_BUILT {
            return Ok(());
        }
        Err(LanguageTooLarge {
            bound: MAX_BUILT,
            what: "states before minimization",
        })
    }

    /// Counts `edges` looked at.
    pub(super) fn work(&mut self, edges: usize) -> Result<(), LanguageTooLarge> {
        self.work = self.work.saturating_add(edges);
        if self.work <= MAX_WORK {
            return Ok(());
        }
        Err(LanguageTooLarge {
            bound: MAX_WORK,
            what: "steps",
        })
    }
}
