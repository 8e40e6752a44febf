//! What is to be compiled: a `GrammarText` from the arguments that Python gives.
//!
//! In: a document and keyword arguments. Out: the text with its options. What holds: an argument
//! that the kind of text does not have is an error that names it; nothing is parsed here.

use std::path::PathBuf;

use maskwright_compiler::GrammarText;
use maskwright_compiler::syntax::Settings;
use maskwright_compiler::syntax::lark::LarkOptions;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::options::{json, schema_options, tool_options};

/// The kinds of requests, by the keyword that gives one.
const KINDS: [&str; 6] = ["tools", "schema", "ebnf", "lark", "regex", "structural_tag"];

/// A JSON Schema.
pub(crate) fn schema(
    schema: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<GrammarText> {
    Ok(GrammarText::schema(json(schema)?).schema_options(schema_options(options)?))
}

/// A grammar in EBNF. Documents that it names come from `folder`, or from nowhere.
pub(crate) fn ebnf(text: &str, root: Option<String>, folder: Option<PathBuf>) -> GrammarText {
    let mut text = GrammarText::ebnf(text);
    if let Some(root) = root {
        text = text.root(root);
    }
    if let Some(folder) = folder {
        text = text.folder(folder);
    }
    text
}

/// A grammar in a dialect of Lark.
pub(crate) fn lark(
    text: &str,
    lexer: Option<&str>,
    parser: Option<&str>,
    start: Option<Vec<String>>,
) -> PyResult<GrammarText> {
    let mut options = LarkOptions::default();
    for (name, value) in [("lexer", lexer), ("parser", parser)] {
        if let Some(value) = value {
            let set = options.set_named(name, &[value]);
            set.map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
    }
    if let Some(start) = start {
        options = options.start(start);
    }
    Ok(GrammarText::lark(text).lark_options(options))
}

/// A structural tag. Documents that grammars in it name come from `folder`, or from nowhere.
pub(crate) fn structural_tag(
    tag: &Bound<'_, PyAny>,
    folder: Option<PathBuf>,
    spelled: bool,
    outer_ends: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<GrammarText> {
    let tags = TagOptions::default()
        .spelled(spelled)
        .outer_ends(outer_ends);
    let mut text = GrammarText::structural_tag(json(tag)?).tag_options(tags);
    if let Some(folder) = folder {
        text = text.folder(folder);
    }
    Ok(text.schema_options(schema_options(options)?))
}

/// The tools of a request, in a format by its name or in that of a file. A name opens no file,
/// whatever it is.
pub(crate) fn tools(
    tools: &Bound<'_, PyAny>,
    format: Option<String>,
    format_file: Option<PathBuf>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<GrammarText> {
    let format = match (format, format_file) {
        (Some(name), None) => ToolOptions::format(&name),
        (None, Some(path)) => ToolOptions::format_file(path),
        _ => {
            let message = "`tools` need a `format`, by name, or a `format_file`, by path";
            return Err(PyTypeError::new_err(message));
        }
    };
    Ok(GrammarText::tools(json(tools)?).tool_options(tool_options(format, options)?))
}

/// What keyword arguments ask for: one of [`KINDS`], and the options of the compiler's method of
/// that name.
pub(crate) fn request(given: Option<&Bound<'_, PyDict>>) -> PyResult<GrammarText> {
    let (kind, document, options) = one_kind(given)?;
    let mut options = Arguments(options);
    match kind {
        "tools" => {
            let (format, file) = (options.take("format")?, options.take("format_file")?);
            tools(&document, format, file, Some(&options.0))
        }
        "schema" => schema(&document, Some(&options.0)),
        "ebnf" => {
            let (root, folder) = (options.take("root")?, options.take("folder")?);
            options.none_left(kind)?;
            Ok(ebnf(&document.extract::<String>()?, root, folder))
        }
        "lark" => {
            let lexer: Option<String> = options.take("lexer")?;
            let parser: Option<String> = options.take("parser")?;
            let start = options.take("start")?;
            options.none_left(kind)?;
            let text = document.extract::<String>()?;
            lark(&text, lexer.as_deref(), parser.as_deref(), start)
        }
        "regex" => {
            options.none_left(kind)?;
            Ok(GrammarText::regex(document.extract::<String>()?))
        }
        _ => {
            let spelled = options.take("spelled")?.unwrap_or(false);
            let outer_ends = options.take("outer_ends")?.unwrap_or(true);
            let folder = options.take("folder")?;
            structural_tag(&document, folder, spelled, outer_ends, Some(&options.0))
        }
    }
}

/// The one kind that is given, its document, and the other arguments.
fn one_kind<'py>(
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<(&'static str, Bound<'py, PyAny>, Bound<'py, PyDict>)> {
    let wrong = || {
        let kinds = KINDS.map(|kind| format!("`{kind}`")).join(", ");
        PyTypeError::new_err(format!("a request is exactly one of {kinds}, by keyword"))
    };
    let options = given.ok_or_else(wrong)?.copy()?;
    let mut found = None;
    for kind in KINDS {
        if let Some(document) = options.get_item(kind)? {
            options.del_item(kind)?;
            if found.replace((kind, document)).is_some() {
                return Err(wrong());
            }
        }
    }
    let (kind, document) = found.ok_or_else(wrong)?;
    Ok((kind, document, options))
}

/// Keyword arguments, from which those that are known are taken.
struct Arguments<'py>(Bound<'py, PyDict>);

impl<'py> Arguments<'py> {
    /// Takes an argument out; none where it is None or not given.
    fn take<T>(&mut self, name: &str) -> PyResult<Option<T>>
    where
        T: FromPyObjectOwned<'py>,
    {
        let Some(value) = self.0.get_item(name)? else {
            return Ok(None);
        };
        self.0.del_item(name)?;
        if value.is_none() {
            return Ok(None);
        }
        let value = value.extract::<T>();
        value.map(Some).map_err(|error| {
            let error: PyErr = error.into();
            let why = error.value(self.0.py()).to_string();
            PyTypeError::new_err(format!("`{name}`: {why}"))
        })
    }

    /// Refuses what is left.
    fn none_left(&self, kind: &str) -> PyResult<()> {
        match self.0.keys().iter().next() {
            None => Ok(()),
            Some(name) => Err(PyValueError::new_err(format!(
                "`{name}` is no option of `{kind}`"
            ))),
        }
    }
}
