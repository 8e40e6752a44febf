//! Token masks: for each state, which tokens can follow, conditioned on the frames under the top.
//!
//! In: a [`Pda`](crate::pda::Pda), its [headroom](crate::pda::headroom) and a [`TokenTrie`]. Out: [`Masks`]: a tree for each state whose
//! nodes hold token sets and look one frame further down. A token is in a set on the walk for some stack if and
//! only if its bytes lead that stack to one that can still be finished.
//!
//! The steps: [`walk`] runs tokens through the automaton with the frames that it has to know kept symbolic, once for all states that
//! are `near` one another; `join` makes deterministic nodes of what the walks found, one tree a state; `gather` leaves one of
//! equal nodes, whichever thread found them; and `push`, [`nested`], `enlarge` and `factor` change sets where tables get
//! smaller so. [`tree`] takes them one after the other.

mod covered;
mod descend;
mod enlarge;
mod exits;
mod factor;
mod gather;
mod join;
mod kinds_of_bytes;
mod like;
mod lists;
mod local;
mod merge;
mod near;
pub mod nested;
mod parts;
mod pieces;
mod push;
mod regions;
mod rows;
mod runs;
pub mod set;
mod shares;
mod small;
mod split;
mod subsets;
mod summaries;
pub mod tree;
pub mod trie;
mod unions;
pub mod walk;
mod words;

pub use set::{Ranks, SetId};
pub use tree::{MaskNode, Masks, NodeId, build, worthwhile};
pub use trie::TokenTrie;
