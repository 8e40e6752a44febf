//! Reads grammars in the dialects of Lark.
//!
//! In: the text of a grammar in the syntax of Lark, llguidance or XGrammar, whose union is read.
//! Out: a [`Lark`]: rules and terminals with names resolved, templates and parametric rules written
//! out, imports inlined. What holds after: every rule can be reached from a start, every index is
//! in range, nothing nests deeper than a fixed bound.
//!
//! The stages, each in a folder or file of its name:
//!
//! 1. `syntax`: text → tokens → items (definitions and directives) with their spans.
//! 2. `resolve`: items of all files → definitions → [`Lark`].

#![forbid(unsafe_code)]

mod budget;
mod common;
mod error;
pub mod grammar;
mod imports;
mod json;
mod options;
mod resolve;
mod syntax;
#[cfg(test)]
mod tests;

pub use error::{Error, ErrorKind};
pub use grammar::Lark;
pub use imports::{Imports, NoImports};
pub use options::{Limits, ReadOptions};

/// The width of what has no longest match, as Python's `re` counts.
pub const UNBOUNDED: u64 = u32::MAX as u64;

/// Reads a grammar.
///
/// `clock` is asked about once for each token and node, and says whether to go on; once it says
/// no, reading ends with an error of [`ErrorKind::Stopped`].
pub fn read(
    text: &str,
    options: &ReadOptions,
    imports: &dyn Imports,
    clock: &mut dyn FnMut() -> bool,
) -> Result<Lark, Error> {
    let mut budget = budget::Budget::new(options.limits.nodes, clock);
    let modules = resolve::load(text, imports, &mut budget)?;
    resolve::resolve(&modules, options, &mut budget)
}
