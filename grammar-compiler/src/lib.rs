//! The compiler of [Maskwright](https://docs.rs/maskwright): from a grammar and a vocabulary to tables that say
//! exactly which tokens can follow.
//!
//! ```text
//! text ── syntax ──▶ Grammar ── automata ──▶ Network ── lr ──▶ Pda ── feasibility ──▶ Pda ── mask ──▶ Masks ── pack ──▶ tables ── emit ──▶ Rust
//! ```
//!
//! [`compile`] runs the whole pipeline; [`Builder`] does so from a `build.rs`. Each stage is a module whose head says what comes in, what goes
//! out and what holds afterwards.

pub mod automata;
pub mod build;
mod compile;
mod csr;
pub mod emit;
pub mod error;
pub mod feasibility;
pub mod file;
pub mod grammar;
mod id;
mod intern;
mod join;
pub mod limits;
pub mod lr;
pub mod mask;
pub mod nondeterminism;
pub mod pack;
mod partition;
pub mod pda;
mod report;
pub mod similar;
pub mod source;
pub mod syntax;
pub mod terminals;
pub mod vocabulary;

pub use build::Builder;
pub use compile::{
    Automaton, Compiled, LARGE_RULE_BYTES, Options, PreparedVocabulary, automaton, compile,
    compile_and_keep, compile_beside, compile_beside_and_keep, compile_prepared,
};
pub use error::{Diagnostic, Error};
pub use pack::{Beside, BesideError};
#[doc(hidden)]
pub use report::rules_of;
pub use report::{Breakdown, Report, RuleBytes, Stage, StateBytes};
pub use syntax::GrammarText;
pub use vocabulary::Vocabulary;
