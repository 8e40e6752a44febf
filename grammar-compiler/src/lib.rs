//! The compiler of [Maskwright](https://docs.rs/maskwright): from a grammar and a vocabulary to
//! tables that say exactly which tokens can follow.
//!
//! ```
//! use maskwright_compiler::vocabulary::Vocabulary;
//! use maskwright_compiler::{Compiler, GrammarText};
//!
//! // A token for each byte, and one that ends a text. `Vocabulary::open` reads real ones.
//! let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
//! let vocabulary = Vocabulary::from_tokens(tokens, vec![256]);
//! let compiler = Compiler::new(&vocabulary)?;
//! let compiled = compiler.compile_text(&GrammarText::ebnf(r#"root ::= "yes" | "no""#))?;
//!
//! let mask = maskwright_core::Matcher::<8>::new(&compiled.grammar()?)?.mask().iter().count();
//! assert_eq!(mask, 2); // `y` and `n`
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! text ── syntax ──▶ Grammar ── automata ──▶ Network ── lr ──▶ Pda ── feasibility ──▶ Pda ── mask ──▶ Masks ── pack ──▶ tables ── emit ──▶ Rust
//! ```
//!
//! [`Compiler`] runs the whole pipeline for a [`GrammarText`]; [`Builder`] does so from a
//! `build.rs`. Each stage is a module whose head says what comes in, what goes out and what holds
//! afterwards. The modules of the stages are hidden here: they are for the tests and tools of this
//! repository, and may change at any time.
//!
//! # Features
//!
//! All but `tiktoken` are on by default. `grammar!` is built with as few as it is asked for.
//!
//! | feature | what it adds |
//! |---|---|
//! | `build` | [`Builder`] |
//! | `files` | vocabularies in files: `tokenizer.json`, GGUF and the others |
//! | `json-schema` | JSON Schemas, also those that another grammar embeds |
//! | `lark` | grammars in the dialects of Lark |
//! | `serve` | [`lazy`] and [`link::registry`] |
//! | `tags` | structural tags, `TagDispatch` in EBNF, and tools; [`link`] |
//! | `threads` | compiling on several threads |
//! | `tiktoken` | OpenAI's vocabularies by name |
//!
//! A stand-in in a folder `absent` takes the place of a module that others import: it has the same
//! names, and refuses what it is asked for.

// Where features are off, some of what their modules share has no users.
#![cfg_attr(
    not(all(
        feature = "build",
        feature = "files",
        feature = "json-schema",
        feature = "lark",
        feature = "serve",
        feature = "tags",
        feature = "threads",
    )),
    allow(dead_code, unused_imports)
)]

#[doc(hidden)]
pub mod automata;
mod bits;
pub mod build;
mod bytes;
mod cache;
#[doc(hidden)]
pub mod clock;
mod compile;
mod components;
mod csr;
mod digest;
pub mod documents;
#[doc(hidden)]
pub mod emit;
pub mod error;
#[doc(hidden)]
pub mod feasibility;
#[doc(hidden)]
pub mod file;
pub mod grammar;
mod id;
mod intern;
#[cfg(feature = "lark")]
mod lalr;
#[cfg(feature = "serve")]
pub mod lazy;
mod lengths;
#[cfg(feature = "lark")]
mod lexing;
pub mod limits;
#[cfg(feature = "tags")]
pub mod link;
#[doc(hidden)]
pub mod lr;
mod maps;
#[doc(hidden)]
pub mod mask;
#[doc(hidden)]
pub mod nondeterminism;
mod options;
#[doc(hidden)]
pub mod pack;
mod partition;
#[cfg(feature = "tags")]
mod parts;
#[cfg(not(feature = "tags"))]
#[path = "absent/parts.rs"]
mod parts;
#[doc(hidden)]
pub mod pda;
mod setters;
#[doc(hidden)]
pub mod similar;
pub mod source;
pub mod syntax;
mod tally;
#[doc(hidden)]
pub mod terminals;
#[cfg(feature = "threads")]
#[doc(hidden)]
pub mod threads;
#[cfg(not(feature = "threads"))]
#[doc(hidden)]
#[path = "absent/threads.rs"]
pub mod threads;
pub mod vocabulary;

#[cfg(feature = "build")]
pub use build::Builder;
#[doc(hidden)]
pub use compile::PreparedVocabulary;
#[doc(hidden)]
pub use compile::report::rules_of;
pub use compile::report::{Breakdown, Report, RuleBytes, StateBytes};
pub use compile::{Automaton, Compiled, Compiler, Stage};
#[doc(hidden)]
pub use digest::tables_digest;
pub use error::{Diagnostic, Error};
pub use options::Options;
pub use pack::{BesideError, SetKinds};
pub use pda::height::{Depths, Height};
pub use syntax::GrammarText;
