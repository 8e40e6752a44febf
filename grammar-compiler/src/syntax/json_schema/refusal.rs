//! How a schema is refused: JSON pointer, keyword, why, and a rewriting that works.
//! `error/codes.rs` lists the codes.

use super::place::SchemaPlace;
use crate::error::{Code, Diagnostic};

/// An error about `keyword`; `place` is its own or that of its schema. `why` completes "`keyword`
/// at `#/pointer`: "; `help` is a way out.
pub fn refuse(
    code: Code,
    place: &SchemaPlace,
    keyword: &str,
    why: impl AsRef<str>,
    help: impl Into<String>,
) -> Diagnostic {
    let message = message(place, keyword, why.as_ref());
    marked(Diagnostic::error(code, message), place, help)
}

/// As [`refuse`], but a warning.
pub fn warn(
    code: Code,
    place: &SchemaPlace,
    keyword: &str,
    why: impl AsRef<str>,
    help: impl Into<String>,
) -> Diagnostic {
    let message = message(place, keyword, why.as_ref());
    marked(Diagnostic::warning(code, message), place, help)
}

fn marked(diagnostic: Diagnostic, place: &SchemaPlace, help: impl Into<String>) -> Diagnostic {
    diagnostic.at(place.span, "").help(help)
}

fn message(place: &SchemaPlace, keyword: &str, why: &str) -> String {
    // A keyword's own place ends in its name.
    let pointer = place.pointer.as_str();
    let parent = pointer
        .strip_suffix(keyword)
        .and_then(|rest| rest.strip_suffix('/'));
    let pointer = match parent.filter(|_| !keyword.is_empty()).unwrap_or(pointer) {
        "" => "#",
        pointer => pointer,
    };
    match keyword {
        "" => format!("`{pointer}`: {why}"),
        _ => format!("`{keyword}` at `{pointer}`: {why}"),
    }
}
