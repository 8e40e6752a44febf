//! Lark grammars that are large for one stage.

use super::{Hostile, kind, list};
use maskwright_compiler::GrammarText;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions, LarkParser};

pub(super) const KINDS: &[Hostile] = &[
    kind("lark: keywords within names", 200, keywords),
    kind("lark: terminals that overlap", 14, overlapping),
    kind("lark: contexts of a rule", 40, contexts),
    kind("lark: an LALR parser", 60, lalr),
];

fn keywords(size: usize, seed: u64) -> GrammarText {
    let words = list(size, " | ", |i| format!("\"k{i}x{seed}\""));
    GrammarText::lark(format!(
        "start: ({words} | NAME)+\nNAME: /[a-z0-9]+/\n%ignore / +/"
    ))
}

fn overlapping(size: usize, _: u64) -> GrammarText {
    let names = list(size, " | ", |i| format!("T{i}"));
    let terminals = list(size, "\n", |i| format!("T{i}: /(a|b)*a(a|b){{{i}}}/"));
    GrammarText::lark(format!("start: ({names})*\n{terminals}"))
}

fn contexts(size: usize, _: u64) -> GrammarText {
    let starts = list(size, " | ", |i| format!("\"x{i}\" r \";{i}\" \">\""));
    GrammarText::lark(format!(
        "start: {starts} | \"y\" r \">>\"\nr: \"(\" r \")\" | NAME | NAME \">\" r\nNAME: /[a-z]+/"
    ))
}

fn lalr(size: usize, _: u64) -> GrammarText {
    let levels = list(size, "\n", |i| {
        format!("e{i}: e{} (\"o{i}\" e{})*", i + 1, i + 1)
    });
    let text = format!("start: e0\n{levels}\ne{size}: NAME | \"(\" e0 \")\"\nNAME: /[a-z]+/");
    let options = LarkOptions::default()
        .lexer(LarkLexer::Contextual)
        .parser(LarkParser::Lalr);
    GrammarText::lark(text).lark_options(options)
}
