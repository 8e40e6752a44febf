//! Mistakes in embedded grammars are shown with their line, at the call that embeds them.

maskwright::grammar! {
    static FILE for file "tests/bytes.tiktoken" {
        root = "<" json_schema!("tests/ui/mistake.json") ">";
    }
}

maskwright::grammar! {
    static GRAMMAR for file "tests/bytes.tiktoken" {
        root = ebnf!("tests/ui/mistake.ebnf") "." ;
    }
}

maskwright::grammar! {
    static NO_FILE for file "tests/bytes.tiktoken" {
        root = ebnf!("tests/ui/no_such.ebnf");
    }
}

maskwright::grammar! {
    static INLINE for file "tests/bytes.tiktoken" {
        root = json_schema!(r#"{
            "type": "strin"
        }"#);
    }
}

fn main() {}
