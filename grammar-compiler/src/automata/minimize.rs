//! Minimization: trims states that cannot finish, then merges equivalent ones.
//!
//! In: a [`Dfa`]. Out: the minimal one with the same words, its states numbered breadth-first from
//! the start, so that equal languages give equal automata. Partition refinement in O(m log n) for m
//! edges and n states, after Valmari, *Fast brief practical DFA minimization* (2012).

use super::{Dfa, DfaState, Label};
use crate::limits::{Deadline, LimitExceeded};
use rustc_hash::FxHashMap as HashMap;
use std::convert::Infallible;

/// The minimal automaton of `dfa`; one state without edges if it has no words.
pub fn minimize(dfa: &Dfa) -> Dfa {
    let Ok(minimal) = minimal(dfa, &mut || Ok::<(), Infallible>(()));
    minimal
}

/// The same, of an automaton that may be large.
///
/// # Errors
///
/// If the deadline passes.
pub fn minimize_within(dfa: &Dfa, deadline: &Deadline) -> Result<Dfa, LimitExceeded> {
    minimal(dfa, &mut || deadline.check("minimizing a rule"))
}

/// Minimizes; asks `go_on` every few thousand steps.
fn minimal<E>(dfa: &Dfa, go_on: &mut impl FnMut() -> Result<(), E>) -> Result<Dfa, E> {
    let trimmed = trim(dfa);
    if trimmed.states.is_empty() {
        return Ok(Dfa {
            start: 0,
            states: vec![DfaState::default()],
        });
    }
    let edges = labelled_edges(&trimmed);
    let blocks = refine(&trimmed, &edges, go_on)?;
    Ok(renumber(&trimmed, &blocks))
}

/// Keeps the states that are reachable and can reach a final one; empty if the start cannot.
pub fn trim(dfa: &Dfa) -> Dfa {
    let n = dfa.states.len();
    let mut reverse = vec![Vec::new(); n];
    for (from, state) in dfa.states.iter().enumerate() {
        state
            .targets()
            .for_each(|to| reverse[to as usize].push(from as u32));
    }
    let finals = (0..n as u32)
        .filter(|&s| dfa.states[s as usize].is_final)
        .collect();
    let live = reach(n, finals, |s| reverse[s as usize].iter().copied());
    if !live[dfa.start as usize] {
        return Dfa::default();
    }
    let seen = reach(n, vec![dfa.start], |s| dfa.states[s as usize].targets());
    let mut ids = vec![u32::MAX; n];
    let mut next = 0;
    for s in 0..n {
        if live[s] && seen[s] {
            ids[s] = next;
            next += 1;
        }
    }
    let keep = |to: u32| ids[to as usize] != u32::MAX;
    let states = (0..n).filter(|&s| ids[s] != u32::MAX).map(|s| {
        let state = &dfa.states[s];
        DfaState {
            is_final: state.is_final,
            bytes: state
                .bytes
                .iter()
                .filter(|e| keep(e.2))
                .map(|&(l, h, to)| (l, h, ids[to as usize]))
                .collect(),
            calls: state
                .calls
                .iter()
                .filter(|e| keep(e.1))
                .map(|&(m, to)| (m, ids[to as usize]))
                .collect(),
        }
    });
    Dfa {
        start: ids[dfa.start as usize],
        states: states.collect(),
    }
}

fn reach<I: Iterator<Item = u32>>(
    n: usize,
    mut stack: Vec<u32>,
    next: impl Fn(u32) -> I,
) -> Vec<bool> {
    let mut seen = vec![false; n];
    while let Some(s) = stack.pop() {
        if !std::mem::replace(&mut seen[s as usize], true) {
            stack.extend(next(s));
        }
    }
    seen
}

/// Edges `(label, from, to)` with ranges cut to the byte classes of this automaton, sorted.
fn labelled_edges(dfa: &Dfa) -> Vec<(Label, u32, u32)> {
    let mut cuts = [false; 257];
    for &(low, high, _) in dfa.states.iter().flat_map(|s| &s.bytes) {
        cuts[low as usize] = true;
        cuts[high as usize + 1] = true;
    }
    let mut edges = Vec::new();
    for (from, state) in dfa.states.iter().enumerate() {
        for &(low, high, to) in &state.bytes {
            let mut start = low;
            for byte in low..=high {
                if byte == high || cuts[byte as usize + 1] {
                    edges.push((Label::Bytes(start, byte), from as u32, to));
                    start = byte.saturating_add(1);
                }
            }
        }
        edges.extend(
            state
                .calls
                .iter()
                .map(|&(machine, to)| (Label::Call(machine), from as u32, to)),
        );
    }
    edges.sort_unstable();
    edges
}

/// A partition of `0..n` that is refined by marking elements and splitting the marked ones off.
struct Partition {
    elements: Vec<u32>,
    place: Vec<u32>,
    set_of: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
    touched: Vec<u32>,
}

impl Partition {
    fn new(n: usize) -> Self {
        let all: Vec<u32> = (0..n as u32).collect();
        Partition {
            elements: all.clone(),
            place: all,
            set_of: vec![0; n],
            first: vec![0],
            past: vec![n as u32],
            marked: vec![0],
            touched: Vec::new(),
        }
    }

    fn mark(&mut self, element: u32) {
        let set = self.set_of[element as usize] as usize;
        let at = self.place[element as usize];
        let to = self.first[set] + self.marked[set];
        if at < to {
            return;
        }
        self.elements.swap(at as usize, to as usize);
        self.place[self.elements[at as usize] as usize] = at;
        self.place[element as usize] = to;
        if self.marked[set] == 0 {
            self.touched.push(set as u32);
        }
        self.marked[set] += 1;
    }

    /// Splits every set with both marked and unmarked elements; the smaller part becomes the new set.
    fn split(&mut self) {
        for set in std::mem::take(&mut self.touched) {
            let set = set as usize;
            let middle = self.first[set] + std::mem::take(&mut self.marked[set]);
            if middle == self.past[set] {
                continue;
            }
            let (first, past);
            if middle - self.first[set] <= self.past[set] - middle {
                (first, past) = (self.first[set], middle);
                self.first[set] = middle;
            } else {
                (first, past) = (middle, self.past[set]);
                self.past[set] = middle;
            }
            let new = self.first.len() as u32;
            self.first.push(first);
            self.past.push(past);
            self.marked.push(0);
            for at in first..past {
                self.set_of[self.elements[at as usize] as usize] = new;
            }
        }
    }

    fn members(&self, set: usize) -> std::ops::Range<usize> {
        self.first[set] as usize..self.past[set] as usize
    }
}

/// The block of each state.
fn refine<E>(
    dfa: &Dfa,
    edges: &[(Label, u32, u32)],
    go_on: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut blocks = Partition::new(dfa.states.len());
    for (s, state) in dfa.states.iter().enumerate() {
        if state.is_final {
            blocks.mark(s as u32);
        }
    }
    blocks.split();
    let mut cords = Partition::new(edges.len());
    let mut start = 0;
    for group in edges.chunk_by(|a, b| a.0 == b.0) {
        (start..start + group.len()).for_each(|e| cords.mark(e as u32));
        cords.split();
        start += group.len();
    }
    let mut incoming = vec![Vec::new(); dfa.states.len()];
    for (e, edge) in edges.iter().enumerate() {
        incoming[edge.2 as usize].push(e as u32);
    }
    let (mut block, mut cord) = (1, 0);
    while cord < cords.first.len() {
        if cord % 4096 == 0 {
            go_on()?;
        }
        for at in cords.members(cord) {
            blocks.mark(edges[cords.elements[at] as usize].1);
        }
        blocks.split();
        cord += 1;
        while block < blocks.first.len() {
            for at in blocks.members(block) {
                incoming[blocks.elements[at] as usize]
                    .iter()
                    .for_each(|&e| cords.mark(e));
            }
            cords.split();
            block += 1;
        }
    }
    Ok(blocks.set_of)
}

/// The quotient, numbered breadth-first.
fn renumber(dfa: &Dfa, blocks: &[u32]) -> Dfa {
    let mut representative: HashMap<u32, u32> = HashMap::default();
    for (s, &block) in blocks.iter().enumerate() {
        representative.entry(block).or_insert(s as u32);
    }
    let mut order = vec![blocks[dfa.start as usize]];
    let mut ids = HashMap::from_iter([(order[0], 0u32)]);
    let mut states = Vec::new();
    while let Some(block) = order.get(states.len()) {
        let state = &dfa.states[representative[block] as usize];
        let mut id = |to: u32| {
            *ids.entry(blocks[to as usize]).or_insert_with(|| {
                order.push(blocks[to as usize]);
                order.len() as u32 - 1
            })
        };
        let mut bytes: Vec<(u8, u8, u32)> = Vec::new();
        for &(low, high, to) in &state.bytes {
            let to = id(to);
            match bytes.last_mut() {
                Some(last) if last.2 == to && last.1 as u16 + 1 == low as u16 => last.1 = high,
                _ => bytes.push((low, high, to)),
            }
        }
        let calls = state
            .calls
            .iter()
            .map(|&(machine, to)| (machine, id(to)))
            .collect();
        states.push(DfaState {
            is_final: state.is_final,
            bytes,
            calls,
        });
    }
    Dfa { start: 0, states }
}
