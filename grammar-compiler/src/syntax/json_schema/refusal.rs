//! How a schema is refused: JSON pointer, keyword, why, and a rewriting that works.
//!
//! # Codes
//! The codes are stable.
//!
//! | code | what |
//! |---|---|
//! | `json-syntax` `json-number` `json-string` `json-duplicate-key` | the text is not JSON, or says one thing twice |
//! | `schema-malformed` | a keyword has a value that its definition does not allow |
//! | `schema-draft` | the draft is not known, or a keyword means something else in it |
//! | `schema-reference` | a reference to a place that is not there |
//! | `schema-other-document` | a reference into another document |
//! | `schema-pattern` | a regular expression that is not one, or not regular |
//! | `schema-format` | a format that is not known, or no regular set of strings |
//! | `schema-unsatisfiable` | no value can satisfy the schema |
//! | `schema-undecided` | keywords whose combination cannot be honoured exactly |
//! | `schema-recursion` | recursion that is not about smaller values |
//! | `limit-exceeded` | a bound on sizes |
//! | `schema-style` | what the style of a model's arguments cannot write |
//! | `schema-unknown-keyword` | warning: a keyword that looks like a slip of a known one |
//! | `schema-no-value` | warning: a part of the schema that no value satisfies |
//! | `schema-lenient` | warning: a keyword ignored because of the option `lenient`, or in a published metaschema |

use super::place::SchemaPlace;
use crate::error::{Code, Diagnostic};

/// An error about `keyword`; `place` is its own or that of its schema. `why` completes "`keyword` at `#/pointer`: "; `help` is
/// a way out.
pub fn refuse(
    code: Code,
    place: &SchemaPlace,
    keyword: &str,
    why: impl AsRef<str>,
    help: impl Into<String>,
) -> Diagnostic {
    let message = message(place, keyword, why.as_ref());
    Diagnostic::error(code, message)
        .at(place.span, "")
        .help(help)
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
    Diagnostic::warning(code, message)
        .at(place.span, "")
        .help(help)
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
