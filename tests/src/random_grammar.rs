//! Random grammars over few letters: recursion of all kinds, nullable rules, repetition, classes.

use crate::oracle::{Ast, Expr, Rule};
use maskwright_compiler::limits::Limits;
use proptest::prelude::*;
use std::time::Duration;

/// Letters of the random grammars: one, two and three bytes long.
const LETTERS: [char; 5] = ['a', 'b', 'c', 'é', '€'];

/// Grammars of one to five rules, each productive.
pub fn grammars() -> impl Strategy<Value = Ast> {
    (1usize..=5)
        .prop_flat_map(|count| proptest::collection::vec(expressions(count), count))
        .prop_map(|exprs| {
            let rules = exprs.into_iter().enumerate();
            let rules = rules
                .map(|(i, expr)| Rule {
                    name: name(i),
                    expr,
                })
                .collect();
            productive(Ast { rules })
        })
}

/// Tokens for random grammars: all words of up to three ASCII letters, whole and split characters,
/// some longer words. The last id is the end token.
pub fn tokens() -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = vec![vec![]];
    let mut begin = 0;
    for _ in 0..3 {
        let end = tokens.len();
        for i in begin..end {
            for letter in b"abc" {
                tokens.push([tokens[i].as_slice(), &[*letter]].concat());
            }
        }
        begin = end;
    }
    let others = [
        "é", "€", "aé", "é€", "abab", "aaaa", "bbbb", "abcabc", "€a", "cccb",
    ];
    tokens.extend(others.iter().map(|text| text.as_bytes().to_vec()));
    let split: [&[u8]; 9] = [
        b"\xC3",
        b"\xA9",
        b"\xE2",
        b"\x82",
        b"\xAC",
        b"\x82\xAC",
        b"a\xE2\x82",
        b"\xA9b",
        b"\xACa",
    ];
    tokens.extend(split.iter().map(|bytes| bytes.to_vec()));
    tokens.push(b"a".to_vec());
    tokens.push(vec![]);
    tokens
}

fn name(index: usize) -> String {
    if index == 0 {
        "root".into()
    } else {
        format!("r{index}")
    }
}

fn letters() -> impl Strategy<Value = char> {
    prop_oneof![6 => Just('a'), 5 => Just('b'), 3 => Just('c'), 1 => Just('é'), 1 => Just('€')]
}

fn expressions(rules: usize) -> impl Strategy<Value = Expr> {
    let text = proptest::collection::vec(letters(), 1..=2);
    let leaf = prop_oneof![
        6 => text.prop_map(|letters| Expr::Text(letters.into_iter().collect())),
        1 => Just(Expr::Text(String::new())),
        2 => classes(),
        6 => (0..rules).prop_map(|i| Expr::Name(name(i))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let list = proptest::collection::vec(inner.clone(), 2..=3);
        let counts = prop_oneof![
            3 => Just((0, None)),
            2 => Just((1, None)),
            3 => Just((0, Some(1))),
            1 => (0u32..3, 0u32..3).prop_map(|(min, more)| (min, Some((min + more).max(1)))),
            1 => (2u32..4).prop_map(|min| (min, None)),
        ];
        prop_oneof![
            4 => list.clone().prop_map(Expr::Seq),
            4 => list.prop_map(Expr::Alt),
            2 => (inner, counts).prop_map(|(inner, (min, max))| Expr::Repeat(Box::new(inner), min, max)),
        ]
    })
}

fn classes() -> impl Strategy<Value = Expr> {
    let some = proptest::collection::vec(0..LETTERS.len(), 1..=3);
    (some, prop::bool::weighted(0.15)).prop_map(|(some, negated)| {
        let mut chars: Vec<char> = some.into_iter().map(|i| LETTERS[i]).collect();
        chars.sort_unstable();
        chars.dedup();
        Expr::Class {
            negated,
            ranges: chars.into_iter().map(|c| (c, c)).collect(),
        }
    })
}

/// Gives each rule that derives nothing a further alternative.
fn productive(mut ast: Ast) -> Ast {
    loop {
        let known = productive_rules(&ast);
        let Some(rule) = ast
            .rules
            .iter_mut()
            .find(|rule| !known.contains(&rule.name))
        else {
            return ast;
        };
        let expr = std::mem::replace(&mut rule.expr, Expr::Any);
        rule.expr = Expr::Alt(vec![expr, Expr::Text("b".into())]);
    }
}

fn productive_rules(ast: &Ast) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    loop {
        let found = ast
            .rules
            .iter()
            .find(|rule| !known.contains(&rule.name) && derives(&rule.expr, &known));
        match found {
            Some(rule) => known.push(rule.name.clone()),
            None => return known,
        }
    }
}

fn derives(expr: &Expr, known: &[String]) -> bool {
    match expr {
        Expr::Text(_) | Expr::Class { .. } | Expr::Any | Expr::Byte(..) => true,
        Expr::Seq(items) => items.iter().all(|item| derives(item, known)),
        Expr::Alt(items) => items.iter().any(|item| derives(item, known)),
        Expr::Repeat(inner, min, _) => *min == 0 || derives(inner, known),
        Expr::Name(name) => known.contains(name),
    }
}

/// Small limits: what passes them is refused, which a test must count and not take for a failure.
/// How many pass the time depends on the machine, so a test may demand no more than that many do
/// not.
pub fn limits() -> Limits {
    Limits::default()
        .automaton_states(20_000)
        .states(5_000)
        .time(Duration::from_secs(2))
}
