//! Documents that allow any JSON though they are hardly meant to.

use super::*;

/// What is said of a document that allows any JSON.
fn said(text: &str) -> Option<String> {
    let model = read(text);
    let doubts = model.warnings.iter();
    let mut doubts = doubts.filter(|warning| warning.code() == "schema-no-keyword");
    doubts.next().map(|_| drawn(&model.warnings, text))
}

#[test]
fn what_was_meant_is_said() {
    for (text, meant) in [
        (r#"{"name": "string", "age": "number"}"#, r#"{"name": …}"#),
        (r#"{"schema": {"type": "object"}}"#, "`#/schema`"),
        (
            r#"{"name": "p", "strict": true, "schema": {"properties": {}}}"#,
            "`#/schema`",
        ),
        (
            r#"{"response_format": {"json_schema": {"schema": {"type": "object"}}}}"#,
            "`#/response_format/json_schema/schema`",
        ),
        (
            r#"{"name": "f", "description": "d", "input_schema": {"type": "object"}}"#,
            "`#/input_schema`",
        ),
        (
            r#"{"$defs": {"a/b": {"type": "object"}}}"#,
            r##""$ref": "#/$defs/a~1b""##,
        ),
        (
            r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "t", "definitions": {"p": {}}}"#,
            r##""$ref": "#/definitions/p""##,
        ),
    ] {
        let said = said(text).unwrap_or_default();
        assert!(said.contains(meant), "{text}: {said}");
    }
}

#[test]
fn documents_that_mean_it_are_not_doubted() {
    for text in [
        "{}",
        "true",
        r#"{"title": "anything"}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "any"}"#,
        r#"{"x-version": 3, "$id": "https://example.com/any"}"#,
        r#"{"definitions": {}}"#,
        r#"{"type": "object", "schema": {"type": "object"}}"#,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {}}}"##,
        r#"{"not": {}, "name": "string"}"#,
    ] {
        assert_eq!(said(text), None, "{text}");
    }
}

/// The wrapper that OpenAI's API takes: its `type` is an error, and beside it stands what was
/// meant.
#[test]
fn a_wrapper_with_a_type_is_an_error_that_says_where_the_schema_is() {
    let text =
        r#"{"type": "json_schema", "json_schema": {"name": "p", "schema": {"type": "object"}}}"#;
    let error = read_with(text, &ModelOptions::default()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("no type `json_schema`"), "{error}");
    assert!(error.contains("`#/json_schema/schema`"), "{error}");
}
