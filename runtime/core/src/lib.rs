//! The table layout and the matcher of [maskwright](https://docs.rs/maskwright).
//!
//! This crate is what the compiler and a decoder share: [`layout`] says how a compiled grammar is laid out, and
//! everything else reads it. Use it through the crate `maskwright`, which is the same with documentation and macros.
//!
//! It is `no_std`, allocates nothing, has no dependencies and no unsafe code, and no input makes it panic.
#![no_std]
#![forbid(unsafe_code)]

pub mod layout;

mod argmax;
mod buffer;
mod check;
mod crc;
mod draft;
mod error;
mod forced;
mod ids;
mod list;
mod mask;
mod matcher;
mod pool;
mod row;
mod set;
mod stack;
mod step;
mod tables;
mod vocabulary;
mod walk;
mod words;

pub use buffer::MaskBuffer;
pub use crc::crc32;
pub use error::{AcceptError, BufferTooSmall, LoadError, MatcherError, PoolError};
pub use ids::Ids;
pub use mask::Mask;
pub use matcher::Matcher;
pub use pool::{MaskPool, PoolSlot, PooledRow};
pub use row::MaskRow;
pub use tables::Grammar;
pub use vocabulary::Vocabulary;
