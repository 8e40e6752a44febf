//! Subset construction over bytes and calls.
//!
//! In: an [`Nfa`]. Out: a [`Dfa`] with the same words, whose states are all reachable.

use rustc_hash::FxHashMap as HashMap;

use super::{Blowup, Dfa, DfaState, Label, MachineId, Nfa};
use crate::limits::Deadline;

/// Members of subsets for each state that is allowed: a bound on memory and on work that does not depend on the machine.
const MEMBERS: usize = 32;

/// Makes `nfa` deterministic with at most `budget` states.
pub fn determinize(nfa: &Nfa, budget: usize, deadline: &Deadline) -> Result<Dfa, Blowup> {
    let mut subsets = Subsets {
        nfa,
        ids: HashMap::default(),
        singles: vec![u32::MAX; nfa.states.len()],
        queue: Vec::new(),
        mark: vec![0; nfa.states.len()],
        round: 0,
        members: 0,
    };
    subsets.intern(vec![nfa.start]);
    let mut dfa = Dfa::default();
    while let Some(subset) = subsets.queue.get(dfa.states.len()).cloned() {
        if subsets.queue.len() > budget || subsets.members > budget.saturating_mul(MEMBERS) {
            return Err(Blowup::States);
        }
        if dfa.states.len() % 256 == 0 {
            deadline
                .check("determinizing a rule")
                .map_err(Blowup::Time)?;
        }
        dfa.states.push(subsets.state(&subset));
    }
    Ok(dfa)
}

struct Subsets<'a> {
    nfa: &'a Nfa,
    ids: HashMap<Vec<u32>, u32>,
    /// The ids of closures of single states.
    singles: Vec<u32>,
    queue: Vec<Vec<u32>>,
    mark: Vec<u32>,
    round: u32,
    /// Of all subsets together.
    members: usize,
}

impl Subsets<'_> {
    /// The id of the closure of `seeds` under empty edges. States that only pass on are left out of the
    /// subset's identity, so that equal subsets are found equal sooner.
    fn intern(&mut self, seeds: Vec<u32>) -> u32 {
        self.round += 1;
        let mut stack = seeds;
        let mut closed = Vec::new();
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut self.mark[state as usize], self.round) == self.round {
                continue;
            }
            let node = &self.nfa.states[state as usize];
            if node.is_final || !node.edges.is_empty() {
                closed.push(state);
            }
            stack.extend(&node.empty);
        }
        closed.sort_unstable();
        if let Some(&id) = self.ids.get(&closed) {
            return id;
        }
        let id = self.queue.len() as u32;
        self.members += closed.len();
        self.ids.insert(closed.clone(), id);
        self.queue.push(closed);
        id
    }

    fn state(&mut self, subset: &[u32]) -> DfaState {
        let mut bytes: Vec<(u8, u8, u32)> = Vec::new();
        let mut calls: Vec<(MachineId, u32)> = Vec::new();
        let mut is_final = false;
        for &member in subset {
            let node = &self.nfa.states[member as usize];
            is_final |= node.is_final;
            for &(label, to) in &node.edges {
                match label {
                    Label::Bytes(low, high) => bytes.push((low, high, to)),
                    Label::Call(machine) => calls.push((machine, to)),
                }
            }
        }
        calls.sort_unstable();
        DfaState {
            is_final,
            bytes: self.byte_edges(&mut bytes),
            calls: self.call_edges(&calls),
        }
    }

    /// Splits overlapping ranges at their ends and joins neighbours that lead to the same subset.
    fn byte_edges(&mut self, edges: &mut [(u8, u8, u32)]) -> Vec<(u8, u8, u32)> {
        edges.sort_unstable();
        if edges.windows(2).all(|pair| pair[0].1 < pair[1].0) {
            let mut out = Vec::with_capacity(edges.len());
            for &mut (low, high, to) in edges {
                let to = self.single(to);
                append(&mut out, (low, high, to));
            }
            return out;
        }
        let mut cuts: Vec<u16> = edges
            .iter()
            .flat_map(|&(low, high, _)| [low as u16, high as u16 + 1])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut out: Vec<(u8, u8, u32)> = Vec::new();
        for pair in cuts.windows(2) {
            let (low, high) = (pair[0] as u8, (pair[1] - 1) as u8);
            let mut targets: Vec<u32> = edges
                .iter()
                .filter(|e| e.0 <= low && high <= e.1)
                .map(|e| e.2)
                .collect();
            if targets.is_empty() {
                continue;
            }
            targets.sort_unstable();
            targets.dedup();
            let to = self.intern(targets);
            append(&mut out, (low, high, to));
        }
        out
    }

    fn call_edges(&mut self, sorted: &[(MachineId, u32)]) -> Vec<(MachineId, u32)> {
        let groups = sorted.chunk_by(|a, b| a.0 == b.0);
        groups
            .map(|group| match group {
                [(machine, to)] => (*machine, self.single(*to)),
                _ => (group[0].0, self.intern(group.iter().map(|e| e.1).collect())),
            })
            .collect()
    }

    /// The id of the closure of one state.
    fn single(&mut self, state: u32) -> u32 {
        if self.singles[state as usize] == u32::MAX {
            self.singles[state as usize] = self.intern(vec![state]);
        }
        self.singles[state as usize]
    }
}

/// Adds an edge, or lets the last one reach as far as this.
fn append(edges: &mut Vec<(u8, u8, u32)>, (low, high, to): (u8, u8, u32)) {
    match edges.last_mut() {
        Some(last) if last.2 == to && last.1 as u16 + 1 == low as u16 => last.1 = high,
        _ => edges.push((low, high, to)),
    }
}
