//! Grammars in the dialects of Lark.
//!
//! In: a text in the language of Lark, or in those of llguidance and XGrammar that extend it. Out:
//! a [`Grammar`](crate::grammar::Grammar) over the terminals of a
//! [`Lexer`](crate::grammar::Lexer).
//!
//! ```text
//! text ── maskwright_lark ──▶ Lark ── terminals ──▶ Lexer
//!                               └──── lower ──────▶ rules over terminals ── embed ──▶ Grammar
//! ```
//!
//! # How a text is cut into terminals
//!
//! - [`Longest`](LarkLexer::Longest): where the longest match of all terminals ends that the parser
//!   may take there; all that match there count. llguidance cuts so, but does not fall back to a
//!   shorter match.
//! - [`Dynamic`](LarkLexer::Dynamic): where the terminal could not be longer itself, as Lark's
//!   Earley parser cuts.
//! - [`DynamicComplete`](LarkLexer::DynamicComplete): wherever it matches, as Lark's Earley parser
//!   can, and XGrammar.
//! - [`Contextual`](LarkLexer::Contextual): as Lark's LALR parser cuts, by priority and order, with
//!   keywords reserved, among the terminals that the parser may take there.
//! - [`Basic`](LarkLexer::Basic): the same among all terminals.
//!
//! A parser may take a terminal if some text with it can still become a sentence. Beside
//! `contextual` it may take what an LALR(1) parser takes in its state, on whatever stack.

mod imports;
mod lalr;
mod lower;
mod options;
mod terminals;
mod tokens;

pub use options::{LarkLexer, LarkOptions, LarkParser};

use std::path::PathBuf;

use maskwright_lark::{ErrorKind, ReadOptions};

use super::embed::{self, Unjoined};
use super::{ParseOptions, Parsed, finish};
use crate::error::{Code, Diagnostic, Error};
use crate::limits::{Deadline, LimitExceeded};
use crate::source::{Source, Span};

/// The stage, as a passed limit names it.
const DOING: &str = "reading a Lark grammar";

/// Reads a grammar in a dialect of Lark.
///
/// # Errors
/// If it is wrong, uses something unsupported, or passes a limit.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let (
        Unjoined {
            grammar,
            embeds,
            warnings,
        },
        files,
    ) = read(source, options)?;
    let mut joined = embed::join(grammar, source.into(), embeds, options)?;
    joined.files.splice(..0, files);
    joined.warnings.splice(..0, warnings);
    finish::check_embedded(&mut joined, options)?;
    Ok(Parsed {
        grammar: joined.grammar,
        sources: joined.sources,
        warnings: finish::sorted(joined.warnings),
        files: joined.files,
        has_schema: joined.has_schema,
        holds_end: false,
        calls: None,
    })
}

/// Reads the grammar in `source` and the files that it imports.
fn read(source: &Source, options: &ParseOptions) -> Result<(Unjoined, Vec<PathBuf>), Error> {
    let limits = &options.limits;
    if source.text().len() > limits.grammar_bytes {
        return Err(LimitExceeded::new(
            "grammar_bytes",
            limits.grammar_bytes,
            format!("the grammar has {} bytes", source.text().len()),
        )
        .into());
    }
    let deadline = Deadline::start(limits);
    let read_options = read_options(options);
    let mut clock = || deadline.tick(DOING).is_ok();
    let imports = imports::DocumentImports::new(options, &deadline);
    let lark = maskwright_lark::read(source.text(), &read_options, &imports, &mut clock);
    deadline.confirm(DOING)?;
    let lark = lark.map_err(|error| refuse(source, &error, imports.refusal().as_deref()))?;
    let lexer = terminals::lexer(&lark, &options.lark, limits, &deadline);
    let lexer = lexer.map_err(|refused| refused.into_error(source));
    let mut lexer = lexer?;
    if options.lark.is_lalr() {
        let lalr = lalr::with_tables(&lark, lexer, limits, &deadline);
        lexer = lalr.map_err(|refused| refused.into_error(source))?;
    }
    let lowered = lower::lower(&lark, lexer, options, &deadline)?;
    let lowered = lowered.map_err(|refused| Error::in_source(source, refused))?;
    Ok((lowered, imports.into_files()))
}

fn read_options(options: &ParseOptions) -> ReadOptions {
    let lark = &options.lark;
    let has_winner = lark.lexer.has_one_winner();
    let mut read = ReadOptions::default();
    if !lark.start.is_empty() {
        read.start.clone_from(&lark.start);
    }
    // Where the first alternative that matches wins, Lark puts the longest one first.
    read.lalr_order = lark.lexer != LarkLexer::Longest;
    read.allow_terminal_priorities = has_winner;
    read
}

/// A reader's error in our terms, and why a file could not be read if that is the reason.
fn refuse(source: &Source, error: &maskwright_lark::Error, unread: Option<&str>) -> Error {
    let code = match error.kind {
        ErrorKind::Grammar => Code::LarkInvalid,
        _ => Code::LimitExceeded,
    };
    let span = |range: &std::ops::Range<usize>| Span::new(range.start, range.end);
    let mut diagnostic = Diagnostic::error(code, &error.message).at(span(&error.span), "here");
    if let Some(why) = unread {
        diagnostic = diagnostic.note(why);
    }
    for (place, what) in &error.also {
        diagnostic = diagnostic.at(span(place), what);
    }
    if !error.help.is_empty() {
        diagnostic = diagnostic.help(&error.help);
    }
    Error::in_source(source, vec![diagnostic])
}
