//! The notation.
//!
//! In: the text of one file. Out: its [`Item`]s with spans in that text. What holds after: brackets
//! are balanced, strings are without escapes, expressions nest no deeper than [`NESTING`]; names
//! are not yet looked up.

mod directives;
pub(crate) mod escapes;
mod expressions;
mod groups;
mod items;
mod lexemes;
mod options;
mod parametric;
mod parser;
mod scan;
mod token;
pub(crate) mod tree;

use crate::budget::Budget;
use crate::error::Error;
use tree::Item;

/// How deep expressions, embedded grammars and template arguments may nest.
pub(crate) const NESTING: usize = 200;

/// The items of a file, in order.
pub(crate) fn parse(text: &str, budget: &mut Budget) -> Result<Vec<Item>, Error> {
    let tokens = scan::scan(text, budget)?;
    parser::Parser::new(text, tokens).items(budget)
}
