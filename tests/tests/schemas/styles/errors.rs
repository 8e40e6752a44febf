//! What a style cannot write is refused, with its place and a way out.

use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::SetError;
use maskwright_compiler::syntax::json_schema::{self, SchemaOptions, Style};

fn refusal(style: Style, schema: &str) -> (&'static str, String) {
    let options = SchemaOptions::default().style(style);
    let parsed = json_schema::parse(&Source::new("tool.json", schema), &options.into());
    let error = parsed.map(|_| ()).expect_err(schema);
    (error.code().as_str(), error.to_string())
}

#[test]
fn what_cannot_be_written_is_refused() {
    let cases: [(Style, &str, &str, &[&str]); 12] = [
        (
            Style::QwenXml,
            r#"{"type": "object", "properties": {"v": {"enum": ["a", "b</parameter>"]}}}"#,
            "schema-style",
            &[
                "`enum` at `#/properties/v`",
                "\"b</parameter>\"",
                "tool.json:1:",
                "allow strings without `</parameter>`",
            ],
        ),
        (
            Style::MinimaxM3Xml,
            r#"{"type": "object", "properties": {"v": {"const": "]<]minimax[>["}}, "additionalProperties": false}"#,
            "schema-style",
            &[
                "`const` at `#/properties/v`",
                "ends the text of every string",
            ],
        ),
        (
            Style::GlmXml,
            r#"{"type": "object", "properties": {"v": {"type": "string", "pattern": "</arg_value>"}}}"#,
            "schema-style",
            &["`pattern` at `#/properties/v`", "any of these strings"],
        ),
        (
            Style::QwenXml,
            r#"{"type": "object", "properties": {"a>b": {"type": "string"}}}"#,
            "schema-style",
            &["`properties` at `#`", "\"a>b\"", "rename the property"],
        ),
        (
            Style::MinimaxM3Xml,
            r#"{"type": "object", "patternProperties": {"^x": {"type": "string"}}}"#,
            "schema-style",
            &["`patternProperties` at `#`", "all names must be known"],
        ),
        (
            Style::DeepseekXml,
            r#"{"type": "array"}"#,
            "schema-style",
            &[
                "`type` at `#`",
                "the properties of an object",
                "take the style `json`",
            ],
        ),
        (
            Style::Pythonic,
            r#"{"type": "object", "properties": {"n": {"type": "integer"}, "to-day": {"type": "string"}}}"#,
            "schema-style",
            &[
                "`properties` at `#`",
                "`pythonic` cannot write the name \"to-day\" as that of an argument",
                "rename the property",
            ],
        ),
        (
            Style::PythonicJson,
            r#"{"type": "object", "properties": {"1a": {"type": "string"}}}"#,
            "schema-style",
            &["\"1a\""],
        ),
        (
            Style::Gemma4,
            r#"{"type": "object", "properties": {"o": {"type": "object", "properties": {"a b": {"type": "string"}}}}}"#,
            "schema-style",
            &["`properties` at `#/properties/o`", "\"a b\" without quotes"],
        ),
        (
            Style::Gemma4,
            r#"{"type": "object", "properties": {"v": {"enum": ["a<|\"|>"]}}}"#,
            "schema-style",
            &[
                "`enum` at `#/properties/v`",
                "allow strings without `<|\"|>`",
            ],
        ),
        (
            Style::FunctionGemma,
            r#"{"type": ["array", "string"]}"#,
            "schema-style",
            &["`type` at `#`", "take the style `json`"],
        ),
        (
            Style::QwenXml,
            r#"{"type": "object", "required": ["v"], "properties": {"v": false}}"#,
            "schema-unsatisfiable",
            &["no value satisfies this schema"],
        ),
    ];
    for (style, schema, code, parts) in cases {
        let (found, message) = refusal(style, schema);
        assert_eq!(found, code, "{style}: {message}");
        for part in parts {
            assert!(
                message.contains(part),
                "{style}: {part} is not in\n{message}"
            );
        }
    }
}

#[test]
fn styles_by_name() {
    let mut options = SchemaOptions::default();
    for style in Style::ALL {
        options.set("style", &[style.name()]).unwrap();
        assert_eq!(options.style, style);
    }
    let error = options.set("style", &["xml"]).unwrap_err();
    assert!(
        matches!(&error, SetError::Value { why, .. } if why.contains("`qwen_xml`") && why.contains("or `function_gemma`")),
        "{error}"
    );
}

#[test]
fn arguments_in_json_are_objects() {
    let options = SchemaOptions::default().arguments(true);
    let read = |schema: &str| {
        json_schema::parse(&Source::new("tool.json", schema), &options.clone().into())
    };
    for schema in [
        "true",
        r#"{"type": ["object", "null"]}"#,
        r#"{"minimum": 3}"#,
    ] {
        assert!(read(schema).is_ok(), "{schema}");
    }
    let error = read(r#"{"type": ["array", "null"]}"#).expect_err("no object");
    assert_eq!(error.code(), "schema-style");
    let message = error.to_string();
    for part in [
        "`type` at `#`",
        "the arguments of a tool are an object, and no object satisfies this schema",
        "without the option `arguments`",
    ] {
        assert!(message.contains(part), "{message}");
    }
}
