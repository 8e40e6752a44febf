//! Contents that are languages of their own: schemas, grammars and patterns, each with a reader
//! written by hand.
//!
//! In: one of [`all`]. Out: whether it takes a text. Ends and excludes of tags mean nothing within
//! them.

use serde_json::{Value, json};

/// A format and what it takes.
pub struct Opaque {
    /// The format.
    pub format: Value,
    /// Whether it takes a text.
    pub takes: fn(&str) -> bool,
    /// Some texts that it takes.
    pub texts: &'static [&'static str],
}

fn opaque(format: Value, takes: fn(&str) -> bool, texts: &'static [&'static str]) -> Opaque {
    Opaque {
        format,
        takes,
        texts,
    }
}

fn styled(style: &str, schema: Value) -> Value {
    json!({"type": "json_schema", "style": style, "json_schema": schema, "max_whitespace_cnt": 0})
}

/// An object whose `a` is the text `b`.
fn object() -> Value {
    json!({"type": "object", "properties": {"a": {"const": "b"}}, "required": ["a"]})
}

/// As many `a` as `b`, in this order.
fn nested(text: &str) -> bool {
    match text.strip_prefix('a') {
        Some(rest) => rest.strip_suffix('b').is_some_and(nested),
        None => text.is_empty(),
    }
}

/// The formats that random tags are made of.
pub fn all() -> Vec<Opaque> {
    vec![
        opaque(
            json!({"type": "regex", "pattern": "[ab]+"}),
            |text| !text.is_empty() && text.chars().all(|c| matches!(c, 'a' | 'b')),
            &["a", "ab", "bab"],
        ),
        opaque(
            json!({"type": "regex", "pattern": "a?é"}),
            |text| matches!(text, "é" | "aé"),
            &["é", "aé"],
        ),
        opaque(
            json!({"type": "regex", "pattern": "(ab|b)*"}),
            |text| {
                !text.contains("aa")
                    && !text.ends_with('a')
                    && text.chars().all(|c| matches!(c, 'a' | 'b'))
            },
            &["", "ab", "bab"],
        ),
        opaque(
            json!({"type": "grammar", "grammar": "root ::= \"a\" root \"b\" | \"\""}),
            nested,
            &["", "ab", "aabb"],
        ),
        opaque(
            json!({"type": "json_schema", "json_schema": {"enum": ["a", "bab"]}}),
            |text| matches!(text, "\"a\"" | "\"bab\""),
            &["\"a\"", "\"bab\""],
        ),
        opaque(
            json!({"type": "json_schema", "json_schema": {"type": "boolean"}}),
            |text| matches!(text, "true" | "false"),
            &["true", "false"],
        ),
        opaque(
            styled("qwen_xml", object()),
            |text| {
                let inner = text.strip_prefix("<parameter=a>");
                let inner = inner.and_then(|text| text.strip_suffix("</parameter>"));
                inner.is_some_and(|text| {
                    let text = text.strip_prefix('\n').unwrap_or(text);
                    text.strip_suffix('\n').unwrap_or(text) == "b"
                })
            },
            &[
                "<parameter=a>b</parameter>",
                "<parameter=a>\nb\n</parameter>",
            ],
        ),
        opaque(
            styled("pythonic", object()),
            |text| text == "a=\"b\"",
            &["a=\"b\""],
        ),
    ]
}

/// The reader of a format.
pub(super) fn find(format: &Value) -> Option<fn(&str) -> bool> {
    let mut all = all().into_iter();
    all.find(|known| known.format == *format)
        .map(|known| known.takes)
}
