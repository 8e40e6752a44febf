//! What requests say, and what is refused.

use crate::{read, takes};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::tools::{FormatSource, Reasoning, ToolChoice, ToolOptions};

fn hermes() -> ToolOptions {
    ToolOptions::format("hermes").reasoning(Reasoning::None)
}

fn call(name: &str, arguments: &str) -> String {
    format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>")
}

/// The code of the error of these tools, and the text that it marks.
fn refused(tools: &str, options: ToolOptions) -> (&'static str, String) {
    let error = read(tools, options).unwrap_err();
    let (span, diagnostic) = (error.diagnostics()[0].span(), &error.diagnostics()[0]);
    let marked = span.and_then(|span| tools.get(span.start..span.end));
    (
        diagnostic.code().as_str(),
        marked.unwrap_or_default().to_owned(),
    )
}

#[test]
fn tools_are_read_as_each_provider_writes_them() {
    let schema =
        r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    let shapes = [
        format!(
            r#"[{{"type": "function", "function": {{"name": "t", "description": "d", "parameters": {schema}, "strict": true}}}}]"#
        ),
        format!(r#"[{{"type": "function", "name": "t", "parameters": {schema}}}]"#),
        format!(
            r#"[{{"name": "t", "description": "d", "input_schema": {schema}, "cache_control": {{"type": "ephemeral"}}}}]"#
        ),
        format!(r#"[{{"type": "custom", "name": "t", "input_schema": {schema}}}]"#),
        format!(
            r#"{{"tools": [{{"name": "t", "title": "T", "inputSchema": {schema}}}], "nextCursor": null}}"#
        ),
        format!(
            r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{{"name": "t", "inputSchema": {schema}}}]}}}}"#
        ),
        format!(
            r#"{{"model": "m", "messages": [], "tools": [{{"type": "function", "function": {{"name": "t", "parameters": {schema}}}}}]}}"#
        ),
        format!(
            r#"{{"functions": [{{"name": "t", "parameters": {schema}}}], "function_call": "auto"}}"#
        ),
        format!(
            r#"{{"tools": [{{"functionDeclarations": [{{"name": "t", "parametersJsonSchema": {schema}}}]}}]}}"#
        ),
        format!(
            r#"{{"tools": [{{"function_declarations": [{{"name": "t", "parameters": {schema}}}]}}], "toolConfig": {{"functionCallingConfig": {{"mode": "AUTO"}}}}}}"#
        ),
        format!(
            r#"{{"toolConfig": {{"tools": [{{"toolSpec": {{"name": "t", "description": "d", "inputSchema": {{"json": {schema}}}}}}}], "toolChoice": {{"auto": {{}}}}}}}}"#
        ),
    ];
    for shape in shapes {
        let parsed = read(&shape, hermes()).unwrap();
        assert!(parsed.warnings.is_empty(), "{shape}: {:?}", parsed.warnings);
        assert!(takes(&parsed.grammar, &call("t", "{\"n\": 5}")), "{shape}");
        assert!(
            !takes(&parsed.grammar, &call("t", "{\"n\": true}")),
            "{shape}"
        );
        let calls = parsed.calls.unwrap();
        assert_eq!(calls.tools().collect::<Vec<_>>(), ["t"]);
    }
}

/// What each provider calls the choice of tools.
#[test]
fn choices_are_read_as_each_provider_writes_them() {
    let tools = |choice: &str| {
        format!(
            r#"{{"tools": [{{"functionDeclarations": [{{"name": "a"}}, {{"name": "b"}}]}}], {choice}}}"#
        )
    };
    let gemini = |config: &str| {
        tools(&format!(
            r#""toolConfig": {{"functionCallingConfig": {config}}}"#
        ))
    };
    let bedrock = |choice: &str| {
        format!(
            r#"{{"toolConfig": {{"tools": [{{"toolSpec": {{"name": "a"}}}}, {{"toolSpec": {{"name": "b"}}}}], "toolChoice": {choice}}}}}"#
        )
    };
    let legacy = |choice: &str| {
        format!(r#"{{"functions": [{{"name": "a"}}, {{"name": "b"}}], "function_call": {choice}}}"#)
    };
    // Whether text, a call of `a` and one of `b` are outputs.
    let cases = [
        (gemini(r#"{"mode": "AUTO"}"#), [true, true, true]),
        (gemini(r#"{"mode": "ANY"}"#), [false, true, true]),
        (
            gemini(r#"{"mode": "ANY", "allowedFunctionNames": ["b"]}"#),
            [false, false, true],
        ),
        (gemini(r#"{"mode": "NONE"}"#), [true, false, false]),
        (bedrock(r#"{"any": {}}"#), [false, true, true]),
        (bedrock(r#"{"tool": {"name": "a"}}"#), [false, true, false]),
        (legacy(r#""none""#), [true, false, false]),
        (legacy(r#"{"name": "b"}"#), [false, false, true]),
    ];
    for (request, taken) in cases {
        let grammar = read(&request, hermes()).unwrap().grammar;
        let outputs = ["Hm.".to_owned(), call("a", "{}"), call("b", "{}")];
        let are_taken = outputs.map(|output| takes(&grammar, &output));
        assert_eq!(are_taken, taken, "{request}");
    }
    for wrong in [
        gemini(r#"{"mode": "SOME"}"#),
        bedrock("{}"),
        legacy(r#""some""#),
    ] {
        assert!(read(&wrong, hermes()).is_err(), "{wrong}");
    }
}

#[test]
fn arguments_are_objects() {
    let cases: [(&str, &[&str], &[&str]); 4] = [
        // Nothing said: there are none.
        (r#"{"name": "t"}"#, &["{}"], &["5", "{\"a\": 1}"]),
        (
            r#"{"name": "t", "parameters": {}}"#,
            &["{}"],
            &["5", "{\"a\": 1}"],
        ),
        // A schema that does not say so.
        (
            r#"{"name": "t", "parameters": {"properties": {"a": {"type": "integer"}}}}"#,
            &["{}", "{\"a\": 1}"],
            &["5", "[]", "null", "{\"b\": 1}"],
        ),
        (
            r#"{"name": "t", "strict": false, "parameters": {"properties": {"a": {"type": "integer"}}}}"#,
            &["{}", "{\"a\": \"x\", \"b\": [1]}"],
            &["5", "[]"],
        ),
    ];
    for (tool, taken, others) in cases {
        let grammar = read(&format!("[{tool}]"), hermes()).unwrap().grammar;
        for arguments in taken {
            assert!(
                takes(&grammar, &call("t", arguments)),
                "{tool}: {arguments}"
            );
        }
        for arguments in others {
            assert!(
                !takes(&grammar, &call("t", arguments)),
                "{tool}: {arguments}"
            );
        }
    }
    let strict = hermes().strict(Some(true));
    let grammar = read(&format!("[{}]", cases[3].0), strict).unwrap().grammar;
    assert!(!takes(&grammar, &call("t", "{\"a\": \"x\"}")));
}

/// A tag behind a value repeats its key, so keys that the schema does not name cannot be written.
#[test]
fn any_arguments_are_those_that_the_schema_names_where_tags_repeat_keys() {
    let tools = r#"[{"name": "t", "strict": false, "parameters": {"properties": {"a": {"type": "integer"}, "b": {}}}}]"#;
    let options = ToolOptions::format("minimax_m3").reasoning(Reasoning::None);
    let grammar = read(tools, options).unwrap().grammar;
    let call = |arguments: &str| {
        let text =
            format!("P<tool_call>\nP<invoke name=\"t\">{arguments}P</invoke>\nP</tool_call>");
        text.replace('P', "]<]minimax[>[")
    };
    for arguments in ["", "P<a>x\"yP</a>P<b>P<item>1P</item>P</b>", "P<b>5P</b>"] {
        assert!(takes(&grammar, &call(arguments)), "{arguments}");
    }
    assert!(!takes(&grammar, &call("P<c>1P</c>")));
}

#[test]
fn references_start_at_the_schema() {
    let tools = r##"[{"name": "t", "parameters": {"type": "object", "properties": {"tree": {"$ref": "#/$defs/tree"}}, "required": ["tree"],
        "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}]"##;
    let grammar = read(tools, hermes()).unwrap().grammar;
    assert!(takes(&grammar, &call("t", "{\"tree\": [[], [[]]]}")));
    assert!(!takes(&grammar, &call("t", "{\"tree\": [1]}")));
}

#[test]
fn a_request_says_what_may_be_called() {
    let with = |more: &str| format!(r#"{{"tools": [{{"name": "f"}}, {{"name": "g"}}], {more}}}"#);
    let (f, g) = (call("f", "{}"), call("g", "{}"));
    let both = format!("{f}\n{g}");
    // What is said, and whether a text, a call of f, one of g and both are taken.
    let cases = [
        (r#""tool_choice": "auto""#, [true, true, true, true]),
        (r#""tool_choice": null"#, [true, true, true, true]),
        (r#""tool_choice": "none""#, [true, false, false, false]),
        (r#""tool_choice": "required""#, [false, true, true, true]),
        (
            r#""tool_choice": {"type": "any"}"#,
            [false, true, true, true],
        ),
        (
            r#""tool_choice": {"type": "function", "function": {"name": "g"}}"#,
            [false, false, true, false],
        ),
        (
            r#""tool_choice": {"type": "function", "name": "g"}"#,
            [false, false, true, false],
        ),
        (
            r#""tool_choice": {"type": "tool", "name": "f"}"#,
            [false, true, false, false],
        ),
        (
            r#""tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "g"}}]}}"#,
            [true, false, true, false],
        ),
        (
            r#""tool_choice": {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]}"#,
            [false, true, false, false],
        ),
        (r#""parallel_tool_calls": false"#, [true, true, true, false]),
        (
            r#""tool_choice": {"type": "auto", "disable_parallel_tool_use": true}"#,
            [true, true, true, false],
        ),
    ];
    for (said, expected) in cases {
        let parsed = read(&with(said), hermes()).unwrap();
        let found = ["Hello.", &f, &g, &both].map(|output| takes(&parsed.grammar, output));
        assert_eq!(found, expected, "{said}");
    }
    // Options come before what a request says.
    let options = hermes().choice(Some(ToolChoice::None));
    let parsed = read(&with(r#""tool_choice": "required""#), options).unwrap();
    assert!(takes(&parsed.grammar, "Hello.") && !takes(&parsed.grammar, &f));
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_place() {
    let tool = |name: &str| format!(r#"[{{"name": {name}}}]"#);
    let cases: [(String, &str, &str); 13] = [
        ("5".into(), "tool-malformed", "5"),
        ("{}".into(), "tool-malformed", "{"),
        ("[{}]".into(), "tool-malformed", "{"),
        (tool("\"\""), "tool-malformed", "\"\""),
        (tool("7"), "tool-malformed", "7"),
        (tool("\"a\\\"b\""), "tool-name", "\"a\\\"b\""),
        (tool("\"a\\n\""), "tool-name", "\"a\\n\""),
        (tool("\" a\""), "tool-name", "\" a\""),
        (
            r#"[{"name": "a"}, {"name": "a" }]"#.into(),
            "tool-name",
            "\"a\"",
        ),
        (
            r#"[{"name": "a", "parameters": true}]"#.into(),
            "tool-malformed",
            "true",
        ),
        (
            r#"[{"type": "web_search", "name": "a"}]"#.into(),
            "tool-malformed",
            "\"web_search\"",
        ),
        (
            r#"[{"name": "a", "parameters": {"type": "strin"}}]"#.into(),
            "schema-malformed",
            r#""type": "strin""#,
        ),
        (
            r#"{"tools": [{"name": "get"}], "tool_choice": {"type": "tool", "name": "gett"}}"#
                .into(),
            "tool-choice",
            r#"{"type": "tool", "name": "gett"}"#,
        ),
    ];
    for (tools, code, place) in cases {
        assert_eq!(
            refused(&tools, hermes()),
            (code, place.to_owned()),
            "{tools}"
        );
    }
    let empty = "[]";
    let required = hermes().choice(Some(ToolChoice::Required));
    assert_eq!(refused(empty, required).0, "tool-choice");
    assert!(takes(&read(empty, hermes()).unwrap().grammar, "Hello."));
    assert_eq!(refused(empty, ToolOptions::default()).0, "tool-format");
    assert_eq!(
        refused(empty, ToolOptions::format("qwen_9")).0,
        "tool-format"
    );
    assert_eq!(
        refused(empty, ToolOptions::format("missing.json")).0,
        "tool-format"
    );
    let no_reasoning = ToolOptions::format("llama").reasoning(Reasoning::Required);
    assert_eq!(refused(empty, no_reasoning).0, "tool-choice");
}

#[test]
fn a_slip_in_a_tool_is_warned_of() {
    let tools = r#"[{"name": "a", "paramters": {"type": "object"}, "annotations": {}}]"#;
    let parsed = read(tools, hermes()).unwrap();
    let codes: Vec<&str> = parsed
        .warnings
        .iter()
        .map(|warning| warning.code().as_str())
        .collect();
    assert_eq!(codes, ["tool-unknown-field"]);
}

#[test]
fn names_that_a_format_ends_elsewhere_are_refused() {
    // `f(` of Python would end at the bracket, `f{` of Mistral at the brace.
    for (format, name, good) in [
        ("pythonic", "a(b", false),
        ("pythonic", "a.b", true),
        ("mistral_v11", "a{b", false),
        ("mistral_v11", "a-b", true),
        ("glm_4_7", "a<b", false),
        ("kimi", "a:b", false),
        ("hermes", "a:b", true),
        ("hermes", "a(b", false),
        ("hermes", "get weather", false),
        // A backslash begins an escape of JSON, an ampersand one of an attribute.
        ("hermes", "a\\b", false),
        ("apertus", "a\\b", false),
        ("hermes", "a&b", true),
        ("kimi", "a\\b", true),
        ("kimi_k3", "a&b", false),
        ("kimi_k3", "a\\b", true),
        ("minicpm_5", "a&b", true),
        // Python reads no call of these.
        ("pythonic", "a-b", false),
        ("llama_4", "1f", false),
        ("lfm2", "a/b", false),
        ("olmo_3", "a=b", false),
        ("pythonic", "class", false),
        ("pythonic", "a.if", false),
        ("pythonic", "a,b", false),
        ("pythonic", "caf\u{e9}", false),
        ("pythonic", "_a1", true),
    ] {
        let tools = serde_json::json!([{ "name": name }]).to_string();
        let read = read(&tools, ToolOptions::format(format));
        match read {
            Ok(_) => assert!(good, "{format}: {name}"),
            Err(error) => assert_eq!(
                (error.code().as_str(), good),
                ("tool-name", false),
                "{error}"
            ),
        }
    }
}

/// Where calls stand at the beginning, what the grammar takes as text is read as text.
#[test]
fn what_is_no_call_at_the_beginning_is_text() {
    use maskwright::calls::Part;

    let tools = r#"[{"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}]"#;
    let lines = r#"{"layout": "at_start", "call": "CALL {{name}} {{arguments}}", "section": {"begin": "Now:\n", "end": "."}}"#;
    for (format, texts, others) in [
        (
            "pythonic",
            &["f(a=1)", "[g(a=1)]", "[f", "[1]"][..],
            &["[f(a=x)]", "[f("][..],
        ),
        (
            "xlam",
            &["{\"name\": \"f\", \"arguments\": {\"a\": 1}}", "[{}]"],
            &[
                "[{\"name\":\"f\",\"arguments\":{\"a\":\"x\"}}]",
                "[{\"name\": \"g\", \"arguments\": {}}]",
            ],
        ),
        (lines, &["Now", "CALL f {}"], &["Now: CALL f {\"b\": 1}"]),
    ] {
        let mut options = ToolOptions::format(format);
        if format == lines {
            options.format = Some(FormatSource::Text(Source::new("my.json", lines)));
        }
        let parsed = read(tools, options).unwrap();
        for text in texts {
            assert!(takes(&parsed.grammar, text), "{format}: {text}");
            let calls = parsed.calls.as_ref().unwrap();
            calls.with_format(|format| {
                // Nothing is a call of a tool that there is not.
                let parts: Vec<Part<'_>> = format.parts(text).collect();
                assert!(
                    parts.iter().all(|part| matches!(part, Part::Text(_))),
                    "{parts:?}"
                );
            });
        }
        for text in others {
            assert!(!takes(&parsed.grammar, text), "{format}: {text}");
        }
    }
}

#[test]
fn a_tool_may_be_called_like_a_choice() {
    let tools = r#"[{"name": "auto"}, {"name": "tool:x"}]"#;
    for (text, name) in [("tool:auto", "auto"), ("tool:tool:x", "tool:x")] {
        let choice = ToolChoice::of(text);
        assert_eq!(choice, ToolChoice::Named(name.to_owned()));
        assert_eq!(choice.to_string(), text);
        let parsed = read(tools, hermes().choice(Some(choice))).unwrap();
        assert!(takes(&parsed.grammar, &call(name, "{}")));
        assert!(!takes(&parsed.grammar, "Hello."));
    }
    assert_eq!(ToolChoice::of("f").to_string(), "f");
}

#[test]
fn messages_say_what_is_wrong() {
    let chosen = |choice: &str| hermes().choice(Some(ToolChoice::of(choice)));
    let long = format!(r#"[{{"name": "{}"}}]"#, "x".repeat(300));
    let tools = r#"[{"name": "f"}]"#;
    for (tools, options, expected) in [
        ("", hermes(), "write `[{\"type\": \"function\""),
        (
            r#"{"tools": [], "tool_choice": 7}"#,
            hermes(),
            "`tool_choice` is an object; this is a number",
        ),
        (
            r#"{"tools": [], "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": ["f"]}}"#,
            hermes(),
            "an allowed tool is an object; this is a string",
        ),
        // An option has no place in the tools.
        (tools, chosen("zz"), "the tools are here"),
        (
            tools,
            chosen("auto:"),
            "the choice of tools has an empty name",
        ),
        (&long, hermes(), "xxx…`: it is longer than 256 bytes"),
    ] {
        let message = read(tools, options).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}
