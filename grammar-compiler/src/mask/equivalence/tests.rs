//! Equivalent states and stacks, against runs of the automaton.

use super::Equivalence;
use crate::limits::Tuning;
use crate::pda::headroom::{Headroom, Need};
use crate::pda::interpret::{Stack, step};
use crate::pda::{Class, FrameId, Pda, StateId};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};
use crate::{Automaton, Options};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Counts in blocks of three, of parts that nest, that are several bytes long and that have more
/// than one spelling.
const GRAMMARS: [&str; 4] = [
    r#"root ::= ("ab"){2,70} "c""#,
    r#"root ::= "[" s ("," s)? "]"
       s ::= "'" ([a-zé€] | "\\" ([n'] | "u" [0-9] [0-9])){0,50} "'""#,
    r#"root ::= v
       v ::= [0-9]{1,40} | "[" v ("," v){0,30} "]" | "(" v ("," v){0,29} ")""#,
    r#"root ::= s "!" | "(" root ")"
       s ::= ("<" ("x" [yz]){0,20} ">"){3,40}"#,
];

fn compiled(text: &str) -> (Pda, Headroom) {
    let source = Source::new("test", text);
    let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
    let options = Options {
        tuning: Tuning::default().block(3).expansion(0),
        ..Options::default()
    };
    let automaton = Automaton::new(&parsed.grammar, &options).unwrap();
    (automaton.pda, automaton.headroom)
}

/// What distinguishes stacks: how high they are, and what they need.
fn seen(stacks: &[Stack], headroom: &Headroom) -> Vec<(usize, Need)> {
    let mut seen: Vec<_> = stacks
        .iter()
        .map(|(state, frames)| (frames.len(), headroom.states[state.index()]))
        .collect();
    seen.sort_unstable();
    seen
}

struct RandomRuns<'a> {
    pda: &'a Pda,
    random: TestRng,
}

impl RandomRuns<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.next_u32() as usize % bound
    }

    /// A symbol that some stack takes.
    fn symbol(&mut self, stacks: &[Stack]) -> Option<Class> {
        let edges = |stack: &Stack| self.pda.states[stack.0.index()].edges.iter();
        let classes = stacks.iter().flat_map(edges).map(|of| of.0);
        // A text that has ended goes on with nothing.
        let classes: Vec<Class> = classes.filter(|&c| c != self.pda.classes.end()).collect();
        (!classes.is_empty()).then(|| classes[self.below(classes.len())])
    }

    /// A stack that some text of at most so many symbols leads to.
    fn stack(&mut self, length: usize) -> Stack {
        let mut stacks = vec![(self.pda.start, Vec::new())];
        for _ in 0..self.below(length) {
            let Some(class) = self.symbol(&stacks) else {
                break;
            };
            let next = step(self.pda, &stacks, class);
            if next.is_empty() {
                break;
            }
            stacks = next;
        }
        let at = self.below(stacks.len());
        stacks.swap_remove(at)
    }
}

#[test]
fn equivalent_stacks_run_alike() {
    let mut pairs = 0;
    for text in GRAMMARS {
        let (pda, headroom) = compiled(text);
        let equivalence = Equivalence::new(&pda, &headroom, 30);
        let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runs = RandomRuns { pda: &pda, random };
        for _ in 0..5000 {
            let (state, frames) = runs.stack(200);
            let length = 1 + runs.below(8) as u32;
            let block = equivalence.block(length, state);
            let others = pda.state_ids().filter(|&of| of != state);
            let others: Vec<StateId> = others
                .filter(|&of| equivalence.block(length, of) == block)
                .collect();
            let other = match others.len() {
                0 => state,
                count => others[runs.below(count)],
            };
            let stand_in = |&frame: &FrameId| equivalence.frame(length, other, frame);
            let alike: Stack = (other, frames.iter().map(stand_in).collect());
            pairs += usize::from(alike != (state, frames.clone()));
            let (mut stacks, mut alike) = (vec![(state, frames)], vec![alike]);
            for _ in 0..length {
                let Some(class) = runs.symbol(&stacks) else {
                    break;
                };
                stacks = step(&pda, &stacks, class);
                alike = step(&pda, &alike, class);
                assert_eq!(seen(&stacks, &headroom), seen(&alike, &headroom), "{text}");
            }
        }
    }
    assert!(pairs > 200, "{pairs} pairs");
}

#[test]
fn longer_texts_distinguish_everything() {
    let (pda, headroom) = compiled(GRAMMARS[0]);
    let equivalence = Equivalence::new(&pda, &headroom, 4);
    let merges = |length, of: &Equivalence| {
        let mut blocks: Vec<_> = pda
            .state_ids()
            .map(|state| of.block(length, state))
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks.len() < pda.states.len()
    };
    assert!(merges(3, &equivalence) && !merges(4, &equivalence));
    assert!(!merges(0, &Equivalence::finest()));
}
