//! The limits on one compilation: time, states, memory.

use crate::error::{Error, ErrorKind};
use std::ops::Range;

/// Steps between two looks at the clock.
const STEPS: usize = 500;

/// Numbers of 32 bits that the sets of an automaton may take, about 256 MiB.
const WORDS: usize = 64 << 20;

/// What a compilation may still use up.
pub(crate) struct Budget<'c> {
    clock: &'c mut dyn FnMut() -> bool,
    steps: usize,
    words: usize,
    states: usize,
    limit: usize,
    span: Range<usize>,
}

impl<'c> Budget<'c> {
    /// At most `limit` states in each automaton; errors are placed at `span`.
    pub(crate) fn new(
        limit: usize,
        span: Range<usize>,
        clock: &'c mut dyn FnMut() -> bool,
    ) -> Budget<'c> {
        Budget {
            clock,
            steps: STEPS,
            words: WORDS,
            states: 0,
            limit,
            span,
        }
    }

    /// The place of what concerns the terminal as a whole.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Counts `steps`, and looks at the clock when enough of them have passed.
    pub(crate) fn work(&mut self, steps: usize) -> Result<(), Error> {
        self.steps = self.steps.saturating_sub(steps);
        if self.steps > 0 {
            return Ok(());
        }
        self.steps = STEPS;
        match (self.clock)() {
            true => Ok(()),
            false => Err(Error::new(
                ErrorKind::OutOfTime,
                "the time allowed ran out while this terminal was compiled",
                "simplify the terminal, or allow more time",
                self.span(),
            )),
        }
    }

    /// Starts to count the states of another automaton.
    pub(crate) fn begin_automaton(&mut self) {
        self.states = 0;
    }

    /// Counts a state.
    pub(crate) fn state(&mut self) -> Result<(), Error> {
        self.states += 1;
        match self.states <= self.limit {
            true => self.work(1),
            false => Err(self.too_large("automaton has too many states")),
        }
    }

    /// Counts memory.
    pub(crate) fn store(&mut self, words: usize) -> Result<(), Error> {
        match self.words.checked_sub(words) {
            Some(rest) => {
                self.words = rest;
                self.work(words / 4)
            }
            None => Err(self.too_large("automaton takes too much memory")),
        }
    }

    /// Checks that this number of nodes may be written out.
    pub(crate) fn check_nodes(&self, nodes: u64) -> Result<(), Error> {
        match nodes <= (self.limit as u64).saturating_mul(8).saturating_add(1024) {
            true => Ok(()),
            false => Err(self.too_large("repetitions, written out, are too many")),
        }
    }

    /// The error about a limit that was met.
    pub(crate) fn too_large(&self, what: &str) -> Error {
        Error::new(
            ErrorKind::TooLarge,
            &format!("this terminal's {what}"),
            "use smaller counts in {…}, or fewer of them within each other, or move the repetition \
             into a rule",
            self.span(),
        )
    }
}
