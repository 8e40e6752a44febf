//! Styles within structural tags: calls as models write them.

use super::super::compiled::{Compiled, Words};
use super::render;
use maskwright_compiler::Options;
use maskwright_compiler::error::Error;
use maskwright_compiler::syntax::json_schema::Style;
use maskwright_compiler::syntax::{GrammarText, Parsed};
use serde_json::{Value, json};

fn parse(format: Value) -> Result<Parsed, Error> {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    GrammarText::structural_tag(text).parse(&Default::default())
}

/// What stands before and behind the arguments of a call of `f`.
fn call(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Json => (
            "<tool_call>\n{\"name\": \"f\", \"arguments\": ",
            "}\n</tool_call>",
        ),
        Style::QwenXml => ("<tool_call>\n<function=f>\n", "</function>\n</tool_call>"),
        Style::MinimaxXml => (
            "<minimax:tool_call>\n<invoke name=\"f\">\n",
            "</invoke>\n</minimax:tool_call>",
        ),
        Style::DeepseekXml => ("<｜DSML｜invoke name=\"f\">\n", "</｜DSML｜invoke>"),
        Style::DeepseekV41Xml => ("<｜DSML｜ invoke name=\"f\">\n", "</｜DSML｜ invoke>"),
        Style::GlmXml => ("<tool_call>f\n", "</tool_call>"),
        Style::CohereXml => ("<cofl:tool_call id=\"0\" name=\"f\">", "</cofl:tool_call>"),
        Style::KimiK3Xml => (
            "<|open|>call tool=\"f\" index=\"1\"<|sep|>",
            "<|close|>call<|sep|>",
        ),
        Style::Pythonic => ("[f(", ")]"),
        Style::PythonicJson => ("<function_calls>f(", ")</function_calls>"),
        Style::Gemma4 => ("<|tool_call>call:f", "<tool_call|>"),
        Style::FunctionGemma => ("<start_function_call>call:f", "<end_function_call>"),
        Style::MinimaxM3Xml => ("]<]minimax[>[<invoke name=\"f\">", "]<]minimax[>[</invoke>"),
    }
}

/// Free text around calls; each needs one stack only, whatever the arguments hold.
#[test]
fn calls_in_text() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "where": {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
        },
        "required": ["city"],
    });
    let words = Words::bytes();
    let options = Options::default().deterministic(true);
    for style in &Style::ALL[1..] {
        let (begin, end) = call(*style);
        let content = json!({"type": "json_schema", "json_schema": schema, "style": style.name()});
        let tag = json!({"type": "tag", "begin": begin, "content": content, "end": end});
        let parsed = parse(json!({"type": "triggered_tags", "triggers": [begin], "tags": [tag]}));
        let grammar = parsed
            .unwrap_or_else(|error| panic!("{style}: {error}"))
            .grammar;
        let compiled = Compiled::of(&grammar, &words, &options)
            .unwrap_or_else(|error| panic!("{style}: {error}"));
        let arguments = |value: Value| {
            let texts = render::arguments(*style, value.as_object().expect("an object"));
            texts.expect("few orders").remove(0)
        };
        let one = arguments(json!({"city": "Oslo </x>"}));
        let wrong = arguments(json!({"days": 3}));
        let undeclared = arguments(json!({"city": "Oslo", "zone": "x"}));
        for (text, expected) in [
            (
                format!("Hello <{begin}{one}{end} and {begin}{one}{end}."),
                true,
            ),
            (format!("{begin}{wrong}{end}"), false),
            (format!("{begin}{undeclared}{end}"), false),
            (format!("{begin}{one}"), false),
        ] {
            assert_eq!(compiled.accepts(&text), expected, "{style}: {text}");
        }
        let all = json!({"city": "Oslo", "days": 3, "tags": ["a", "b"], "where": {"lat": 59.9}});
        let texts = render::arguments(*style, all.as_object().expect("an object"));
        let accepted = texts.expect("few orders").into_iter();
        let accepted = accepted.filter(|text| compiled.accepts(&format!("{begin}{text}{end}")));
        assert_eq!(accepted.count(), 1, "{style}: the schema's order");
    }
}

#[test]
fn styles_that_there_are_not() {
    let format = json!({"type": "json_schema", "json_schema": true, "style": "qwen_xm"});
    let error = parse(format).map(|_| ()).expect_err("no style").to_string();
    assert!(error.contains("there is no style `qwen_xm`"), "{error}");
    assert!(error.contains("did you mean `qwen_xml`?"), "{error}");
    let old = json!({"type": "qwen_xml_parameter", "json_schema": {"type": "array"}});
    // What is no object is the content of one element.
    parse(old).expect("an array in JSON");
}
