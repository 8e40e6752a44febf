//! Printing and reading back changes nothing.

use crate::grammar::{Expr, Grammar, Rule, RuleId};
use crate::source::{Source, Span};
use crate::syntax::{ParseOptions, ebnf::parse};
use proptest::prelude::*;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

fn class() -> impl Strategy<Value = Expr> {
    proptest::collection::vec(any::<(char, char)>(), 0..4).prop_map(|ranges| {
        let ranges = ranges
            .into_iter()
            .map(|(a, b)| ClassUnicodeRange::new(a.min(b), a.max(b)));
        Expr::Class(
            ClassUnicode::new(ranges)
                .iter()
                .map(|r| (r.start(), r.end()))
                .collect(),
        )
    })
}

/// Expressions as the parser makes them: no sequence or alternation of one part.
fn expr(rules: u32) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        any::<String>().prop_map(Expr::Literal),
        class(),
        (any::<u8>(), any::<u8>()).prop_map(|(a, b)| Expr::Bytes(vec![(a.min(b), a.max(b))])),
        (0..rules).prop_map(|id| Expr::Ref(RuleId(id))),
        Just(Expr::Seq(vec![])),
        Just(Expr::Bytes(vec![])),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let parts = proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            parts.clone().prop_map(Expr::Seq),
            parts.prop_map(Expr::Alt),
            (inner, 0..3_u32, proptest::option::of(0..3_u32)).prop_map(|(expr, min, more)| {
                Expr::Repeat {
                    expr: Box::new(expr),
                    min,
                    max: more.map(|more| min + more),
                }
            }),
        ]
    })
}

fn grammar() -> impl Strategy<Value = Grammar> {
    proptest::collection::vec(expr(4), 4).prop_map(|exprs| {
        let names = ["root", "a.b", "c-d", "3"];
        let rules = names.into_iter().zip(exprs).map(|(name, expr)| Rule {
            name: name.to_owned(),
            // Every rule can finish.
            expr: Expr::Alt(vec![Expr::Seq(vec![]), expr]),
            span: Span::default(),
            places: Vec::new(),
        });
        Grammar {
            rules: rules.collect(),
            root: RuleId(0),
            lexer: None,
        }
    })
}

fn reread(grammar: &Grammar) -> Grammar {
    let text = grammar.to_string();
    let parsed = parse(&Source::new("printed", text), &ParseOptions::default());
    let mut grammar = parsed.unwrap_or_else(|error| panic!("{error}")).grammar;
    let rules = std::mem::take(&mut grammar.rules).into_iter();
    grammar.rules = rules.map(Rule::without_places).collect();
    grammar
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_grammar_reads_back_as_it_was(grammar in grammar()) {
        prop_assert_eq!(reread(&grammar), grammar);
    }
}

#[test]
fn names_that_cannot_be_written_are_changed() {
    let rule = |name: &str, expr| Rule {
        name: name.to_owned(),
        expr,
        span: Span::default(),
        places: Vec::new(),
    };
    let ends = || Expr::Literal("x".into());
    let grammar = Grammar {
        rules: vec![
            rule(
                "root",
                Expr::Seq(
                    (0..5)
                        .map(|id| Expr::Ref(RuleId(id)))
                        .chain([ends()])
                        .map(|e| Expr::Alt(vec![e, ends()]))
                        .collect(),
                ),
            ),
            rule("#/$defs/a", ends()),
            rule("#/$defs.a", ends()),
            rule("", ends()),
            rule("r---defs-a-1", ends()),
        ],
        root: RuleId(0),
        lexer: None,
    };
    insta::assert_snapshot!(grammar, @r#"
    root ::= (root | "x") (r----defs-a-1 | "x") (r----defs-a-2 | "x") (r--1 | "x") (r---defs-a-1 | "x") ("x" | "x")
    r----defs-a-1 ::= "x"
    r----defs-a-2 ::= "x"
    r--1 ::= "x"
    r---defs-a-1 ::= "x"
    "#);
    assert_eq!(reread(&grammar).to_string(), grammar.to_string());
}
