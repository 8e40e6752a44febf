//! Partitions against their definition, worked out by rounds over everything; and quotients against
//! their automata, in lockstep.

use super::*;
use crate::intern::KeyedInterner;
use crate::limits::Limits;
use crate::pda::interpret::{Stack, step};
use crate::pda::{Alternative, Class, Classes, FrameId, State, Tree, TreeId};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};
use crate::{Automaton, Options};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Blocks of states and of frames, numbered by their first members.
type BlockNumbers = (Vec<u32>, Vec<u32>);

/// The blocks of a partition.
fn blocks(refined: &StablePartition) -> BlockNumbers {
    let states = refined.state_of.iter().map(|state| state.number());
    (states.collect(), refined.frame_of.clone())
}

/// The definition: rounds until nothing is told apart any more.
fn rounds(pda: &Pda, labels: &[u8]) -> BlockNumbers {
    let is_bottom = (0..pda.under.len()).map(|frame| frame == usize::from(BOTTOM));
    let mut blocks = (number(labels.iter()), number(is_bottom));
    loop {
        let signatures = signatures(pda, &blocks);
        let mut next = (
            by_edges(pda, &blocks, &signatures),
            by_outcomes(pda, &blocks, &signatures),
        );
        if next == blocks {
            next.1 = by_crossed(pda, &blocks, &signatures);
        }
        if next == blocks {
            return blocks;
        }
        blocks = next;
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum TreeShape {
    Leaf(BTreeSet<(u8, Option<u32>, u32, bool)>),
    Look(u8, BTreeSet<(u32, u32)>),
}

fn signatures(pda: &Pda, (states, frames): &BlockNumbers) -> Vec<u32> {
    let mut shapes: BTreeMap<TreeShape, u32> = BTreeMap::new();
    let mut signatures: Vec<u32> = Vec::new();
    for tree in &pda.trees {
        let shape = match tree {
            Tree::Leaf(leaf) => {
                let push = |a: &Alternative| Some(frames[usize::from(a.push?)]);
                let of = |a: &Alternative| (a.pop, push(a), states[a.next.index()], a.again);
                TreeShape::Leaf(leaf.iter().map(of).collect())
            }
            Tree::Look { depth, branches } => {
                let to: BTreeSet<u32> = branches.iter().map(|b| signatures[b.1.index()]).collect();
                if to.len() == 1 {
                    signatures.extend(to);
                    continue;
                }
                let of =
                    |b: &(FrameId, TreeId)| (frames[usize::from(b.0)], signatures[b.1.index()]);
                TreeShape::Look(*depth, branches.iter().map(of).collect())
            }
        };
        let new = shapes.len() as u32;
        signatures.push(*shapes.entry(shape).or_insert(new));
    }
    signatures
}

fn by_edges(pda: &Pda, (states, _): &BlockNumbers, signatures: &[u32]) -> Vec<u32> {
    number(pda.states.iter().zip(states).map(|(state, block)| {
        let edges = state.edges.iter();
        let edges: Vec<_> = edges.map(|e| (e.0, signatures[e.1.index()])).collect();
        (block, edges)
    }))
}

/// Where a frame is looked at: block and class, and the depths and blocks of the frames looked at
/// before.
type LookedAt = (u32, Class, Vec<(u8, u32)>);

fn by_outcomes(pda: &Pda, (states, frames): &BlockNumbers, signatures: &[u32]) -> Vec<u32> {
    let mut outcomes: Vec<BTreeSet<(LookedAt, u8, u32)>> = vec![BTreeSet::new(); frames.len()];
    for (state, &block) in pda.states.iter().zip(states) {
        for &(class, tree) in &state.edges {
            let mut pending = vec![(tree, (block, class, Vec::new()))];
            while let Some((tree, place)) = pending.pop() {
                let Tree::Look { depth, branches } = &pda.trees[tree.index()] else {
                    continue;
                };
                for &(frame, branch) in branches {
                    let to = signatures[branch.index()];
                    outcomes[usize::from(frame)].insert((place.clone(), *depth, to));
                    let mut below = place.clone();
                    below.2.push((*depth, frames[usize::from(frame)]));
                    pending.push((branch, below));
                }
            }
        }
    }
    let mut numbers = KeyedInterner::new();
    let outcomes = frames.iter().zip(outcomes);
    outcomes.map(|outcome| numbers.intern(outcome)).collect()
}

fn by_crossed(pda: &Pda, (_, frames): &BlockNumbers, signatures: &[u32]) -> Vec<u32> {
    let mut used: BTreeSet<TreeId> = BTreeSet::new();
    used.extend(pda.states.iter().flat_map(|s| &s.edges).map(|edge| edge.1));
    let mut outcomes: Vec<Vec<(TreeId, u32)>> = vec![Vec::new(); frames.len()];
    // A tree comes after those that it leads to.
    while let Some(id) = used.pop_last() {
        let Tree::Look { branches, .. } = &pda.trees[id.index()] else {
            continue;
        };
        let mut to: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for &(frame, branch) in branches {
            let block = to.entry(frames[usize::from(frame)]).or_default();
            block.insert(signatures[branch.index()]);
            used.insert(branch);
        }
        if to.values().any(|to| to.len() > 1) {
            for &(frame, branch) in branches {
                outcomes[usize::from(frame)].push((id, signatures[branch.index()]));
            }
        }
    }
    let mut numbers = KeyedInterner::new();
    let outcomes = frames.iter().zip(outcomes);
    outcomes.map(|outcome| numbers.intern(outcome)).collect()
}

fn refined(pda: &Pda, labels: &[u8]) -> StablePartition {
    let of_frames = vec![(); pda.under.len()];
    refine(
        pda,
        labels,
        &of_frames,
        &Deadline::start(&Limits::default()),
    )
    .unwrap()
}

/// Fails if the quotient, after the same symbols, has other stacks than the blocks of the
/// automaton's.
fn assert_lockstep(pda: &Pda, refined: &StablePartition, walks: usize) {
    let quotient = refined.quotient(pda);
    let of_blocks = |stacks: &[Stack]| -> BTreeSet<Stack> {
        let frame = |&f: &FrameId| FrameId::at(refined.frame_of[f.index()] as usize);
        let stack = |(s, frames): &Stack| {
            (
                refined.state_of[s.index()],
                frames.iter().map(frame).collect(),
            )
        };
        stacks.iter().map(stack).collect()
    };
    let mut random = random(1);
    for _ in 0..walks {
        let mut stacks = vec![(pda.start, Vec::new())];
        let mut blocks = vec![(quotient.start, Vec::new())];
        for _ in 0..40 {
            let edges = |stack: &Stack| pda.states[stack.0.index()].edges.iter().map(|e| e.0);
            let classes: Vec<Class> = stacks.iter().flat_map(edges).collect();
            if classes.is_empty() || stacks.len() > 20 {
                break;
            }
            let class = classes[random(classes.len())];
            stacks = step(pda, &stacks, class);
            blocks = step(&quotient, &blocks, class);
            assert_eq!(of_blocks(&stacks), blocks.iter().cloned().collect());
        }
    }
}

/// Random numbers below a bound, the same for each seed.
fn random(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % bound
    }
}

/// The suite, but for what takes long to build.
fn suite() -> Vec<(String, Pda)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/grammars");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "ebnf"));
    paths.retain(|path| path.file_stem().is_some_and(|s| s != "sql_unreserved"));
    paths.sort();
    let built = paths.into_iter().filter_map(|path| {
        let name = path.file_stem()?.to_string_lossy().into_owned();
        let source = Source::new(name.as_str(), std::fs::read_to_string(path).unwrap());
        let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
        let automaton = Automaton::new(&parsed.grammar, &Options::default()).ok()?;
        Some((name, automaton.built.pda))
    });
    built.collect()
}

#[test]
fn suite_is_as_defined_and_runs_in_lockstep() {
    for (name, pda) in suite() {
        let labels = vec![0; pda.states.len()];
        let refined = refined(&pda, &labels);
        assert_eq!(blocks(&refined), rounds(&pda, &labels), "{name}");
        assert_lockstep(&pda, &refined, 200);
    }
}

/// An automaton of a few states, frames and trees, so that many of them are alike. If it is
/// `whole`, every tree knows every frame, and no symbol is taken again.
fn any_pda(seed: u64, whole: bool) -> Pda {
    let mut below = random(seed);
    let (states, frames) = (3 + below(6), 3 + below(2));
    let mut trees: Vec<Tree> = Vec::new();
    for _ in 0..2 + below(4) {
        let alternatives: BTreeSet<Alternative> = (0..1 + below(5) / 4)
            .map(|_| Alternative {
                pop: below(2) as u8,
                push: (below(2) == 0).then(|| FrameId::at(1 + below(frames - 1))),
                next: StateId::at(below(states)),
                again: !whole && below(4) == 0,
            })
            .collect();
        trees.push(Tree::Leaf(alternatives.into_iter().collect()));
    }
    let leaves = trees.len();
    for _ in 0..1 + below(4) {
        let mut branches: Vec<(FrameId, TreeId)> = Vec::new();
        for frame in (0..frames).map(FrameId::at) {
            if whole || below(3) > 0 {
                let nested = below(6) == 0;
                let of = if nested { trees.len() } else { leaves };
                branches.push((frame, TreeId::at(below(of))));
            }
        }
        let depth = below(5) as u8 / 4;
        trees.push(Tree::Look { depth, branches });
    }
    let mut any_state = |_| {
        let mut edges = Vec::new();
        for class in 0..2 {
            if below(2) == 0 {
                edges.push((class, TreeId::at(below(trees.len()))));
            }
        }
        State { edges, top: vec![] }
    };
    let states = (0..states).map(&mut any_state).collect();
    Pda {
        classes: Classes {
            of_byte: [0; 256],
            count: 3,
            token_lead: None,
            limits: Vec::new(),
        },
        start: StateId::new(0),
        states,
        trees,
        under: vec![Vec::new(); frames],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_is_as_defined(seed in any::<u64>(), whole in any::<bool>(), label in 1..5u8) {
        let pda = any_pda(seed, whole);
        let labels: Vec<u8> = (0..pda.states.len()).map(|s| (s % 4) as u8 / label).collect();
        let refined = refined(&pda, &labels);
        prop_assert_eq!(blocks(&refined), rounds(&pda, &labels));
    }

    #[test]
    fn any_runs_in_lockstep(seed in any::<u64>()) {
        let pda = any_pda(seed, true);
        let refined = refined(&pda, &vec![0; pda.states.len()]);
        assert_lockstep(&pda, &refined, 10);
    }
}
