//! Tools: mistakes in them and in formats are marked at the literal, those in options there.

maskwright::grammar! {
    static NO_FORMAT for file "tests/bytes.tiktoken", tools = r#"[{"name": "now"}]"#;
    static FORMAT for file "tests/bytes.tiktoken", tools = r#"[{"name": "now"}]"#, format = "qwen_s";
    static NAME for file "tests/bytes.tiktoken", tools = r#"[{"name": "now"}, {"name": "now"}]"#, format = "qwen_3";
    static CHOICE for file "tests/bytes.tiktoken", tools = r#"[{"name": "now"}]"#, format = "qwen_3", tool_choice = "nwo";
    static SCHEMA for file "tests/bytes.tiktoken", tools = r#"[
  {"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "strin"}}}}
]"#, format = "qwen_3";
}

maskwright::grammar! {
    static OPTION for file "tests/bytes.tiktoken", tools = "[]", format = "qwen_3", choice = "auto";
}

maskwright::grammar! {
    static VALUE for file "tests/bytes.tiktoken", tools = "[]", format = "qwen_3", reasoning = "yes";
}

maskwright::grammar! {
    static OTHER for file "tests/bytes.tiktoken", link = true, regex = "a";
}

maskwright::grammar! {
    static FIRST for file "tests/bytes.tiktoken", regex = "a";
    static BESIDE for file "tests/bytes.tiktoken", beside = FIRST, link = true, tools = r#"[{"name": "now"}]"#, format = "qwen_3";
}

maskwright::grammar! {
    static WHOLE for file "tests/bytes.tiktoken", link = true, tools = r#"[{"name": "now"}]"#, format = "llama_4";
    static REFUSED for file "tests/bytes.tiktoken", link = true, tools = r#"[
  {"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "string", "pattern": "(a)\\1"}}, "required": ["zone"]}}
]"#, format = "qwen_3";
    static SHALLOW for file "tests/bytes.tiktoken", link = true, depth = 1, tools = r#"[
  {"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "array", "minItems": 1, "items": {"type": "array", "minItems": 1}}}, "required": ["zone"]}}
]"#, format = "qwen_3";
}

fn main() {}
