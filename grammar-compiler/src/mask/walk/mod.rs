//! Walks of the vocabulary's trie through the automaton, over a stack of which only some frames are
//! known.
//!
//! In: the [table](super::transitions) of transitions, the k-equivalence of its states and the
//! trie. Out: a [`Walker`] with what it found at each place. From the bottom up:
//!
//! - [`lists`], [`pieces`] and [`known`] give numbers to lists of trie nodes, sets of accepted
//!   ranks, and stacks of known frames, since walks meet them more than once. [`subtrees`] and
//!   [`frames`] have the operations on them, [`run_exits`] decides which exits of runs are worth
//!   finding, and [`region_walks`] knows walks of other grammars. All that together is the
//!   [`context`] of a walk.
//! - [`small`] walks small subtrees node by node; [`splits`] takes large ones one symbol further,
//!   or to the exits of a run.
//! - [`descent`] takes a large subtree apart with these two, and keeps a summary of each part that
//!   other walks may come to.
//! - [`walker`] goes from place to place: each time an unknown frame has to be known, once for each
//!   frame that can lie there.

mod context;
mod descent;
mod frames;
mod known;
mod lists;
mod pieces;
mod position;
mod region_walks;
mod run_exits;
mod small;
mod splits;
mod subtrees;
mod summaries;
mod walker;

pub use pieces::{Piece, PieceId};
pub use walker::{PlaceId, Walker};
