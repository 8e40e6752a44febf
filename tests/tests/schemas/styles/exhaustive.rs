//! All texts of up to so many words: a text is accepted exactly if it is read as valid arguments.

use super::super::compiled::{Compiled, Words};
use super::super::judge::Judge;
use super::read;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Style, Whitespace};
use maskwright_tests::harness::unhurried;
use serde_json::{Value, json};

/// Words of a text.
const MOST: u32 = 6;

fn words(style: Style) -> [&'static str; 8] {
    match style {
        Style::Pythonic | Style::PythonicJson => ["a=", "\"", "1", "[", "]", ",", "\\", "n"],
        Style::Gemma4 => ["{a:", "<|\"|>", "<|", "1", "[", "]", ",", "}"],
        _ => ["{a:", "<escape>", "<escape", "1", "[", "]", ",", "}"],
    }
}

fn schema(inner: Value) -> Value {
    json!({"type": "object", "properties": {"a": inner}, "additionalProperties": false})
}

#[test]
fn all_short_texts() {
    let bytes = Words::bytes();
    let inner = [
        json!({"type": ["integer", "string", "null"]}),
        json!({"type": ["array", "string"], "items": {"type": ["integer", "string"]}, "maxLength": 2, "minItems": 1}),
        json!({"enum": ["\\", "1", [1, 1], "n\"", "1]", "<|", "<escape"]}),
    ];
    let styles = [
        Style::Pythonic,
        Style::PythonicJson,
        Style::Gemma4,
        Style::FunctionGemma,
    ];
    for style in styles {
        for schema in inner.iter().cloned().map(schema) {
            let judge = Judge::new(&schema);
            let options = SchemaOptions::default()
                .style(style)
                .whitespace(Whitespace::Compact);
            let compiled = Compiled::new(&schema.to_string(), &bytes, &options, &unhurried());
            let compiled = compiled.unwrap_or_else(|error| panic!("{style}: {error}"));
            let words = words(style);
            let mut accepted = 0;
            for length in 0..=MOST {
                // Long texts begin with a key.
                let step = if length < MOST { 1 } else { words.len() };
                for code in (0..words.len().pow(length)).step_by(step) {
                    let of = |at: u32| words[code / words.len().pow(at) % words.len()];
                    let text: String = (0..length).map(of).collect();
                    let reading = read::brackets::distinct_arguments(style, &text);
                    let is_valid = reading.is_some_and(|value| judge.allows(&value));
                    let is_accepted = compiled.accepts(&text);
                    assert_eq!(is_accepted, is_valid, "{style}: {text}\nschema: {schema}");
                    accepted += u32::from(is_accepted);
                }
            }
            assert!(accepted > 2, "{style}: {accepted} texts of {schema}");
        }
    }
}
