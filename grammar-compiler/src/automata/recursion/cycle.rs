//! Breaks the cycles of calls.
//!
//! In: machines that call each other. Out: the same texts. What holds after: each cycle of calls
//! goes through a machine that is called. The members of a cycle are looked at when they have
//! changed, so that a cycle of n rules takes little more than n steps.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::maps::IdMap;

use super::super::inline;
use super::super::{Machine, MachineId};
use super::{Eliminator, INLINE_SIZE};
use crate::limits::LimitExceeded;

/// What is being done.
pub(super) const DOING: &str = "eliminating recursion";

/// Machines of which each calls itself by way of every other.
struct Cycle {
    /// The members that call each member, itself included.
    callers: IdMap<MachineId, BTreeSet<MachineId>>,
    /// The members that do not call themselves, by size.
    plain: BTreeSet<(usize, MachineId)>,
    /// The members with delimiters of their own.
    delimited: BTreeSet<MachineId>,
    /// The members that have changed, or are new.
    changed: BTreeSet<MachineId>,
}

impl Cycle {
    fn new(members: Vec<MachineId>) -> Self {
        let callers = members.iter().map(|&m| (m, BTreeSet::new()));
        Cycle {
            callers: callers.collect(),
            plain: BTreeSet::new(),
            delimited: BTreeSet::new(),
            changed: members.into_iter().collect(),
        }
    }

    fn members(&self) -> Vec<MachineId> {
        let mut members: Vec<MachineId> = self.callers.keys().copied().collect();
        members.sort_unstable();
        members
    }

    /// Whether a cycle is left among the members, which reach each other if there are several.
    fn is_left(&self) -> bool {
        match self.callers.iter().next() {
            Some((m, callers)) if self.callers.len() == 1 => callers.contains(m),
            Some(_) => true,
            None => false,
        }
    }
}

impl Eliminator<'_> {
    /// Until no cycle is left: calls the machines on it that have delimiters of their own, inlines
    /// all others into one that is on every cycle, or works on the members one by one.
    pub(super) fn break_cycles(&mut self) -> Result<(), LimitExceeded> {
        let mut pending = self.cycles(&self.all());
        while let Some(members) = pending.pop() {
            self.bounds.deadline.check(DOING)?;
            let left = match self.call_delimited(&members) || self.inline_into_hub(&members)? {
                true => members,
                false => self.break_cycle(Cycle::new(members))?,
            };
            pending.extend(self.cycles(&left));
        }
        Ok(())
    }

    /// Calls the members with delimiters of their own. Whether there are some.
    fn call_delimited(&mut self, members: &[MachineId]) -> bool {
        let delimited = members.iter().copied().filter(|&m| self.is_delimited(m));
        let delimited: Vec<MachineId> = delimited.collect();
        for m in &delimited {
            self.called[m.index()] = true;
        }
        !delimited.is_empty()
    }

    /// Turns self-recursion into loops, inlines a machine that does not call itself into the
    /// others, and calls one where all call themselves, until the members may no longer reach each
    /// other. The members that are left.
    fn break_cycle(&mut self, mut cycle: Cycle) -> Result<Vec<MachineId>, LimitExceeded> {
        loop {
            self.bounds.deadline.check(DOING)?;
            if !self.simplify_changed(&mut cycle)? {
                return Ok(cycle.members());
            }
            if !cycle.is_left() {
                return Ok(Vec::new());
            }
            if !cycle.delimited.is_empty() {
                for m in &cycle.delimited {
                    self.called[m.index()] = true;
                }
                return Ok(cycle.members());
            }
            match cycle.plain.first() {
                Some(&(size, m)) if size < INLINE_SIZE => {
                    if !self.inline_into(m, &mut cycle)? {
                        return Ok(cycle.members());
                    }
                }
                _ => {
                    let calls = self.calls_of(&cycle).into_iter();
                    let most = calls.max_by_key(|&(m, calls)| (calls, Reverse(m)));
                    most.into_iter()
                        .for_each(|(m, _)| self.called[m.index()] = true);
                    return Ok(cycle.members());
                }
            }
        }
    }

    /// Turns the self-recursion of the members that have changed into loops. Whether they still
    /// call the other members that they called.
    fn simplify_changed(&mut self, cycle: &mut Cycle) -> Result<bool, LimitExceeded> {
        let mut still = true;
        for m in std::mem::take(&mut cycle.changed) {
            self.bounds.deadline.tick(DOING)?;
            let before = self.called_members(m, cycle);
            self.simplify(m)?;
            let after = self.called_members(m, cycle);
            let others = |callees: &[MachineId]| -> Vec<MachineId> {
                callees.iter().copied().filter(|&c| c != m).collect()
            };
            still &= others(&before) == others(&after);
            for callee in before {
                cycle.callers.entry(callee).or_default().remove(&m);
            }
            for &callee in &after {
                cycle.callers.entry(callee).or_default().insert(m);
            }
            if !after.contains(&m) {
                cycle.plain.insert((self.machines[m.index()].body.len(), m));
            }
            if self.is_delimited(m) {
                cycle.delimited.insert(m);
            }
        }
        Ok(still)
    }

    /// The members that `m` calls and that are not called machines.
    fn called_members(&self, m: MachineId, cycle: &Cycle) -> Vec<MachineId> {
        let callees = self.calls.callees(m);
        callees
            .filter(|c| cycle.callers.contains_key(c) && !self.called[c.index()])
            .collect()
    }

    /// Inlines `m` into the members that call it, and takes it out. Whether each of these calls
    /// what it called and what `m` called, so that all still reach each other.
    fn inline_into(&mut self, m: MachineId, cycle: &mut Cycle) -> Result<bool, LimitExceeded> {
        let mut still = true;
        let own: BTreeSet<MachineId> = self.called_members(m, cycle).into_iter().collect();
        let callers = cycle.callers.get(&m).cloned().unwrap_or_default();
        for other in callers.into_iter().filter(|&other| other != m) {
            let before = self.called_members(other, cycle);
            let Machine { name, body } = &self.machines[other.index()];
            let size = body.len();
            let nfa = inline::inline(body, &self.machines, |c| c == m);
            self.put(other, self.bounds.minimal(&nfa, name)?);
            let expected: BTreeSet<MachineId> = (before.iter().copied().chain(own.iter().copied()))
                .filter(|&c| c != m)
                .collect();
            let after = self.called_members(other, cycle);
            still &= expected.iter().eq(&after);
            cycle.plain.remove(&(size, other));
            cycle.delimited.remove(&other);
            for callee in after {
                cycle.callers.entry(callee).or_default().insert(other);
            }
            cycle.changed.insert(other);
        }
        cycle.callers.remove(&m);
        let size = self.machines[m.index()].body.len();
        cycle.plain.remove(&(size, m));
        cycle.plain.retain(|member| member.1 != m);
        for callee in own {
            if let Some(callers) = cycle.callers.get_mut(&callee) {
                callers.remove(&m);
            }
        }
        Ok(still)
    }

    /// For each member the number of states of members that call it.
    fn calls_of(&self, cycle: &Cycle) -> IdMap<MachineId, usize> {
        let mut calls: IdMap<MachineId, usize> = cycle.callers.keys().map(|&m| (m, 0)).collect();
        // In no order: they are counted.
        let bodies = cycle.callers.keys().map(|m| &self.machines[m.index()].body);
        bodies.flat_map(|body| body.states()).for_each(|state| {
            // The calls of a state are of different machines.
            for (callee, _) in state.calls {
                if let Some(count) = calls.get_mut(callee) {
                    *count += 1;
                }
            }
        });
        calls
    }
}
