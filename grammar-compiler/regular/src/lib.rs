//! Automata over bytes for the terminals of a grammar's lexer.
//!
//! In: a [`Pattern`], which is a terminal's definition with the terminals that it names written in
//! their places. Out: a [`TerminalDfa`]: which texts the terminal matches, and what must follow.
//! What holds after: every state can be reached and can still match; only UTF-8 is matched, unless
//! [`Options::invalid_utf8`] allows more; equal patterns give equal automata.
//!
//! ```
//! use maskwright_regular::{Flags, Options, Pattern, terminal};
//!
//! let pattern = Pattern::Regex {
//!     source: r"if(?!\w)".to_owned(),
//!     flags: Flags::default(),
//!     start: 0,
//! };
//! let dfa = terminal(&pattern, &Options::default(), &mut || true)?;
//! assert_eq!(dfa.longest(b"if x"), Some(2));
//! assert_eq!(dfa.longest(b"iffy"), None);
//! # Ok::<(), maskwright_regular::Error>(())
//! ```

mod budget;
mod characters;
mod determinize;
mod dfa;
mod error;
mod finish;
mod formula;
mod leaves;
mod minimize;
mod node;
mod operations;
mod pattern;
mod program;
mod regex;
mod terminal;
#[cfg(test)]
mod tests;

pub use dfa::{Accept, After, Condition, ConditionId, State, StateId, TerminalDfa};
pub use error::{Error, ErrorKind};
pub use pattern::{Flags, Pattern};
pub use terminal::{Matching, Options, terminal};
