//! The work of one step.
//!
//! In: units of work, as a step does them. Out: [`GaveUp`] once there are more than a step may
//! have. What holds: a unit is a thread, an edge or a state that is looked at or made, so that a
//! step takes about as long for each grammar, whatever a client has written.

use super::GaveUp;

/// The units that a step may have: a tenth of a second. A step of a usual grammar has some
/// thousand.
const MAX_STEP: usize = 1 << 23;

/// The units besides for each byte of a text that is taken.
const PER_BYTE: usize = 1 << 12;

/// The work that is left to a step.
#[derive(Clone, Debug)]
pub(super) struct Work {
    left: usize,
}

impl Work {
    /// That of a step that takes a text of this many bytes.
    pub(super) fn of_step(bytes: usize) -> Self {
        Work {
            left: MAX_STEP.saturating_add(bytes.saturating_mul(PER_BYTE)),
        }
    }

    /// The units that are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Does some units.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline]
    pub(super) fn spend(&mut self, units: usize) -> Result<(), GaveUp> {
        self.left = self.left.checked_sub(units).ok_or(GaveUp)?;
        Ok(())
    }
}
