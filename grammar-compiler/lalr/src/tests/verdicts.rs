//! Small grammars against what Lark says of them.

use super::expected::CASES;
use super::notation::grammar;
use super::parser::{accepts, check, texts};
use crate::{ErrorKind, Options, tables};

#[test]
fn verdicts_are_those_of_lark() {
    for case in CASES {
        let what = case.what;
        let made = tables(&grammar(case.grammar), &Options::default(), &mut || true);
        match (made, case.tables) {
            (Ok(made), Some((states, accepted))) => {
                check(&made);
                assert_eq!(made.states.len(), states, "{what}");
                for text in tried(case.grammar, case.length) {
                    let letters: String =
                        text.iter().map(|&t| char::from(b'a' + t as u8)).collect();
                    let expected = accepted.contains(&letters.as_str());
                    assert_eq!(accepts(&made, &text), expected, "{what}: {letters}");
                }
            }
            (Err(error), None) => {
                let is_collision = matches!(error.kind, ErrorKind::ReduceReduce { .. });
                assert!(is_collision, "{what}: {error}");
            }
            (made, expected) => panic!("{what}: {made:?}, but Lark: {expected:?}"),
        }
    }
}

/// The texts that were tried; of a single terminal where all would be too many.
fn tried(grammar: &str, length: usize) -> Vec<Vec<u32>> {
    let terminals = ('A'..='E').rev().find(|&letter| grammar.contains(letter));
    let terminals = terminals.map_or(0, |letter| letter as u32 - 'A' as u32 + 1);
    texts(if length > 10 { 1 } else { terminals }, length)
}

#[test]
fn a_state_has_the_actions_of_lark_not_of_the_paper() {
    // After `A D` only `b` ends before C by the paper. The kernel of the state after A holds
    // `b: A . c`, and Lark counts what may follow the `b` that begins there, which is E.
    let text = "s: b C|A k\nb: A c|B\nc: b E|D\nk: D F";
    let made = tables(&grammar(text), &Options::default(), &mut || true).unwrap();
    let after = |state: u32, terminal: u32| {
        let shifts = &made.states[state as usize].shifts;
        shifts.iter().find(|shift| shift.0 == terminal).unwrap().1
    };
    let state = &made.states[after(after(made.start, 0), 3) as usize];
    let on: Vec<_> = state.reductions.iter().map(|&(symbol, _)| symbol).collect();
    assert_eq!(on, [crate::Symbol::Terminal(2), crate::Symbol::Terminal(4)]);
    assert_eq!(state.shifts.len(), 1);
}

#[test]
fn any_start_will_do() {
    let mut grammar = grammar("a: A c\nb: B c\nc: C");
    grammar.starts = vec![1, 0, 1];
    let made = tables(&grammar, &Options::default(), &mut || true).unwrap();
    check(&made);
    assert!(accepts(&made, &[0, 2]) && accepts(&made, &[1, 2]));
    assert!(!accepts(&made, &[2]) && !accepts(&made, &[]));
    assert_eq!(
        made.productions.last().map(|p| (p.nonterminal, p.length)),
        Some((3, 1))
    );
}

#[test]
fn no_start_accepts_nothing() {
    let mut grammar = grammar("a: A");
    grammar.starts.clear();
    let made = tables(&grammar, &Options::default(), &mut || true).unwrap();
    assert!(!accepts(&made, &[]) && !accepts(&made, &[0]));
}
