//! Tools of OpenAI's type `custom`: functions of one string, which a pattern may describe.

use crate::compiled::{Compiled, Words};
use crate::parts::parts;
use crate::render::Found;
use crate::{read, takes};
use maskwright_compiler::syntax::tools::{Reasoning, ToolOptions};
use serde_json::{Value, json};

const PATTERN: &str = r"(?:[a-c]|\n)+|5";

fn options(format: &str) -> ToolOptions {
    ToolOptions::format(format).reasoning(Reasoning::None)
}

fn call(name: &str, arguments: &Value) -> String {
    let call = format!("{{\"name\": \"{name}\", \"arguments\": {arguments}}}");
    format!("<tool_call>\n{call}\n</tool_call>")
}

/// What describes the input, as both APIs write it.
fn tools(format: &Value) -> [String; 2] {
    let flat = match format.get("grammar").and_then(Value::as_object) {
        Some(grammar) => {
            let mut flat = grammar.clone();
            flat.insert("type".to_owned(), json!("grammar"));
            Value::Object(flat)
        }
        None => format.clone(),
    };
    let chat = json!({"name": "t", "description": "d", "format": format});
    let responses = json!({"type": "custom", "name": "t", "description": "d", "format": flat});
    [
        json!([{"type": "custom", "custom": chat}]).to_string(),
        json!([responses]).to_string(),
    ]
}

fn regex(definition: &str) -> Value {
    json!({"type": "grammar", "grammar": {"syntax": "regex", "definition": definition}})
}

#[test]
fn an_input_is_a_text_or_what_a_pattern_matches() {
    let any = ["", "abc\n", "5", "xyz", "a5", "\"\\<"];
    for (format, taken) in [
        (Value::Null, &any[..]),
        (json!({"type": "text"}), &any[..]),
        (regex(PATTERN), &any[1..3]),
    ] {
        for tools in tools(&format) {
            let parsed = read(&tools, options("qwen_3")).unwrap();
            assert!(parsed.warnings.is_empty(), "{tools}: {:?}", parsed.warnings);
            for input in any {
                let output = call("t", &json!({"input": input}));
                let is_taken = taken.contains(&input);
                assert_eq!(takes(&parsed.grammar, &output), is_taken, "{output}");
            }
            for arguments in [
                json!({}),
                json!({"input": 5}),
                json!({"input": "5", "a": 1}),
            ] {
                let output = call("t", &arguments);
                assert!(!takes(&parsed.grammar, &output), "{output}");
            }
        }
    }
}

/// In elements the input stands as it is, and is read back as a string whatever it looks like. A
/// request that lets functions have any arguments changes nothing.
#[test]
fn an_input_is_read_back() {
    let words = Words::bytes();
    let [tools, _] = tools(&regex(PATTERN));
    let formats = [
        (
            "qwen_3",
            "<tool_call>\n{\"name\": \"t\", \"arguments\": {\"input\": \"$V\"}}\n</tool_call>",
        ),
        (
            "qwen_3_coder",
            "<tool_call>\n<function=t>\n<parameter=input>\n$V\n</parameter>\n\
             </function>\n</tool_call>",
        ),
        ("pythonic", "[t(input=\"$V\")]"),
        (
            "minimax_m3",
            "P<tool_call>\nP<invoke name=\"t\">P<input>$VP</input>P</invoke>\nP</tool_call>",
        ),
        (
            "muse_glimmer",
            " to=t<|message|><atem:function_calls>\n<atem:invoke name=\"t\">\n\
             <atem:parameter name=\"input\">$V</atem:parameter>\n\
             </atem:invoke>\n</atem:function_calls><|eot|>",
        ),
    ];
    for (format, call) in formats {
        let options = options(format).strict(Some(false));
        let compiled = Compiled::of(&tools, options, &words).unwrap();
        let call = call.replace('P', "]<]minimax[>[");
        for (input, is_taken) in [("5", true), ("abc", true), ("6", false), ("55", false)] {
            let output = call.replace("$V", input);
            let (at, accepted) = compiled.accepts(&output);
            assert_eq!(accepted, is_taken, "{format}: {output}");
            assert!(!is_taken || at == output.len(), "{format}: {output}");
            if is_taken {
                let found = compiled.read(|format| parts(format, &output));
                let meant = Found::Call("t".to_owned(), json!({"input": input}));
                assert_eq!(found, Ok(vec![meant]), "{output}");
            }
        }
    }
}

#[test]
fn a_choice_names_such_a_tool() {
    let tools = json!([
        {"type": "custom", "custom": {"name": "t"}},
        {"type": "custom", "name": "u"},
        {"type": "function", "function": {"name": "f"}}
    ]);
    let chat = json!({"type": "custom", "custom": {"name": "t"}});
    let allowed =
        |tool: Value| json!({"type": "allowed_tools", "mode": "required", "tools": [tool]});
    let (t, f) = (call("t", &json!({"input": "x"})), call("f", &json!({})));
    for choice in [
        chat.clone(),
        json!({"type": "custom", "name": "t"}),
        json!({"type": "allowed_tools", "allowed_tools": allowed(chat.clone())}),
        allowed(json!({"type": "custom", "name": "t"})),
    ] {
        let request = json!({"tools": tools, "tool_choice": choice}).to_string();
        let parsed = read(&request, options("qwen_3")).unwrap();
        assert!(takes(&parsed.grammar, &t), "{request}");
        assert!(!takes(&parsed.grammar, &f), "{request}");
        assert!(!takes(&parsed.grammar, "Hm."), "{request}");
    }
}

/// What is refused, and the text that is marked.
#[test]
fn what_is_no_input_is_refused() {
    let grammar = |syntax: &str| {
        let grammar = json!({"syntax": syntax, "definition": "start: \"a\""});
        json!({"type": "grammar", "grammar": grammar})
    };
    let cases = [
        (grammar("lark"), "tool-malformed", "\"lark\""),
        (grammar("gbnf"), "tool-malformed", "\"gbnf\""),
        (json!({"type": "json"}), "tool-malformed", "\"json\""),
        (
            json!({"type": "grammar", "grammar": {"syntax": "regex"}}),
            "tool-malformed",
            "{",
        ),
        (json!({}), "tool-malformed", "{"),
        (json!(5), "tool-malformed", "5"),
    ];
    for (format, code, marked) in cases {
        for tools in tools(&format) {
            let error = read(&tools, options("qwen_3")).unwrap_err();
            let diagnostic = &error.diagnostics()[0];
            let span = diagnostic.span().unwrap();
            assert_eq!(diagnostic.code().as_str(), code, "{tools}");
            assert_eq!(&tools[span.start..span.end], marked, "{tools}");
        }
    }
    let lark = read(&tools(&grammar("lark"))[0], options("qwen_3")).unwrap_err();
    let lark = lark.to_string();
    assert!(
        lark.contains("Lark") && lark.contains("`\"syntax\": \"regex\"`"),
        "{lark}"
    );
    // Patterns that are none, one that matches bytes, and one that is too large.
    for (definition, marked) in [("(", "\"(\""), ("(?-u:\\xff)", "\"(?-u:\\\\xff)\"")] {
        let [tools, _] = tools(&regex(definition));
        let error = read(&tools, options("qwen_3")).unwrap_err();
        let span = error.diagnostics()[0].span().unwrap();
        assert_eq!(error.code().as_str(), "tool-malformed");
        assert_eq!(&tools[span.start..span.end], marked, "{error}");
    }
    let [tools, _] = tools(&regex("(?:(?:ab|ac){1000}){1000}"));
    let wrong = read(&tools, options("qwen_3")).unwrap_err().to_string();
    assert!(wrong.contains("embedded here"), "{wrong}");
    let schema =
        r#"[{"type": "custom", "custom": {"name": "t", "parameters": {"type": "object"}}}]"#;
    let error = read(schema, options("qwen_3")).unwrap_err();
    assert_eq!(error.code().as_str(), "tool-malformed");
    // What has no meaning is warned of.
    let strict = r#"[{"type": "custom", "custom":
        {"name": "t", "strict": true, "format": {"type": "text", "max": 5}}}]"#;
    assert_eq!(read(strict, options("qwen_3")).unwrap().warnings.len(), 2);
}
