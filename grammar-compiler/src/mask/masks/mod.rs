//! The result of the stage: token sets, and one tree of them for each state.
//!
//! [`Ranks`] is a set of tokens, [`Masks`] the trees that name such sets. [`chains`] finds sets
//! that are almost subsets of others; the passes of `shrink` and [`pack`](crate::pack) use it.

mod bits;
pub mod chains;
mod ranks;
mod tree;

pub use ranks::{Ranks, SortedIntervals};
pub use tree::{MaskNode, MaskNodeId, Masks, SetId};
