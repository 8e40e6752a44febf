//! Minimization: trims states that cannot finish, then merges equivalent ones.
//!
//! In: a [`Dfa`]. Out: the minimal one with the same words, its states numbered breadth-first from
//! the start, so that equal languages give equal automata. Partition refinement in O(m log n) for m
//! edges and n states, after Valmari, *Fast brief practical DFA minimization* (2012).

use super::{Dfa, DfaState, MachineId};
use crate::grouped::Grouped;
use crate::limits::{Deadline, LimitExceeded};
use std::borrow::Cow;
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
    let edges = Edges::new(&trimmed);
    let blocks = refine(&trimmed, &edges, go_on)?;
    Ok(renumber(&trimmed, &blocks))
}

/// Keeps the states that are reachable and can reach a final one; empty if the start cannot.
fn trim(dfa: &Dfa) -> Cow<'_, Dfa> {
    let n = dfa.states.len();
    let ways = || (0..).zip(&dfa.states);
    let into = ways().flat_map(|(from, state)| state.targets().map(move |to| (to, from)));
    let reverse = Grouped::new(n, into);
    let finals = ways().filter(|(_, state)| state.is_final);
    let live = reach(n, finals.map(|(s, _)| s).collect(), |s| {
        reverse.of(s).iter().copied()
    });
    if !live[dfa.start as usize] {
        return Cow::Owned(Dfa::default());
    }
    let seen = reach(n, vec![dfa.start], |s| dfa.states[s as usize].targets());
    if live.iter().chain(&seen).all(|&it| it) {
        return Cow::Borrowed(dfa);
    }
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
    Cow::Owned(Dfa {
        start: ids[dfa.start as usize],
        states: states.collect(),
    })
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

/// Edges, those of one label together; ranges are cut so that they are equal or disjoint.
struct Edges {
    /// Where each edge comes from.
    from: Vec<u32>,
    /// Where it leads.
    to: Vec<u32>,
    /// Where the edges of each label end.
    ends: Vec<u32>,
}

impl Edges {
    fn new(dfa: &Dfa) -> Self {
        let mut cuts = [false; 257];
        for &(low, high, _) in dfa.states.iter().flat_map(|s| &s.bytes) {
            cuts[low as usize] = true;
            cuts[high as usize + 1] = true;
        }
        let calls = dfa.states.iter().flat_map(|s| &s.calls);
        let mut machines: Vec<MachineId> = calls.map(|e| e.0).collect();
        machines.sort_unstable();
        machines.dedup();
        // Labels are the first bytes of their ranges, then machines.
        let mut all: Vec<(u32, u32, u32)> = Vec::new();
        for (from, state) in (0..).zip(&dfa.states) {
            for &(low, high, to) in &state.bytes {
                let firsts = (low..=high).filter(|&byte| byte == low || cuts[byte as usize]);
                all.extend(firsts.map(|byte| (byte as u32, from, to)));
            }
            for &(machine, to) in &state.calls {
                let label = 256 + machines.partition_point(|&m| m < machine);
                all.push((label as u32, from, to));
            }
        }
        let labels = 256 + machines.len();
        let of_edges = (0..).zip(&all).map(|(edge, &(label, ..))| (label, edge));
        let of_label = Grouped::new(labels, of_edges);
        let mut edges = Edges {
            from: Vec::with_capacity(all.len()),
            to: Vec::with_capacity(all.len()),
            ends: Vec::new(),
        };
        for group in (0..labels as u32).map(|label| of_label.of(label)) {
            for &edge in group {
                let (_, from, to) = all[edge as usize];
                edges.from.push(from);
                edges.to.push(to);
            }
            if !group.is_empty() {
                edges.ends.push(edges.from.len() as u32);
            }
        }
        edges
    }
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

    /// The partition into runs of neighbours that end where `ends` say.
    fn of_runs(ends: &[u32]) -> Self {
        let mut partition = Partition::new(ends.last().map_or(0, |&end| end as usize));
        if ends.is_empty() {
            return partition;
        }
        let firsts = std::iter::once(0).chain(ends.iter().copied());
        partition.first = firsts.take(ends.len()).collect();
        partition.past = ends.to_vec();
        partition.marked = vec![0; ends.len()];
        for (set, pair) in (0..).zip(partition.first.iter().zip(ends)) {
            partition.set_of[*pair.0 as usize..*pair.1 as usize].fill(set);
        }
        partition
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
    edges: &Edges,
    go_on: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut blocks = Partition::new(dfa.states.len());
    for (s, state) in dfa.states.iter().enumerate() {
        if state.is_final {
            blocks.mark(s as u32);
        }
    }
    blocks.split();
    let mut cords = Partition::of_runs(&edges.ends);
    let incoming = Grouped::new(dfa.states.len(), edges.to.iter().copied().zip(0..));
    let (mut block, mut cord) = (1, 0);
    while cord < cords.first.len() {
        if cord % 4096 == 0 {
            go_on()?;
        }
        for at in cords.members(cord) {
            blocks.mark(edges.from[cords.elements[at] as usize]);
        }
        blocks.split();
        cord += 1;
        while block < blocks.first.len() {
            for at in blocks.members(block) {
                let incoming = incoming.of(blocks.elements[at]);
                incoming.iter().for_each(|&e| cords.mark(e));
            }
            cords.split();
            block += 1;
        }
    }
    Ok(blocks.set_of)
}

/// The quotient, numbered breadth-first.
fn renumber(dfa: &Dfa, blocks: &[u32]) -> Dfa {
    const NONE: u32 = u32::MAX;
    let mut ids = vec![NONE; dfa.states.len()];
    // Of each block the state that was met first.
    let mut order = vec![dfa.start];
    ids[blocks[dfa.start as usize] as usize] = 0;
    let mut states = Vec::new();
    while let Some(&met) = order.get(states.len()) {
        let state = &dfa.states[met as usize];
        let mut id = |to: u32| {
            let id = &mut ids[blocks[to as usize] as usize];
            if *id == NONE {
                *id = order.len() as u32;
                order.push(to);
            }
            *id
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
