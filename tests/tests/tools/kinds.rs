//! What values are read back as, where a style does not write their kinds: what the schema says,
//! wherever it says it.

use crate::compiled::{Compiled, Words};
use crate::parts::parts;
use crate::render::Found;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::tools::ToolOptions;
use serde_json::{Value, json};

/// The properties of a tool, and for each case a key, a text, and the value that is read.
const TOOL: &str = r##"[{"name": "f", "parameters": {"type": "object", "$defs": {"s": {"type": "string"}, "t": {"allOf": [{"$ref": "#/$defs/s"}]}}, "properties": {
    "a": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "b": {"$ref": "#/$defs/t"},
    "c": {"oneOf": [{"type": "string", "pattern": "x"}, {"$ref": "#/$defs/s"}]},
    "d": {"enum": ["5", "6", null, 7]},
    "e": {"type": ["string", "integer"]},
    "f": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]},
    "g": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"k": {"$ref": "#/$defs/s"}}, "required": ["k"]}]},
    "h": {"anyOf": [{"type": "string"}, {"const": true}]}
}}}]"##;

fn cases() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("a", "5", json!("5")),
        ("a", "{\"a\": 1}", json!("{\"a\": 1}")),
        ("a", "null", Value::Null),
        ("b", "5", json!("5")),
        ("b", "null", json!("null")),
        ("c", "[1]", json!("[1]")),
        ("d", "5", json!("5")),
        ("d", "7", json!(7)),
        ("d", "null", Value::Null),
        ("e", "5", json!(5)),
        ("e", "5.5", json!("5.5")),
        ("e", "true", json!("true")),
        ("f", "[1, 2]", json!([1, 2])),
        ("f", "[1, \"2\"]", json!("[1, \"2\"]")),
        ("f", "[1", json!("[1")),
        ("g", "{\"k\": \"5\"}", json!({"k": "5"})),
        ("g", "{\"k\": 5}", json!("{\"k\": 5}")),
        ("g", "{\"l\": \"5\"}", json!("{\"l\": \"5\"}")),
        ("g", "{}", json!("{}")),
        ("h", "true", json!(true)),
        ("h", "false", json!("false")),
    ]
}

#[test]
fn values_are_of_the_kinds_that_the_schema_allows() {
    let words = Words::bytes();
    let formats = [
        (
            "qwen_3_coder",
            "<tool_call>\n<function=f>\n<parameter=K>\nV\n</parameter>\n</function>\n</tool_call>",
        ),
        (
            "glm_4_7",
            "<tool_call>f<arg_key>K</arg_key><arg_value>V</arg_value></tool_call>",
        ),
        (
            "minimax",
            "\n<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"K\">V</parameter></invoke>\n</minimax:tool_call>",
        ),
        (
            "minicpm_5",
            "<function name=\"f\"><param name=\"K\">V</param></function>",
        ),
        (
            "muse_glimmer",
            " to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n\
             <atem:parameter name=\"K\">V</atem:parameter>\n\
             </atem:invoke>\n</atem:function_calls><|eom|>",
        ),
    ];
    for (format, call) in formats {
        let compiled = Compiled::of(TOOL, ToolOptions::format(format), &words).unwrap();
        for (key, text, meant) in cases() {
            let output = call.replace('K', key).replace('V', text);
            assert_eq!(
                compiled.accepts(&output),
                (output.len(), true),
                "{format}: {output}"
            );
            let found = compiled.read(|format| parts(format, &output)).unwrap();
            let calls: Vec<&Found> = found
                .iter()
                .filter(|found| matches!(found, Found::Call(..)))
                .collect();
            let expected = Found::Call("f".to_owned(), json!({key: meant}));
            assert_eq!(calls, [&expected], "{format}: {output}");
        }
    }
}

/// Within arrays and objects that are elements, too.
#[test]
fn values_within_elements_are_of_their_kinds() {
    let words = Words::bytes();
    let tools = r##"[{"name": "f", "parameters": {"type": "object", "$defs": {"s": {"type": ["string", "null"]}}, "properties": {
        "a": {"type": "array", "items": {"$ref": "#/$defs/s"}},
        "b": {"type": "object", "properties": {"item": {"$ref": "#/$defs/s"}, "n": {"type": "integer"}, "e": {"type": "array", "items": {"type": "string"}}}}
    }}}]"##;
    let cases = [
        (
            "P<a>P<item>5P</item>P<item>nullP</item>P</a>",
            json!({"a": ["5", null]}),
        ),
        ("P<a>P</a>", json!({"a": []})),
        (
            "P<b>P<item>5P</item>P<n>5P</n>P<e>P</e>P</b>",
            json!({"b": {"item": "5", "n": 5, "e": []}}),
        ),
        ("P<b>P</b>", json!({"b": {}})),
    ];
    let compiled = Compiled::of(tools, ToolOptions::format("minimax_m3"), &words).unwrap();
    for (text, meant) in cases {
        let call = format!("P<tool_call>\nP<invoke name=\"f\">{text}P</invoke>\nP</tool_call>");
        let call = call.replace("P<", "]<]minimax[>[<");
        assert_eq!(compiled.accepts(&call), (call.len(), true), "{call}");
        let found = compiled.read(|format| parts(format, &call));
        assert_eq!(
            found,
            Ok(vec![Found::Call("f".to_owned(), meant)]),
            "{call}"
        );
    }
}

/// What the grammar takes for a call with other blanks, the reader does.
#[test]
fn calls_with_other_blanks_are_read() {
    let words = Words::bytes();
    let tools = r#"[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}]"#;
    let tight = "<tool_call><function=f></function></tool_call>";
    let cases = [
        ("qwen_3_coder", tight),
        ("qwen_3_5", tight),
        ("nemotron_3", tight),
        ("step_3_5", tight),
        (
            "qwen_3_coder",
            "<tool_call> \n<function=f>\n\n</function>\t</tool_call>",
        ),
        ("llama", "{\"name\":\"f\",\"parameters\":{}}"),
        (
            "llama",
            "{\"type\": \"function\", \"name\": \"f\", \"parameters\": {}}",
        ),
    ];
    for (format, call) in cases {
        let options = ToolOptions::format(format).blanks(true);
        let options = options.reasoning(maskwright_compiler::syntax::tools::Reasoning::None);
        let compiled = Compiled::of(tools, options, &words).unwrap();
        for text in ["", "Well. "] {
            let output = format!("{text}{call}");
            assert_eq!(
                compiled.accepts(&output),
                (output.len(), true),
                "{format}: {output}"
            );
            let found = compiled.read(|format| parts(format, &output)).unwrap();
            let last = Found::Call("f".to_owned(), json!({}));
            assert_eq!(found.last(), Some(&last), "{format}: {output}");
        }
    }
}

/// A bare object is any object; beside declared properties no others are allowed.
#[test]
fn a_bare_object_is_any_object() {
    let words = Words::bytes();
    let tools = r#"[
        {"name": "f", "parameters": {"type": "object"}},
        {"name": "g", "parameters": {"type": "object", "properties": {}}},
        {"name": "h", "parameters": {"type": "object", "properties": {"o": {"type": "object"}, "p": {"type": ["object", "null"]}}}}
    ]"#;
    let compiled = Compiled::of(tools, ToolOptions::format("qwen_3"), &words).unwrap();
    for (name, arguments, is_taken) in [
        ("f", r#"{"a": 1}"#, true),
        ("f", "{}", true),
        ("g", "{}", true),
        ("g", r#"{"a": 1}"#, false),
        ("h", r#"{"o": {"a": {"b": []}}, "p": {"c": 1}}"#, true),
        ("h", r#"{"q": {}}"#, false),
    ] {
        let call = format!(
            "<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>"
        );
        assert_eq!(compiled.accepts(&call).1, is_taken, "{call}");
    }
}

/// Values of OLMo 3 are JSON, and keywords of Python name arguments.
#[test]
fn calls_of_python_have_the_names_and_values_that_engines_read() {
    let words = Words::bytes();
    let tools = r#"[{"name": "f", "parameters": {"type": "object", "properties": {"from": {"type": "boolean"}, "class": {"type": ["string", "null"]}}}}]"#;
    for (format, call, meant) in [
        (
            "olmo_3",
            "<function_calls>f(from=true, class=null)</function_calls>",
            json!({"from": true, "class": null}),
        ),
        (
            "olmo_3",
            "<function_calls>f(class=\"\\u00e9/\")</function_calls>",
            json!({"class": "é/"}),
        ),
        (
            "lfm2",
            "<|tool_call_start|>[f(from=True, class=None)]<|tool_call_end|>",
            json!({"from": true, "class": null}),
        ),
    ] {
        let compiled = Compiled::of(tools, ToolOptions::format(format), &words).unwrap();
        assert_eq!(compiled.accepts(call), (call.len(), true), "{call}");
        let found = compiled.read(|format| parts(format, call));
        let is_call =
            matches!(found.as_deref(), Ok([.., Found::Call(_, value)]) if *value == meant);
        assert!(is_call, "{call}: {found:?}");
    }
}

/// What clients send that is not quite right.
#[test]
fn nulls_count_as_absent_and_undeclared_names_are_told() {
    let read = |tools: &str| crate::read(tools, ToolOptions::format("qwen_3"));
    for tools in [
        r#"{"tools": null}"#,
        r#"[{"name": "f", "parameters": {"type": "object", "properties": null, "required": null}}]"#,
        r#"[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string", "pattern": null, "items": null, "enum": null}}}}]"#,
    ] {
        let parsed = read(tools);
        assert!(parsed.is_ok(), "{tools}: {}", parsed.unwrap_err());
    }
    let error = read(
        r#"[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "zz"]}}]"#,
    );
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("`required` at `#`: it names `zz`"),
        "{error}"
    );
}

/// The texts of one string in these formats, up to the end of the call.
const CALLS: [(&str, &str, bool); 3] = [
    (
        "qwen_3_coder",
        "<tool_call>\n<function=f>\n<parameter=a>V</parameter>\n</function>\n</tool_call>",
        true,
    ),
    (
        "minicpm_5",
        "<function name=\"f\"><param name=\"a\">V</param></function>",
        false,
    ),
    (
        "gemma_4",
        "<|tool_call>call:f{a:<|\"|>V<|\"|>}<tool_call|>",
        false,
    ),
];

/// Strings whose length is counted beside what ends them are those of the automaton of all lengths.
#[test]
fn long_strings_are_counted_exactly() {
    let pieces = ["", "a", "é", "\n", "<", "</", "</param", "<|\"", ">"];
    let mut texts: Vec<String> = Vec::new();
    for code in 0..pieces.len().pow(4) {
        let text = (0..4).map(|at| pieces[code / pieces.len().pow(at) % pieces.len()]);
        texts.push(text.collect());
    }
    texts.sort();
    texts.dedup();
    let long = |count: usize, end: &str| format!("{}{end}", "b<".repeat(count / 2));
    let ends = ["", "\n", "\n\n", "<", "</par", "</par\n", "é"];
    let many: Vec<String> = (570..=612)
        .flat_map(|count| ends.iter().map(move |end| long(count, end)))
        .flat_map(|text| [format!("\n{text}"), text])
        .collect();
    for (format, call, is_trimmed) in CALLS {
        for (min, max, texts) in [
            (0, 3, &texts),
            (1, 4, &texts),
            (2, 2, &texts),
            (3, 5, &texts),
            (0, 600, &many),
            (1, 600, &many),
            (590, 600, &many),
        ] {
            let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": min, "maxLength": max}}, "required": ["a"]});
            let tools = json!([{"name": "f", "parameters": schema}]).to_string();
            let limits = Limits::default().states(20);
            let parsed = GrammarText::tools(&tools)
                .tool_options(ToolOptions::format(format))
                .parse(&limits)
                .unwrap_or_else(|error| panic!("{format} {min} {max}: {error}"));
            let (before, behind) = call.split_once('V').unwrap();
            let end = behind.split_inclusive('>').next().unwrap();
            for text in texts {
                let output = format!("{before}{text}{behind}");
                let value = match is_trimmed {
                    true => {
                        let text = text.strip_prefix('\n').unwrap_or(text);
                        text.strip_suffix('\n').unwrap_or(text)
                    }
                    false => text,
                };
                let length = value.chars().count();
                let is_whole = format!("{text}{end}").find(end) == Some(text.len());
                let expected = is_whole && (min..=max).contains(&length);
                assert_eq!(
                    crate::takes(&parsed.grammar, &output),
                    expected,
                    "{format} {min} {max}: {output:?}"
                );
            }
        }
    }
}

/// A long bound does not refuse a request, in no style.
#[test]
fn long_bounds_are_taken_in_every_format() {
    let tools = r#"[{"name": "save", "parameters": {"type": "object", "properties": {"body": {"type": "string", "maxLength": 10000}}, "required": ["body"]}}]"#;
    for format in maskwright_compiler::syntax::tools::ToolFormat::names() {
        let parsed = crate::read(tools, ToolOptions::format(format));
        assert!(parsed.is_ok(), "{format}: {}", parsed.unwrap_err());
    }
}
