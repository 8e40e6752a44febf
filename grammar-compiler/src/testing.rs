//! Grammars written by hand, for the unit tests of single stages.

use crate::grammar::{Expr, Grammar, Rule, RuleId};
use crate::source::Span;

pub fn lit(text: &str) -> Expr {
    Expr::Literal(text.to_owned())
}

pub fn class(ranges: &[(char, char)]) -> Expr {
    Expr::Class(ranges.to_vec())
}

pub fn seq(items: impl Into<Vec<Expr>>) -> Expr {
    Expr::Seq(items.into())
}

pub fn alt(items: impl Into<Vec<Expr>>) -> Expr {
    Expr::Alt(items.into())
}

pub fn repeat(expr: Expr, min: u32, max: Option<u32>) -> Expr {
    Expr::Repeat {
        expr: Box::new(expr),
        min,
        max,
    }
}

pub fn star(expr: Expr) -> Expr {
    repeat(expr, 0, None)
}

pub fn opt(expr: Expr) -> Expr {
    repeat(expr, 0, Some(1))
}

pub fn rule(id: u32) -> Expr {
    Expr::Ref(RuleId(id))
}

/// A grammar of these rules, the first one its root.
pub fn grammar(rules: Vec<(&str, Expr)>) -> Grammar {
    let rule = |(name, expr): (&str, Expr)| Rule {
        name: name.to_owned(),
        expr,
        span: Span::default(),
    };
    Grammar {
        rules: rules.into_iter().map(rule).collect(),
        root: RuleId(0),
    }
}

/// JSON as RFC 8259 has it.
pub fn json() -> Grammar {
    let ws = || rule(6);
    let list = |item: fn() -> Expr| seq([item(), star(seq([lit(","), ws(), item()]))]);
    grammar(vec![
        (
            "value",
            seq([
                alt([
                    rule(1),
                    rule(2),
                    rule(3),
                    rule(4),
                    lit("true"),
                    lit("false"),
                    lit("null"),
                ]),
                ws(),
            ]),
        ),
        (
            "object",
            seq([lit("{"), ws(), opt(list(|| rule(5))), lit("}")]),
        ),
        (
            "array",
            seq([lit("["), ws(), opt(list(|| rule(0))), lit("]")]),
        ),
        ("string", seq([lit("\""), star(rule(7)), lit("\"")])),
        (
            "number",
            seq([
                opt(lit("-")),
                alt([
                    lit("0"),
                    seq([class(&[('1', '9')]), star(class(&[('0', '9')]))]),
                ]),
                opt(seq([lit("."), repeat(class(&[('0', '9')]), 1, None)])),
                opt(seq([
                    class(&[('E', 'E'), ('e', 'e')]),
                    opt(class(&[('+', '+'), ('-', '-')])),
                    repeat(class(&[('0', '9')]), 1, None),
                ])),
            ]),
        ),
        ("member", seq([rule(3), ws(), lit(":"), ws(), rule(0)])),
        ("ws", star(class(&[('\t', '\n'), ('\r', '\r'), (' ', ' ')]))),
        (
            "char",
            alt([
                class(&[(' ', '!'), ('#', '['), (']', char::MAX)]),
                seq([
                    lit("\\"),
                    alt([
                        class(&[
                            ('"', '"'),
                            ('/', '/'),
                            ('\\', '\\'),
                            ('b', 'b'),
                            ('f', 'f'),
                            ('n', 'n'),
                            ('r', 'r'),
                            ('t', 't'),
                        ]),
                        seq([
                            lit("u"),
                            repeat(class(&[('0', '9'), ('A', 'F'), ('a', 'f')]), 4, Some(4)),
                        ]),
                    ]),
                ]),
            ]),
        ),
    ])
}
