//! The grammar of an item: rules, or a text of any kind.
//!
//! In: what the item says. Out: [`Read`]: a grammar of the compiler, its warnings, and the way from
//! its places to the macro's input: to a rule's name where rules were written in the macro; else to
//! the string, with line, column and an excerpt in the message.

use std::path::{Path, PathBuf};

use maskwright_compiler::documents::{Folder, SharedDocuments};
use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::tools::ToolCalls;
use maskwright_compiler::syntax::{GrammarText, ParseOptions, Parsed};
use maskwright_compiler::vocabulary::TokenNames;
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
        parsed: Parsed,
        text: &'i GrammarText,
        literal: &'i LitStr,
    },
}

/// Reads the grammar of an item, which may name these tokens. Documents that it names come from the
/// folder of its file, or from `package` if it is written in the macro.
pub(crate) fn grammar<'i>(
    form: &'i input::Grammar,
    package: &Path,
    limits: &Limits,
    names: TokenNames,
) -> syn::Result<Read<'i>> {
    match form {
        input::Grammar::Rules { rules, braces } => {
            let documents = Folder::new("").within(package);
            let options = ParseOptions::from(limits.clone())
                .documents(Some(SharedDocuments::new(documents)))
                .tokens(names);
            Ok(Read::Rules {
                resolved: resolve(rules.as_slice(), *braces, &options)?,
                braces: *braces,
            })
        }
        input::Grammar::Text { literal, text } => {
            let parsed = in_package(text, package).tokens(names).parse(limits);
            Ok(Read::Text {
                parsed: parsed.map_err(|error| at(literal, &error))?,
                text,
                literal,
            })
        }
    }
}

/// The text with what it names in the package.
pub(crate) fn in_package(text: &GrammarText, package: &Path) -> GrammarText {
    let text = text.clone().within(package);
    match text.path() {
        Some(_) => text,
        None => text.folder(""),
    }
}

/// An error in the text of a string or a file, which shows its own line and column.
fn at(literal: &LitStr, error: &Error) -> syn::Error {
    syn::Error::new(literal.span(), format!("in the grammar:\n{error}"))
}

impl Read<'_> {
    pub(crate) fn grammar(&self) -> &Grammar {
        match self {
            Read::Rules { resolved, .. } => &resolved.grammar,
            Read::Text { parsed, .. } => &parsed.grammar,
        }
    }

    /// What a reader of outputs has to know, if they have tool calls.
    pub(crate) fn calls(&self) -> Option<Box<ToolCalls>> {
        match self {
            Read::Text { parsed, .. } => parsed.calls.clone(),
            Read::Rules { .. } => None,
        }
    }

    /// The file that the grammar is in.
    pub(crate) fn path(&self) -> Option<&LitStr> {
        match self {
            Read::Text { text, literal, .. } => text.path().map(|_| *literal),
            Read::Rules { .. } => None,
        }
    }

    /// Other files that were read: embedded grammars and documents that schemas refer to.
    pub(crate) fn files(&self) -> &[PathBuf] {
        match self {
            Read::Text { parsed, .. } => &parsed.files,
            Read::Rules { resolved, .. } => &resolved.files,
        }
    }

    /// What documentation calls the grammar.
    pub(crate) fn origin(&self) -> String {
        match self {
            Read::Rules { .. } => "written here".to_owned(),
            Read::Text { text, .. } => text.description(),
        }
    }

    /// What is probably not meant, and where.
    pub(crate) fn warnings(&self) -> Vec<(String, Span)> {
        match self {
            Read::Rules { resolved, braces } => resolved.warnings(*braces),
            Read::Text {
                parsed, literal, ..
            } => (parsed.warnings.iter())
                .map(|warning| (warning.one_line(&parsed.sources), literal.span()))
                .collect(),
        }
    }

    /// What to say of a warning of the compile, and where, if it has a place.
    pub(crate) fn place_warning(&self, warning: &Diagnostic) -> (String, Option<Span>) {
        match self {
            _ if warning.span().is_none() => (warning.sentence(), None),
            Read::Rules { resolved, .. } => match resolved.place(warning.span()) {
                Some(place) => (warning.sentence(), Some(place)),
                None => (warning.one_line(&resolved.sources), None),
            },
            Read::Text {
                parsed, literal, ..
            } => (warning.one_line(&parsed.sources), Some(literal.span())),
        }
    }

    /// An error of compiling the grammar, at its place.
    pub(crate) fn locate(&self, error: &Error) -> syn::Error {
        match self {
            Read::Rules { resolved, braces } => resolved.locate(error, *braces),
            Read::Text {
                parsed, literal, ..
            } => at(literal, &parsed.locate(error.clone())),
        }
    }
}
