//! Automata before and after, in lockstep; and what may not be one.

use super::defer_lookahead;
use crate::limits::{Deadline, Limits, Tuning};
use crate::pda::interpret::{Stack, step};
use crate::pda::minimize::{Minimized, minimize};
use crate::pda::{Alternative, BOTTOM, Class, Classes, FrameId, Pda, State, StateId, Tree, TreeId};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};
use crate::{Automaton, Options};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::collections::BTreeSet;

/// The automaton of a grammar that counts in blocks of so many, before looks are put off.
fn minimal(text: &str, block: u32) -> Pda {
    let source = Source::new("test", text);
    let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
    let deadline = Deadline::start(&Limits::default());
    let options = Options {
        tuning: Tuning::default().block(block).expansion(0),
        ..Options::default()
    };
    let automaton = Automaton::new(&parsed.grammar, &options).unwrap();
    minimize(&automaton.built.pda, &deadline).unwrap().pda
}

/// Fails if both automata are on different stacks after the same symbols.
fn assert_lockstep(
    pda: &Pda,
    Minimized {
        pda: fewer,
        state_of,
        frame_of: _,
    }: &Minimized,
    text: &str,
) {
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut below = |bound: usize| random.next_u32() as usize % bound;
    let of_fewer = |stack: &Stack| (state_of[stack.0.index()], stack.1.clone());
    for _ in 0..300 {
        let mut stacks = vec![(pda.start, Vec::new())];
        let mut others = vec![(fewer.start, Vec::new())];
        for _ in 0..300 {
            let edges = |stack: &Stack| fewer.states[stack.0.index()].edges.iter();
            let classes: Vec<Class> = others.iter().flat_map(edges).map(|of| of.0).collect();
            if classes.is_empty() {
                break;
            }
            let class = classes[below(classes.len())];
            stacks = step(pda, &stacks, class);
            others = step(fewer, &others, class);
            let expected: BTreeSet<Stack> = stacks.iter().map(of_fewer).collect();
            assert_eq!(expected, others.iter().cloned().collect(), "{text}");
        }
    }
}

#[test]
fn counts_run_in_lockstep() {
    let grammars = [
        r#"root ::= [ab]{0,70} "c""#,
        r#"root ::= "<" s ("," s)? ">"
           s ::= "'" ([a-zé€] | "\\" ([n'] | "u" [0-9] [0-9])){0,50} "'""#,
        r#"root ::= "[" [0-9]{2,40} ("," [0-9]{0,40})? "]" | "(" root ")""#,
    ];
    let mut states = 0;
    for text in grammars {
        for block in [2, 3, 4] {
            let pda = minimal(text, block);
            if let Some(fewer) = defer_lookahead(&pda) {
                assert_lockstep(&pda, &fewer, text);
                states += pda.states.len() - fewer.pda.states.len();
            }
        }
    }
    assert!(states > 10, "{states} states fewer");
}

/// State 0 looks at the frame, 1 or 2, to go on with state 1 or 2, which do this with the other
/// symbol.
fn choice(of_1: Option<Alternative>, of_2: Option<Alternative>) -> Pda {
    let goto = |next| Alternative {
        pop: 0,
        push: None,
        next,
        again: false,
    };
    let [one, two] = [1, 2].map(FrameId::new);
    let mut trees: Vec<Tree> = [1, 2]
        .map(|state| Tree::Leaf(vec![goto(StateId::new(state))]))
        .into();
    trees.push(Tree::Look {
        depth: 0,
        branches: vec![(one, TreeId::new(0)), (two, TreeId::new(1))],
    });
    let mut states = vec![State {
        edges: vec![(0, TreeId::new(2))],
        top: vec![one, two],
    }];
    for (edge, top) in [(of_1, one), (of_2, two)] {
        let edges = edge.map(|of| {
            trees.push(Tree::Leaf(vec![of]));
            (1, TreeId::at(trees.len() - 1))
        });
        states.push(State {
            edges: edges.into_iter().collect(),
            top: vec![top],
        });
    }
    let classes = Classes {
        of_byte: [0; 256],
        count: 2,
        token_lead: None,
        limits: Vec::new(),
    };
    Pda {
        classes,
        start: StateId::new(0),
        states,
        trees,
        under: vec![vec![], vec![BOTTOM], vec![BOTTOM]],
    }
}

#[test]
fn states_that_differ_without_the_stack_stay_apart() {
    let to = |pop| {
        Some(Alternative {
            pop,
            push: None,
            next: StateId::new(0),
            again: false,
        })
    };
    assert!(defer_lookahead(&choice(to(0), None)).is_none());
    assert!(defer_lookahead(&choice(to(0), to(1))).is_some_and(|of| of.pda.states.len() == 2));
    assert!(defer_lookahead(&choice(None, to(1))).is_some_and(|of| of.pda.states.len() == 2));
    let mut same_frame = choice(to(0), to(1));
    same_frame.states[2].top = vec![FrameId::new(1), FrameId::new(2)];
    assert!(defer_lookahead(&same_frame).is_none());
}
