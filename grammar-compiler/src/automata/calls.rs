//! Which machine calls which.
//!
//! In: the bodies of machines. Out: [`Calls`], which is updated as bodies change; the cycles of the
//! graph of calls; and an order with callees first.

use crate::components::{components, cycles};
use crate::maps::IdMap;

use super::{Dfa, Machine, MachineId};

/// The calls of each machine, once for each state that they lead to, ascending.
pub(super) struct Calls(Vec<Vec<(MachineId, u32)>>);

impl Calls {
    /// The calls of these machines.
    pub(super) fn new(machines: &[Machine]) -> Self {
        Calls(machines.iter().map(|m| calls(&m.body)).collect())
    }

    /// The body of `m` has changed.
    pub(super) fn update(&mut self, m: MachineId, body: &Dfa) {
        self.0[m.index()] = calls(body);
    }

    /// The calls of `m`, once for each state that they lead to, ascending.
    pub(super) fn of(&self, m: MachineId) -> impl Iterator<Item = MachineId> {
        self.0[m.index()].iter().map(|call| call.0)
    }

    /// The machines that `m` calls, ascending.
    pub(super) fn callees(&self, m: MachineId) -> impl Iterator<Item = MachineId> {
        let calls = self.0[m.index()].chunk_by(|a, b| a.0 == b.0);
        calls.map(|calls| calls[0].0)
    }

    /// Whether `m` calls `callee`.
    pub(super) fn is_calling(&self, m: MachineId, callee: MachineId) -> bool {
        self.callees(m).any(|c| c == callee)
    }

    /// The calls between `members`, by their places in the list, of those callees that `edge`
    /// chooses.
    fn graph(&self, members: &[MachineId], edge: impl Fn(MachineId) -> bool) -> Vec<(u32, u32)> {
        let nodes: IdMap<MachineId, u32> = members.iter().copied().zip(0..).collect();
        let mut edges = Vec::new();
        for (from, &m) in (0..).zip(members) {
            let callees = self.callees(m).filter(|&callee| edge(callee));
            let callees = callees.filter_map(|callee| nodes.get(&callee));
            edges.extend(callees.map(|&to| (from, to)));
        }
        edges
    }

    /// Components of that graph that hold a cycle; callees before callers.
    pub(super) fn cycles(
        &self,
        members: &[MachineId],
        edge: impl Fn(MachineId) -> bool,
    ) -> Vec<Vec<MachineId>> {
        let cycles = cycles(members.len(), &self.graph(members, edge));
        let machines = |cycle: Vec<u32>| cycle.into_iter().map(|at| members[at as usize]).collect();
        cycles.into_iter().map(machines).collect()
    }

    /// Machines reachable from `root` by any calls, callees first in that graph.
    pub(super) fn callees_first(
        &self,
        root: MachineId,
        edge: impl Fn(MachineId) -> bool,
    ) -> Vec<MachineId> {
        let mut live = vec![false; self.0.len()];
        let mut stack = vec![root];
        while let Some(m) = stack.pop() {
            if !std::mem::replace(&mut live[m.index()], true) {
                stack.extend(self.callees(m));
            }
        }
        let members: Vec<MachineId> = (0..)
            .map(MachineId::new)
            .zip(live)
            .filter(|(_, live)| *live)
            .map(|(m, _)| m)
            .collect();
        self.in_order(&members, edge)
    }

    /// These machines, callees first in that graph.
    pub(super) fn in_order(
        &self,
        members: &[MachineId],
        edge: impl Fn(MachineId) -> bool,
    ) -> Vec<MachineId> {
        let components = components(members.len(), &self.graph(members, edge));
        let places = components.into_iter().flatten();
        places.map(|at| members[at as usize]).collect()
    }
}

fn calls(body: &Dfa) -> Vec<(MachineId, u32)> {
    let mut calls = body.calls().to_vec();
    calls.sort_unstable();
    calls.dedup();
    calls
}
