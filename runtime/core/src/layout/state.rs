//! A state record.

/// Words of a record.
pub const STATE_WORDS: usize = 2;
/// The state's row, made by `row`; its offset and a class may lie past the end (then: no entry).
pub const BASE: usize = 0;
/// Offset of the root of the state's mask tree (24 bits), and its headroom (8 bits): how many
/// frames finishing from this state may need above the present height, at most `MAX_NEED`, or
/// `NEVER`.
pub const MASK: usize = 1;
/// Shift of the headroom.
pub const NEED_SHIFT: u32 = 24;
/// Mask of the offset.
pub const MASK_OFFSET: u32 = (1 << NEED_SHIFT) - 1;
/// Shift of the map that a row is read through.
pub const MAP_SHIFT: u32 = 24;
/// Mask of the offset of a row.
pub const ROW_OFFSET: u32 = (1 << MAP_SHIFT) - 1;
/// The greatest headroom of a state.
pub const MAX_NEED: u32 = 254;
/// The headroom of a state from which the vocabulary's tokens cannot finish: a text may pass
/// through it only.
pub const NEVER: u32 = 255;

/// A row at an offset of `edges`, read through a map.
pub const fn row(offset: u32, map: u8) -> u32 {
    offset & ROW_OFFSET | (map as u32) << MAP_SHIFT
}

/// The last word of a record.
pub const fn mask(offset: u32, need: u32) -> u32 {
    offset & MASK_OFFSET | need << NEED_SHIFT
}
