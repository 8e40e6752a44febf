//! What is said of an item comes before its grammar.

maskwright::grammar! {
    static LATE for file "tests/bytes.tiktoken", regex = "[a-z]+", beside = LETTERS;
}

maskwright::grammar! {
    static LATE for file "tests/bytes.tiktoken", ebnf = "root ::= [a-z]+", deterministic = true;
}

maskwright::grammar! {
    static LATE for file "tests/bytes.tiktoken", schema = "{}", formats = false, beside = LETTERS;
}

maskwright::grammar! {
    static NONE for file "tests/bytes.tiktoken", regex = "[a-z]+", flags = "i";
}

fn main() {}
