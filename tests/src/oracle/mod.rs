//! The oracle: what a grammar allows, found without any code of the compiler.
//!
//! ```text
//! EBNF text --ebnf--> Ast --lower--> Cfg (productions over bytes, reduced) --earley--> Chart
//!                                                                         \--spelling--> Spelling
//! ```
//!
//! [`Chart`] is Earley's algorithm as in the textbook, one set a byte, over the raw grammar: no
//! inlining, no automata, no determinism. Since unproductive productions are gone before it
//! starts, a set that is not empty means a prefix that some sentence continues. [`Spelling`]
//! runs the same algorithm over a finite automaton instead of a string, which answers what a
//! vocabulary that cannot spell every byte can still finish.

pub mod ast;
pub mod cfg;
pub mod earley;
pub mod ebnf;
pub mod lower;
pub mod mask;
pub mod spelling;
pub mod utf8;

pub use ast::{Ast, Expr, Rule};
pub use cfg::Cfg;
pub use earley::Chart;
pub use mask::{Trie, allowed_tokens};
pub use spelling::Spelling;

/// The reduced byte-level grammar of an EBNF text of the suite.
///
/// # Errors
/// A message that names the place, if the text is not a grammar with a rule `root` that derives
/// something.
pub fn grammar_from_ebnf(text: &str) -> Result<Cfg, String> {
    lower::lower(&ebnf::read(text)?)
}
