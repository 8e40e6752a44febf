//! Exact token masks for language models, from a grammar that was compiled ahead of time.
//!
//! A grammar and the vocabulary of a tokenizer are compiled by `maskwright-compiler` (from a build script, a macro, the
//! command line or a host program) into tables. This crate decodes under them: it is `no_std`, allocates nothing, has no
//! dependencies and no unsafe code, and no input makes it panic.
//!
//! - [`Grammar`] is a view of the tables, [`Vocabulary`] one of the tokens' bytes; both may lie in flash, in a static, in
//!   a file or in a memory map.
//! - [`Matcher`] stands at a point of a text. It is small and `Copy`, so a fork or a checkpoint is a copy.
//! - [`Mask`] is the set of tokens that may come next: it fills bitmaps, masks logits, iterates, counts and picks.
//!
//! With the feature `macros`, `grammar!` compiles a grammar that stands in the program itself. It is off by
//! default, since the compiler then becomes a dependency of the build, though never of the program.
#![no_std]
#![forbid(unsafe_code)]

pub use maskwright_core::*;
#[cfg(feature = "macros")]
pub use maskwright_macros::grammar;
