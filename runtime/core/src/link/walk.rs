//! Following tokens from a boundary, to find out which cross it.
//!
//! In: a [`Crossing`] and bytes. Out: whether they can follow there. What holds: a step allocates nothing.

use crate::error::AcceptError;
use crate::slices::Heap;
use crate::stack::Stacks;

use super::Parts;
use super::place::Crossing;
use super::stacks::LinkedStacks;

/// Where a token stands that crosses a boundary.
pub struct LinkedWalk<'p, P> {
    parts: &'p P,
    linked: LinkedStacks<Heap>,
}

impl<'p, P: Parts> LinkedWalk<'p, P> {
    /// Where the tokens of a crossing go on.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn new(parts: &'p P, crossing: &Crossing) -> Result<Self, AcceptError> {
        let mut linked = LinkedStacks::none(Stacks::none(Heap::new(parts.depth(), 1)));
        linked.go(parts, crossing)?;
        Ok(LinkedWalk { parts, linked })
    }

    /// A walk that stands nowhere, for [`copy_from`](Self::copy_from).
    pub fn nowhere(parts: &'p P) -> Self {
        let linked = LinkedStacks::none(Stacks::none(Heap::new(parts.depth(), 1)));
        LinkedWalk { parts, linked }
    }

    /// Goes to where another walk of the same parts stands.
    pub fn copy_from(&mut self, other: &Self) {
        self.linked.copy_from(&other.linked);
    }

    /// Whether a token can follow that is a terminal. If not, the walk stands nowhere.
    pub fn take_token(&mut self, id: u32) -> bool {
        self.linked.take_token(self.parts, id).is_ok()
    }

    /// Takes a byte; returns whether it can follow. If not, the walk stands nowhere.
    pub fn step(&mut self, byte: u8) -> bool {
        self.linked.step(self.parts, byte).is_ok()
    }

    /// Whether a token can end here.
    pub fn can_end(&mut self) -> bool {
        self.linked.is_finishable(self.parts)
    }
}
