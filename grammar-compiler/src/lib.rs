//! The compiler of [Maskwright](https://docs.rs/maskwright): from a grammar and a vocabulary to
//! tables that say exactly which tokens can follow.
//!
//! ```text
//! text ── syntax ──▶ Grammar ── automata ──▶ Network ── lr ──▶ Pda ── feasibility ──▶ Pda ── mask ──▶ Masks ── pack ──▶ tables ── emit ──▶ Rust
//! ```
//!
//! [`Compiler`] runs the whole pipeline for a [`GrammarText`]; [`Builder`] does so from a
//! `build.rs`. Each stage is a module whose head says what comes in, what goes out and what holds
//! afterwards. The modules of the stages are hidden here: they are for the tests and tools of this
//! repository, and may change at any time.

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
mod lalr;
pub mod lazy;
mod lengths;
mod lexing;
pub mod limits;
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
#[doc(hidden)]
pub mod threads;
pub mod vocabulary;

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
