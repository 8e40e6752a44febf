//! Words of programs.

use super::HEAD;

/// The program looks at a frame; otherwise it is a leaf.
pub const LOOK: u32 = 1 << 16;
/// Mask of the number of alternatives or of pairs.
pub const COUNT: u32 = 0xffff;
/// Shift of the depth of a look.
pub const DEPTH_SHIFT: u32 = 24;
/// Mask of the next state of an alternative.
pub const NEXT: u32 = (1 << 22) - 1;
/// The symbol is not consumed.
pub const AGAIN: u32 = 1 << 22;
/// Shift of the number of frames to pop.
pub const POP_SHIFT: u32 = 24;
/// Mask of the frame to push.
pub const FRAME: u32 = 0xffff;
/// Shift of the frames that must fit above the pushed one.
pub const RESERVE_SHIFT: u32 = 24;

/// The head of a leaf with this many alternatives.
pub const fn leaf(alternatives: u16) -> u32 {
    HEAD | alternatives as u32
}

/// The head of a look at `depth` with this many pairs.
pub const fn look(depth: u8, frames: u16) -> u32 {
    HEAD | LOOK | frames as u32 | (depth as u32) << DEPTH_SHIFT
}

/// The second word of an alternative that pushes a frame, above which `reserve` more must fit.
pub const fn push(frame: u16, reserve: u8) -> u32 {
    frame as u32 | (reserve as u32) << RESERVE_SHIFT
}

/// The first word of an alternative; the second is what it pushes, or 0.
pub const fn alternative(next: u32, again: bool, pop: u8) -> u32 {
    next & NEXT | if again { AGAIN } else { 0 } | (pop as u32) << POP_SHIFT
}
