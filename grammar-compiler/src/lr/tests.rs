//! What README.md works by hand.

use super::*;
use crate::Options;
use crate::automata::MachineId;
use crate::bits::Bits;
use crate::pda::{Alternative, BOTTOM, FrameId, StateId, Tree};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};
use crate::threads::Threads;

fn built(text: &str) -> Built {
    let source = Source::new("readme", text);
    let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
    crate::Automaton::new(&parsed.grammar, &Options::default())
        .unwrap()
        .built
}

/// Of `root ::= value`, `value ::= "[" (value ("," value)*)? "]" | [0-9]+`.
fn lists() -> Built {
    built("root ::= value\nvalue ::= \"[\" (value (\",\" value)*)? \"]\" | [0-9]+")
}

/// The machine of a span in the grammar of lists.
const LIST: u32 = 1;

fn item(node: u32) -> Item {
    Item {
        node,
        depth: 0,
        tried: Tried::default(),
    }
}

fn entry(machine: u32, resume: u32, depth: u8) -> GotoEntry {
    GotoEntry {
        machine: MachineId::new(machine),
        resume,
        depth,
    }
}

impl Built {
    fn state(&self, items: &[Item]) -> StateId {
        let mut states = self.item_sets();
        StateId::at(states.position(|of| of == items).unwrap())
    }

    fn frame(&self, entries: &[GotoEntry]) -> FrameId {
        let mut frames = self.frames();
        FrameId::at(frames.position(|of| of == entries).unwrap())
    }

    /// What the edge of a state on a byte comes to.
    fn edge(&self, state: StateId, byte: u8) -> Option<&Tree> {
        let tree = self.pda.edge(state, self.pda.classes.of(byte))?;
        Some(&self.pda.trees[tree.index()])
    }
}

fn leaf(pop: u8, push: Option<FrameId>, next: StateId) -> Tree {
    Tree::Leaf(vec![Alternative {
        pop,
        push,
        next,
        again: false,
    }])
}

#[test]
fn item_sets_and_frames_of_lists() {
    let built = lists();
    let mut sets: Vec<&[Item]> = built.item_sets().collect();
    sets.sort();
    let expected = [0, 1, 2, 4, 5, 7, 8, 9].map(|node| vec![item(node)]);
    assert_eq!(sets, expected);
    let frames = [vec![], vec![entry(LIST, 2, 0)], vec![entry(LIST, 7, 0)]];
    assert_eq!(built.frames().collect::<Vec<_>>(), frames);
    let of_lists = vec![FrameId::new(1), FrameId::new(2)];
    assert_eq!(built.pda.under, [vec![], vec![BOTTOM], of_lists]);
}

#[test]
fn a_shift_a_call_and_a_return() {
    let built = lists();
    let [start, number, inside] = [0, 1, 4].map(|node| built.state(&[item(node)]));
    assert_eq!(built.edge(start, b'7'), Some(&leaf(0, None, number)));
    assert_eq!(built.edge(start, b','), None);
    let outer = built.frame(&[entry(LIST, 2, 0)]);
    let inner = built.frame(&[entry(LIST, 7, 0)]);
    assert_eq!(built.edge(start, b'['), Some(&leaf(0, Some(outer), inside)));
    assert_eq!(
        built.edge(inside, b'['),
        Some(&leaf(0, Some(inner), inside))
    );
    let Some(Tree::Look { depth: 0, branches }) = built.edge(inside, b']') else {
        panic!("the top frame says where to go on");
    };
    let after = |frame| {
        let branch = branches.iter().find(|branch| branch.0 == frame);
        branch.map(|branch| &built.pda.trees[branch.1.index()])
    };
    let [ended, among] = [2, 7].map(|node| built.state(&[item(node)]));
    assert_eq!(after(outer), Some(&leaf(1, None, ended)));
    assert_eq!(after(inner), Some(&leaf(1, None, among)));
    assert_eq!(branches.len(), 2);
}

#[test]
fn calls_that_begin_together_share_a_frame() {
    let built =
        built("root ::= a\na ::= b \"x\" | \"p\" a \"q\" | \"y\"\nb ::= a \"z\" | \"(\" a \")\"");
    let shared = built.frame(&[entry(1, 1, 0), entry(2, 5, item::SAME)]);
    let [start, opened] = [0, 8].map(|node| built.state(&[item(node)]));
    assert_eq!(
        built.edge(start, b'('),
        Some(&leaf(0, Some(shared), opened))
    );
}

#[test]
fn what_would_return_to_the_same_position_is_dominated() {
    let built = built("root ::= s\ns ::= \"i\" s (\"e\" s)? | \"x\"");
    let [called, after] = [2, 5].map(|node| built.state(&[item(node)]));
    assert_eq!(built.edge(after, b'e'), Some(&leaf(0, None, called)));
}

/// A chain of rules: each calls the next one twice, the second time at its end.
fn chain(rules: usize, last: &str) -> String {
    let rule = |at| format!("r{at} ::= \"a\" r{} \"b\" r{}\n", at + 1, at + 1);
    let links: String = (0..rules).map(rule).collect();
    format!("root ::= r0\n{links}r{rules} ::= {last}\n")
}

#[test]
fn positions_of_a_long_chain_of_calls_are_numbered_at_once() {
    let source = Source::new("chain", chain(8_000, "\"y\""));
    let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
    let limits = crate::limits::Limits::default();
    let deadline = crate::limits::Deadline::start(&limits);
    let network = crate::automata::build(
        &parsed.grammar,
        &limits,
        &crate::limits::Tuning::default(),
        &mut Threads::up_to(2),
        &deadline,
    )
    .unwrap();
    assert!(network.machines.len() > 1_000, "{}", network.machines.len());
    let positions = Positions::new(&network, &deadline).unwrap();
    // What follows the last machine of the chain is what follows any return in it.
    let most = positions.follow.iter().map(Bits::count).max();
    assert_eq!(positions.follow.last().map(Bits::count), most);
}

#[test]
fn what_may_be_resumed_is_found_along_chains_of_returns() {
    let built = built(
        "root ::= \"<\" a \">\" a \";\"\na ::= \"(\" b \")\" b\nb ::= \"[\" (a | b) \"]\" a | \"x\" b \"y\" | \"z\"",
    );
    let positions = &built.positions;
    for machine in (1..positions.starts.len()).map(MachineId::at) {
        for class in 0..built.pda.classes.count as crate::pda::Class {
            let follows = positions.follow[machine.index()].contains(usize::from(class));
            assert_eq!(positions.any_resume(machine, class, |_| true), follows);
            let mut asked = Vec::new();
            positions.any_resume(machine, class, |at| {
                asked.push(at);
                false
            });
            assert_eq!(asked.is_empty(), !follows);
            assert!(asked.iter().all(|&at| {
                positions.nodes[at as usize]
                    .first
                    .contains(usize::from(class))
            }));
        }
    }
}
