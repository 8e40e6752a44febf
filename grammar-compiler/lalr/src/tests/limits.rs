//! Large and hostile grammars.

use super::notation::grammar;
use super::parser::{accepts, check};
use crate::{ErrorKind, Expr, Grammar, Options, Rule, tables};

fn one(body: Expr) -> Grammar {
    let (name, priority) = ("s".to_owned(), 0);
    let rules = vec![Rule {
        name,
        body,
        priority,
    }];
    Grammar {
        rules,
        starts: vec![0],
    }
}

fn repeat(of: Expr, min: u32, max: Option<u32>) -> Expr {
    let of = Box::new(of);
    Expr::Repeat { of, min, max }
}

fn kind(grammar: &Grammar, options: &Options) -> ErrorKind {
    tables(grammar, options, &mut || true).unwrap_err().kind
}

#[test]
fn many_alternatives() {
    let grammar = one(Expr::Union((0..100_000).map(Expr::Terminal).collect()));
    assert_eq!(kind(&grammar, &Options::default()), ErrorKind::TooLarge);
    let options = Options {
        states: 200_000,
        ..Options::default()
    };
    let made = tables(&grammar, &options, &mut || true).unwrap();
    assert_eq!(made.states.len(), 100_002);
    assert!(accepts(&made, &[99_999]));
}

#[test]
fn many_rules_in_a_chain() {
    let rule = |number: usize| Rule {
        name: format!("r{number}"),
        body: match number {
            20_000 => Expr::Terminal(u32::MAX),
            _ => Expr::Sequence(vec![Expr::Rule(number + 1)]),
        },
        priority: 0,
    };
    let rules = (0..=20_000).map(rule).collect();
    let starts = vec![0];
    let made = tables(&Grammar { rules, starts }, &Options::default(), &mut || {
        true
    })
    .unwrap();
    assert_eq!(made.states.len(), 20_003);
}

#[test]
fn a_long_sequence() {
    let grammar = one(Expr::Sequence(vec![Expr::Terminal(7); 90_000]));
    let made = tables(&grammar, &Options::default(), &mut || true).unwrap();
    assert_eq!(made.states.len(), 90_002);
}

#[test]
fn deep_nesting() {
    let nested = |depth| {
        let start = Expr::Terminal(0);
        (0..depth).fold(start, |of, _| Expr::Sequence(vec![repeat(of, 0, Some(1))]))
    };
    let made = tables(&one(nested(400)), &Options::default(), &mut || true).unwrap();
    assert!(accepts(&made, &[]) && accepts(&made, &[0]) && !accepts(&made, &[0, 0]));
    assert_eq!(
        kind(&one(nested(2_000)), &Options::default()),
        ErrorKind::TooLarge
    );
}

#[test]
fn huge_counts() {
    let grammar = one(repeat(Expr::Terminal(0), u32::MAX - 1, Some(u32::MAX)));
    let made = tables(&grammar, &Options::default(), &mut || true).unwrap();
    check(&made);
    assert!(made.states.len() < 300, "{}", made.states.len());
}

#[test]
fn counts_are_counts() {
    for (min, max) in [
        (0, 50),
        (1, 50),
        (7, 61),
        (49, 50),
        (50, 50),
        (137, 137),
        (60, 199),
    ] {
        let made = tables(
            &one(repeat(Expr::Terminal(0), min, Some(max))),
            &Options::default(),
            &mut || true,
        );
        let made = made.unwrap();
        for length in 0..220 {
            let expected = (min..=max).contains(&length);
            assert_eq!(
                accepts(&made, &vec![0; length as usize]),
                expected,
                "{min}..{max} {length}"
            );
        }
    }
}

#[test]
fn a_count_without_end() {
    let made = tables(
        &one(repeat(Expr::Terminal(0), 3, None)),
        &Options::default(),
        &mut || true,
    );
    let made = made.unwrap();
    for length in 0..9 {
        assert_eq!(accepts(&made, &vec![0; length]), length >= 3, "{length}");
    }
}

#[test]
fn a_count_from_more_to_less_matches_nothing() {
    for (min, max) in [(3, 2), (60, 55)] {
        let grammar = one(repeat(Expr::Terminal(0), min, Some(max)));
        let made = tables(&grammar, &Options::default(), &mut || true).unwrap();
        assert!((0..70).all(|length| !accepts(&made, &vec![0; length])));
    }
}

#[test]
fn alternatives_that_multiply() {
    let choice = Expr::Union((0..4).map(Expr::Terminal).collect());
    let grammar = one(Expr::Sequence(vec![choice; 40]));
    assert_eq!(kind(&grammar, &Options::default()), ErrorKind::TooLarge);
    let counted = (0..5).fold(Expr::Terminal(0), |of, _| repeat(of, 0, Some(49)));
    assert_eq!(
        kind(&one(counted), &Options::default()),
        ErrorKind::TooLarge
    );
}

#[test]
fn optional_parts_multiply_without_duplicates() {
    let optional = repeat(Expr::Terminal(0), 0, Some(1));
    let grammar = one(Expr::Sequence(vec![optional; 40]));
    let made = tables(&grammar, &Options::default(), &mut || true).unwrap();
    assert_eq!(made.productions.len(), 41);
}

#[test]
fn limits_hold() {
    let grammar = grammar("s: A B C D E|B|C");
    for (states, productions, is_enough) in [(9, 3, true), (8, 3, false), (9, 2, false)] {
        let options = Options {
            states,
            productions,
            ..Options::default()
        };
        let made = tables(&grammar, &options, &mut || true);
        assert_eq!(made.is_ok(), is_enough, "{states} {productions} {made:?}");
        if let Err(error) = made {
            assert_eq!((error.kind, error.rule), (ErrorKind::TooLarge, Some(0)));
        }
    }
}

#[test]
fn the_clock_stops_it() {
    let grammar = one(Expr::Union((0..50_000).map(Expr::Terminal).collect()));
    for looks in [0, 1, 30, 100, 250] {
        let mut left = looks;
        let mut clock = || {
            left -= 1;
            left >= 0
        };
        let made = tables(&grammar, &Options::default(), &mut clock);
        assert_eq!(made.unwrap_err().kind, ErrorKind::OutOfTime, "{looks}");
    }
}

#[test]
fn doubling_nullable_rules_are_given_up() {
    // The empty text takes 2^25 reductions. Only a priority makes anyone try them.
    let mut text = String::new();
    for length in 1..25 {
        let (name, next) = ("n".repeat(length), "n".repeat(length + 1));
        text += &format!("{name}: {next} {next}\n");
    }
    text += &format!("{}: x|y\nx.1:\ny:", "n".repeat(25));
    assert_eq!(
        kind(&grammar(&text), &Options::default()),
        ErrorKind::TooLarge
    );
}
