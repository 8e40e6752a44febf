//! LR(1) item sets over regular right parts.
//!
//! In: a [`Network`](crate::automata::Network) of machines. Out: the [`Pda`](crate::pda::Pda).
//! README.md in this folder works one grammar through.
//!
//! An *item* is a position in a machine's body and the *depth* of the frame under which its call
//! was entered; a state of the automaton is a set of items, the least depth being 0. A *frame* is a
//! goto map: what to resume when a machine that was entered with it returns. Calls that start at
//! one byte share a frame.
//!
//! Lookahead is exact: whether a return is possible is decided by the frames that really lie on the
//! stack, so no lookahead set is ever merged.

mod agenda;
mod build;
mod built;
mod byte_classes;
mod class_runs;
mod closure;
mod completion;
mod distinct;
mod edges;
mod flow;
pub mod interpret;
mod item;
mod positions;
mod settle;
mod trees;

pub use build::build;
pub use built::Built;
pub use completion::Completion;
pub use item::{GotoEntry, Item, MAX_SPREAD, Sharing, Tried};
pub use positions::{Guards, Positions};

/// What is being done, for the message of a deadline.
const DOING: &str = "building item sets";

#[cfg(test)]
mod tests;
