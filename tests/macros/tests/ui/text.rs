//! Grammars in strings and files: the message has line, column and an excerpt.

maskwright::grammar! {
    static SYNTAX for file "tests/bytes.tiktoken", ebnf = r#"
root ::= "a" (
    "b" | [c-
"#;
    static NAME for file "tests/bytes.tiktoken", ebnf = "root ::= \"a\"\n  missing";
    static MISTAKE for file "tests/bytes.tiktoken", ebnf_file = "tests/ui/mistake.ebnf";
    static NO_FILE for file "tests/bytes.tiktoken", ebnf_file = "tests/ui/no_such.ebnf";
    static PATTERN for file "tests/bytes.tiktoken", regex = r"(a)\1";
}

fn main() {}
