//! Items and the entries of frames.

use crate::automata::MachineId;

/// Depths further apart than this in one item set split the stack.
pub const MAX_SPREAD: u8 = 1;
/// Within one edge, returns are followed down to this depth where that keeps the stack in one; deeper ones are
/// put off: the edge pops what it can, and the symbol is taken again.
pub const MAX_LOOK: u8 = 1;
/// Items that can only return do so at once, if their frame lies no deeper than this.
pub const MAX_RETURN: u8 = 2;

/// A position in a machine, and how many frames below the top the machine was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item {
    /// The position.
    pub node: u32,
    /// The depth of the frame that its machine was entered with; 0 is the top.
    pub depth: u8,
}

/// One line of a frame's goto map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// When this machine returns,
    pub machine: MachineId,
    /// go on at this position,
    pub resume: u32,
    /// whose own machine was entered this far below the frame: 0 is the next frame down, `u8::MAX` this one.
    pub depth: u8,
}

/// The caller was entered with the same frame as the callee: both begin at the same byte.
pub const SAME: u8 = u8::MAX;
