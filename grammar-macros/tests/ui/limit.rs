//! A limit that compiling passes is told at the grammar.

maskwright::grammar! {
    static LARGE for file "tests/bytes.tiktoken" {
        root = (("a" | "bc"){100000} "\n"){100000};
    }
}

fn main() {}
