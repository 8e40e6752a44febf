//! Each rule of each style, as a table: a schema, and texts that are its arguments or are not.

mod elements;
mod keys;
mod raw_texts;

use super::super::compiled::{Compiled, Words};
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Style};
use maskwright_tests::harness::unhurried;

pub(super) fn options(style: Style) -> SchemaOptions {
    SchemaOptions::default().style(style)
}

/// Texts after `+` are accepted, those after `-` are not.
pub(super) fn check_with(options: &SchemaOptions, schema: &str, texts: &[(char, &str)]) {
    let words = Words::bytes();
    let style = options.style;
    let compiled = Compiled::new(schema, &words, options, &unhurried())
        .unwrap_or_else(|error| panic!("{style}: {error}"));
    for &(sign, text) in texts {
        assert_eq!(
            compiled.accepts(text),
            sign == '+',
            "{style}: {text}\nschema: {schema}"
        );
    }
}

pub(super) fn check(style: Style, schema: &str, texts: &[(char, &str)]) {
    check_with(&options(style), schema, texts);
}

const PERSON: &str = r#"{"type": "object", "properties": {"who": {"type": "string"}, "age": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["who"], "additionalProperties": false}"#;
