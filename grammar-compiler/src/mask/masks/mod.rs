//! What the stage makes: token sets, and one tree of them for each state.
//!
//! [`Ranks`] is a set of tokens, [`Masks`] the trees that name such sets. [`chains`] finds out which sets are almost parts of others; both
//! the passes of `shrink` and [`pack`](crate::pack) ask for that.

mod bits;
pub mod chains;
mod ranks;
mod tree;

pub use ranks::{Ranks, SortedIntervals};
pub use tree::{MaskNode, MaskNodeId, Masks, SetId};
