//! Schemas with instances, written by hand: the files of `schemas/`.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::path::Path;

/// A schema and instances that are valid and invalid by it, all as written in the file.
#[derive(Deserialize)]
pub struct Case {
    /// What it is about.
    pub name: String,
    /// The schema.
    pub schema: Box<RawValue>,
    /// Values that it allows, keys in the schema's order.
    pub valid: Vec<Box<RawValue>>,
    /// Values that it does not allow.
    pub invalid: Vec<Box<RawValue>>,
}

/// All cases.
pub fn load() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let read = |path: &Path| -> Vec<Case> {
        let text = std::fs::read_to_string(path).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.iter().flat_map(|path| read(path)).collect()
}

/// How the blanks of a text are set.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// `{"a":[1,2]}`
    Compact,
    /// `{"a": [1, 2]}`, as Python's `json.dumps` writes.
    Spaced,
    /// `{ "a" : [ 1 , 2 ] }`
    Wide,
    /// A line for each item, indented by so much a level, as `json.dumps(…, indent=2)` writes.
    Lines(&'static str),
}

/// The same JSON text in another style; numbers and strings stay as they are written.
pub fn restyle(text: &str, style: Style) -> String {
    if let Style::Lines(indentation) = style {
        return lines(&restyle(text, Style::Compact), indentation);
    }
    let mut out = String::new();
    let (mut inside, mut escaped) = (false, false);
    for c in text.chars() {
        if inside {
            inside = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            out.push(c);
            continue;
        }
        match (c, style) {
            (' ' | '\t' | '\r' | '\n', _) => {}
            (',' | ':', Style::Spaced) => out.extend([c, ' ']),
            ('[' | '{', Style::Wide) => out.extend([c, ' ']),
            (']' | '}', Style::Wide) => out.extend([' ', c]),
            (',' | ':', Style::Wide) => out.extend([' ', c, ' ']),
            _ => out.push(c),
        }
        inside = c == '"';
    }
    out
}

/// A compact text with a line for each item.
fn lines(text: &str, indentation: &str) -> String {
    let mut out = String::new();
    let (mut inside, mut escaped, mut level) = (false, false, 0);
    let mut before = ' ';
    for c in text.chars() {
        if inside {
            inside = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            out.push(c);
            before = 'a';
            continue;
        }
        let opens = matches!(before, '[' | '{');
        let closes = matches!(c, ']' | '}');
        level -= usize::from(closes);
        if before == ',' || opens && !closes || closes && !opens {
            out.push('\n');
            out.push_str(&indentation.repeat(level));
        }
        level += usize::from(matches!(c, '[' | '{'));
        out.push(c);
        out.push_str(if c == ':' { " " } else { "" });
        inside = c == '"';
        before = c;
    }
    out
}

#[test]
fn styles() {
    let text = "{\"a, \\\"b\": [1,\n 2.0], \"c\":{}}";
    let compact = "{\"a, \\\"b\":[1,2.0],\"c\":{}}";
    assert_eq!(restyle(text, Style::Compact), compact);
    let spaced = "{\"a, \\\"b\": [1, 2.0], \"c\": {}}";
    assert_eq!(restyle(text, Style::Spaced), spaced);
    let wide = "{ \"a, \\\"b\" : [ 1 , 2.0 ] , \"c\" : {  } }";
    assert_eq!(restyle(text, Style::Wide), wide);
    let lines = "{\n  \"a, \\\"b\": [\n    1,\n    2.0\n  ],\n  \"c\": {}\n}";
    assert_eq!(restyle(text, Style::Lines("  ")), lines);
    let value: serde_json::Value =
        serde_json::from_str(r#"{"a":[],"b":[[1,{"c":[2]}],{}],"d":"{,}"}"#).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert_eq!(restyle(&value.to_string(), Style::Lines("  ")), pretty);
}
