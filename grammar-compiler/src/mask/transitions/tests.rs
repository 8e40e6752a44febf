//! What is derived from transitions, against its definition.

use super::characters::Characters;
use super::narrow::NarrowStates;
use super::regions::regions;
use super::runs::StateRuns;
use super::shapes::Shapes;
use super::words::Transitions;
use crate::Automaton;
use crate::mask::trie::regions::RegionShape;
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
    let users = |copy| {
        let same = found.of.iter().flatten().filter(|of| of.copy == copy);
        same.count()
    };
    let states = pda.states.len();
    let copies = states..states + found.copies.len();
    let users: Vec<usize> = copies.map(|copy| users(StateId::at(copy))).collect();
    assert!(users.iter().all(|users| [1, 2].contains(users)));
    let shared = users.iter().filter(|&&users| users == 2).count();
    assert!(shared > 5, "the loop, escapes and characters");
}

/// The shapes of the regions of a grammar.
fn shapes(text: &str) -> Vec<RegionShape> {
    let (pda, transitions) = compiled(text);
    let found = regions(&transitions, &pda, &runs(&pda, &transitions));
    Shapes::new(&found.copies, found.of.len(), &pda.classes).shapes
}

#[test]
fn regions_have_the_same_shape_in_other_grammars() {
    const STRING: &str = r#"([^'\\] | "\\" [a-z] | "\\u" [0-9] [0-9])*"#;
    let quoted = shapes(&format!(r#"root ::= "'" {STRING} "'""#));
    assert_eq!(quoted.len(), 1);
    let other_classes = format!(r#"root ::= [a-dx]+ ("-" {STRING} "'" | "3") [0-4]"#);
    assert_eq!(shapes(&other_classes), quoted);
    let left_elsewhere = format!(r#"root ::= "'" {STRING} ("'" | "\\!")"#);
    assert_ne!(shapes(&left_elsewhere), quoted);
}

#[test]
fn narrow_states_take_their_symbols_and_no_others() {
    let (pda, transitions) =
        compiled(r#"root ::= "ab" ("c" | "d" | [x-y] | "é") [a-z]* ("=" [0-9] "!")+"#);
    let narrow = NarrowStates::new(&pda);
    let of_symbol = pda.classes.of_symbols();
    let mut counts = [0; 5];
    for state in pda.state_ids() {
        let takes = |class| transitions.row(state)[usize::from(class)].is_taken();
        let all = (0u16..).zip(&of_symbol).filter(|of| takes(*of.1));
        let all: Vec<u16> = all.map(|of| of.0).collect();
        let mut listed = narrow.of(state).to_vec();
        listed.sort_unstable();
        match all.len() {
            count @ 0..5 => {
                assert_eq!(listed, all);
                counts[count] += 1;
            }
            _ => assert!(listed.is_empty()),
        }
    }
    assert!(counts[1] > 2 && counts[2] > 0, "{counts:?}");
}
