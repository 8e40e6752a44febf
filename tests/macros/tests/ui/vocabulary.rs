//! Vocabularies.

maskwright::grammar! {
    static A for "cl100k" { root = "a"; }
    static B for file "tests/no_such.json" { root = "b"; }
    static C for file "tests/bytes.tiktoken" (size = 10) { root = "c"; }
    static D for file "tests/bytes.tiktoken" (eos = [258]) { root = "d"; }
    static E for file "tests/ui/mistake.ebnf" { root = "e"; }
}

fn main() {}
