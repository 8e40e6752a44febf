//! Entries of rows: a class and what it leads to, in one word.

use crate::maps::own_keys;
use maskwright_core::layout::edge;

use crate::pda::Class;

/// A class, where tables have it, and what it leads to: a tree's number and one more, or
/// [`REFUSE`]. The entries of a row ascend by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct RowEntry(u32);

own_keys!(RowEntry);

/// The target of a class that is refused.
pub const REFUSE: u32 = 0;
/// Mask of what an entry leads to.
pub const TARGET: u32 = (1 << edge::CLASS_SHIFT) - 1;
/// A place at which no row has an entry.
pub const EMPTY: RowEntry = RowEntry(edge::EMPTY);

/// The entry of a class.
pub fn entry(class: Class, target: u32) -> RowEntry {
    RowEntry(u32::from(class) << edge::CLASS_SHIFT | target)
}

/// The class of an entry.
pub fn class(entry: RowEntry) -> Class {
    (entry.0 >> edge::CLASS_SHIFT) as Class
}

/// What an entry leads to.
pub fn target(entry: RowEntry) -> u32 {
    entry.0 & TARGET
}
