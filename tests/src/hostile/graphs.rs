//! Ambiguous grammars, whose stacks are a graph where no number of them is proved.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions};

/// What the names of these kinds begin with.
pub const AMBIGUOUS: &str = "ambiguous: ";

pub(super) const KINDS: &[Hostile] = &[
    kind("ambiguous: palindromes", 60, |size, seed| {
        let around = list(size, " | ", |i| format!("\"{0}\" s \"{0}\"", letters(i)));
        ebnf(format!("{around} | \"{}\" | \"\"", seed % 10))
    }),
    kind("ambiguous: palindromes of any letters", 6, |size, seed| {
        let places = list(size, " ", |_| "[a-z]");
        ebnf(format!("{places} s {places} | \"{seed}\" | \"\""))
    }),
    kind("ambiguous: counts that end together", 40, |size, _| {
        let names = list(size, " | ", |i| format!("n{i}"));
        let rules = list(size, "\n", |i| {
            format!("n{i} ::= \"a\" n{i} \"{}\" | \"c\"", "b".repeat(i + 1))
        });
        GrammarText::ebnf(format!("root ::= {names}\n{rules}\n"))
    }),
    kind("ambiguous: sums of sums", 8, |size, seed| {
        let sums = list(size, " | ", |i| list(i + 2, " ", |_| "s"));
        ebnf(format!("{sums} | [a-c] | \"{seed}\""))
    }),
    kind("ambiguous: sums that may be empty", 8, |size, seed| {
        let sums = list(size, " | ", |i| list(i + 2, " ", |_| "s"));
        ebnf(format!("{sums} | [a-c]? | \"{seed}\""))
    }),
    kind("ambiguous: brackets of any shape", 12, |size, _| {
        let shapes = list(size, " | ", |i| {
            format!("\"(\" s \"{}\" s", ")".repeat(i + 1))
        });
        ebnf(format!("{shapes} | \"\""))
    }),
    kind("ambiguous: a repetition before a rule", 12, |size, seed| {
        let before = nested(size, "([ab] | ", "\"\"", ")*");
        ebnf(format!("{before} s \"c\" | \"{seed}\" | \"d\""))
    }),
    kind(
        "ambiguous: rules that each may be next",
        30,
        |size, seed| {
            let next = |i: usize| list(size, " | ", |j| format!("r{}", (i * j + 1) % size));
            let rules = list(size, "\n", |i| {
                format!("r{i} ::= [a-d] ({0}) [a-d] ({0})? | \"{seed}\"", next(i))
            });
            GrammarText::ebnf(format!("root ::= r0\n{rules}\n"))
        },
    ),
    kind("ambiguous: an else for any if", 20, |size, seed| {
        let words = list(size, " | ", |i| {
            format!("\"if{i} \" s (\"else{} \" s)?", i % 3)
        });
        ebnf(format!("{words} | \"x{seed} \""))
    }),
    kind("ambiguous: lark, dynamic", 12, |size, seed| {
        let sums = list(size, " | ", |i| {
            format!("s \"{}\" s | s s", "+".repeat(i + 1))
        });
        lark(
            LarkLexer::Dynamic,
            format!("start: s\ns: {sums} | NAME\nNAME: /[a-z]+x{seed}/\n%ignore \" \""),
        )
    }),
    kind("ambiguous: lark, all cuts", 6, |size, _| {
        let sums = list(size, " | ", |i| list(i + 1, " ", |_| "\"(\" s \")\""));
        lark(
            LarkLexer::DynamicComplete,
            format!("start: s+\ns: {sums} | NAME | NAME s NAME\nNAME: /[a-z]+/\n%ignore / +/"),
        )
    }),
    kind("ambiguous: lark, palindromes", 20, |size, _| {
        let around = list(size, " | ", |i| format!("\"{0}\" s \"{0}\"", letters(i)));
        lark(
            LarkLexer::Dynamic,
            format!("start: s\ns: {around} | \"x\" |\n%ignore / /"),
        )
    }),
];

/// A rule `s` that is the whole text.
fn ebnf(body: String) -> GrammarText {
    GrammarText::ebnf(format!("root ::= s\ns ::= {body}\n"))
}

fn lark(lexer: LarkLexer, text: String) -> GrammarText {
    GrammarText::lark(text).lark_options(LarkOptions::default().lexer(lexer))
}

/// A text of letters for each number, the first ones of one letter.
fn letters(mut at: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (at % 26) as u8));
        at /= 26;
        if at == 0 {
            return text;
        }
    }
}
