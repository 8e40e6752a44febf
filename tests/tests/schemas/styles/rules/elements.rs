//! Elements with names, and values of no type.

use super::{PERSON, check};
use maskwright_compiler::syntax::json_schema::Style;

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
