//! Options and documents as Python has them, as the compiler takes them.
//!
//! In: values and keyword arguments. Out: JSON texts, and options of schemas, tools and compiles.
//! What holds: a name that no option has, or a value that is none of it, is an error that says what
//! was expected.

use std::time::Duration;

use maskwright_compiler::Options;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::{SetError, Settings};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

/// The JSON of a document: a text as it is, other values as `json.dumps` writes them, on several
/// lines, so that errors show a short excerpt. Types in it stand for their schemas.
pub(crate) fn json(document: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = document.cast::<PyString>() {
        return text.extract();
    }
    let py = document.py();
    let settings = PyDict::new(py);
    settings.set_item(intern!(py, "indent"), 2)?;
    settings.set_item(intern!(py, "ensure_ascii"), false)?;
    settings.set_item(intern!(py, "allow_nan"), false)?;
    let types = py.import(intern!(py, "maskwright._types"))?;
    settings.set_item(intern!(py, "default"), types.getattr("schema_of")?)?;
    let dumps = py
        .import(intern!(py, "json"))?
        .getattr(intern!(py, "dumps"))?;
    dumps.call((document,), Some(&settings))?.extract()
}

/// Options of a schema from keyword arguments.
pub(crate) fn schema_options(given: Option<&Bound<'_, PyDict>>) -> PyResult<SchemaOptions> {
    let mut options = SchemaOptions::default();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        if leaves_as_it_is::<SchemaOptions>(&name, &value) {
            continue;
        }
        let values = match value.is_none() {
            true => Vec::new(), // no option has this name: see below
            false => texts(&name, &value)?,
        };
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let set = options.set(&name, &values);
        set.map_err(|error| match error {
            SetError::Unknown { .. } => PyValueError::new_err(error.to_string()),
            other => wrong(&name, &other.to_string()),
        })?;
    }
    Ok(options)
}

/// Options of tools from keyword arguments, added to those with a format.
pub(crate) fn tool_options(
    mut options: ToolOptions,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<ToolOptions> {
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        if leaves_as_it_is::<ToolOptions>(&name, &value) {
            continue;
        }
        let value = match name.as_str() {
            "tool_choice" => tool_choice(&value)?,
            _ if value.is_none() => String::new(), // no option has this name: see below
            _ => text(&name, &value)?,
        };
        let set = options.set(&name, &value);
        set.map_err(|error| wrong(&name, &error))?;
    }
    Ok(options)
}

/// Whether an option is given as None, which leaves it as it is.
fn leaves_as_it_is<O: Settings>(name: &str, value: &Bound<'_, PyAny>) -> bool {
    value.is_none() && O::names().any(|known| known == name)
}

/// `tool_choice` as a text: a text as it is, and the name of
/// `{"type": "function", "function": {"name": …}}`.
fn tool_choice(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(choice) = value.cast::<PyDict>() else {
        return text("tool_choice", value);
    };
    let inner = choice.get_item("function")?;
    let inner = inner.as_ref().and_then(|inner| inner.cast::<PyDict>().ok());
    let name = inner.unwrap_or(choice).get_item("name")?;
    match name.map(|name| name.extract::<String>()) {
        // These would be taken for a way to choose.
        Some(Ok(name)) if !is_a_way_to_choose(&name) => Ok(name),
        _ => Err(PyValueError::new_err(
            "`tool_choice`: expected a text, or `{\"type\": \"function\", \"function\": {\"name\": …}}` with the name of a tool",
        )),
    }
}

/// Whether an option's text of this form is no tool's name.
fn is_a_way_to_choose(text: &str) -> bool {
    let first = text.split(':').next();
    first.is_some_and(|first| ["auto", "none", "required", "any"].contains(&first))
}

/// The options of a compiler.
pub(crate) fn compiler_options(
    threads: Option<usize>,
    deterministic: bool,
    time_limit: Option<f64>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<Options> {
    let mut chosen = Limits::default();
    for (name, value) in limits.into_iter().flatten() {
        chosen = limit(chosen, &name.extract::<String>()?, &value)?;
    }
    if let Some(time) = seconds("time_limit", time_limit)? {
        chosen = chosen.time(time);
    }
    Ok(Options::default()
        .threads(threads.unwrap_or(0))
        .deterministic(deterministic)
        .limits(chosen))
}

/// The limits with another value of the one of this name.
fn limit(limits: Limits, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Limits> {
    Ok(match name {
        "grammar_bytes" => limits.grammar_bytes(value.extract()?),
        "nesting" => limits.nesting(value.extract()?),
        "repetition" => limits.repetition(value.extract()?),
        "automaton_states" => limits.automaton_states(value.extract()?),
        "states" => limits.states(value.extract()?),
        "branches" => limits.branches(value.extract()?),
        "table_bytes" => limits.table_bytes(value.extract()?),
        "work" => limits.work(value.extract()?),
        _ => {
            let why = "expected `grammar_bytes`, `nesting`, `repetition`, `automaton_states`, \
                       `states`, `branches`, `table_bytes` or `work`; the time is \
                       `time_limit`";
            return Err(wrong(name, why));
        }
    })
}

/// One value or several as texts.
fn texts(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let is_one = value.is_instance_of::<PyString>() || value.try_iter().is_err();
    if is_one {
        return Ok(vec![text(name, value)?]);
    }
    value.try_iter()?.map(|value| text(name, &value?)).collect()
}

/// A text, a flag or a whole number as a text.
fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.extract();
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().to_string());
    }
    if let Ok(number) = value.extract::<u64>() {
        return Ok(number.to_string());
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "`{name}`: expected a text, a flag or a number, got {kind}"
    )))
}

/// A time that is given in seconds.
pub(crate) fn seconds(name: &str, given: Option<f64>) -> PyResult<Option<Duration>> {
    let time = given.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| wrong(name, &error.to_string()))
}

/// An option that has this value, and what is wrong with it.
fn wrong(name: &str, why: &str) -> PyErr {
    PyValueError::new_err(format!("`{name}`: {why}"))
}
