//! Random grammars against the oracle.

use super::oracle;
use super::parser::{accepts, check, texts};
use crate::{Conflicts, ErrorKind, Expr, Grammar, Options, Rule, tables};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const TERMINALS: u32 = 3;
const RULES: usize = 4;
const LENGTH: usize = 5;

fn expr(rules: usize) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..TERMINALS).prop_map(Expr::Terminal),
        (0..rules).prop_map(Expr::Rule),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let counts = prop_oneof![
            Just((0, Some(1))),
            Just((0, None)),
            Just((1, None)),
            Just((2, None)),
            (0..3_u32, 0..3_u32).prop_map(|(min, more)| (min, Some(min + more))),
        ];
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Expr::Sequence),
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(Expr::Union),
            1 => (inner, counts).prop_map(|(of, (min, max))| {
                Expr::Repeat { of: Box::new(of), min, max }
            }),
        ]
    })
}

fn grammar() -> impl Strategy<Value = Grammar> {
    let rule = (expr(RULES), prop_oneof![3 => Just(0), 1 => -1..2]);
    let starts = prop_oneof![4 => Just(vec![0]), 1 => Just(vec![1, 0])];
    (prop::collection::vec(rule, RULES), starts).prop_map(|(rules, starts)| Grammar {
        rules: rules
            .into_iter()
            .enumerate()
            .map(|(number, (body, priority))| Rule {
                name: format!("r{number}"),
                body,
                priority,
            })
            .collect(),
        starts,
    })
}

/// Whether all rules have one priority, so that none can decide anything.
fn is_plain(grammar: &Grammar) -> bool {
    grammar.rules.iter().all(|rule| rule.priority == 0)
}

fn config(seed: u64, cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(20_261_128, 1_500))]

    #[test]
    fn tables_accept_the_texts_of_the_grammar(grammar in grammar()) {
        let options = Options { productions: 2_000, ..Options::default() };
        let shift = match tables(&grammar, &options, &mut || true) {
            Ok(tables) => tables,
            Err(error) => {
                let is_large = error.kind == ErrorKind::TooLarge;
                let is_conflict = matches!(
                    error.kind,
                    ErrorKind::ReduceReduce { .. } | ErrorKind::Endless { .. }
                );
                prop_assert!(is_large || is_conflict, "{}", error);
                prop_assert!(is_large || error.rule.is_some());
                return Ok(());
            }
        };
        check(&shift);
        let options = Options { conflicts: Conflicts::Refuse, ..options };
        let refuse = tables(&grammar, &options, &mut || true);
        let texts_of_grammar = oracle::texts(&grammar, LENGTH);
        for text in texts(TERMINALS, LENGTH) {
            let (accepted, derived) = (accepts(&shift, &text), texts_of_grammar.contains(&text));
            prop_assert!(derived || !accepted, "{:?} is accepted", text);
            if refuse.is_ok() && is_plain(&grammar) {
                prop_assert!(accepted || !derived, "{:?} is refused", text);
            }
        }
        match refuse {
            Ok(same) => prop_assert_eq!(same, shift),
            Err(error) => {
                let is_conflict = matches!(error.kind, ErrorKind::ShiftReduce { .. });
                prop_assert!(is_conflict, "{}", error);
            }
        }
    }

    #[test]
    fn tables_do_not_vary(grammar in grammar()) {
        let options = Options { productions: 500, ..Options::default() };
        let once = tables(&grammar, &options, &mut || true);
        prop_assert_eq!(once, tables(&grammar, &options, &mut || true));
    }

    #[test]
    fn wrong_indices_are_errors(
        body in expr(9),
        starts in prop::collection::vec(0..9_usize, 0..3),
    ) {
        let rule = |name: &str| Rule { name: name.to_owned(), body: body.clone(), priority: 0 };
        let grammar = Grammar { rules: vec![rule("a"), rule("b")], starts };
        let options = Options { productions: 100, states: 100, ..Options::default() };
        if let Err(error) = tables(&grammar, &options, &mut || true) {
            prop_assert!(!error.message.is_empty());
        }
    }
}
