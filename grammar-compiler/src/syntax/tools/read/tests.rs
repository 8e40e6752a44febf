//! Both readers agree: what is read from an outline is what is read from nodes, and nothing is read
//! from an outline that is refused.

use super::*;

const REQUESTS: [&str; 9] = [
    r#"[{"type": "function", "function": {"name": "a", "description": "x", "parameters": {"type": "object", "properties": {"b": {"type": "string"}, "c": {"enum": [1, 2]}, "d": {"const": null}}}, "strict": true}}, {"type": "function", "function": {"name": "b"}}]"#,
    r#"{"tools": [{"type": "function", "name": "a", "parameters": {"properties": {"x": {"type": ["string"], "enum": ["u", 1]}, "y": {"type": "set"}, "z": true}}, "strict": false}], "tool_choice": "required", "parallel_tool_calls": false}"#,
    r#"{"tools": [{"name": "a", "input_schema": {}, "type": "custom"}, {"name": "b_c", "input_schema": {"type": "object", "properties": {"q": {"enum": []}, "r": {"enum": [true, false]}}}}], "tool_choice": {"type": "auto", "disable_parallel_tool_use": true}}"#,
    r#"{"result": {"tools": [{"name": "a.b-c", "title": "A", "inputSchema": {"type": "object", "properties": {"k": {"const": [1]}, "l": {"const": {}}, "m": {"const": -1.5e3}}}}]}, "jsonrpc": "2.0", "id": 1}"#,
    r#"{"tools": [{"name": "a", "paramters": {"type": "object"}}, {"name": "b", "parameters": null, "strict": null}], "tool_choice": {"type": "function", "function": {"name": "b"}}, "parallel_tool_calls": null}"#,
    r#"{"tools": [{"name": "a"}, {"name": "b"}], "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "b"}}]}}}"#,
    r#"[{"name": "a", "name_": "\ud83d\ude00\u00e9\n\"", "inputSchema": {"description": "\/\b\f", "properties": {"\u0061": {"type": "string"}}}}, {"name": "ab\u0063"}]"#,
    r#"[{"name": "", "inputSchema": {}}, {"name": "a b"}, {"name": "a"}, {"name": "a"}, {"name": "x", "parameters": [], "strict": "yes"}, {"type": "web_search", "name": "y"}]"#,
    "\u{feff} [ ] ",
];

/// What stands in the place of a byte of a request, or beside it.
const PARTS: [&str; 28] = [
    "",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "1",
    "-",
    "0",
    "e",
    ".",
    "\\",
    "\\u",
    "\\ud800",
    "\n",
    " ",
    "é",
    "\u{1}",
    "\"a\": ",
    "\"name\": ",
    "\"type\": ",
    "{}, ",
    "[[",
    "a",
];

/// The requests that both readers take, of some.
fn agree(texts: impl Iterator<Item = String>) -> usize {
    let options = ParseOptions::default();
    let format = ToolFormat::named("minimax_m3", &options.limits);
    let format = format.unwrap().unwrap();
    let mut taken = 0;
    for text in texts {
        let source = Source::new("r", text.as_str());
        let quick = outline::read(&source, &format, &options);
        let slow = read_nodes(&source, &format, &options);
        if let Some(quick) = quick {
            let slow = slow.unwrap_or_else(|error| panic!("{text}\n{error}"));
            assert_eq!(format!("{quick:?}"), format!("{slow:?}"), "{text}");
            taken += 1;
        } else if slow.is_ok() {
            // Texts with escapes, and tools that take a text.
            let is_left = text.contains('\\') || text.contains("\"custom\"");
            assert!(is_left, "read from nodes only: {text}");
        }
    }
    taken
}

#[test]
fn requests_are_read_from_outlines() {
    assert_eq!(agree(REQUESTS.map(str::to_owned).into_iter()), 7);
}

#[test]
fn changed_requests_are_read_alike() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize % below
    };
    let changed = (0..40_000).map(|at| {
        let mut text = REQUESTS[at % REQUESTS.len()].to_owned();
        for _ in 0..=random(3) {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let from = random(starts.len());
            let behind = (from + random(4)).min(starts.len() - 1);
            text.replace_range(starts[from]..starts[behind], PARTS[random(PARTS.len())]);
        }
        text
    });
    let taken = agree(changed);
    assert!((2_000..36_000).contains(&taken), "{taken}");
}
