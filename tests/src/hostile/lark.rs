//! Lark grammars that are large for one stage.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions, LarkParser};

pub(super) const KINDS: &[Hostile] = &[
    kind("lark: keywords within names", 200, keywords),
    kind("lark: terminals that overlap", 14, overlapping),
    kind("lark: contexts of a rule", 40, contexts),
    kind("lark: an LALR parser", 60, lalr),
    kind("lark: ranges of tokens", 5_000, |size, _| {
        lark(format!("start: <[{}]>", list(size, ",", |_| "0-30000")))
    }),
    kind("lark: sets of tokens", 5_000, |size, _| {
        lark(format!(
            "start: {}",
            list(size, " ", |i| format!("<[{}-30000]>", i % 20_000))
        ))
    }),
    kind("lark: sets of all other tokens", 5_000, |size, _| {
        lark(format!(
            "start: {}",
            list(size, " ", |i| format!("<[^{}-30000]>", i % 20_000))
        ))
    }),
    kind("lark: names of tokens", 500, |size, seed| {
        lark(format!(
            "start: {}",
            list(size, " ", |i| format!("<t{seed}x{i}>"))
        ))
    }),
    kind("lark: ignored terminals", 1_000, |size, seed| {
        let ignored = list(size, "\n", |i| format!("%ignore \"i{seed}x{i}\""));
        let uses = list(10 * size, " ", |_| "A");
        lark(format!("start: {uses}\nA: \"a\"\n{ignored}"))
    }),
    kind("lark: equal terminals", 1_000, |size, _| {
        lark(terminals(size, "", |_| "x".to_owned()))
    }),
    kind("lark: terminals that go on together", 300, |size, _| {
        let long = "\nM: /(?:[ab]{997})+x/";
        lark(terminals(size, long, |_| "[ab]*c".to_owned()))
    }),
    kind("lark: terminals that match nothing", 1_000, |size, seed| {
        let names = list(size, " | ", |i| format!("T{i}"));
        let defined = list(size, "\n", |i| format!("T{i}: \"a{seed}\" & \"b\""));
        lark(format!("start: \"a\" | {names}\n{defined}"))
    }),
    kind("lark: states of a terminal", 5_000, |size, _| {
        lark(format!(
            "start: A B\nA: /(?:[ab]{{{size}}})+x/\nB: /[c-m]{{{size}}}/"
        ))
    }),
    kind("lark: a look-ahead that nothing meets", 2_000, |size, _| {
        lark(format!("start: A B\nA: /a(?=b{{{size}}}c)/\nB: /b+/"))
    }),
    kind("lark: look-aheads", 40, |size, _| {
        let looks = list(size, "", |i| format!("(?!.*{}{{{i}}})", letter(i)));
        lark(format!("start: A /.*/s\nA: /{looks}x/"))
    }),
    kind("lark: terminals with look-aheads", 8, |size, _| {
        lark(terminals(size, "", |i| {
            format!("[a-c]{{1,{}}}(?=[bc]*{i}c)", i + 1)
        }))
    }),
    kind("lark: look-behinds", 30, |size, _| {
        let looks = list(size, ".*", |i| format!("(?<!{})", letter(i)));
        lark(format!("start: A\nA: /{looks}x/"))
    }),
    kind("lark: an intersection", 4, |size, _| {
        let lengths = [47, 43, 41, 37, 31, 29, 23, 19, 17, 13, 11, 7];
        let parts = list(size, " & ", |i| {
            format!("/([ab]{{{}}})*/", lengths[i % lengths.len()])
        });
        lark(format!("start: A\nA: {parts}"))
    }),
    kind("lark: a complement", 11, |size, _| {
        lark(format!("start: A\nA: ~(/(.|\\n)*a(.|\\n){{{size}}}/)"))
    }),
    kind("lark: classes of characters", 3_000, |size, _| {
        lark(format!("start: A\nA: /{}/", "\\w".repeat(size)))
    }),
    kind("lark: alternatives of a pattern", 5_000, |size, seed| {
        let parts = list(size, "|", |i| format!("a{seed}x{i}"));
        lark(format!("start: /{parts}/"))
    }),
    kind("lark: groups of a pattern", 20_000, |size, _| {
        lark(format!("start: /{}/", nested(size, "(", "a", ")")))
    }),
    kind("lark: parts of a text", 2_000, |size, seed| {
        let text = list(size, "", |i| letter(i * i * 7 + i / 13 + seed as usize));
        lark(format!(
            "start: A\nA: %regex {{\"substring_chars\": \"{text}\"}}"
        ))
    }),
    kind("lark: members of %regex", 10_000, |size, seed| {
        let members = list(size, ",", |i| format!("\"k{seed}x{i}\": \"a\""));
        lark(format!("start: A\nA: %regex {{{members}}}"))
    }),
    kind("lark: a long terminal in another", 400, |size, _| {
        let (long, uses) = ("a".repeat(50 * size), list(size, " ", |_| "A"));
        lark(format!("start: B\nA: \"{long}\"\nB: {uses}"))
    }),
    kind("lark: schemas", 200, |size, seed| {
        lark(format!(
            "start: {}",
            list(size, " ", |i| format!(
                "%json {{\"type\": \"object\", \"properties\": {{\"a{seed}x{i}\": true}}}}"
            ))
        ))
    }),
    kind("lark: a schema", 500, |size, seed| {
        let values = list(size, ",", |i| format!("\"v{seed}x{i}\""));
        lark(format!(
            "start: NAME %json {{\"enum\": [{values}]}}\nNAME: /[a-z]+/"
        ))
    }),
    kind("lark: imports of a library", 5_000, |size, seed| {
        let imports = list(size, "\n", |i| {
            format!("%import common.WORD -> W{seed}x{i}")
        });
        lark(format!("{imports}\nstart: W{seed}x0"))
    }),
    kind("lark: imports of files", 5_000, |size, seed| {
        let imports = list(size, "\n", |i| format!("%import .f{seed}x{i}.WORD"));
        lark(format!("{imports}\nstart: WORD"))
    }),
    kind("lark: declared terminals", 5_000, |size, seed| {
        let names = list(size, " ", |i| format!("D{seed}x{i}"));
        lark(format!("%declare {names}\nstart: \"a\" | D{seed}x0"))
    }),
    kind("lark: options of rules", 5_000, |size, _| {
        let rules = list(size, "\n", |i| {
            format!("r{i}[max_tokens=3]: \"a\" r{} | \"b\"", i + 1)
        });
        lark(format!("start: r0\n{rules}\nr{size}: \"a\""))
    }),
    kind("lark: rules in a chain", 2_000, |size, _| {
        lark(chain(size, "NAME"))
    }),
    kind("lark: rules in a chain, LALR", 2_000, |size, _| {
        with(
            LarkLexer::Contextual,
            LarkParser::Lalr,
            chain(size, "\"b\""),
        )
    }),
    kind("lark: rules that may be empty, LALR", 200, |size, _| {
        let names = list(size, " ", |i| format!("r{i}"));
        let rules = list(size, "\n", |i| format!("r{i}: \"a{}\"?", i % 200));
        let text = format!("start: {names}\n{rules}");
        with(LarkLexer::Contextual, LarkParser::Lalr, text)
    }),
    kind(
        "lark: a rule that calls itself with numbers",
        2_000,
        |size, _| {
            lark(format!(
                "start: n::0\nn::_: \"a\" n::incr(_) %if lt(_, {size})\n | \"b\""
            ))
        },
    ),
    kind("lark: names of a basic lexer", 60, |size, _| {
        with(LarkLexer::Basic, LarkParser::Earley, names(size))
    }),
    kind("lark: names of a dynamic lexer", 60, |size, _| {
        with(LarkLexer::Dynamic, LarkParser::Earley, names(size))
    }),
    kind("lark: names, all cuts", 60, |size, _| {
        with(LarkLexer::DynamicComplete, LarkParser::Earley, names(size))
    }),
    kind("lark: a long name", 100_000, |size, _| {
        lark(format!("start: {}", "n".repeat(size)))
    }),
];

fn lark(text: String) -> GrammarText {
    GrammarText::lark(text)
}

fn with(lexer: LarkLexer, parser: LarkParser, text: String) -> GrammarText {
    GrammarText::lark(text).lark_options(LarkOptions::default().lexer(lexer).parser(parser))
}

fn letter(at: usize) -> char {
    char::from(b'a' + (at % 26) as u8)
}

/// So many terminals with these patterns, and what stands behind them.
fn terminals(size: usize, rest: &str, pattern: impl Fn(usize) -> String) -> String {
    let names = list(size, " | ", |i| format!("T{i}"));
    let more = if rest.is_empty() { "" } else { " | M" };
    let defined = list(size, "\n", |i| format!("T{i}: /{}/", pattern(i)));
    format!("start: ({names}{more})*\n{defined}{rest}")
}

fn names(size: usize) -> String {
    let text = terminals(size, "", |i| format!("[a-z]{{1,{}}}{i}", i + 1));
    text + "\n%ignore / +/"
}

fn chain(size: usize, last: &str) -> String {
    let rules = list(size, "\n", |i| format!("r{i}: r{0} | \"a\" r{0}", i + 1));
    format!("start: r0\n{rules}\nr{size}: {last}\nNAME: /[a-z]+/")
}

fn keywords(size: usize, seed: u64) -> GrammarText {
    let words = list(size, " | ", |i| format!("\"k{i}x{seed}\""));
    lark(format!(
        "start: ({words} | NAME)+\nNAME: /[a-z0-9]+/\n%ignore / +/"
    ))
}

fn overlapping(size: usize, _: u64) -> GrammarText {
    lark(terminals(size, "", |i| format!("(a|b)*a(a|b){{{i}}}")))
}

fn contexts(size: usize, _: u64) -> GrammarText {
    let starts = list(size, " | ", |i| format!("\"x{i}\" r \";{i}\" \">\""));
    lark(format!(
        "start: {starts} | \"y\" r \">>\"\nr: \"(\" r \")\" | NAME | NAME \">\" r\nNAME: /[a-z]+/"
    ))
}

fn lalr(size: usize, _: u64) -> GrammarText {
    let levels = list(size, "\n", |i| {
        format!("e{i}: e{} (\"o{i}\" e{})*", i + 1, i + 1)
    });
    let text = format!("start: e0\n{levels}\ne{size}: NAME | \"(\" e0 \")\"\nNAME: /[a-z]+/");
    with(LarkLexer::Contextual, LarkParser::Lalr, text)
}
