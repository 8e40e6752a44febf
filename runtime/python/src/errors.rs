//! Errors as exceptions.
//!
//! In: the errors of compiler and runtime. Out: exceptions; `GrammarError` carries code, message,
//! place and way out as attributes.

use std::ffi::CString;

use maskwright_compiler::error::{Diagnostic, Severity};
use maskwright_compiler::vocabulary::VocabularyError as NoVocabulary;
use maskwright_core::{LoadError, MatcherError, RollbackError, StateError};
use pyo3::create_exception;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;

create_exception!(
    maskwright,
    GrammarError,
    PyValueError,
    "A grammar, schema, structural tag or list of tools that cannot be compiled. `str()` draws all errors with their places."
);
create_exception!(
    maskwright,
    VocabularyError,
    PyValueError,
    "A vocabulary that cannot be read, or passes a limit."
);
create_exception!(
    maskwright,
    TablesError,
    PyValueError,
    "Bytes of a grammar or of a matcher's state that were not made by this version, for this vocabulary or for this grammar."
);

create_exception!(
    maskwright,
    GrammarWarning,
    PyUserWarning,
    "A part of a grammar that is allowed and probably not meant. `str()` draws it with its place and the way out."
);

/// Warns of what a compile found, once for each warning.
///
/// # Errors
/// If the program makes errors of warnings.
pub(crate) fn warn(py: Python<'_>, warnings: &[String]) -> PyResult<()> {
    let kind = py.get_type::<GrammarWarning>();
    for warning in warnings {
        let message = CString::new(warning.replace('\0', "\\0"))?;
        PyErr::warn(py, &kind, &message, 1)?;
    }
    Ok(())
}

/// The exception for an error of the compiler.
pub(crate) fn grammar_error(py: Python<'_>, error: &maskwright_compiler::Error) -> PyErr {
    let first = first_error(error.diagnostics());
    let position = error.position();
    let raised = GrammarError::new_err(error.render(false));
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("code", error.code().to_string())?;
        value.setattr("message", error.message())?;
        value.setattr("line", position.map(|position| position.line))?;
        value.setattr("column", position.map(|position| position.column))?;
        value.setattr("help", first.and_then(Diagnostic::way_out))
    };
    match set() {
        Ok(()) => raised,
        Err(other) => other,
    }
}

/// The error that an [`Error`](maskwright_compiler::Error) takes code, message and place from.
fn first_error(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity() == Severity::Error)
}

/// The exception for a vocabulary.
pub(crate) fn vocabulary_error(error: NoVocabulary) -> PyErr {
    VocabularyError::new_err(error.to_string())
}

/// The exception for tables.
pub(crate) fn tables_error(error: LoadError) -> PyErr {
    TablesError::new_err(error.to_string())
}

/// The exception for a matcher's state in bytes.
pub(crate) fn state_error(error: StateError) -> PyErr {
    match error {
        StateError::NoMatcher(error) => matcher_error(error),
        StateError::DepthTooSmall { needed } => PyValueError::new_err(format!(
            "finishing from this state needs {needed} frames: set `depth` to {needed} or more"
        )),
        other => TablesError::new_err(other.to_string()),
    }
}

/// The exception for a matcher that cannot be made.
pub(crate) fn matcher_error(error: MatcherError) -> PyErr {
    PyValueError::new_err(match error {
        MatcherError::DepthTooSmall { needed } => {
            format!("finishing a text needs {needed} frames: set `depth` to {needed} or more")
        }
        MatcherError::TooLarge { most } => format!("`depth` is at most {most}"),
        other => other.to_string(),
    })
}

/// The exception for a rollback by too many tokens.
pub(crate) fn rollback_error(error: RollbackError) -> PyErr {
    let RollbackError { tokens, kept, .. } = error;
    PyValueError::new_err(format!(
        "only the last {kept} states are kept, {tokens} tokens were to be taken back: give `Matcher` a larger `history`"
    ))
}
