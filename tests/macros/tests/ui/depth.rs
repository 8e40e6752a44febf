//! A depth is a number of frames that a text can be finished with.

maskwright::grammar! {
    static SMALL for file "tests/bytes.tiktoken", depth = 1 {
        root = list;
        list = "[" pair "]";
        pair = "(" (list | "x") ")";
    }
}

maskwright::grammar! {
    static NONE for file "tests/bytes.tiktoken", depth = 0, regex = "[a-z]+";
}

maskwright::grammar! {
    static WORD for file "tests/bytes.tiktoken", depth = "9", regex = "[a-z]+";
}

maskwright::grammar! {
    static LATE for file "tests/bytes.tiktoken", regex = "[a-z]+", depth = 9;
}

fn main() {}
