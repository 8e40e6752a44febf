//! Grammars that are refused, and the messages.

use super::notation::grammar;
use crate::{Conflicts, Error, ErrorKind, Options, Symbol, tables};

fn refused(text: &str, conflicts: Conflicts) -> Error {
    let options = Options {
        conflicts,
        ..Options::default()
    };
    tables(&grammar(text), &options, &mut || true).unwrap_err()
}

#[test]
fn two_rules_collide() {
    let text = "s: x A|y A B\nx: C\ny: C";
    let error = refused(text, Conflicts::Shift);
    let (rules, lookahead) = (vec![1, 2], Symbol::Terminal(0));
    assert_eq!(error.kind, ErrorKind::ReduceReduce { rules, lookahead });
    assert_eq!(error.rule, Some(1));
    assert_eq!(
        error.message,
        "`x` and `y` can end before terminal 0, and nothing says which (a reduce/reduce conflict)"
    );
    assert!(error.help.contains("priority"));
    let message = error.message_with(&grammar(text), &|terminal| format!("T{terminal}"));
    assert!(
        message.starts_with("`x` and `y` can end before T0,"),
        "{message}"
    );
}

#[test]
fn repetitions_of_one_rule_collide() {
    let error = refused("s: A+ B|(A)+ C", Conflicts::Shift);
    assert!(
        error
            .message
            .starts_with("several alternatives or repetitions of `s`"),
        "{error}"
    );
}

#[test]
fn rules_collide_at_the_end() {
    let error = refused("s: x|y\nx: A\ny: A", Conflicts::Shift);
    assert!(
        error.message.contains("before the end of the text"),
        "{error}"
    );
}

#[test]
fn only_rules_of_the_highest_priority_collide() {
    let error = refused("s: x|y|z\nx.1: A\ny: A\nz.1: A", Conflicts::Shift);
    let (rules, lookahead) = (vec![1, 3], Symbol::End);
    assert_eq!(error.kind, ErrorKind::ReduceReduce { rules, lookahead });
}

#[test]
fn many_rules_are_not_all_named() {
    let error = refused(
        "s: a|b|c|d|e|f\na: A\nb: A\nc: A\nd: A\ne: A\nf: A",
        Conflicts::Shift,
    );
    assert!(error.message.contains("`d` and 2 more"), "{error}");
}

#[test]
fn a_shift_is_refused_on_demand() {
    let text = "s: A s e|C\ne: B s|";
    let error = refused(text, Conflicts::Refuse);
    let (rules, terminal) = (vec![1, 1], 1);
    assert_eq!(error.kind, ErrorKind::ShiftReduce { rules, terminal });
    assert_eq!(
        error.message,
        "before terminal 1, `e` can end or `e` go on (a shift/reduce conflict)"
    );
    assert!(tables(&grammar(text), &Options::default(), &mut || true).is_ok());
}

#[test]
fn reductions_that_collide_are_told_first() {
    let error = refused("s: A s|A s B s|C|x A|y A B\nx: D\ny: D", Conflicts::Refuse);
    assert!(
        matches!(error.kind, ErrorKind::ReduceReduce { .. }),
        "{error}"
    );
}

#[test]
fn endless_reductions_are_refused() {
    for text in [
        // A rule that derives itself, chosen by its priority.
        "s: t\nt.1: u|A\nu.1: t",
        // Nothing, again and again.
        "s: x s A|y B\nx.1:\ny:",
    ] {
        let error = refused(text, Conflicts::Shift);
        assert!(
            matches!(error.kind, ErrorKind::Endless { .. }),
            "{text}: {error}"
        );
        assert!(error.rule.is_some());
        assert!(error.message.contains("again and again"), "{error}");
    }
}

#[test]
fn a_priority_that_chooses_no_cycle_is_fine() {
    let text = "s: x s A|y B\nx:\ny.1:";
    assert!(tables(&grammar(text), &Options::default(), &mut || true).is_ok());
}

#[test]
fn a_cycle_that_no_text_reaches_is_fine() {
    for text in ["s: A|B x\nx.1: x", "s: A|B x\nx.1: y C|x\ny: A x"] {
        let made = tables(&grammar(text), &Options::default(), &mut || true);
        assert!(made.is_ok(), "{text}");
    }
}
