//! Subset construction over bytes and calls.
//!
//! In: an [`Nfa`]. Out: a [`Dfa`] with the same words, whose states are all reachable.

use super::{Blowup, Dfa, MachineId, Nfa};
use crate::csr::Csr;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};

/// How many members all subsets may have, for each state of the budget: a bound on memory and work
/// that is the same on every machine.
const MEMBERS: usize = 32;

/// Steps after which the deadline is told of them. Threads share a deadline, so it is not told of
/// each.
const STEPS: usize = 1 << 11;

/// What is being done.
const DOING: &str = "determinizing a rule";

/// Makes `nfa` deterministic with at most `budget` states.
pub fn determinize(nfa: &Nfa, budget: usize, deadline: &Deadline) -> Result<Dfa, Blowup> {
    let states = nfa.len();
    let mut subsets = Subsets {
        nfa,
        empty: Csr::new(states, nfa.empty.iter().copied()),
        bytes: Csr::new(states, nfa.bytes.iter().copied()),
        calls: Csr::new(states, nfa.calls.iter().copied()),
        all: Sequences::with_capacity(states),
        singles: vec![u32::MAX; states],
        mark: vec![0; states],
        round: 0,
        seeds: Vec::new(),
        stack: Vec::new(),
        closed: Vec::new(),
        members: 0,
        deadline,
        steps: 0,
    };
    deadline.check(DOING).map_err(Blowup::Time)?;
    subsets.intern(&[nfa.start]).map_err(Blowup::Time)?;
    let mut dfa = Dfa::with_capacity(states);
    let (mut bytes, mut calls) = (Vec::new(), Vec::new());
    while dfa.len() < subsets.all.len() {
        if subsets.all.len() > budget || subsets.members > budget.saturating_mul(MEMBERS) {
            return Err(Blowup::States);
        }
        let mut is_final = false;
        for &member in subsets.all.get(dfa.len() as u32) {
            is_final |= nfa.finals[member as usize];
            bytes.extend_from_slice(subsets.bytes.of(member));
            calls.extend_from_slice(subsets.calls.of(member));
        }
        subsets.lead_bytes(&mut bytes).map_err(Blowup::Time)?;
        subsets.lead_calls(&mut calls).map_err(Blowup::Time)?;
        dfa.push(is_final, bytes.drain(..), calls.drain(..));
    }
    Ok(dfa)
}

struct Subsets<'a> {
    nfa: &'a Nfa,
    /// The edges of each of its states.
    empty: Csr,
    bytes: Csr<(u8, u8, u32)>,
    calls: Csr<(MachineId, u32)>,
    /// The subsets met so far.
    all: Sequences<u32>,
    /// The ids of closures of single states.
    singles: Vec<u32>,
    mark: Vec<u32>,
    round: u32,
    /// Scratch for one closure.
    seeds: Vec<u32>,
    stack: Vec<u32>,
    closed: Vec<u32>,
    /// The number of members of all subsets together.
    members: usize,
    deadline: &'a Deadline,
    /// Steps that the deadline was not told of yet.
    steps: usize,
}

/// If the deadline passes.
type InTime<T> = Result<T, LimitExceeded>;

impl Subsets<'_> {
    /// Counts steps.
    fn work(&mut self, steps: usize) -> InTime<()> {
        self.steps += steps;
        if self.steps < STEPS {
            return Ok(());
        }
        self.deadline.ticks(std::mem::take(&mut self.steps), DOING)
    }

    /// The id of the closure of `seeds` under empty edges. States that only have empty edges are
    /// left out of the key of a subset, so that more subsets are found to be equal.
    fn intern(&mut self, seeds: &[u32]) -> InTime<u32> {
        let mut steps = seeds.len();
        self.round += 1;
        self.closed.clear();
        self.stack.extend_from_slice(seeds);
        while let Some(state) = self.stack.pop() {
            if std::mem::replace(&mut self.mark[state as usize], self.round) == self.round {
                continue;
            }
            let is_end = self.bytes.of(state).is_empty() && self.calls.of(state).is_empty();
            if self.nfa.finals[state as usize] || !is_end {
                self.closed.push(state);
            }
            let next = self.empty.of(state);
            steps += 1 + next.len();
            self.stack.extend_from_slice(next);
        }
        self.work(steps)?;
        self.closed.sort_unstable();
        let before = self.all.len();
        let id = self.all.intern(&self.closed);
        if self.all.len() > before {
            self.members += self.closed.len();
        }
        Ok(id)
    }

    /// Turns the edges of the members into edges to subsets: overlapping ranges are split at their
    /// ends, and neighbours with the same target are joined.
    fn lead_bytes(&mut self, edges: &mut Vec<(u8, u8, u32)>) -> InTime<()> {
        self.work(edges.len())?;
        edges.sort_unstable();
        if edges.is_sorted_by(|before, after| before.1 < after.0) {
            for edge in edges.iter_mut() {
                edge.2 = self.single(edge.2)?;
            }
        } else if edges.is_sorted_by(|a, b| a.1 < b.0 || (a.0, a.1) == (b.0, b.1)) {
            let groups = edges.chunk_by(|a, b| a.0 == b.0);
            let joined =
                groups.map(|group| Ok((group[0].0, group[0].1, self.joined(group, |e| e.2)?)));
            *edges = joined.collect::<InTime<_>>()?;
        } else {
            *edges = self.pieces(edges)?;
        }
        edges.dedup_by(|after, before| {
            let joins = before.2 == after.2 && before.1 as u16 + 1 == after.0 as u16;
            if joins {
                before.1 = after.1;
            }
            joins
        });
        Ok(())
    }

    /// Edges over the pieces that ranges cut each other into.
    fn pieces(&mut self, edges: &[(u8, u8, u32)]) -> InTime<Vec<(u8, u8, u32)>> {
        let mut cuts: Vec<u16> = edges
            .iter()
            .flat_map(|&(low, high, _)| [low as u16, high as u16 + 1])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut targets = Vec::new();
        let mut pieces = Vec::with_capacity(cuts.len());
        for pair in cuts.windows(2) {
            let (low, high) = (pair[0] as u8, (pair[1] - 1) as u8);
            self.work(edges.len())?;
            let over = edges.iter().filter(|e| e.0 <= low && high <= e.1);
            targets.clear();
            targets.extend(over.map(|e| e.2));
            match targets[..] {
                [] => continue,
                [only] => pieces.push((low, high, self.single(only)?)),
                _ => pieces.push((low, high, self.intern(&targets)?)),
            }
        }
        Ok(pieces)
    }

    /// The same for calls, of which there may be several of one machine.
    fn lead_calls(&mut self, calls: &mut Vec<(MachineId, u32)>) -> InTime<()> {
        calls.sort_unstable();
        if calls.is_sorted_by(|before, after| before.0 < after.0) {
            for call in calls.iter_mut() {
                call.1 = self.single(call.1)?;
            }
            return Ok(());
        }
        let groups = calls.chunk_by(|a, b| a.0 == b.0);
        let joined = groups.map(|group| Ok((group[0].0, self.joined(group, |e| e.1)?)));
        *calls = joined.collect::<InTime<_>>()?;
        Ok(())
    }

    /// The id of the closure of the states that edges lead to.
    fn joined<E>(&mut self, edges: &[E], to: impl Fn(&E) -> u32) -> InTime<u32> {
        match edges {
            [only] => self.single(to(only)),
            _ => {
                let mut seeds = std::mem::take(&mut self.seeds);
                seeds.clear();
                seeds.extend(edges.iter().map(to));
                let id = self.intern(&seeds);
                self.seeds = seeds;
                id
            }
        }
    }

    /// The id of the closure of one state.
    fn single(&mut self, state: u32) -> InTime<u32> {
        if self.singles[state as usize] == u32::MAX {
            self.singles[state as usize] = self.intern(&[state])?;
        }
        Ok(self.singles[state as usize])
    }
}
