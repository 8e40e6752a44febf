//! Without a proved number of stacks, the error shows a text and a way out; options are checked.

maskwright::grammar! {
    static EVEN for file "tests/bytes.tiktoken" {
        root = "a" root "a"
            | half;
        half = ;
    }
}

maskwright::grammar! {
    static TEXT for file "tests/bytes.tiktoken", capped = 8, regex = "[a-z]+";
}

maskwright::grammar! {
    static LATE for file "tests/bytes.tiktoken", regex = "[a-z]+", capped = true;
}

fn main() {}
