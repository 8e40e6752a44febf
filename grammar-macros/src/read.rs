//! The grammar of an item: rules, a text, a file or a regular expression.
//!
//! In: what the item says. Out: [`Read`]: a grammar of the compiler, its warnings, and the way from its
//! places to the macro's input: to a rule's name where rules were written in the macro; else to
//! the string, with line, column and an excerpt in the message.

use std::path::{Path, PathBuf};

use maskwright_compiler::build::{CachedWarning, explain, place};
use maskwright_compiler::error::Error;
use maskwright_compiler::file;
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::schema::{self, SchemaGrammar, SchemaOptions};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::{ebnf, regex};
use proc_macro2::Span;
use syn::LitStr;

use crate::input;
use crate::resolve::{Resolved, resolve};

/// A grammar that was read.
pub(crate) enum Read<'i> {
    /// From rules in the macro.
    Rules { resolved: Resolved, braces: Span },
    /// From a text.
    Text {
        grammar: Grammar,
        source: Source,
        form: &'i input::Grammar,
        literal: &'i LitStr,
        warnings: Vec<String>,
        /// Documents that it refers to.
        documents: Vec<PathBuf>,
    },
}

/// Reads the grammar of an item. Paths are relative to `package`.
pub(crate) fn grammar<'i>(
    form: &'i input::Grammar,
    package: &Path,
    limits: &Limits,
) -> syn::Result<Read<'i>> {
    match form {
        input::Grammar::Rules { rules, braces } => Ok(Read::Rules {
            resolved: resolve(rules.as_slice(), *braces)?,
            braces: *braces,
        }),
        input::Grammar::Ebnf { text, root } => {
            let source = Source::new("<grammar>", text.value());
            read_ebnf(form, text, source, options(root.as_ref(), limits))
        }
        input::Grammar::EbnfFile { path, root } => {
            let source = file(path, package, limits)?;
            read_ebnf(form, path, source, options(root.as_ref(), limits))
        }
        input::Grammar::Schema { text, options } => {
            let source = Source::new("<schema>", text.value());
            read_schema(form, text, source, options, package, limits)
        }
        input::Grammar::SchemaFile { path, options } => {
            let source = file(path, package, limits)?;
            read_schema(form, path, source, options, package, limits)
        }
        input::Grammar::Regex(literal) => {
            let source = Source::new("<pattern>", literal.value());
            let grammar =
                regex::parse(source.text(), limits).map_err(|error| at(literal, &error))?;
            let warnings = regex::lint(source.text(), &grammar, limits);
            Ok(Read::Text {
                warnings: (warnings.iter())
                    .map(|warning| explain(warning, &source))
                    .collect(),
                grammar,
                source,
                form,
                literal,
                documents: Vec::new(),
            })
        }
    }
}

/// The file that `literal` names.
fn file(literal: &LitStr, package: &Path, limits: &Limits) -> syn::Result<Source> {
    let path = literal.value();
    let most = file::most_of_grammar(limits);
    let text = file::read_text(&package.join(&path), most).map_err(|error| {
        let message = format!("cannot read `{path}`, relative to the package: {error}");
        syn::Error::new(literal.span(), message)
    })?;
    Ok(Source::new(path, text))
}

fn options(root: Option<&LitStr>, limits: &Limits) -> ebnf::ParseOptions {
    let mut options = ebnf::ParseOptions {
        limits: limits.clone(),
        ..Default::default()
    };
    if let Some(root) = root {
        options.root = root.value();
    }
    options
}

fn read_ebnf<'i>(
    form: &'i input::Grammar,
    literal: &'i LitStr,
    source: Source,
    options: ebnf::ParseOptions,
) -> syn::Result<Read<'i>> {
    let ebnf::Parsed {
        grammar, warnings, ..
    } = ebnf::parse(&source, &options).map_err(|error| at(literal, &error))?;
    let warnings = warnings
        .iter()
        .map(|warning| explain(warning, &source))
        .collect();
    Ok(Read::Text {
        grammar,
        source,
        form,
        literal,
        warnings,
        documents: Vec::new(),
    })
}

fn read_schema<'i>(
    form: &'i input::Grammar,
    literal: &'i LitStr,
    source: Source,
    options: &SchemaOptions,
    package: &Path,
    limits: &Limits,
) -> syn::Result<Read<'i>> {
    let folders = options.documents.iter();
    let options = SchemaOptions {
        documents: folders.map(|folder| folder.within(package)).collect(),
        limits: limits.clone(),
        ..options.clone()
    };
    let SchemaGrammar {
        grammar,
        warnings,
        files: documents,
    } = schema::to_grammar(&source, &options).map_err(|error| at(literal, &error))?;
    let warnings = warnings
        .iter()
        .map(|warning| explain(warning, &source))
        .collect();
    Ok(Read::Text {
        grammar,
        source,
        form,
        literal,
        warnings,
        documents,
    })
}

/// An error in the text of a string or a file, which shows its own line and column.
fn at(literal: &LitStr, error: &Error) -> syn::Error {
    syn::Error::new(literal.span(), format!("in the grammar:\n{error}"))
}

impl Read<'_> {
    pub(crate) fn grammar(&self) -> &Grammar {
        match self {
            Read::Rules { resolved, .. } => &resolved.grammar,
            Read::Text { grammar, .. } => grammar,
        }
    }

    /// The file that the grammar is in.
    pub(crate) fn path(&self) -> Option<&LitStr> {
        match self {
            Read::Text {
                form:
                    input::Grammar::EbnfFile { path, .. } | input::Grammar::SchemaFile { path, .. },
                ..
            } => Some(path),
            _ => None,
        }
    }

    /// The files of documents that the grammar refers to.
    pub(crate) fn documents(&self) -> &[PathBuf] {
        match self {
            Read::Text { documents, .. } => documents,
            Read::Rules { .. } => &[],
        }
    }

    /// What documentation calls the grammar.
    pub(crate) fn origin(&self) -> String {
        match self {
            Read::Rules { .. } => "written here".to_owned(),
            Read::Text {
                form: input::Grammar::EbnfFile { path, .. },
                ..
            } => format!("of `{}`", path.value()),
            Read::Text {
                form: input::Grammar::SchemaFile { path, .. },
                ..
            } => format!("of the JSON Schema `{}`", path.value()),
            Read::Text {
                form: input::Grammar::Schema { .. },
                ..
            } => "of a JSON Schema".to_owned(),
            Read::Text {
                form: input::Grammar::Regex(_),
                ..
            } => "of a regular expression".to_owned(),
            Read::Text { .. } => "given as text".to_owned(),
        }
    }

    /// What is probably not meant, and where.
    pub(crate) fn warnings(&self) -> Vec<(String, Span)> {
        match self {
            Read::Rules { resolved, .. } => resolved.warnings(),
            Read::Text {
                literal, warnings, ..
            } => warnings
                .iter()
                .map(|warning| (warning.clone(), literal.span()))
                .collect(),
        }
    }

    /// What to say of a warning of the compile, and where, if it has a place.
    pub(crate) fn place_warning(&self, warning: &CachedWarning) -> (String, Option<Span>) {
        let text = || warning.text.clone();
        match self {
            Read::Rules { resolved, .. } => (text(), resolved.place(warning.span)),
            Read::Text { .. } if warning.span.is_none() => (text(), None),
            Read::Text {
                literal, source, ..
            } => {
                let place = place(warning.span, source);
                (format!("{place}: {}", warning.text), Some(literal.span()))
            }
        }
    }

    /// An error of compiling the grammar, at its place.
    pub(crate) fn locate(&self, error: &Error) -> syn::Error {
        match self {
            Read::Rules { resolved, braces } => resolved.locate(error, *braces),
            Read::Text {
                literal, source, ..
            } => match error.source_text() {
                Some(_) => at(literal, error),
                None => at(
                    literal,
                    &Error::in_source(source, error.diagnostics().to_vec()),
                ),
            },
        }
    }
}
