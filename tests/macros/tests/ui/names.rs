//! Names of rules, marked where they stand.

maskwright::grammar! {
    static UNDEFINED for file "tests/bytes.tiktoken" {
        root = "a" (missing | [ 'x' ]* absent?) { 2 };
    }
    static TWICE for file "tests/bytes.tiktoken" {
        root = other;
        other = "a";
        other = "b";
    }
    static ROOTLESS for file "tests/bytes.tiktoken" {
        start = "a";
    }
    static ENDLESS for file "tests/bytes.tiktoken" {
        root = "a" | left;
        left = "(" right;
        right = left ")" | right;
    }
    static MISTYPED for file "tests/bytes.tiktoken" {
        root = "a" valeu;
        value = "b";
    }
    static TOKENS for file "tests/bytes.tiktoken" {
        root = token!("<|call|>", 300);
    }
    static ALMOST for file "tests/bytes.tiktoken" {
        rooot = "a";
    }
}

fn main() {}
