//! Each rule of each style, as a table: a schema, and texts that are its arguments or are not.

use super::super::compiled::{Compiled, Words};
use maskwright_compiler::syntax::json_schema::{KeyOrder, SchemaOptions, Style, Whitespace};
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

#[test]
fn elements() {
    check(
        Style::QwenXml,
        PERSON,
        &[
            ('+', "<parameter=who>Ada</parameter>"),
            (
                '+',
                "\n<parameter=who>\nAda\n</parameter>\n<parameter=age>\n36\n</parameter>\n",
            ),
            (
                '+',
                "<parameter=who></parameter><parameter=tags>[\"a\", \"b\"]</parameter>",
            ),
            ('-', ""),
            ('-', "<parameter=age>36</parameter>"),
            (
                '-',
                "<parameter=who>Ada</parameter><parameter=age>\"36\"</parameter>",
            ),
            (
                '-',
                "<parameter=age>36</parameter><parameter=who>Ada</parameter>",
            ),
            (
                '-',
                "<parameter=who>Ada</parameter><parameter=who>Ada</parameter>",
            ),
            (
                '-',
                "<parameter=who>Ada</parameter><parameter=why>x</parameter>",
            ),
            ('-', "<parameter= who>Ada</parameter>"),
            ('-', "{\"who\": \"Ada\"}"),
        ],
    );
    check(
        Style::MinimaxXml,
        PERSON,
        &[
            (
                '+',
                "<parameter name=\"who\">Ada</parameter>\n<parameter name=\"age\">36</parameter>",
            ),
            ('-', "<parameter name=who>Ada</parameter>"),
        ],
    );
    check(
        Style::DeepseekXml,
        PERSON,
        &[
            (
                '+',
                "<｜DSML｜parameter name=\"who\" string=\"true\">Ada</｜DSML｜parameter>",
            ),
            (
                '+',
                "<｜DSML｜parameter name=\"who\" string=\"true\">1</｜DSML｜parameter>\n<｜DSML｜parameter name=\"age\" string=\"false\">36</｜DSML｜parameter>\n",
            ),
            (
                '-',
                "<｜DSML｜parameter name=\"who\" string=\"false\">Ada</｜DSML｜parameter>",
            ),
            (
                '-',
                "<｜DSML｜parameter name=\"who\" string=\"true\">1</｜DSML｜parameter>\n<｜DSML｜parameter name=\"age\" string=\"true\">36</｜DSML｜parameter>\n",
            ),
            (
                '-',
                "<｜DSML｜ parameter name=\"who\" string=\"true\">Ada</｜DSML｜ parameter>",
            ),
        ],
    );
    check(
        Style::DeepseekV41Xml,
        PERSON,
        &[
            (
                '+',
                "<｜DSML｜ parameter name=\"who\" string=\"true\">Ada</｜DSML｜ parameter>",
            ),
            (
                '-',
                "<｜DSML｜parameter name=\"who\" string=\"true\">Ada</｜DSML｜parameter>",
            ),
        ],
    );
    check(
        Style::GlmXml,
        PERSON,
        &[
            ('+', "<arg_key>who</arg_key><arg_value>Ada</arg_value>"),
            (
                '+',
                "<arg_key>who</arg_key>\n<arg_value>Ada</arg_value>\n<arg_key>age</arg_key>\n<arg_value>36</arg_value>",
            ),
            ('-', "<arg_key>who</arg_key>x<arg_value>Ada</arg_value>"),
        ],
    );
    check(
        Style::CohereXml,
        PERSON,
        &[
            (
                '+',
                "<cofl:value name=\"who\" type=\"raw\">Ada</cofl:value><cofl:value name=\"age\" type=\"json\">36</cofl:value>",
            ),
            (
                '+',
                "<cofl:value name=\"who\" type=\"raw\">Ada</cofl:value><cofl:value name=\"tags\" type=\"list\"><cofl:value type=\"raw\">a</cofl:value><cofl:value type=\"raw\">b</cofl:value></cofl:value>",
            ),
            (
                '-',
                "<cofl:value name=\"who\" type=\"json\">\"Ada\"</cofl:value>",
            ),
            (
                '-',
                "<cofl:value name=\"who\" type=\"raw\">Ada</cofl:value><cofl:value name=\"tags\" type=\"json\">[\"a\"]</cofl:value>",
            ),
        ],
    );
    check(
        Style::KimiK3Xml,
        PERSON,
        &[
            (
                '+',
                "<|open|>argument key=\"who\" type=\"string\"<|sep|>Ada<|close|>argument<|sep|><|open|>argument key=\"age\" type=\"number\"<|sep|>36<|close|>argument<|sep|>",
            ),
            (
                '+',
                "<|open|>argument key=\"who\" type=\"string\"<|sep|>Ada<|close|>argument<|sep|><|open|>argument key=\"tags\" type=\"array\"<|sep|>[\"a\"]<|close|>argument<|sep|>",
            ),
            (
                '-',
                "<|open|>argument key=\"who\" type=\"string\"<|sep|>Ada<|close|>argument<|sep|><|open|>argument key=\"age\" type=\"integer\"<|sep|>36<|close|>argument<|sep|>",
            ),
            (
                '-',
                "<|open|>argument key=\"who\" type=\"number\"<|sep|>1<|close|>argument<|sep|>",
            ),
        ],
    );
    check(
        Style::MinimaxM3Xml,
        PERSON,
        &[
            (
                '+',
                "]<]minimax[>[<who>Ada]<]minimax[>[</who>]<]minimax[>[<age>36]<]minimax[>[</age>",
            ),
            (
                '+',
                "]<]minimax[>[<who>Ada]<]minimax[>[</who>]<]minimax[>[<tags>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</tags>",
            ),
            (
                '+',
                "]<]minimax[>[<who>]]<]minimax]<]minimax[>[</who>]<]minimax[>[<tags>]<]minimax[>[</tags>",
            ),
            ('-', "]<]minimax[>[<who>Ada]<]minimax[>[</age>"),
            ('-', "<who>Ada</who>"),
            (
                '-',
                "]<]minimax[>[<who>Ada]<]minimax[>[</who>]<]minimax[>[<tags>[\"a\"]]<]minimax[>[</tags>",
            ),
        ],
    );
}

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

#[test]
fn values_of_no_type() {
    let any = r#"{"type": "object", "properties": {"v": true}}"#;
    check(
        Style::QwenXml,
        any,
        &[
            ('+', "<parameter=v>text</parameter>"),
            (
                '+',
                "<parameter=v>{\"a\": [1]}</parameter><parameter=other_1>x</parameter>",
            ),
            (
                '-',
                "<parameter=v>a</parameter><parameter=no-name>x</parameter>",
            ),
            ('-', "<parameter=v>a</parameter><parameter=v>x</parameter>"),
            ('-', "<parameter=v>a</parameter><parameter=1v>x</parameter>"),
        ],
    );
    check(
        Style::DeepseekXml,
        "true",
        &[
            ('+', ""),
            (
                '+',
                "<｜DSML｜parameter name=\"q\" string=\"false\">{\"a\": 1}</｜DSML｜parameter>",
            ),
            (
                '+',
                "<｜DSML｜parameter name=\"q\" string=\"true\">{\"a\": </｜DSML｜parameter>",
            ),
            (
                '-',
                "<｜DSML｜parameter name=\"q\" string=\"false\">{\"a\": </｜DSML｜parameter>",
            ),
        ],
    );
    let kimi = |kind: &str, value: &str| {
        format!("<|open|>argument key=\"k\" type=\"{kind}\"<|sep|>{value}<|close|>argument<|sep|>")
    };
    for (kind, value, expected) in [
        ("string", "text", '+'),
        ("number", "4.5", '+'),
        ("integer", "42", '+'),
        ("boolean", "true", '+'),
        ("object", "{\"a\":1}", '+'),
        ("array", "[1]", '+'),
        ("null", "null", '+'),
        ("bogus", "x", '-'),
        ("integer", "4.5", '-'),
        ("number", "true", '-'),
        ("object", "[1]", '-'),
    ] {
        check(Style::KimiK3Xml, "true", &[(expected, &kimi(kind, value))]);
    }
    check(
        Style::CohereXml,
        "true",
        &[
            (
                '+',
                "<cofl:value name=\"a b&amp;\" type=\"dict\"><cofl:value name=\"x\" type=\"list\"><cofl:value type=\"json\">1</cofl:value></cofl:value></cofl:value>",
            ),
            ('-', "<cofl:value name=\"a\" type=\"dict\">{}</cofl:value>"),
            ('-', "<cofl:value name=\"\" type=\"raw\">x</cofl:value>"),
            ('-', "<cofl:value name=\"a&b\" type=\"raw\">x</cofl:value>"),
        ],
    );
}

#[test]
fn keys() {
    let odd = r#"{"type": "object", "properties": {"we\"ird&<key>": {"type": "string"}}, "required": ["we\"ird&<key>"]}"#;
    check(
        Style::KimiK3Xml,
        odd,
        &[
            (
                '+',
                "<|open|>argument key=\"we&quot;ird&amp;<key>\" type=\"string\"<|sep|>v<|close|>argument<|sep|>",
            ),
            (
                '-',
                "<|open|>argument key=\"we\"ird&<key>\" type=\"string\"<|sep|>v<|close|>argument<|sep|>",
            ),
        ],
    );
    check(
        Style::CohereXml,
        odd,
        &[(
            '+',
            "<cofl:value name=\"we&quot;ird&amp;&lt;key&gt;\" type=\"raw\">v</cofl:value>",
        )],
    );
    let patterns = r#"{"type": "object", "properties": {"参数": {"type": "string"}}, "patternProperties": {"^x-[a-z]+$": {"type": "number"}}, "additionalProperties": false}"#;
    check(
        Style::MinimaxXml,
        patterns,
        &[
            (
                '+',
                "<parameter name=\"参数\">值</parameter><parameter name=\"x-cpu\">0.5</parameter><parameter name=\"x-b\">1</parameter>",
            ),
            ('-', "<parameter name=\"x-cpu\">a</parameter>"),
            ('-', "<parameter name=\"other\">1</parameter>"),
        ],
    );
    // Listed names suffice where a closing tag repeats them.
    let listed = r#"{"type": "object", "patternProperties": {"^[ab]$": {"type": "number"}}, "additionalProperties": false}"#;
    check(
        Style::MinimaxM3Xml,
        listed,
        &[
            ('+', "]<]minimax[>[<b>1]<]minimax[>[</b>"),
            ('-', "]<]minimax[>[<b>1]<]minimax[>[</a>"),
        ],
    );
}

#[test]
fn any_order_of_keys() {
    let options = options(Style::QwenXml).key_order(KeyOrder::Any);
    check_with(
        &options,
        PERSON,
        &[
            (
                '+',
                "<parameter=age>36</parameter><parameter=who>Ada</parameter>",
            ),
            ('-', "<parameter=age>36</parameter>"),
            (
                '-',
                "<parameter=age>36</parameter><parameter=who>Ada</parameter><parameter=age>36</parameter>",
            ),
        ],
    );
}

#[test]
fn blanks_between_tags() {
    let with = |whitespace| options(Style::QwenXml).whitespace(whitespace);
    let (none, lines) = (
        "<parameter=who>A</parameter><parameter=age>1</parameter>",
        "\n<parameter=who>A</parameter>\n<parameter=age>\n1\n</parameter>\n",
    );
    let (wide, indented) = (
        "<parameter=who>A</parameter>\t\n <parameter=age> 1</parameter>",
        "<parameter=who>A</parameter>\n    <parameter=age>1</parameter>",
    );
    for whitespace in [
        Whitespace::Compact,
        Whitespace::Spaced,
        Whitespace::Indent(2),
    ] {
        check_with(
            &with(whitespace),
            PERSON,
            &[('+', none), ('+', lines), ('-', wide), ('-', indented)],
        );
    }
    check_with(
        &with(Whitespace::Flexible(3)),
        PERSON,
        &[('+', none), ('+', lines), ('+', wide), ('-', indented)],
    );
    check_with(
        &with(Whitespace::Flexible(0)),
        PERSON,
        &[('+', none), ('-', lines), ('-', wide)],
    );
    check_with(
        &with(Whitespace::Usual(8)),
        PERSON,
        &[('+', none), ('+', lines), ('-', wide), ('+', indented)],
    );
    // Templates of this style write no line feeds.
    let compact = options(Style::KimiK3Xml).whitespace(Whitespace::Compact);
    check_with(
        &compact,
        PERSON,
        &[
            (
                '+',
                "<|open|>argument key=\"who\" type=\"string\"<|sep|>A<|close|>argument<|sep|>",
            ),
            (
                '-',
                "<|open|>argument key=\"who\" type=\"string\"<|sep|>A<|close|>argument<|sep|>\n",
            ),
        ],
    );
}

/// A schema that refers to itself: JSON below an argument, or elements as deep as they go.
#[test]
fn recursion() {
    let tree = r##"{"type": "object", "properties": {"n": {"type": "integer"}, "left": {"$ref": "#"}}, "required": ["n"], "additionalProperties": false}"##;
    check(
        Style::GlmXml,
        tree,
        &[
            (
                '+',
                "<arg_key>n</arg_key><arg_value>1</arg_value><arg_key>left</arg_key><arg_value>{\"n\": 2, \"left\": {\"n\": 3}}</arg_value>",
            ),
            (
                '-',
                "<arg_key>n</arg_key><arg_value>1</arg_value><arg_key>left</arg_key><arg_value><arg_key>n</arg_key><arg_value>1</arg_value></arg_value>",
            ),
        ],
    );
    check(
        Style::MinimaxM3Xml,
        tree,
        &[
            (
                '+',
                "]<]minimax[>[<n>1]<]minimax[>[</n>]<]minimax[>[<left>]<]minimax[>[<n>2]<]minimax[>[</n>]<]minimax[>[</left>",
            ),
            (
                '-',
                "]<]minimax[>[<n>1]<]minimax[>[</n>]<]minimax[>[<left>{\"n\": 2}]<]minimax[>[</left>",
            ),
        ],
    );
    check(
        Style::CohereXml,
        tree,
        &[(
            '+',
            "<cofl:value name=\"n\" type=\"json\">1</cofl:value><cofl:value name=\"left\" type=\"dict\"><cofl:value name=\"n\" type=\"json\">2</cofl:value></cofl:value>",
        )],
    );
}
