//! Keys, their order, blanks between tags, and recursion.

use super::{PERSON, check, check_with, options};
use maskwright_compiler::syntax::json_schema::{KeyOrder, Style, Whitespace};

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
