//! Which states of an automaton are equal.
//!
//! Blocks of states are split until the states of each lead to the same blocks. When a block is
//! split, its largest part keeps its number, and only states that lead into another part are looked
//! at again: each state is renumbered at most logarithmically often.

use crate::budget::Budget;
use crate::determinize::join;
use crate::error::Error;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

/// Where bytes lead from a state: ranges, ascending and disjoint.
pub(crate) type Edges = Vec<(u8, u8, u32)>;

/// For each state the number of its block. States of different colours are never equal.
pub(crate) fn blocks(
    edges: &[&Edges],
    colours: &[u32],
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Error> {
    let mut partition = Partition::new(colours, budget)?;
    let sources = Sources::new(edges, budget)?;
    while let Some(block) = partition.queue.pop_front() {
        let changed = std::mem::take(&mut partition.changed[block as usize]);
        for &state in &changed {
            partition.is_changed[state as usize] = false;
        }
        for state in partition.split(block, &changed, edges, budget)? {
            for &source in sources.of(state) {
                budget.work(1)?;
                partition.change(source);
            }
        }
    }
    Ok(partition.block_of)
}

/// The states that lead to each state.
struct Sources {
    starts: Vec<usize>,
    states: Vec<u32>,
}

impl Sources {
    fn new(edges: &[&Edges], budget: &mut Budget<'_>) -> Result<Sources, Error> {
        let mut starts = vec![0; edges.len() + 1];
        for next in edges {
            budget.store(next.len())?;
            for &(_, _, to) in next.iter() {
                starts[to as usize + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut ends = starts.clone();
        let mut states = vec![0; starts.last().copied().unwrap_or(0)];
        for (state, next) in (0..).zip(edges) {
            budget.work(next.len())?;
            for &(_, _, to) in next.iter() {
                states[ends[to as usize]] = state;
                ends[to as usize] += 1;
            }
        }
        Ok(Sources { starts, states })
    }

    fn of(&self, state: u32) -> &[u32] {
        &self.states[self.starts[state as usize]..self.starts[state as usize + 1]]
    }
}

struct Partition {
    block_of: Vec<u32>,
    /// The states of each block, and where each state is in its list.
    members: Vec<Vec<u32>>,
    places: Vec<usize>,
    /// States that lead to a state which has been renumbered, by block.
    changed: Vec<Vec<u32>>,
    is_changed: Vec<bool>,
    /// The blocks that have such states.
    queue: VecDeque<u32>,
}

impl Partition {
    fn new(colours: &[u32], budget: &mut Budget<'_>) -> Result<Partition, Error> {
        let mut partition = Partition {
            block_of: Vec::with_capacity(colours.len()),
            members: Vec::new(),
            places: vec![0; colours.len()],
            changed: Vec::new(),
            is_changed: vec![false; colours.len()],
            queue: VecDeque::new(),
        };
        let mut known: HashMap<u32, u32> = HashMap::new();
        budget.store(colours.len() * 8)?;
        for (state, colour) in (0..).zip(colours) {
            budget.work(1)?;
            let block = *known
                .entry(*colour)
                .or_insert_with(|| partition.add_block());
            partition.block_of.push(block);
            partition.add_member(block, state);
        }
        for state in 0..colours.len() as u32 {
            partition.change(state);
        }
        Ok(partition)
    }

    fn add_block(&mut self) -> u32 {
        self.members.push(Vec::new());
        self.changed.push(Vec::new());
        self.members.len() as u32 - 1
    }

    fn add_member(&mut self, block: u32, state: u32) {
        let members = &mut self.members[block as usize];
        self.places[state as usize] = members.len();
        members.push(state);
    }

    fn change(&mut self, state: u32) {
        if std::mem::replace(&mut self.is_changed[state as usize], true) {
            return;
        }
        let block = self.block_of[state as usize];
        let changed = &mut self.changed[block as usize];
        changed.push(state);
        if changed.len() == 1 {
            self.queue.push_back(block);
        }
    }

    /// Where a state leads, by blocks.
    fn signature(&self, next: &Edges) -> Edges {
        let mut signature = Vec::with_capacity(next.len());
        for &(low, high, to) in next {
            join(&mut signature, (low, high, self.block_of[to as usize]));
        }
        signature
    }

    /// Splits a block by where its states lead, of which only those that `changed` may differ from
    /// the others. Returns the states with a new number.
    fn split(
        &mut self,
        block: u32,
        changed: &[u32],
        edges: &[&Edges],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<u32>, Error> {
        let size = self.members[block as usize].len();
        if size == 1 {
            return Ok(Vec::new());
        }
        let mut sorted: Vec<u32> = changed.to_vec();
        sorted.sort_unstable();
        let is_unchanged = |state: &&u32| sorted.binary_search(state).is_err();
        // The first group has the states that have not changed, if there are any.
        let unchanged = self.members[block as usize]
            .iter()
            .find(is_unchanged)
            .copied();
        let mut groups = self.group(unchanged, &sorted, edges, budget)?;
        let others = size - changed.len();
        let count = |at: usize, group: &Vec<u32>| group.len() + if at == 0 { others } else { 0 };
        let sizes = groups
            .iter()
            .enumerate()
            .map(|(at, group)| (count(at, group), at));
        let largest = sizes
            .max_by_key(|&(size, at)| (size, Reverse(at)))
            .map(|(_, at)| at);
        if others > 0 && largest != Some(0) {
            let members = self.members[block as usize].iter();
            groups[0].extend(members.filter(is_unchanged));
        }
        let mut moved = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            if Some(at) == largest || group.is_empty() {
                continue;
            }
            let new = self.add_block();
            for &state in group {
                budget.work(1)?;
                self.remove_member(block, state);
                self.block_of[state as usize] = new;
                self.add_member(new, state);
            }
            moved.extend_from_slice(group);
        }
        Ok(moved)
    }

    /// The states, by where they lead; first those that lead where `like` does, if there is one.
    fn group(
        &self,
        like: Option<u32>,
        states: &[u32],
        edges: &[&Edges],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        let mut known: HashMap<Edges, usize> = HashMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        if let Some(state) = like {
            known.insert(self.signature(edges[state as usize]), 0);
            groups.push(Vec::new());
        }
        for &state in states {
            let next = edges[state as usize];
            budget.work(next.len() + 1)?;
            let group = *known.entry(self.signature(next)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(state);
        }
        Ok(groups)
    }

    fn remove_member(&mut self, block: u32, state: u32) {
        let place = self.places[state as usize];
        let members = &mut self.members[block as usize];
        members.swap_remove(place);
        if let Some(&other) = members.get(place) {
            self.places[other as usize] = place;
        }
    }
}
