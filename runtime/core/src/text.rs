//! A text that a matcher follows: its stacks, and the part in which they stand.

use crate::stack::{FixedStacks, Stacks};

/// The stacks of a text, and where they stand: nowhere in particular in a whole grammar, in some
/// part of a linked one.
#[derive(Clone, Copy)]
pub struct Text<S, P> {
    pub(crate) stacks: Stacks<S>,
    pub(crate) place: P,
}

/// A text with up to `STACKS` stacks of up to `DEPTH` frames.
pub(crate) type FixedText<P, const DEPTH: usize, const STACKS: usize> =
    Text<crate::stack::Fixed<DEPTH, STACKS>, P>;

impl<S, P: Default> Text<S, P> {
    /// A text that has not begun.
    pub(crate) fn new(stacks: Stacks<S>) -> Self {
        Text {
            stacks,
            place: P::default(),
        }
    }
}

impl<P: Default, const DEPTH: usize, const STACKS: usize> FixedText<P, DEPTH, STACKS> {
    /// A text that has not begun.
    pub(crate) fn none() -> Self {
        Self::new(FixedStacks::NONE)
    }
}

#[cfg(all(feature = "link", feature = "alloc"))]
impl<S: crate::stack::Storage, P: Copy> Text<S, P> {
    /// Goes to where another text stands.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.stacks.copy_from(&other.stacks);
        self.place = other.place;
    }
}
