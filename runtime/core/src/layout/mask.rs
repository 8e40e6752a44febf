//! Words of mask trees.

use super::HEAD;

/// Mask of the number of sets in a head.
pub const SETS: u32 = 0xff;
/// Shift of the number of children.
pub const CHILDREN_SHIFT: u32 = 8;
/// The largest number of children.
pub const MAX_CHILDREN: u32 = (1 << 15) - 1;
/// The node looks at a frame.
pub const LOOK: u32 = 1 << 24;
/// No child. Offsets of nodes are lower.
pub const NO_NODE: u32 = HEAD - 1;
/// Mask of the set id.
pub const SET: u32 = HEAD - 1;
/// Shift of the headroom.
pub const HEADROOM_SHIFT: u32 = 24;

/// The head of a node with this many sets that looks at no frame.
pub const fn leaf(sets: u8) -> u32 {
    HEAD | sets as u32
}

/// The head of a node with this many sets that looks at the next frame and has this many pairs
/// (at most `MAX_CHILDREN`).
pub const fn look(sets: u8, children: u16) -> u32 {
    HEAD | LOOK | sets as u32 | (children as u32 & MAX_CHILDREN) << CHILDREN_SHIFT
}

/// The word of a set (id below 2^23) that needs this many frames above the present height.
pub const fn set(id: u32, headroom: u8) -> u32 {
    id & SET | (headroom as u32) << HEADROOM_SHIFT
}
