//! Threads: where a text may stand in the rules.
//!
//! In: positions and the numbers of sets of stacks. Out: [`Thread`]s, which are also the frames of
//! stacks: the position that a call returns to, and the stacks below.

use super::position::PositionId;
use crate::id::id;
use crate::maps::own_keys;

id! {
    /// The number of a set of stacks. Most sets have one stack.
    pub(super) struct StackId;
}

/// The set of the stack without frames.
pub(super) const BOTTOM: StackId = StackId::new(0);

/// Stands for the stack without frames among the top frames of a set.
pub(super) const NO_FRAME: Thread = Thread::COMPLETE;

/// A position in a rule, and the stacks below the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Thread {
    pub(super) at: PositionId,
    pub(super) stack: StackId,
}

own_keys!(Thread);

impl Thread {
    /// Stands for the end of the text among the threads of a situation.
    pub(super) const COMPLETE: Self = Thread {
        at: PositionId::new(u32::MAX),
        stack: BOTTOM,
    };
}
