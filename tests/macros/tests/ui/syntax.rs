//! The form of rules. All rules with a mistake are reported.

maskwright::grammar! {
    static TOKENS for file "tests/bytes.tiktoken" {
        root = first second
        first = "a" @ "b";
        second: "a";
        third = ("a" % "b");
        fourth = "a" ;
        = "a";
        sixth = 7;
    }
}

maskwright::grammar! {
    static CLASSES for file "tests/bytes.tiktoken" {
        root = [] | [^ '\0'..='\u{10FFFF}'] | ['a'];
        half_open = ['a'..'z'];
        dash = ['a'-'z'];
        turned = ['z'..='a'];
        mixed = ['a' b'\xFF'];
        word = [a];
    }
}

maskwright::grammar! {
    static REPETITIONS for file "tests/bytes.tiktoken" {
        root = "a"{5,2};
        large = "a"{100001};
        letter = "a"{n};
        three = "a"{1,2,3};
        regex_1 = regex!("(?=a)b");
        regex_2 = regex!("a", "b");
        regex_3 = regex!("a(b");
        token_1 = token!();
        token_2 = exclude_token!("a", b);
    }
}

fn main() {}
