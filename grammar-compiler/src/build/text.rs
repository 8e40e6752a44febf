//! Grammars as they are written down.

use std::path::{Path, PathBuf};

use super::compile::CachedWarning;
use crate::error::{Diagnostic, Error};
use crate::file;
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::schema::{self, DocumentFolder, SchemaGrammar, SchemaOptions};
use crate::source::{Source, Span};
use crate::syntax::{ebnf, regex};

/// A grammar as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarText {
    form: Form,
    root: Option<String>,
    schema_options: Option<SchemaOptions>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    EbnfFile(PathBuf),
    Ebnf(String),
    Regex(String),
    SchemaFile(PathBuf),
    Schema(String),
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
    /// A file in the grammar language.
    pub fn ebnf_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::of(Form::EbnfFile(path.into()))
    }

    /// A text in the grammar language.
    pub fn ebnf(text: impl Into<String>) -> Self {
        GrammarText::of(Form::Ebnf(text.into()))
    }

    /// A regular expression, which the whole text must match.
    pub fn regex(pattern: impl Into<String>) -> Self {
        GrammarText::of(Form::Regex(pattern.into()))
    }

    /// A file with a JSON Schema: the texts of its values.
    pub fn schema_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::of(Form::SchemaFile(path.into()))
    }

    /// A JSON Schema: the texts of its values.
    pub fn schema(text: impl Into<String>) -> Self {
        GrammarText::of(Form::Schema(text.into()))
    }

    fn of(form: Form) -> Self {
        GrammarText {
            form,
            root: None,
            schema_options: None,
        }
    }

    /// The same with this rule for the whole text, instead of `root`. A regular expression has no rules.
    #[must_use]
    pub fn root(mut self, rule: impl Into<String>) -> Self {
        self.root = Some(rule.into());
        self
    }

    /// The same read with these options, if it is a JSON Schema. Limits are those of the compile.
    #[must_use]
    pub fn schema_options(mut self, options: SchemaOptions) -> Self {
        self.schema_options = Some(options);
        self
    }

    /// As [`Self::schema_options`], where it has none of its own.
    pub(super) fn or_schema_options(&self, options: Option<&SchemaOptions>) -> Self {
        let own = self.schema_options.clone();
        GrammarText {
            schema_options: own.or_else(|| options.cloned()),
            ..self.clone()
        }
    }

    /// The file that the grammar is read from.
    pub fn path(&self) -> Option<&Path> {
        match &self.form {
            Form::EbnfFile(path) | Form::SchemaFile(path) => Some(path),
            Form::Ebnf(_) | Form::Regex(_) | Form::Schema(_) => None,
        }
    }

    /// The folders of documents that it may refer to, if it is a JSON Schema.
    pub(super) fn document_folders(&self) -> impl Iterator<Item = &Path> {
        let options = self.schema_options.as_ref().filter(|_| self.is_schema());
        let folders = options.map_or(&[][..], |options| &options.documents);
        folders.iter().map(DocumentFolder::folder)
    }

    fn is_schema(&self) -> bool {
        matches!(self.form, Form::Schema(_) | Form::SchemaFile(_))
    }

    /// What documentation calls it.
    pub fn description(&self) -> String {
        match &self.form {
            Form::EbnfFile(path) => format!("of `{}`", path.display()),
            Form::SchemaFile(path) => format!("of the JSON Schema `{}`", path.display()),
            Form::Ebnf(_) => "given as text".to_owned(),
            Form::Schema(_) => "of a JSON Schema".to_owned(),
            Form::Regex(_) => "of a regular expression".to_owned(),
        }
    }

    /// Reads and parses the grammar.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or the text is not a grammar.
    pub fn parse(&self, limits: &Limits) -> Result<ParsedText, Error> {
        let source = match &self.form {
            Form::EbnfFile(path) => Source::new(path.display().to_string(), read(path, limits)?),
            Form::Ebnf(text) => Source::new("<grammar>", text.as_str()),
            Form::SchemaFile(path) => {
                let source = Source::new(path.display().to_string(), read(path, limits)?);
                return self.parse_schema(source, limits);
            }
            Form::Schema(text) => {
                return self.parse_schema(Source::new("<schema>", text.as_str()), limits);
            }
            Form::Regex(pattern) => {
                let grammar = regex::parse(pattern, limits)?;
                return Ok(ParsedText {
                    source: Source::new("<pattern>", pattern.as_str()),
                    warnings: regex::lint(pattern, &grammar, limits),
                    grammar,
                });
            }
        };
        let mut options = ebnf::ParseOptions {
            limits: limits.clone(),
            ..Default::default()
        };
        if let Some(root) = &self.root {
            options.root.clone_from(root);
        }
        let ebnf::Parsed {
            grammar, warnings, ..
        } = ebnf::parse(&source, &options)?;
        Ok(ParsedText {
            source,
            grammar,
            warnings,
        })
    }

    fn parse_schema(&self, source: Source, limits: &Limits) -> Result<ParsedText, Error> {
        let options = SchemaOptions {
            limits: limits.clone(),
            ..self.schema_options.clone().unwrap_or_default()
        };
        let SchemaGrammar {
            grammar, warnings, ..
        } = schema::to_grammar(&source, &options)?;
        Ok(ParsedText {
            source,
            grammar,
            warnings,
        })
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

    /// A warning of a compile, with its place.
    pub(super) fn one_line(&self, warning: &CachedWarning) -> String {
        format!("{}: {}", place(warning.span, &self.source), warning.text)
    }
}

/// A diagnostic in one line: ``grammar.ebnf:3:1: the rule `x` is never used (remove it)``.
pub fn explain(diagnostic: &Diagnostic, source: &Source) -> String {
    let place = place(diagnostic.span(), source);
    format!("{place}: {}", sentence(diagnostic))
}

/// `grammar.ebnf:3:1`, or the name alone.
pub fn place(span: Option<Span>, source: &Source) -> String {
    match span {
        Some(span) => format!("{}:{}", source.name(), source.position(span.start)),
        None => source.name().to_owned(),
    }
}

/// A diagnostic in one line without its place.
pub fn sentence(diagnostic: &Diagnostic) -> String {
    let way_out = diagnostic.way_out().map(|way_out| format!(" ({way_out})"));
    let sentence = format!("{}{}", diagnostic.message(), way_out.unwrap_or_default());
    sentence.replace('\n', " ")
}

fn read(path: &Path, limits: &Limits) -> Result<String, Error> {
    file::read_text(path, file::most_of_grammar(limits)).map_err(|error| {
        match file::grammar_too_long(path, &error, limits) {
            Some(limit) => limit.into(),
            None => Diagnostic::error("build", format!("cannot read {}: {error}", path.display()))
                .help("paths are relative to the package's folder")
                .into(),
        }
    })
}
