//! Minimization: trims states that cannot finish, merges equivalent ones, numbers them canonically.
//!
//! In: deterministic states, the first the start. Out: a [`Language`], equal for equal sets.
//!
//! Blocks of states are split by signature (where the edges lead, by block) until none splits.
//! Only states with an edge into a block that got a new number are looked at again, and the largest
//! part of a block keeps its number, so that a state is renumbered at most log n times: Jacobs and
//! Wißmann, *Fast Coalgebraic Bisimilarity Minimization* (2023), section 4.

use super::bounds::TooLarge;
use super::class::{self, Edge};
use super::{Language, State};
use rustc_hash::FxHashMap as HashMap;

/// The language of deterministic `states`, which are sorted and disjoint in their edges.
pub(super) fn minimize(states: Vec<State>) -> Result<Language, TooLarge> {
    let states = trim(states);
    let block = Partition::new(&states).refine(&states);
    let states = renumber(&states, &block);
    TooLarge::check(&states)?;
    Ok(Language::from_canonical(states))
}

/// The language of states that are minimal already but for trimming and numbering.
pub(super) fn canonical(states: Vec<State>) -> Language {
    let states = trim(states);
    let block: Vec<u32> = (0..states.len() as u32).collect();
    Language::from_canonical(renumber(&states, &block))
}

/// Drops edges to states that cannot reach a final one.
fn trim(mut states: Vec<State>) -> Vec<State> {
    let reverse = predecessors(&states);
    let mut live: Vec<bool> = states.iter().map(|s| s.is_final).collect();
    let mut stack: Vec<u32> = (0..states.len() as u32)
        .filter(|&s| live[s as usize])
        .collect();
    while let Some(state) = stack.pop() {
        for &from in reverse.of(state) {
            if !std::mem::replace(&mut live[from as usize], true) {
                stack.push(from);
            }
        }
    }
    for state in &mut states {
        state.edges.retain(|e| live[e.2 as usize]);
    }
    states
}

/// For each state, the states with an edge to it.
struct Predecessors {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Predecessors {
    fn of(&self, state: u32) -> &[u32] {
        let at = state as usize;
        &self.list[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

fn predecessors(states: &[State]) -> Predecessors {
    let mut starts = vec![0u32; states.len() + 1];
    let edges = || {
        (0u32..)
            .zip(states)
            .flat_map(|(from, s)| s.edges.iter().map(move |e| (from, e.2)))
    };
    edges().for_each(|(_, to)| starts[to as usize + 1] += 1);
    (0..states.len()).for_each(|s| starts[s + 1] += starts[s]);
    let mut next = starts.clone();
    let mut list = vec![0; edges().count()];
    for (from, to) in edges() {
        list[next[to as usize] as usize] = from;
        next[to as usize] += 1;
    }
    Predecessors { starts, list }
}

/// A partition of the states into blocks; those of a block that must be looked at stand last in it.
struct Partition {
    order: Vec<u32>,
    place: Vec<u32>,
    block: Vec<u32>,
    blocks: Vec<Block>,
    work: Vec<u32>,
}

/// A block: the states `order[start..end]`; those from `dirty` on must be looked at.
#[derive(Clone, Copy)]
struct Block {
    start: u32,
    dirty: u32,
    end: u32,
}

impl Partition {
    /// Final and other states, all to be looked at.
    fn new(states: &[State]) -> Partition {
        let n = states.len() as u32;
        let mut order: Vec<u32> = (0..n).collect();
        order.sort_by_key(|&s| states[s as usize].is_final);
        let finals = order.partition_point(|&s| !states[s as usize].is_final) as u32;
        let mut partition = Partition {
            place: vec![0; order.len()],
            block: vec![0; order.len()],
            order,
            blocks: Vec::new(),
            work: Vec::new(),
        };
        for (start, end) in [(0, finals), (finals, n)] {
            if start < end {
                partition.work.push(partition.blocks.len() as u32);
                partition.add(start, end);
            }
        }
        let all = partition.blocks.iter_mut();
        all.for_each(|b| b.dirty = b.start);
        partition
    }

    /// Makes `order[start..end]` a block.
    fn add(&mut self, start: u32, end: u32) {
        let id = self.blocks.len() as u32;
        self.blocks.push(Block {
            start,
            dirty: end,
            end,
        });
        self.settle(id);
    }

    /// Notes place and block of the states of a block.
    fn settle(&mut self, id: u32) {
        let Block { start, end, .. } = self.blocks[id as usize];
        for at in start..end {
            let state = self.order[at as usize] as usize;
            self.place[state] = at;
            self.block[state] = id;
        }
    }

    /// Splits until nothing splits; the block of each state.
    fn refine(mut self, states: &[State]) -> Vec<u32> {
        let reverse = predecessors(states);
        while let Some(id) = self.work.pop() {
            let first_new = self.blocks.len() as u32;
            self.split(id, states);
            for new in first_new..self.blocks.len() as u32 {
                let Block { start, end, .. } = self.blocks[new as usize];
                let moved: Vec<u32> = self.order[start as usize..end as usize].to_vec();
                for state in moved {
                    reverse.of(state).iter().for_each(|&from| self.mark(from));
                }
            }
        }
        self.block
    }

    /// Notes that `state` must be looked at.
    fn mark(&mut self, state: u32) {
        let id = self.block[state as usize];
        let block = &mut self.blocks[id as usize];
        let place = self.place[state as usize];
        if place >= block.dirty || block.end - block.start == 1 {
            return;
        }
        if block.dirty == block.end {
            self.work.push(id);
        }
        block.dirty -= 1;
        let other = self.order[block.dirty as usize];
        self.order.swap(place as usize, block.dirty as usize);
        self.place[other as usize] = place;
        self.place[state as usize] = block.dirty;
    }

    /// Splits a block by signature; the largest part keeps the number.
    fn split(&mut self, id: u32, states: &[State]) {
        let Block { start, dirty, end } = self.blocks[id as usize];
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut ids: HashMap<Vec<Edge>, usize> = HashMap::default();
        // The clean states, if any, are alike: one of them stands for all.
        if start < dirty {
            ids.insert(self.signature(self.order[start as usize], states), 0);
            groups.push(Vec::new());
        }
        for at in dirty..end {
            let state = self.order[at as usize];
            let next = groups.len();
            let group = *ids.entry(self.signature(state, states)).or_insert(next);
            if group == next {
                groups.push(Vec::new());
            }
            groups[group].push(state);
        }
        self.blocks[id as usize].dirty = end;
        let mut parts = Vec::new();
        let (mut from, mut at) = (start, dirty);
        for group in &groups {
            for &state in group {
                self.order[at as usize] = state;
                at += 1;
            }
            parts.push((from, at));
            from = at;
        }
        let largest = (0..parts.len()).max_by_key(|&p| parts[p].1 - parts[p].0);
        for (p, &(start, end)) in parts.iter().enumerate() {
            if Some(p) == largest {
                let dirty = end;
                self.blocks[id as usize] = Block { start, dirty, end };
                self.settle(id);
            } else {
                self.add(start, end);
            }
        }
    }

    /// Where the edges of a state lead, by block.
    fn signature(&self, state: u32, states: &[State]) -> Vec<Edge> {
        let edges = &states[state as usize].edges;
        let mut signature = Vec::with_capacity(edges.len());
        for &(low, high, to) in edges {
            class::push(&mut signature, (low, high, self.block[to as usize]));
        }
        signature
    }
}

/// One state a block, numbered breadth-first from the start.
fn renumber(states: &[State], block: &[u32]) -> Vec<State> {
    let mut ids = HashMap::from_iter([(block.first().copied().unwrap_or(0), 0u32)]);
    let mut order = vec![0u32];
    let mut result: Vec<State> = Vec::new();
    while let Some(&from) = order.get(result.len()) {
        let Some(state) = states.get(from as usize) else {
            return vec![State::default()];
        };
        let mut edges = Vec::with_capacity(state.edges.len());
        for &(low, high, to) in &state.edges {
            let id = *ids.entry(block[to as usize]).or_insert_with(|| {
                order.push(to);
                order.len() as u32 - 1
            });
            class::push(&mut edges, (low, high, id));
        }
        edges.shrink_to_fit();
        result.push(State {
            is_final: state.is_final,
            edges,
        });
    }
    result
}
