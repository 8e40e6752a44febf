//! Short texts after which there are several stacks.
//!
//! In: a [`Pda`] and stacks to begin with. Out: a short text, and the stacks after it. The search
//! is best-first: by the length of the text, and by the distance to the next split, or to the end,
//! in the control graph. Its steps are counted, so it finds the same text on every machine.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::limits::Deadline;
use crate::maps::IdSet;

use crate::pda::interpret::{Stack, step};
use crate::pda::{Alternative, Class, FrameId, Pda, StateId};

/// Sets of stacks that one search looks at.
const MAX_STEPS: usize = 50_000;
/// Stacks with more frames are not followed.
const MAX_HEIGHT: usize = 60;
/// Frames from the top by which single stacks are told apart.
const KNOWN_FRAMES: usize = 2;
/// How many bytes longer a text may be if it leads to one more stack.
const STACK_WORTH: i64 = 4;
/// What is being done.
pub(super) const DOING: &str = "looking for a text with two readings";
/// A distance where there is no way.
const FAR: u32 = 1 << 20;

/// A text and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundText {
    /// The text.
    pub text: Vec<u8>,
    /// The stacks after it.
    pub stacks: Vec<Stack>,
}

/// Searches the texts of one automaton.
pub struct TextSearch<'a> {
    pda: &'a Pda,
    /// When a search ends that has found nothing.
    pub(super) deadline: &'a Deadline,
    /// A byte of each class but the end's, one that can be read if there is one.
    bytes: Vec<(Class, u8)>,
    to_split: Vec<u32>,
    to_end: Vec<u32>,
}

impl<'a> TextSearch<'a> {
    /// Searches `pda` up to the deadline.
    pub fn new(pda: &'a Pda, deadline: &'a Deadline) -> Self {
        let splits = |leaf: &[Alternative]| leaf.len() > 1;
        let end = pda.classes.end();
        TextSearch {
            pda,
            deadline,
            bytes: bytes(pda),
            to_split: distances(pda, deadline, |_, leaf| splits(leaf)),
            to_end: distances(pda, deadline, |class, leaf| {
                class == end && !leaf.is_empty()
            }),
        }
    }

    /// A text that leads to two stacks or more.
    pub fn split(&self) -> Option<FoundText> {
        let start = vec![(self.pda.start, Vec::new())];
        let cost = |stacks: &[Stack]| {
            let distance = stacks.iter().map(|s| self.to_split[s.0.index()]).min();
            i64::from(distance.unwrap_or(FAR)) - STACK_WORTH * stacks.len() as i64
        };
        let mut split = None;
        self.run(start, cost, |found| {
            let splits = found.stacks.len() > 1;
            if splits {
                split = Some(found.clone());
            }
            splits
        });
        split
    }

    /// What can follow on `stack` up to the end of a text.
    pub fn completion(&self, stack: &Stack) -> Option<Vec<u8>> {
        let end = self.pda.classes.end();
        let cost = |stacks: &[Stack]| {
            let cost = |s: &Stack| i64::from(self.to_end[s.0.index()]) + 2 * s.1.len() as i64;
            stacks.iter().map(cost).min().unwrap_or(0)
        };
        let mut best = None;
        self.run(vec![stack.clone()], cost, |found| {
            let ends = !step(self.pda, &found.stacks, end).is_empty();
            if ends {
                best = Some(found.text.clone());
            }
            ends
        });
        best
    }

    /// Visits sets of stacks, the cheapest first, until `visit` says that it is enough.
    fn run(
        &self,
        start: Vec<Stack>,
        cost: impl Fn(&[Stack]) -> i64,
        mut visit: impl FnMut(&FoundText) -> bool,
    ) {
        let mut seen: IdSet<StacksOutline> = IdSet::default();
        let mut nodes: Vec<FoundText> = Vec::new();
        let mut queue = BinaryHeap::new();
        let mut add = |found: FoundText, nodes: &mut Vec<FoundText>, queue: &mut BinaryHeap<_>| {
            if seen.insert(outline(&found.stacks)) {
                let length = found.text.len();
                let rank = length as i64 + cost(&found.stacks);
                queue.push(Reverse((rank, length, nodes.len())));
                nodes.push(found);
            }
        };
        let first = FoundText {
            text: Vec::new(),
            stacks: start,
        };
        add(first, &mut nodes, &mut queue);
        let mut steps = 0;
        while let Some(Reverse((_, _, at))) = queue.pop() {
            let found = std::mem::replace(
                &mut nodes[at],
                FoundText {
                    text: Vec::new(),
                    stacks: Vec::new(),
                },
            );
            steps += found.stacks.len();
            if visit(&found) || steps > MAX_STEPS {
                return;
            }
            for &(class, byte) in &self.bytes {
                if self.deadline.stops_after(1 + found.stacks.len(), DOING) {
                    return;
                }
                let stacks = step(self.pda, &found.stacks, class);
                if stacks.is_empty() || stacks.iter().any(|s| s.1.len() > MAX_HEIGHT) {
                    continue;
                }
                let mut text = found.text.clone();
                text.push(byte);
                add(FoundText { text, stacks }, &mut nodes, &mut queue);
            }
        }
    }
}

/// The key of a set of stacks. A single stack is represented by its state, its height and the
/// frames on top, so texts that differ only further down are not all followed.
type StacksOutline = Vec<(StateId, usize, Vec<FrameId>)>;

fn outline(stacks: &[Stack]) -> StacksOutline {
    let known = if stacks.len() == 1 {
        KNOWN_FRAMES
    } else {
        MAX_HEIGHT
    };
    let of = |(state, frames): &Stack| {
        let top = frames.len().saturating_sub(known);
        (*state, frames.len(), frames[top..].to_vec())
    };
    stacks.iter().map(of).collect()
}

/// For each state the number of edges to the nearest one with a leaf that is a goal, whatever lies
/// on the stack.
fn distances(
    pda: &Pda,
    deadline: &Deadline,
    is_goal: impl Fn(Class, &[Alternative]) -> bool,
) -> Vec<u32> {
    let mut into: Vec<Vec<StateId>> = vec![Vec::new(); pda.states.len()];
    let mut distance = vec![FAR; pda.states.len()];
    let mut queue = VecDeque::new();
    for (from, state) in pda.state_ids().zip(&pda.states) {
        let mut goal = false;
        for &(class, tree) in &state.edges {
            if deadline.stops(DOING) {
                return distance;
            }
            pda.leaves(tree, &mut |leaf| {
                goal |= is_goal(class, leaf);
                leaf.iter().for_each(|a| into[a.next.index()].push(from));
            });
        }
        if goal {
            distance[from.index()] = 0;
            queue.push_back(from.index());
        }
    }
    while let Some(to) = queue.pop_front() {
        for &from in &into[to] {
            if distance[from.index()] == FAR {
                distance[from.index()] = distance[to] + 1;
                queue.push_back(from.index());
            }
        }
    }
    distance
}

fn bytes(pda: &Pda) -> Vec<(Class, u8)> {
    let rank = |byte: u8| match byte {
        b'a'..=b'z' => (0, byte),
        b'0'..=b'9' => (1, byte),
        b'A'..=b'Z' => (2, byte),
        b' '..=b'~' => (3, byte),
        _ => (4, byte),
    };
    let mut order: Vec<u8> = (0..=u8::MAX).collect();
    order.sort_unstable_by_key(|&byte| rank(byte));
    let mut out: Vec<(Class, u8)> = Vec::new();
    for byte in order {
        let class = pda.classes.of(byte);
        if out.iter().all(|o| o.0 != class) {
            out.push((class, byte));
        }
    }
    out
}
