//! Each rule of the styles that write brackets, as a table.

use super::rules::{check, check_with, options};
use maskwright_compiler::syntax::json_schema::{KeyOrder, Style, Whitespace};

const TOOL: &str = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "on": {"type": ["boolean", "null"]},
    "tags": {"type": "array", "items": {"type": "string"}}, "o": {"type": "object", "properties": {"k": {"type": ["number", "null"]}}, "additionalProperties": false}},
    "required": ["city"], "additionalProperties": false}"#;

#[test]
fn calls_of_python() {
    check(
        Style::Pythonic,
        TOOL,
        &[
            ('+', r#"city="Oslo""#),
            (
                '+',
                r#"city="Oslo", days=3, on=True, tags=["a", "b"], o={"k": None}"#,
            ),
            ('+', r#"city="Oslo",days=3,on=None,tags=[],o={"k":1.5}"#),
            ('+', r#"city = "Oslo" , on = False"#),
            ('+', "city=\"a\\\"b\\\\\\n\\u00e9é\u{1f600}\""),
            ('-', r#"city="a\/b""#),
            ('-', r#"city="\ud83d\ude00""#),
            ('-', r#"city='Oslo'"#),
            ('-', "city=\"a\nb\""),
            ('-', r#"{"city": "Oslo"}"#),
            ('-', r#"(city="Oslo")"#),
            ('-', r#"city="Oslo", on=true"#),
            ('-', r#"city="Oslo", on=null"#),
            ('-', r#"city="Oslo", o={k: 1}"#),
            ('-', r#"city="Oslo", o={"k"=1}"#),
            ('-', r#""city"="Oslo""#),
            ('-', r#"city: "Oslo""#),
            ('-', r#"days=3"#),
            ('-', ""),
            ('-', r#"city="Oslo","#),
        ],
    );
    // No arguments, no text.
    let optional = r#"{"type": "object", "properties": {"n": {"type": "null"}}, "additionalProperties": false}"#;
    let compact = |style| options(style).whitespace(Whitespace::Compact);
    check_with(
        &compact(Style::Pythonic),
        optional,
        &[('+', ""), ('+', "n=None"), ('-', "{}"), ('-', " ")],
    );
    // Undeclared names are identifiers, and no keywords; within, all strings.
    check(
        Style::Pythonic,
        "true",
        &[
            ('+', r#"a_1=1, classes={"class": [], "a b": {}}"#),
            ('-', "class=1"),
            ('-', "None=1"),
            ('-', "1a=1"),
            ('-', "a-b=1"),
            ('-', "é=1"),
        ],
    );
}

#[test]
fn blanks_in_calls() {
    let with = |whitespace| options(Style::Pythonic).whitespace(whitespace);
    let (spaced, compact, wide, lines) = (
        r#"city="A", days=1, o={"k": 1}"#,
        r#"city="A",days=1,o={"k":1}"#,
        r#" city = "A""#,
        "\n  city=\"A\",\n  days=1,\n  o={\n    \"k\": 1\n  }\n",
    );
    for (whitespace, signs) in [
        (Whitespace::Spaced, "+---"),
        (Whitespace::Compact, "-+--"),
        (Whitespace::Flexible(1), "+++-"),
        (Whitespace::Unbounded, "++++"),
        (Whitespace::Indent(2), "---+"),
        (Whitespace::Usual(8), "++-+"),
    ] {
        let texts = [spaced, compact, wide, lines];
        let texts: Vec<(char, &str)> = signs.chars().zip(texts).collect();
        check_with(&with(whitespace), TOOL, &texts);
    }
}

#[test]
fn texts_of_gemma() {
    check(
        Style::Gemma4,
        TOOL,
        &[
            ('+', r#"{city:<|"|>Oslo<|"|>}"#),
            (
                '+',
                r#"{city:<|"|>Oslo<|"|>,days:3,on:true,tags:[<|"|>a<|"|>,<|"|><|"|>],o:{k:null}}"#,
            ),
            ('+', "{city:<|\"|>\"\\\n}<|\"|<|<|\"|>}"),
            ('+', r#"{ city: <|"|>Oslo<|"|>, days: 3 }"#),
            ('-', r#"{city:"Oslo"}"#),
            ('-', r#"{"city":<|"|>Oslo<|"|>}"#),
            ('-', r#"{city:<|"|>Os<|"|>lo<|"|>}"#),
            ('-', r#"{city:<escape>Oslo<escape>}"#),
            ('-', r#"{city:<|"|>Oslo<|"|>,on:True}"#),
            ('-', r#"city:<|"|>Oslo<|"|>"#),
            ('-', r#"{days:3}"#),
        ],
    );
    check(
        Style::FunctionGemma,
        TOOL,
        &[
            (
                '+',
                "{city:<escape>Os<escape lo<escape>,tags:[<escape>a<escape>]}",
            ),
            ('-', "{city:<|\"|>Oslo<|\"|>}"),
        ],
    );
    // Declared keys may have other letters; undeclared ones are identifiers.
    let keys = r#"{"type": "object", "properties": {"été-1": {"type": "null"}}, "patternProperties": {"^x": {"type": "integer"}}}"#;
    check(
        Style::Gemma4,
        keys,
        &[
            ('+', "{été-1:null,x y:1}".replace(' ', "").as_str()),
            ('+', "{x-y:1,abc:{}}"),
            ('-', "{x y:1}"),
            ('-', "{a-b:1}"),
            ('-', "{x:null}"),
        ],
    );
    let bounded = r#"{"type": "object", "properties": {"v": {"type": "string", "minLength": 2, "maxLength": 3}}, "required": ["v"]}"#;
    check(
        Style::Gemma4,
        bounded,
        &[
            ('+', r#"{v:<|"|>éé<|"|>}"#),
            ('+', r#"{v:<|"|><|"<|"|>}"#),
            ('-', r#"{v:<|"|>a<|"|>}"#),
            ('-', r#"{v:<|"|>abcd<|"|>}"#),
        ],
    );
}

#[test]
fn recursion_and_order() {
    let tree = r##"{"type": "object", "properties": {"n": {"type": "integer"}, "left": {"$ref": "#"}}, "required": ["n"], "additionalProperties": false}"##;
    check(
        Style::Pythonic,
        tree,
        &[
            ('+', r#"n=1, left={"n": 2, "left": {"n": 3}}"#),
            ('-', r#"n=1, left=n=2"#),
        ],
    );
    check(
        Style::Gemma4,
        tree,
        &[('+', "{n:1,left:{n:2,left:{n:3}}}"), ('-', "{n:1,left:{}}")],
    );
    for (style, text) in [
        (Style::Pythonic, r#"days=1, city="A""#),
        (Style::FunctionGemma, "{days:1,city:<escape>A<escape>}"),
    ] {
        check(style, TOOL, &[('-', text)]);
        let any = options(style).key_order(KeyOrder::Any);
        check_with(&any, TOOL, &[('+', text)]);
    }
}

#[test]
fn arguments_in_json() {
    let arguments = options(Style::Json).arguments(true);
    check_with(
        &arguments,
        "true",
        &[('+', r#"{"a": [1, null]}"#), ('-', "[1]"), ('-', "null")],
    );
    let either = r##"{"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "object", "properties": {"v": {"$ref": "#"}}, "additionalProperties": false}]}"##;
    check_with(
        &arguments,
        either,
        &[('+', "{}"), ('+', r#"{"v": [[], {}]}"#), ('-', "[]")],
    );
    check(Style::Json, either, &[('+', "[]")]);
}
