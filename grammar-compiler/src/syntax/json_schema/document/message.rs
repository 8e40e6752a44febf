//! Messages about texts that are not JSON.
//!
//! Codes: `json-syntax`, `json-number`, `json-string`, `json-duplicate-key`, `limit-exceeded`.

use super::NESTING;
use super::reader::TextReader;
use crate::error::{Code, Diagnostic};
use crate::source::Span;

/// What stands before a value.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    /// Nothing: the value is the whole text.
    Root,
    /// The bracket of an array.
    FirstItem(Span),
    /// A comma in the array that this bracket opens.
    Item(Span, Span),
    /// A key and a colon.
    Member(Span),
}

/// The letters and digits that `rest` begins with.
pub(super) fn word(rest: &str) -> &str {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    rest.split_at(end.unwrap_or(rest.len())).0
}

fn syntax(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::JsonSyntax, message)
}

/// The place of what comes next: a word, or one character.
fn next(reader: &TextReader<'_>) -> Span {
    let rest = reader.rest();
    let length = match word(rest).len() {
        0 => rest.chars().next().map_or(0, char::len_utf8),
        length => length,
    };
    Span::new(reader.at, reader.at + length)
}

/// What comes next, as a message names it.
fn found(reader: &TextReader<'_>) -> String {
    let span = next(reader);
    match reader.text.get(span.start..span.end) {
        Some(text) if !text.is_empty() => {
            format!("`{}`", text.chars().take(40).collect::<String>())
        }
        _ => "the end of the text".to_owned(),
    }
}

/// A way out that does not depend on what is expected.
fn general_help(reader: &TextReader<'_>) -> Option<String> {
    let rest = reader.rest();
    let help = match word(rest) {
        "NaN" | "Infinity" => "JSON has no such number; write a finite number or `null`".to_owned(),
        "True" | "TRUE" => "write `true`".to_owned(),
        "False" | "FALSE" => "write `false`".to_owned(),
        "None" | "Null" | "NULL" | "nil" | "undefined" => "write `null`".to_owned(),
        "" if rest.starts_with(['\'', '`', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}']) => {
            "strings stand in double quotes: `\"`".to_owned()
        }
        "" if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => {
            "JSON has no comments; use the keyword `$comment`".to_owned()
        }
        "" if rest.starts_with('+') => "a number has no plus sign".to_owned(),
        "" if rest.starts_with('.') => "write a digit before the point, such as `0.5`".to_owned(),
        _ => return None,
    };
    Some(help)
}

fn with_help(diagnostic: Diagnostic, help: Option<String>) -> Diagnostic {
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

pub(super) fn no_value(reader: &TextReader<'_>, expected: Expected) -> Diagnostic {
    let here = next(reader);
    let trailing = matches!(reader.peek(), Some(b']' | b'}'));
    let help = general_help(reader);
    match expected {
        Expected::Root if reader.rest().is_empty() => {
            syntax("the text is empty").help("the schema that allows every value is `true` or `{}`")
        }
        Expected::Item(_, comma) if trailing => trailing_comma(comma),
        Expected::FirstItem(open) | Expected::Item(open, _) if reader.peek().is_none() => {
            unclosed(here, open, "array", "]")
        }
        Expected::Member(key) => {
            let diagnostic = syntax(format!("expected a value, found {}", found(reader)))
                .at(here, "expected a value here")
                .at(key, "the value of this key");
            with_help(diagnostic, help)
        }
        Expected::Root | Expected::FirstItem(_) | Expected::Item(..) => {
            let diagnostic = syntax(format!("expected a value, found {}", found(reader)))
                .at(here, "expected a value here");
            let known = help.is_none() && !word(reader.rest()).is_empty();
            let quotes =
                "a string stands in double quotes; other words are `true`, `false`, `null`";
            with_help(diagnostic, help.or(known.then(|| quotes.to_owned())))
        }
    }
}

fn trailing_comma(comma: Span) -> Diagnostic {
    syntax("a comma after the last element")
        .at(comma, "nothing follows this comma")
        .help("remove the comma")
}

fn unclosed(end: Span, open: Span, what: &str, bracket: &str) -> Diagnostic {
    syntax(format!("the {what} is not closed"))
        .at(open, format!("this {what}"))
        .at(end, "the text ends here")
        .help(format!("add `{bracket}`"))
}

pub(super) fn no_comma(reader: &TextReader<'_>, open: Span, close: u8) -> Diagnostic {
    let here = next(reader);
    let close = char::from(close);
    let what = if close == ']' { "array" } else { "object" };
    match reader.peek() {
        None => unclosed(here, open, what, &close.to_string()),
        Some(b']' | b'}') => syntax(format!("`{close}` expected, found {}", found(reader)))
            .at(here, "does not match")
            .at(open, format!("this {what} is still open"))
            .help(format!("close the {what} with `{close}`")),
        Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') => {
            let before = reader.text.get(..reader.at).unwrap_or("").trim_end().len();
            syntax("a comma is missing between two elements")
                .at(Span::new(before, before), "a comma is missing here")
                .help("write `,` between the elements")
        }
        Some(_) => with_help(
            syntax(format!(
                "expected `,` or `{close}`, found {}",
                found(reader)
            ))
            .at(here, "unexpected")
            .at(open, format!("in this {what}")),
            general_help(reader),
        ),
    }
}

pub(super) fn no_key(reader: &TextReader<'_>, open: Span, comma: Option<Span>) -> Diagnostic {
    let here = next(reader);
    match (reader.peek(), comma) {
        (None, _) => return unclosed(here, open, "object", "}"),
        (Some(b'}'), Some(comma)) => return trailing_comma(comma),
        _ => {}
    }
    let quoted = match word(reader.rest()) {
        "" => None,
        word => Some(format!("write the key in double quotes: `\"{word}\"`")),
    };
    with_help(
        syntax(format!("expected a key, found {}", found(reader)))
            .at(here, "expected a key in double quotes"),
        quoted.or_else(|| general_help(reader)),
    )
}

pub(super) fn no_colon(reader: &TextReader<'_>, key: Span) -> Diagnostic {
    syntax(format!(
        "expected `:` after the key, found {}",
        found(reader)
    ))
    .at(next(reader), "expected `:` here")
    .at(key, "after this key")
    .help("write `\"key\": value`")
}

pub(super) fn after_the_value(reader: &TextReader<'_>, value: Span) -> Diagnostic {
    let end = Span::new(value.end.saturating_sub(1), value.end);
    let diagnostic = syntax(format!("expected the end, found {}", found(reader)))
        .at(next(reader), "nothing may follow")
        .at(end, "the value ends here");
    with_help(diagnostic, general_help(reader))
}

pub(super) fn duplicate_key(key: &str, again: Span, first: Span) -> Diagnostic {
    let message = format!("the key `{key}` stands twice in one object");
    Diagnostic::error(Code::JsonDuplicateKey, message)
        .at(again, "again here")
        .at(first, "first here")
        .help("remove one of the two; other parsers drop one of them without a word")
}

pub(super) fn too_deep(bracket: Span) -> Diagnostic {
    let message = format!("arrays and objects nest more than {NESTING} deep");
    Diagnostic::error(Code::LimitExceeded, message)
        .at(bracket, "one level too deep")
        .help("move the inner part to `$defs` and refer to it with `$ref`")
}

pub(super) fn bad_number(reader: &TextReader<'_>, start: usize, why: &str) -> Diagnostic {
    let rest = reader.rest();
    let part = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
    let span = Span::new(start, reader.at + length);
    let text = reader.text.get(span.start..span.end).unwrap_or("");
    let shown: String = text.chars().take(40).collect();
    let diagnostic = Diagnostic::error(Code::JsonNumber, format!("`{shown}` is not a JSON number"))
        .at(span, why);
    match text.trim_start_matches('-') {
        "Infinity" | "NaN" => diagnostic.help("write a finite number or `null`"),
        _ => diagnostic.help("numbers look like `0`, `-12`, `0.5` or `1e-7`"),
    }
}

fn string_error(message: impl Into<String>, span: Span, label: &str) -> Diagnostic {
    Diagnostic::error(Code::JsonString, message).at(span, label)
}

pub(super) fn control(at: usize, control: u8, open: Span) -> Diagnostic {
    let (name, escape) = match control {
        b'\n' => ("a line break".to_owned(), "\\n".to_owned()),
        b'\r' => ("a carriage return".to_owned(), "\\r".to_owned()),
        b'\t' => ("a tab".to_owned(), "\\t".to_owned()),
        _ => (format!("U+{control:04X}"), format!("\\u{control:04x}")),
    };
    let message = format!("{name} in a string");
    string_error(message, Span::new(at, at), "here")
        .at(open, "the string begins here")
        .help(format!("write `{escape}`, or close the string with `\"`"))
}

pub(super) fn unclosed_string(text: &str, open: Span) -> Diagnostic {
    string_error("the string is not closed", open, "begins here")
        .at(Span::new(text.len(), text.len()), "the text ends here")
        .help("add `\"`")
}

/// The backslash at `start` and the character after it.
fn escape_span(text: &str, start: usize) -> Span {
    let after = text.get(start + 1..).and_then(|rest| rest.chars().next());
    Span::new(start, start + 1 + after.map_or(0, char::len_utf8))
}

pub(super) fn bad_escape(text: &str, start: usize) -> Diagnostic {
    let span = escape_span(text, start);
    let shown = text.get(span.start..span.end).unwrap_or("\\");
    string_error(format!("`{shown}` is not an escape of JSON"), span, "")
        .help("a backslash itself is written `\\\\`; escapes are `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX`")
}

pub(super) fn bad_hex(text: &str, start: usize) -> Diagnostic {
    let span = escape_span(text, start);
    string_error("four hexadecimal digits must follow `\\u`", span, "").help("such as `\\u00e9`")
}

pub(super) fn lone_surrogate(span: Span) -> Diagnostic {
    string_error("half of a surrogate pair is no character", span, "alone")
        .help("write both halves, such as `\\ud83d\\ude00`, or the character itself")
}
