//! Raw texts: where they end, and constraints on them.

use super::check;
use maskwright_compiler::syntax::json_schema::Style;

/// A raw text ends at the first closing tag; what begins like one is text.
#[test]
fn raw_texts_end_at_the_first_closing_tag() {
    let one = r#"{"type": "object", "properties": {"v": {"type": "string"}}, "additionalProperties": false}"#;
    check(
        Style::QwenXml,
        one,
        &[
            ('+', "<parameter=v></paramete</parameter>"),
            ('+', "<parameter=v><</parameter>"),
            ('+', "<parameter=v><parameter=v> \"é\" &lt;</parameter>"),
            ('-', "<parameter=v>a</parameter>b</parameter>"),
            ('-', "<parameter=v>a</parameter"),
        ],
    );
    check(
        Style::KimiK3Xml,
        one,
        &[
            (
                '+',
                "<|open|>argument key=\"v\" type=\"string\"<|sep|><|close|>x<|close|>argument<|sep|>",
            ),
            (
                '-',
                "<|open|>argument key=\"v\" type=\"string\"<|sep|>a<|close|>argument<|sep|><|close|>argument<|sep|>",
            ),
        ],
    );
    // JSON in an element does not contain its end either; an escape says the same.
    let list = r#"{"type": "object", "properties": {"v": {"type": "array", "items": {"type": "string"}}}, "additionalProperties": false}"#;
    check(
        Style::QwenXml,
        list,
        &[
            ('+', "<parameter=v>[\"<b></b>\"]</parameter>"),
            ('+', "<parameter=v>[\"</parameter\\u003e\"]</parameter>"),
            ('-', "<parameter=v>[\"</parameter>\"]</parameter>"),
        ],
    );
    let listed = r#"{"type": "object", "properties": {"v": {"const": ["</parameter>"]}}, "required": ["v"]}"#;
    check(
        Style::QwenXml,
        listed,
        &[
            ('+', "<parameter=v>[\"\\u003c/parameter>\"]</parameter>"),
            ('+', "<parameter=v>[\"<\\/parameter>\"]</parameter>"),
            ('-', "<parameter=v>[\"</parameter>\"]</parameter>"),
            ('-', "<parameter=v>[\"\"]</parameter>"),
        ],
    );
    let counted = r#"{"type": "object", "properties": {"v": {"type": "array", "items": {"type": "string", "minLength": 2, "maxLength": 14}}}}"#;
    check(
        Style::QwenXml,
        counted,
        &[
            ('+', "<parameter=v>[\"\\u003c/parameter>12\"]</parameter>"),
            ('-', "<parameter=v>[\"\\u003c/parameter>123\"]</parameter>"),
            ('-', "<parameter=v>[\"</parameter>\"]</parameter>"),
            ('-', "<parameter=v>[\"\\u003c\"]</parameter>"),
        ],
    );
}

#[test]
fn constraints_hold_for_the_raw_text() {
    let of = |value: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"v": {value}}}, "required": ["v"], "additionalProperties": false}}"#
        )
    };
    let wrap = |text: &str| format!("<parameter name=\"v\">{text}</parameter>");
    let cases: [(&str, &[&str], &[&str]); 8] = [
        (
            r#"{"const": "hello"}"#,
            &["hello"],
            &["\"hello\"", "hell", " hello"],
        ),
        (
            r#"{"enum": ["a", 1, null, [2]]}"#,
            &["a", "1", " 1", "null", "[2]"],
            &["b", "\"a\"", "2"],
        ),
        (r#"{"const": "\"\\"}"#, &["\"\\"], &["\\\"\\\\", "\""]),
        (
            r#"{"type": "string", "pattern": "^<"}"#,
            &["<b", "<", "</parameter"],
            &["b", ""],
        ),
        (
            r#"{"type": "string", "minLength": 2, "maxLength": 3}"#,
            &["éé", "<<<", "\n\n"],
            &["é", "1234"],
        ),
        (
            r#"{"type": "string", "minLength": 13}"#,
            &["</parameter</"],
            &["</parameter"],
        ),
        (
            r#"{"type": "string", "format": "date"}"#,
            &["2024-02-29"],
            &["2023-02-29", "\"2024-02-29\""],
        ),
        (
            r#"{"type": ["string", "null"], "maxLength": 1}"#,
            &["null", "x", ""],
            &["nul"],
        ),
    ];
    for (schema, valid, invalid) in cases {
        let valid: Vec<String> = valid.iter().map(|text| wrap(text)).collect();
        let invalid: Vec<String> = invalid.iter().map(|text| wrap(text)).collect();
        let texts: Vec<(char, &str)> = (valid.iter().map(|text| ('+', text.as_str())))
            .chain(invalid.iter().map(|text| ('-', text.as_str())))
            .collect();
        check(Style::MinimaxXml, &of(schema), &texts);
    }
    // Qwen's template sets a string between line feeds, which its parsers take away.
    check(
        Style::QwenXml,
        &of(r#"{"const": "hello"}"#),
        &[
            ('+', "<parameter=v>hello</parameter>"),
            ('+', "<parameter=v>\nhello\n</parameter>"),
            ('-', "<parameter=v>\n\nhello\n</parameter>"),
            ('-', "<parameter=v> hello</parameter>"),
        ],
    );
}
