//! Others are above, in the same invocation, for the same vocabulary, and stand alone.

maskwright::grammar! {
    static EARLY for file "tests/bytes.tiktoken", beside = LETTERS { root = ['a'..='z']+; }
    static LETTERS for file "tests/bytes.tiktoken" { root = ['a'..='z']+; }
    static DIGITS for file "tests/bytes.tiktoken", beside = LETTERS { root = ['a'..='z']+ "1"; }
    static CHAIN for file "tests/bytes.tiktoken", beside = DIGITS { root = ['a'..='z']+ "2"; }
    static LONGER for file "tests/bytes.tiktoken" (size = 400), beside = LETTERS { root = ['a'..='z']+; }
}

fn main() {}
