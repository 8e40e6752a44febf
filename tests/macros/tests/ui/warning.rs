//! What is probably not meant is a warning at its place.

#![deny(deprecated)]

maskwright::grammar! {
    static UNUSED for file "tests/bytes.tiktoken" {
        root = "a" nothing gap | "a" nothing gap;
        spare = "b";
        nothing = "";
        gap = (" " | "\n")*;
    }
    static TEXT for file "tests/bytes.tiktoken", ebnf = r#"root ::= "a"
spare ::= "b""#;
}

fn main() {}
