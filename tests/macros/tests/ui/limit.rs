//! A limit that compiling passes is told at the grammar.

maskwright::grammar! {
    static LARGE for file "tests/bytes.tiktoken" {
        root = ['a' 'b']* 'a' ['a' 'b']{20};
    }
}

fn main() {}
