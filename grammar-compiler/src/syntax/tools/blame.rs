//! Errors that say which tool they are about.
//!
//! In: an error of a request, and its tools. Out: the same error, with the name of the tool in the
//! message of each diagnostic that is about one.

use super::read::{Arguments, Tool, short};
use crate::error::{Diagnostic, Error};
use crate::source::Span;

/// The error with the name of this tool.
pub(super) fn of_tool(error: Error, tool: &Tool) -> Error {
    error.map(|diagnostic| named(diagnostic, tool))
}

/// The error with the name of the tool whose schema or name each diagnostic marks first.
pub(super) fn of_any(error: Error, tools: &[&Tool]) -> Error {
    error.map(|diagnostic| {
        let place = diagnostic.span();
        let marked = |tool: &&&Tool| place.is_some_and(|place| has(tool, place));
        match tools.iter().find(marked) {
            Some(tool) => named(diagnostic, tool),
            None => diagnostic,
        }
    })
}

fn named(diagnostic: Diagnostic, tool: &Tool) -> Diagnostic {
    diagnostic.note(&format!("in the tool `{}`", short(&tool.name.value)))
}

/// Whether a place lies in a tool's schema, or is its name's.
fn has(tool: &Tool, place: Span) -> bool {
    let in_schema = match &tool.arguments {
        Arguments::Schema(schema) => schema.start <= place.start && place.end <= schema.end,
        Arguments::Input(Some(pattern)) => pattern.span == place,
        Arguments::None | Arguments::Any(_) | Arguments::Input(None) => false,
    };
    in_schema || place == tool.name.span
}
