//! What is derived from transitions, against its definition.

use super::characters::Characters;
use super::regions::regions;
use super::runs::Runs;
use super::words::{Action, Transitions};
use crate::automaton;
use crate::pda::{Pda, StateId};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};

/// Digits are counted one by one up to this many.
const MOST: u32 = 5;

fn compiled(text: &str) -> (Pda, Transitions) {
    let source = Source::new("test", text);
    let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
    let automaton = automaton(&parsed.grammar, &Default::default()).unwrap();
    let transitions = Transitions::new(&automaton.pda, &automaton.headroom);
    (automaton.pda, transitions)
}

fn runs(pda: &Pda, transitions: &Transitions) -> Runs {
    Runs::new(transitions, pda, &mut Characters::new(transitions, pda))
}

/// How many digits a state goes on with, by definition.
fn digits(transitions: &Transitions, pda: &Pda, state: StateId, most: u32) -> u32 {
    let after = |digit| match transitions.action(state, pda.classes.of(digit)) {
        Action::Goto(next) if transitions.need(next) == transitions.need(state) => {
            1 + digits(transitions, pda, next, most - 1)
        }
        _ => 0,
    };
    match most {
        0 => 0,
        _ => (b'0'..=b'9').map(after).min().unwrap_or(0),
    }
}

#[test]
fn digits_lead_on_wherever_each_leads() {
    // A number without zeros at its end, a bounded one, and one in brackets that digits after a comma leave.
    let text = r#"root ::= "a" [0-9]* [1-9] ";" | "b" [0-4] [0-9]? [0-9]? "!" | list | "d" [^0] "."
                  list ::= "[" ([0-9]* [5-9] "," | list)* "]" [0-9]*"#;
    let (pda, transitions) = compiled(text);
    let found = super::digits::digits(&transitions, &pda, &runs(&pda, &transitions));
    let mut met = [false; 4];
    for (state, &found) in (0..).zip(&found) {
        let expected = digits(&transitions, &pda, state, MOST);
        assert_eq!(found.min(MOST), expected, "state {state}");
        met[if found == u32::MAX { 3 } else { found as usize }] = true;
    }
    assert_eq!(met, [true; 4], "none, one, two and any number of digits");
}

#[test]
fn strings_that_lie_in_several_places_are_copied_once() {
    // Three places for strings, of which two are left in the same way.
    let text = r#"root ::= "<" s "'a" | "[" s "'b" | "{" s "!"
                  s ::= ([^'!\\] | "\\" [a-z] | "\\u" [0-9] [0-9])*"#;
    let (pda, transitions) = compiled(text);
    let found = regions(&transitions, &pda, &runs(&pda, &transitions));
    let of_copy = |copy| {
        let same = found.of.iter().flatten().filter(|of| of.copy == copy);
        same.count()
    };
    let states = pda.states.len();
    let copies = states..states + found.copies.len();
    assert!(found.copies.len() > 5, "the loop, escapes and characters");
    for copy in copies {
        assert_eq!(of_copy(copy as u32), 2);
    }
}
