//! JSON Schemas: mistakes in the text are marked at the literal, those in options where they are.

maskwright::grammar! {
    static KEYWORD for file "tests/bytes.tiktoken", schema = r#"{
  "type": "object",
  "properties": {"age": {"type": "int"}}
}"#;
    static JSON for file "tests/bytes.tiktoken", schema = "{\"type\": \"null\",}";
    static REFERENCE for file "tests/bytes.tiktoken", schema_file = "tests/ui/mistake.json";
    static NO_FILE for file "tests/bytes.tiktoken", schema_file = "tests/ui/no_such.json";
    static NOTHING for file "tests/bytes.tiktoken", schema = "{\"type\": \"string\", \"enum\": [1]}";
}

maskwright::grammar! {
    static OPTION for file "tests/bytes.tiktoken", schema = "true", whitespaces = "compact";
}

maskwright::grammar! {
    static VALUE for file "tests/bytes.tiktoken", schema = "true", whitespace = "tight";
}

maskwright::grammar! {
    static LENIENT for file "tests/bytes.tiktoken", schema = "true", lenient = ["uniqueItems", "uniqeItems"];
}

fn main() {}
