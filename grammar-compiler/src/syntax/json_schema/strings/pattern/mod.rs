//! ECMA-262 patterns.
//!
//! In: the text of a pattern. Out: the strings in which it is found, as a [`Language`].
//!
//! ```text
//! text ── parse ──▶ PatternNode ── program ──▶ Program ── determinize ──▶ Language
//! ```
//!
//! `regex-syntax` has no look-around and is another dialect, so the syntax is read here.
//!
//! Assertions are exact wherever they stand. A match is a way through an automaton; a look-ahead on
//! the way demands something of the rest of the text, now and forever, so a way carries a set of
//! demands, each a set of ways that must, or must not, lead to a match: an alternating automaton
//! with negation, made deterministic by keeping such formulas as states. Look-behinds run along
//! from every place, and say at each one what they have found. So `^`, `$`, `\b` and all
//! look-arounds are one mechanism, there are finitely many formulas, and what simple patterns take
//! is ordinary subset construction. Formulas stay small as what is implied is left out: also of the
//! copies that `(…){0,500}` is written out to, only the one with most copies to come is kept.
//! Intersections and complements of whole automata, the other exact way, build those of every
//! assertion first, and do not reach assertions inside of repetitions.

mod alphabet;
mod ast;
mod class;
mod determinize;
mod foreign;
mod formula;
mod parse;
mod parser;
mod program;

use super::bounds::{Budget, LanguageError};
use super::{Language, bounds};
use crate::grammar::characters::{MOST_CLASSES, named_classes};
use crate::limits::Deadline;
use ast::PatternNode;
use core::fmt;
use std::ops::Range;

/// Why a pattern is refused, or what in it is doubtful.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatternError {
    /// What is wrong.
    pub message: String,
    /// The bytes of the pattern that it is about.
    pub span: Range<usize>,
    /// A way out.
    pub help: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for PatternError {}

/// A pattern that was read.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The strings in which it is found somewhere.
    pub language: Language,
    /// What validators refuse that follow ECMA-262 with the flag `u`, one of each kind, and what is
    /// legal and surely not meant.
    pub doubts: Vec<PatternError>,
}

/// The strings in which the pattern is found somewhere.
///
/// # Errors
///
/// As [`read_pattern`].
pub fn pattern(text: &str, deadline: &Deadline) -> Result<Language, PatternError> {
    Ok(read_pattern(text, deadline)?.language)
}

/// The strings in which the pattern is found somewhere, and what in it is doubtful.
///
/// # Errors
///
/// Back-references and groups with flags are refused, as is what has no meaning in ECMA-262, and
/// what has another one in most other dialects: `{,3}`, `{2, 3}` and `[[:alpha:]]`.
pub fn read_pattern(text: &str, deadline: &Deadline) -> Result<Pattern, PatternError> {
    if named_classes(text) > MOST_CLASSES {
        return Err(PatternError {
            message: format!("it names more than {MOST_CLASSES} classes of characters"),
            span: 0..text.len(),
            help: "write each class once".to_owned(),
        });
    }
    let (node, doubts) = parse::parse(text)?;
    let search = match node.is_anchored() {
        true => node,
        false => PatternNode::Seq(vec![PatternNode::any().repeat(0, None), node]),
    };
    let language = compile(&search, deadline).map_err(|error| PatternError {
        message: error.to_string(),
        span: 0..text.len(),
        help: format!(
            "shorten counted repetitions, or begin the pattern with `^`: {} states are the most",
            bounds::MAX_STATES
        ),
    })?;
    Ok(Pattern { language, doubts })
}

fn compile(node: &PatternNode, deadline: &Deadline) -> Result<Language, LanguageError> {
    let mut budget = Budget::new(deadline);
    let program = program::compile(node, &mut budget)?;
    determinize::determinize(&program, &mut budget)
}
