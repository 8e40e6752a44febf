//! Hostile tools, and hostile formats of their calls.

use super::{Hostile, kind, list};
use maskwright_compiler::GrammarText;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::tools::{FormatSource, ToolOptions};

pub(super) const KINDS: &[Hostile] = &[
    kind("tools: tools", 200, |size, seed| {
        tools(
            "qwen_3",
            &list(size, ",", |i| tool(&format!("f{seed}-{i}"), PARAMETERS)),
        )
    }),
    kind("tools: tools in elements", 100, |size, seed| {
        tools(
            "qwen_3_coder",
            &list(size, ",", |i| tool(&format!("f{seed}_{i}"), PARAMETERS)),
        )
    }),
    kind("tools: tools of one name", 5_000, |size, seed| {
        tools(
            "qwen_3",
            &list(size, ",", |_| tool(&format!("f{seed}"), PARAMETERS)),
        )
    }),
    kind("tools: a long name", 20_000, |size, seed| {
        tools(
            "qwen_3",
            &tool(&format!("f{seed}{}", "a".repeat(size)), PARAMETERS),
        )
    }),
    kind(
        "tools: names of which each is a prefix",
        200,
        |size, seed| {
            tools(
                "llama_4",
                &list(size, ",", |i| {
                    tool(&format!("f{seed}{}", "a".repeat(i)), PARAMETERS)
                }),
            )
        },
    ),
    kind("tools: names that no call can have", 2_000, |size, seed| {
        tools(
            "pythonic",
            &list(size, ",", |i| tool(&format!("{i}-{seed}"), PARAMETERS)),
        )
    }),
    kind("tools: unknown fields", 10_000, |size, seed| {
        let fields = list(size, ",", |i| format!("\"paramters{seed}{i}\": 1"));
        tools(
            "qwen_3",
            &format!(r#"{{"type": "function", "function": {{"name": "f", {fields}}}}}"#),
        )
    }),
    kind("tools: parameters", 1_000, |size, seed| {
        let fields = list(size, ",", |i| {
            format!("\"p{seed}-{i}\": {{\"type\": \"integer\"}}")
        });
        let parameters = format!(r#"{{"type": "object", "properties": {{{fields}}}}}"#);
        tools("qwen_3", &tool("f", &parameters))
    }),
    kind("tools: a chosen list of names", 5_000, |size, seed| {
        GrammarText::tools(format!(
            r#"{{"tools": [{}], "tool_choice": {{"type": "allowed_tools", "mode": "auto", "tools": [{}]}}}}"#,
            tool("f", PARAMETERS),
            list(size, ",", |i| format!("{{\"type\": \"function\", \"name\": \"g{seed}-{i}\"}}"))
        ))
        .tool_options(ToolOptions::format("qwen_3"))
    }),
    kind("tools: a format with long texts", 2_000, |size, seed| {
        let long = format!("<{seed}{}>", "a".repeat(size));
        with_format(&format!(
            r#"{{"call": "{long}{{{{name}}}}({{{{arguments}}}})</{long}", "trigger": "{long}"}}"#
        ))
    }),
    kind("tools: a format with many ways", 500, |size, seed| {
        let ways = list(size, ",", |i| {
            format!("\"<c{seed}-{i}>{{{{name}}}}({{{{arguments}}}})</c>\"")
        });
        with_format(&format!(r#"{{"call": [{ways}], "trigger": "<c"}}"#))
    }),
    kind(
        "tools: a long separator in many sections",
        1_500,
        |size, seed| {
            let sections = list(size, ",", |i| {
                format!("{{\"begin\": \"<s{seed}-{i}>\", \"end\": \"</s>\"}}")
            });
            let long = "ab".repeat(size);
            let call = r#""call": "{{name}}({{arguments}})""#;
            with_format(&format!(
                r#"{{{call}, "section": [{sections}], "separator": "{long}"}}"#
            ))
        },
    ),
    kind(
        "tools: a long separator behind many texts",
        1_000,
        |size, seed| {
            messages(
                &"ab".repeat(size),
                &list(size, ",", |i| {
                    format!("{{\"begin\": \"<t{seed}-{i}>\", \"end\": \"</t>\"}}")
                }),
            )
        },
    ),
    kind("tools: a format with many texts", 5_000, |size, seed| {
        messages(
            "<sep>",
            &list(size, ",", |i| {
                format!("{{\"begin\": \"<t{seed}-{i}>\", \"end\": \"</t>\"}}")
            }),
        )
    }),
    kind("tools: a format with many stops", 5_000, |size, seed| {
        let stops = list(size, ",", |i| format!("\"<s{seed}-{i}>\""));
        with_format(&format!(
            r#"{{"call": "<c>{{{{name}}}}({{{{arguments}}}})</c>", "trigger": "<c>", "stop": [{stops}]}}"#
        ))
    }),
];

const PARAMETERS: &str = r#"{"type": "object", "properties": {"place": {"type": "string"}, "days": {"type": "integer"}}, "required": ["place"]}"#;

fn tool(name: &str, parameters: &str) -> String {
    format!(
        r#"{{"type": "function", "function": {{"name": "{name}", "parameters": {parameters}}}}}"#
    )
}

fn tools(format: &str, tools: &str) -> GrammarText {
    GrammarText::tools(format!("[{tools}]")).tool_options(ToolOptions::format(format))
}

/// Messages with this separator, of these texts.
fn messages(separator: &str, texts: &str) -> GrammarText {
    let call = r#""call": "<c>{{name}}({{arguments}})</c>", "layout": "messages""#;
    with_format(&format!(
        r#"{{{call}, "separator": "{separator}", "text": [{texts}]}}"#
    ))
}

fn with_format(format: &str) -> GrammarText {
    let mut options = ToolOptions::default();
    options.format = Some(FormatSource::Text(Source::new("<format>", format)));
    GrammarText::tools(format!("[{}]", tool("f", PARAMETERS))).tool_options(options)
}
