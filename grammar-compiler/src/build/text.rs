//! Grammars as they are written down.

use std::path::{Path, PathBuf};

use crate::error::{Diagnostic, Error};
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::source::Source;
use crate::syntax::{ebnf, regex};

/// A grammar as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrammarText {
    /// A file in the grammar language.
    EbnfFile(PathBuf),
    /// A text in the grammar language.
    Ebnf(String),
    /// A regular expression, which the whole text must match.
    Regex(String),
}

/// A grammar that was read, and the text that its places lie in.
#[derive(Clone, Debug)]
pub struct ParsedText {
    /// The text.
    pub source: Source,
    /// The grammar.
    pub grammar: Grammar,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
}

impl GrammarText {
    /// The file that the grammar is read from.
    pub fn path(&self) -> Option<&Path> {
        match self {
            GrammarText::EbnfFile(path) => Some(path),
            GrammarText::Ebnf(_) | GrammarText::Regex(_) => None,
        }
    }

    /// What documentation calls it.
    pub fn description(&self) -> String {
        match self {
            GrammarText::EbnfFile(path) => format!("of `{}`", path.display()),
            GrammarText::Ebnf(_) => "given as text".to_owned(),
            GrammarText::Regex(_) => "of a regular expression".to_owned(),
        }
    }

    /// Reads and parses the grammar.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or the text is not a grammar.
    pub fn parse(&self, limits: &Limits) -> Result<ParsedText, Error> {
        let source = match self {
            GrammarText::EbnfFile(path) => Source::new(path.display().to_string(), read(path)?),
            GrammarText::Ebnf(text) => Source::new("<grammar>", text.as_str()),
            GrammarText::Regex(pattern) => Source::new("<pattern>", pattern.as_str()),
        };
        match self {
            GrammarText::Regex(pattern) => {
                let grammar = regex::parse(pattern, limits)?;
                Ok(ParsedText {
                    source,
                    grammar,
                    warnings: Vec::new(),
                })
            }
            GrammarText::EbnfFile(_) | GrammarText::Ebnf(_) => {
                let options = ebnf::ParseOptions {
                    limits: limits.clone(),
                    ..Default::default()
                };
                let ebnf::Parsed {
                    grammar, warnings, ..
                } = ebnf::parse(&source, &options)?;
                Ok(ParsedText {
                    source,
                    grammar,
                    warnings,
                })
            }
        }
    }
}

impl ParsedText {
    /// The same error with this text, where a later stage did not know it.
    pub fn locate(&self, error: Error) -> Error {
        match error.source_text() {
            Some(_) => error,
            None => Error::in_source(&self.source, error.diagnostics().to_vec()),
        }
    }
}

/// A diagnostic in one line: ``grammar.ebnf:3:1: the rule `x` is never used (remove it)``.
pub fn explain(diagnostic: &Diagnostic, source: &Source) -> String {
    let mut place = source.name().to_owned();
    if let Some(span) = diagnostic.span() {
        place.push_str(&format!(":{}", source.position(span.start)));
    }
    format!("{place}: {}", sentence(diagnostic))
}

/// A diagnostic in one line without its place.
pub fn sentence(diagnostic: &Diagnostic) -> String {
    let way_out = diagnostic.way_out().map(|way_out| format!(" ({way_out})"));
    let sentence = format!("{}{}", diagnostic.message(), way_out.unwrap_or_default());
    sentence.replace('\n', " ")
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|error| {
        Diagnostic::error("build", format!("cannot read {}: {error}", path.display())).into()
    })
}
