//! Where two readings come apart is shown at the tokens of both.

maskwright::grammar! {
    static SPLIT for file "tests/bytes.tiktoken", deterministic = true {
        root = "a"* "c"
            | n;
        n = "a" n "b" | ;
    }
}

fn main() {}
