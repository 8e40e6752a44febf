//! The cost of reaching the end of a machine.
//!
//! In: [`Positions`]. Out: [`Completion`]: the cost of the position that is furthest from the end
//! of its machine, along its cheapest way.

use std::collections::VecDeque;

use super::positions::Positions;
use crate::csr::Csr;

/// The cost of reaching the end of each machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Symbols.
    pub symbols: u32,
    /// Calls within calls.
    pub depth: u32,
}

impl Completion {
    fn after_symbol(self) -> Self {
        Completion {
            symbols: self.symbols.saturating_add(1),
            ..self
        }
    }

    /// With a call before it.
    fn after(self, callee: Self) -> Self {
        Completion {
            symbols: self.symbols.saturating_add(callee.symbols),
            depth: self.depth.max(callee.depth.saturating_add(1)),
        }
    }

    fn min(self, other: Self) -> Self {
        Completion {
            symbols: self.symbols.min(other.symbols),
            depth: self.depth.min(other.depth),
        }
    }

    fn max(self, other: Self) -> Self {
        Completion {
            symbols: self.symbols.max(other.symbols),
            depth: self.depth.max(other.depth),
        }
    }
}

impl Positions {
    /// The greatest cost of the cheapest way from any position to the end of its machine, in
    /// symbols and in calls within calls. The ways need not be the same.
    pub fn completions(&self) -> Completion {
        let mut known: Vec<Option<Completion>> = vec![None; self.nodes.len()];
        let users = self.users();
        let is_end = |&at: &u32| {
            let is_final = self.nodes[at as usize].is_final;
            is_final || self.steps(at).is_empty() && self.calls(at).is_empty()
        };
        let mut due: VecDeque<u32> = (0..self.nodes.len() as u32).filter(is_end).collect();
        let mut is_due = vec![false; self.nodes.len()];
        while let Some(at) = due.pop_front() {
            is_due[at as usize] = false;
            let best = match is_end(&at) {
                true => Some(Completion::default()),
                false => self.completion(at, &known),
            };
            if best != known[at as usize] {
                known[at as usize] = best;
                let users = users.of(at).iter();
                due.extend(
                    users.filter(|&&user| !std::mem::replace(&mut is_due[user as usize], true)),
                );
            }
        }
        let known = known.into_iter().flatten();
        known.fold(Completion::default(), Completion::max)
    }

    /// For each position those with a way through it.
    fn users(&self) -> Csr {
        let nodes = 0..self.nodes.len() as u32;
        let edges = nodes.flat_map(|from| {
            let calls = self.calls(from).iter();
            let calls = calls.flat_map(|&(machine, resume)| [self.starts[machine.index()], resume]);
            let steps = self.steps(from).iter().map(|step| step.to);
            steps.chain(calls).map(move |to| (to, from))
        });
        Csr::new(self.nodes.len(), edges)
    }

    /// The least completion of a position, by those known of others.
    fn completion(&self, at: u32, known: &[Option<Completion>]) -> Option<Completion> {
        let known = |at: u32| known[at as usize];
        let steps = (self.steps(at).iter()).filter_map(|step| Some(known(step.to)?.after_symbol()));
        let calls = self.calls(at).iter().filter_map(|&(machine, resume)| {
            let callee = known(self.starts[machine.index()])?;
            Some(known(resume)?.after(callee))
        });
        steps.chain(calls).reduce(Completion::min)
    }
}
