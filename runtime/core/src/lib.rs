//! The table layout and the matcher of [maskwright](https://docs.rs/maskwright).
//!
//! The compiler and the decoder share this crate: [`layout`] describes how a compiled grammar is
//! laid out, and everything else reads it. Use it through the crate `maskwright`, which adds
//! documentation and macros.
//!
//! It is `no_std`, allocates nothing, has no dependencies and no unsafe code, and no input makes it
//! panic.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod calls;
pub mod layout;
pub mod style;

mod argmax;
mod borrowed;
mod buffer;
mod check;
mod crc;
mod draft;
mod error;
mod follow;
mod forced;
#[cfg(feature = "graph")]
mod graph;
#[cfg(feature = "graph")]
mod graph_stacks;
mod head;
mod header;
mod id;
mod language;
mod levels;
#[cfg(feature = "limits")]
mod limit;
#[cfg(feature = "link")]
pub mod link;
mod list;
mod logit;
mod logits_mask;
mod matcher;
mod names;
#[cfg(feature = "alloc")]
mod owned;
mod pool;
mod row;
mod saved;
mod set;
mod sets;
mod slices;
mod stack;
mod state;
mod step;
mod tables;
mod terminal;
mod token_text;
mod vocabulary;
mod walk;
mod whole;
mod words;

pub use borrowed::BorrowedMatcher;
pub use buffer::MaskBuffer;
pub use crc::crc32;
#[cfg(feature = "alloc")]
pub use error::RollbackError;
pub use error::{
    AcceptError, BufferTooSmall, LoadError, MatcherError, OtherGrammar, PoolError, StateError,
};
pub use head::Head;
pub use id::TablesId;
pub use language::{Ids, Language, Mask};
pub use logit::Logit;
pub use logits_mask::LogitsMask;
pub use matcher::Matcher;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use owned::Followers;
#[cfg(feature = "alloc")]
pub use owned::{OwnedGrammar, OwnedMatcher, OwnedVocabulary, Owner, Refusal};
pub use pool::{MaskPool, PoolSlot, PooledRow};
pub use row::MaskRow;
pub use state::State;
pub use tables::Grammar;
pub use token_text::{StreamPiece, TextStream};
pub use vocabulary::Vocabulary;
