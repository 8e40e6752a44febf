//! Names of tools that a format can write.
//!
//! In: tools and a format. Out: an error for each name that another tool has, that the format
//! cannot write, or that a reader of outputs could not find again. What holds without errors: a
//! call of a tool names it by exactly its name.

use super::Tool;
use crate::error::{Code, Diagnostic};
use crate::limits::Deadline;
use crate::maps::KeyedMap;
use crate::source::Span;
use crate::syntax::fields::DOING;
use crate::syntax::tools::{ToolCalls, ToolFormat};
use maskwright_core::calls::CallFormat;
use maskwright_core::style::{Keys, Notation};

/// The longest name of a tool, in bytes.
const MAX_NAME: usize = 256;

/// What is wrong with the names of some tools, each at its place.
///
/// If the time is over, it stops early, and the next look says so.
pub(super) fn names(tools: &[Tool], format: &ToolFormat, deadline: &Deadline) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut known: KeyedMap<&str, Span> = KeyedMap::default();
    let written = format.calls().iter();
    let written = written
        .map(|call| call.span().end - call.span().start)
        .sum();
    let calls = ToolCalls::of(format.clone());
    calls.with_format(|reader| {
        for tool in tools {
            // All calls of the format are looked through for each name.
            if deadline.stops_after(written, DOING) {
                return;
            }
            let name = &tool.name;
            if let Some(first) = known.insert(&name.value, name.span) {
                let message = format!("two tools are called `{}`", short(&name.value));
                let diagnostic = Diagnostic::error(Code::ToolName, message)
                    .at(name.span, "and this one")
                    .at(first, "this one")
                    .help("give each tool a name of its own");
                errors.push(diagnostic);
            }
            if let Some(why) = unwritable(&name.value, format, reader, deadline) {
                let message = format!("a tool cannot be called `{}`: {why}", short(&name.value));
                let help = match is_python(format) {
                    true => "use letters, digits and `_`, and begin with no digit",
                    false => "use letters, digits, `_`, `-` and `.`",
                };
                let diagnostic = Diagnostic::error(Code::ToolName, message);
                errors.push(diagnostic.at(name.span, "").help(help));
            }
        }
    });
    errors
}

/// Why a format cannot write a name so that a reader finds it again.
fn unwritable(
    name: &str,
    format: &ToolFormat,
    reader: &CallFormat<'_>,
    deadline: &Deadline,
) -> Option<String> {
    if name.len() > MAX_NAME {
        return Some(format!("it is longer than {MAX_NAME} bytes"));
    }
    if let Some(c) = name
        .chars()
        .find(|c| !maskwright_core::calls::is_name_char(*c))
    {
        return Some(format!("it has the character `{}`", c.escape_debug()));
    }
    if let Some(c) = name.chars().find(|&c| format.is_escaped(c)) {
        return Some(format!(
            "the format writes the name in quotes, where `{c}` means something else"
        ));
    }
    if is_python(format) && !name.split('.').all(is_identifier) {
        return Some("it is no name of Python".to_owned());
    }
    if let Some((what, begin)) = format.taken_for(name, deadline) {
        let begin = begin.escape_debug();
        return Some(format!("in the format, {what} begins with `{begin}`"));
    }
    (!reader.reads_name(name))
        .then(|| "in the format, what follows a name begins within it".to_owned())
}

/// Whether calls are those of Python.
fn is_python(format: &ToolFormat) -> bool {
    let notation = format.arguments().notation();
    notation.is_some_and(|notation| notation.keys == Keys::Arguments)
}

/// Whether Python reads a text as one name. Only ASCII: of other letters, several are one to
/// Python.
fn is_identifier(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let begins = text.starts_with(|c: char| !c.is_ascii_digit());
    is_word && begins && !Notation::PYTHON_KEYWORDS.contains(&text)
}

/// A name as messages show it: the beginning of a long one.
pub(in crate::syntax::tools) fn short(name: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = name
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if name.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
