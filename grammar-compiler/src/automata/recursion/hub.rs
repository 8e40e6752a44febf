//! Cycles of calls that all go through one machine.
//!
//! In: machines that call each other. Out: the same texts. What holds after: if one machine, the *hub*,
//! is on every cycle among them, it has the bodies of all others, and calls none of them. A rule
//! with its operators in rules of their own is then the same as one with its operators inline:
//!
//! ```text
//! e ::= add | mul | [0-9]+     add ::= e "+" e     mul ::= e "*" e
//! ```
//!
//! It matters that this comes before self-recursion becomes loops. Once `e` is a loop over `mul`,
//! the `e` within `mul` is followed by more, and is no tail call.

use std::cmp::Reverse;

use super::super::inline;
use super::super::{Machine, MachineId};
use super::Eliminator;
use crate::limits::LimitExceeded;
use crate::maps::IdMap;

/// A hub is looked for among at most so many machines: each is tried.
const MOST_MEMBERS: usize = 64;
/// The most states that a hub may have with the bodies of all others.
const HUB_SIZE: u64 = 4_096;

impl Eliminator<'_> {
    /// Inlines all other members into a machine that is on every cycle among them. Whether there is
    /// one, and others.
    pub(super) fn inline_into_hub(&mut self, members: &[MachineId]) -> Result<bool, LimitExceeded> {
        let Some(hub) = self.hub(members)? else {
            return Ok(false);
        };
        let Machine { name, body } = &self.machines[hub.index()];
        let nfa = inline::inline(body, &self.machines, |m| m != hub && members.contains(&m));
        self.put(hub, self.bounds.minimal(&nfa, name)?);
        Ok(true)
    }

    /// The member that is on every cycle and is called from most states, if it is not too large
    /// with the others in it.
    fn hub(&self, members: &[MachineId]) -> Result<Option<MachineId>, LimitExceeded> {
        if !(2..=MOST_MEMBERS).contains(&members.len()) {
            return Ok(None);
        }
        let mut callers: IdMap<MachineId, usize> = IdMap::default();
        for callee in members.iter().flat_map(|&m| self.calls.of(m)) {
            *callers.entry(callee).or_default() += 1;
        }
        let mut hubs = Vec::new();
        for &hub in members {
            let steps = callers.values().sum();
            self.bounds.deadline.ticks(steps, super::cycle::DOING)?;
            let others: Vec<MachineId> = members.iter().copied().filter(|&m| m != hub).collect();
            if self.cycles(&others).is_empty() {
                hubs.push(hub);
            }
        }
        let hub = hubs
            .into_iter()
            .max_by_key(|hub| (callers.get(hub).copied(), Reverse(*hub)));
        Ok(hub.filter(|&hub| self.size_with(hub, members) <= HUB_SIZE))
    }

    /// How many states a hub would have with the other members in it, at most.
    fn size_with(&self, hub: MachineId, members: &[MachineId]) -> u64 {
        let is_other = |m: MachineId| m != hub && members.contains(&m);
        let mut sizes: IdMap<MachineId, u64> = IdMap::default();
        for m in self.calls.in_order(members, is_other) {
            let parts = self.calls.of(m).filter(|&part| is_other(part));
            let parts = parts.map(|part| sizes.get(&part).copied().unwrap_or_default());
            let states = self.machines[m.index()].body.len() as u64;
            sizes.insert(m, parts.fold(states, u64::saturating_add));
        }
        sizes.get(&hub).copied().unwrap_or(u64::MAX)
    }
}
