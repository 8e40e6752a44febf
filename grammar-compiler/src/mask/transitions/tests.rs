//! What is derived from transitions, against its definition.

use super::characters::Characters;
use super::regions::regions;
use super::runs::StateRuns;
use super::words::Transitions;
use crate::Automaton;
use crate::pda::{Pda, StateId};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};

fn compiled(text: &str) -> (Pda, Transitions) {
    let source = Source::new("test", text);
    let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
    let automaton = Automaton::new(&parsed.grammar, &Default::default()).unwrap();
    let transitions = Transitions::new(&automaton.pda, &automaton.headroom);
    (automaton.pda, transitions)
}

fn runs(pda: &Pda, transitions: &Transitions) -> StateRuns {
    StateRuns::new(transitions, pda, &mut Characters::new(transitions, pda))
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
        assert_eq!(of_copy(StateId::at(copy)), 2);
    }
}
