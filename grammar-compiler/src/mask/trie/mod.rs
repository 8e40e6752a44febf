//! The vocabulary as a trie, which every walk reads. It is the same for all grammars.
//!
//! [`TokenTrie`] is made of [`TrieNodes`], the token of each rank, the [`exits`] of runs, which are
//! found when a walk first asks for them, what walks found in [`regions`], and the
//! [`ShallowTokens`].

mod byte_kinds;
pub mod exits;
mod nodes;
pub mod regions;
mod shallow;
mod text;
mod tokens;

pub use byte_kinds::ByteKinds;
pub use nodes::{Child, TrieNode, TrieNodes};
pub use shallow::ShallowTokens;
pub use text::{BEYOND_ASCII, BROKEN, Text};
pub use tokens::TokenTrie;
