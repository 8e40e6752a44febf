//! Where no number of stacks is proved, the error shows a text and says how to opt in; options are
//! checked like those of others.

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
