//! Errors and warnings about what a user wrote.
//!
//! In: a [`Diagnostic`] from any stage, with the place and the way out. Out: [`Error`], which holds
//! one or several diagnostics with the text they are about, and draws them.

use crate::limits::LimitExceeded;
use crate::source::{Position, Source, Sources, Span};
use std::fmt;

mod codes;
mod render;

pub use codes::{Code, UnknownCode};

/// At most this many diagnostics of an error are drawn; more are counted.
pub const MAX_DRAWN: usize = 20;

/// Once the drawn diagnostics of an error have this many bytes, no more are drawn.
pub const MAX_DRAWN_BYTES: usize = 1 << 15;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Nothing can be compiled.
    Error,
    /// Something that is probably not meant, but has a meaning.
    Warning,
}

impl Severity {
    /// `error` or `warning`, as messages begin.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// An error or a warning, with its code, its places and a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    code: Code,
    message: String,
    /// The place; the first is the one that is at fault, others explain.
    labels: Vec<Label>,
    help: Option<String>,
}

/// A marked place and the text at it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The place in the source.
    pub span: Span,
    /// The text at the place; may be empty.
    pub text: String,
}

/// The most bytes of one text of a diagnostic: a name or a pattern in it may be as long as a client
/// likes.
const MOST_BYTES: usize = 4000;

/// The text; a longer one without its middle, since the reason may stand behind a long name.
fn bounded(text: String) -> String {
    match text.len() > MOST_BYTES {
        true => {
            let (first, last) = (beginning(&text, MOST_BYTES / 2), end(&text, MOST_BYTES / 2));
            format!("{first}…{last}")
        }
        false => text,
    }
}

/// The characters that begin within the last `most` bytes.
fn end(text: &str, most: usize) -> &str {
    let starts = text.len().saturating_sub(most)..=text.len();
    starts
        .filter_map(|start| text.get(start..))
        .next()
        .unwrap_or("")
}

/// The characters that end within the first `most` bytes.
fn beginning(text: &str, most: usize) -> &str {
    let ends = (0..=most).rev();
    ends.filter_map(|end| text.get(..end))
        .next()
        .unwrap_or(text)
}

/// A name as messages show it: its beginning, if it is long. For names that stand in many messages.
pub(crate) fn shown(name: &str) -> std::borrow::Cow<'_, str> {
    const MOST: usize = 200;
    match name.len() > MOST {
        true => format!("{}…", beginning(name, MOST)).into(),
        false => name.into(),
    }
}

impl Diagnostic {
    /// An error of this kind.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, code, message.into())
    }

    /// A warning of this kind.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, code, message.into())
    }

    fn new(severity: Severity, code: Code, message: String) -> Self {
        Diagnostic {
            severity,
            code,
            message: bounded(message),
            labels: Vec::new(),
            help: None,
        }
    }

    /// The same, at a place. The first place is the one at fault; further ones explain it.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: bounded(text.into()),
        });
        self
    }

    /// The same with more in its message, after a semicolon.
    #[must_use]
    pub fn note(mut self, more: &str) -> Self {
        self.message.push_str("; ");
        self.message.push_str(more);
        self.message = bounded(self.message);
        self
    }

    /// The same, with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(bounded(help.into()));
        self
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// What kind of diagnostic this is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What is wrong, in the grammar's terms.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place at fault, if it has one in the source.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// All marked places, the one at fault first.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The way out.
    pub fn way_out(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Draws the diagnostic with excerpts of `sources`; `colour` adds terminal colours.
    pub fn render(&self, sources: Option<&Sources>, colour: bool) -> String {
        render::render(self, sources, colour)
    }

    /// The diagnostic in one line, with its place: ``grammar.ebnf:3:1: the rule `x` is never used
    /// (remove it)``.
    pub fn one_line(&self, sources: &Sources) -> String {
        format!("{}: {}", sources.place(self.span()), self.sentence())
    }

    /// The diagnostic in one line without its place.
    pub fn sentence(&self) -> String {
        let way_out = self.way_out().map(|way_out| format!(" ({way_out})"));
        let sentence = format!("{}{}", self.message, way_out.unwrap_or_default());
        sentence.replace('\n', " ")
    }

    /// The same diagnostic with every place moved by `map`: for text that is part of a larger one.
    #[must_use]
    pub fn map_spans(mut self, map: impl Fn(Span) -> Span) -> Self {
        for label in &mut self.labels {
            label.span = map(label.span);
        }
        self
    }
}

/// Why something could not be compiled: one or several diagnostics and the text they are about.
///
/// Small to move. `Display` draws the diagnostics, with line, column and an excerpt.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    sources: Option<Sources>,
    diagnostics: Vec<Diagnostic>,
    /// See [`Error::is_of_tables`].
    is_of_tables: bool,
}

impl Error {
    /// Diagnostics about `source`.
    pub fn in_source(source: &Source, diagnostics: Vec<Diagnostic>) -> Self {
        Error::in_sources(&source.into(), diagnostics)
    }

    /// Diagnostics about a grammar that is written in these texts.
    pub fn in_sources(sources: &Sources, diagnostics: Vec<Diagnostic>) -> Self {
        Error(Box::new(Inner {
            sources: Some(sources.clone()),
            diagnostics,
            is_of_tables: false,
        }))
    }

    /// The same error with these texts, where a later stage did not know them.
    #[must_use]
    pub fn or_in_sources(mut self, sources: &Sources) -> Self {
        self.0.sources.get_or_insert_with(|| sources.clone());
        self
    }

    /// The same without the texts that it is about.
    pub(crate) fn without_sources(self) -> Self {
        Error(Box::new(Inner {
            sources: None,
            diagnostics: self.0.diagnostics,
            is_of_tables: self.0.is_of_tables,
        }))
    }

    /// The same with other diagnostics.
    pub(crate) fn map(mut self, by: impl FnMut(Diagnostic) -> Diagnostic) -> Self {
        let all = std::mem::take(&mut self.0.diagnostics);
        self.0.diagnostics = all.into_iter().map(by).collect();
        self
    }

    /// About how many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        let sources = self.sources().map_or(0, Sources::bytes);
        let diagnostics = self.0.diagnostics.iter().map(|of| {
            let labels = of.labels.iter();
            let labels: usize = labels
                .map(|label| size_of::<Label>() + label.text.len())
                .sum();
            let help = of.help.as_ref().map_or(0, String::len);
            size_of::<Diagnostic>() + of.message.len() + labels + help
        });
        sources + diagnostics.sum::<usize>()
    }

    /// The diagnostics, in the order of the source.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// The texts that the diagnostics' places lie in, if there are any.
    pub fn sources(&self) -> Option<&Sources> {
        self.0.sources.as_ref()
    }

    /// The code of the first error. Where there are warnings only: that of the first; where there
    /// is nothing at all: [`Code::Build`].
    pub fn code(&self) -> Code {
        let shown = self.first().or_else(|| self.diagnostics().first());
        shown.map_or(Code::Build, Diagnostic::code)
    }

    /// The error of a grammar that was read and whose tables are refused. If that is for a limit, the
    /// grammar may be followed without tables.
    #[must_use]
    pub(crate) fn of_tables(mut self) -> Self {
        self.0.is_of_tables = self.code() == Code::LimitExceeded;
        self
    }

    /// Whether only tables are refused, and the grammar may be followed without them.
    pub(crate) fn is_of_tables(&self) -> bool {
        self.0.is_of_tables
    }

    /// The message of the first error, without an excerpt.
    pub fn message(&self) -> &str {
        self.first().map_or("", Diagnostic::message)
    }

    /// Line and column of the first error, if it has a place.
    pub fn position(&self) -> Option<Position> {
        let (source, span) = self.0.sources.as_ref()?.locate(self.first()?.span()?)?;
        Some(source.position(span.start))
    }

    /// Draws the diagnostics, at most 20 of them, and fewer where they are long; `colour` adds
    /// terminal colours.
    pub fn render(&self, colour: bool) -> String {
        let sources = self.0.sources.as_ref();
        let diagnostics = &self.0.diagnostics;
        let mut drawn: Vec<String> = Vec::new();
        let mut bytes = 0;
        for diagnostic in diagnostics.iter().take(MAX_DRAWN) {
            if bytes >= MAX_DRAWN_BYTES {
                break;
            }
            drawn.push(diagnostic.render(sources, colour));
            bytes += drawn.last().map_or(0, String::len);
        }
        if diagnostics.len() > drawn.len() {
            drawn.push(format!("and {} more", diagnostics.len() - drawn.len()));
        }
        drawn.join("\n\n")
    }

    fn first(&self) -> Option<&Diagnostic> {
        self.0
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Error(Box::new(Inner {
            sources: None,
            diagnostics: vec![diagnostic],
            is_of_tables: false,
        }))
    }
}

impl From<LimitExceeded> for Error {
    fn from(limit: LimitExceeded) -> Self {
        Diagnostic::from(&limit).into()
    }
}

impl From<&LimitExceeded> for Diagnostic {
    fn from(limit: &LimitExceeded) -> Self {
        let help = match limit.limit {
            // What a table can say, or what takes too long: not a choice.
            "frames" => "let rules nest less deeply in one another".to_owned(),
            "terminals" | "obligations" => {
                "let terminals overlap less, or use fewer of them".to_owned()
            }
            "tokens" => "name fewer tokens, or all but a few".to_owned(),
            "classes" => "use fewer classes, or smaller patterns".to_owned(),
            field => format!("raise `Limits::{field}` if this size is meant"),
        };
        Diagnostic::error(Code::LimitExceeded, limit.to_string()).help(help)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_pointer() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }

    #[test]
    fn draws_the_place_and_the_way_out() {
        let source = Source::new("json.ebnf", "root ::= value\nvalue ::= strin | number\n");
        let error = Error::in_source(
            &source,
            vec![
                Diagnostic::error(Code::UndefinedRule, "rule `strin` is not defined")
                    .at(Span::new(25, 30), "used here")
                    .help("did you mean `string`?"),
            ],
        );
        insta::assert_snapshot!(error, @r"
        error[undefined-rule]: rule `strin` is not defined
         --> json.ebnf:2:11
          |
        2 | value ::= strin | number
          |           ^^^^^ used here
          |
          = help: did you mean `string`?
        ");
        assert_eq!(
            error.position(),
            Some(Position {
                line: 2,
                column: 11
            })
        );
        assert_eq!(error.code(), "undefined-rule");
    }

    #[test]
    fn a_long_list_is_drawn_in_part() {
        let source = Source::new("g", "a");
        let diagnostics = vec![Diagnostic::error(Code::Build, "m").at(Span::new(0, 1), ""); 23];
        let error = Error::in_source(&source, diagnostics);
        assert_eq!(error.diagnostics().len(), 23);
        assert_eq!(error.to_string().matches("error[build]").count(), 20);
        assert!(error.to_string().ends_with("\n\nand 3 more"));
    }

    #[test]
    fn colours_are_added_only_on_demand() {
        let error = Error::from(Diagnostic::warning(Code::Build, "m"));
        assert!(!error.render(false).contains('\u{1b}'));
        assert!(error.render(true).contains('\u{1b}'));
    }

    #[test]
    fn a_limit_is_an_error_without_a_place() {
        let limit = LimitExceeded::new("states", 10, "the automaton has 11 states");
        insta::assert_snapshot!(Error::from(limit), @r"
        error[limit-exceeded]: the automaton has 11 states (limit `states` = 10)
         |
         = help: raise `Limits::states` if this size is meant
        ");
    }

    #[test]
    fn places_outside_the_text_and_control_characters_are_drawn() {
        let source = Source::new("g", "a\0b\u{202e}\té");
        let diagnostic = Diagnostic::error(Code::Build, "m\u{1b}[31m").at(Span::new(7, 400), "l");
        insta::assert_snapshot!(diagnostic.render(Some(&source.into()), false), @r"
        error[build]: m␛[31m
         --> g:1:6
          |
        1 | a␀b�    é
          |         ^ l
        ");
    }
}
