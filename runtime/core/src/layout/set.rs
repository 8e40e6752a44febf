//! Kinds of token sets.

/// A bitmap.
pub const BITMAP: u32 = 0;
/// A list of the ids in the set.
pub const ACCEPT: u32 = 1;
/// A list of the ids not in the set.
pub const REJECT: u32 = 2;
/// The ids of at least some level, by bitmaps that make a number for each, with a few ids added and
/// removed.
pub const LEVELS: u32 = 3;
/// A set of the tables that these stand beside.
pub const SHARED: u32 = 4;
/// Where its id lies in the first word.
pub const SHARED_SHIFT: u32 = 8;
/// Mask of the kind in the first word of a set.
pub const KIND: u32 = 0xff;
/// Where the number of planes lies in the first word of a set of levels.
pub const PLANES_SHIFT: u32 = 8;
/// Mask of that number, once shifted.
pub const PLANES: u32 = 0xff;
/// Where the least level lies there.
pub const LEAST_SHIFT: u32 = 16;
/// The greatest number of planes.
pub const MAX_PLANES: usize = 6;
/// Ids in a block of a list of halves.
pub const BLOCK: u32 = 1 << 16;
/// In the first word of a list: it is one of bytes.
pub const FINE: u32 = 1 << 31;
/// Ids in a block of a list of bytes.
pub const FINE_BLOCK: u32 = 1 << 8;
