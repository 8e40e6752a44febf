//! How long the construction may take.

use crate::error::Error;

/// Steps between two looks at the clock.
const STEPS: usize = 1_000;

/// The caller's clock, asked once in a while.
pub(crate) struct Budget<'c> {
    clock: &'c mut dyn FnMut() -> bool,
    steps: usize,
}

impl<'c> Budget<'c> {
    pub(crate) fn new(clock: &'c mut dyn FnMut() -> bool) -> Self {
        // The first step asks, so that a small grammar asks at all.
        Self {
            clock,
            steps: STEPS,
        }
    }

    /// Counts `steps` and asks the clock if it is time.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Error> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps < STEPS {
            return Ok(());
        }
        self.steps = 0;
        if (self.clock)() {
            Ok(())
        } else {
            Err(Error::out_of_time())
        }
    }
}
