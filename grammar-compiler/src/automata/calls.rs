//! Which machine calls which.
//!
//! In: the bodies of machines. Out: [`Calls`], which is updated as bodies change; the cycles of the
//! graph of calls; and an order with callees first.

use crate::maps::IdMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

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
        self.0[m.place()] = calls(body);
    }

    /// The calls of `m`, once for each state that they lead to, ascending.
    pub(super) fn of(&self, m: MachineId) -> impl Iterator<Item = MachineId> {
        self.0[m.place()].iter().map(|call| call.0)
    }

    /// The machines that `m` calls, ascending.
    pub(super) fn callees(&self, m: MachineId) -> impl Iterator<Item = MachineId> {
        let calls = self.0[m.place()].chunk_by(|a, b| a.0 == b.0);
        calls.map(|calls| calls[0].0)
    }

    /// Whether `m` calls `callee`.
    pub(super) fn is_calling(&self, m: MachineId, callee: MachineId) -> bool {
        self.callees(m).any(|c| c == callee)
    }

    /// The graph of calls between `members`, of those callees that `edge` chooses.
    fn graph(
        &self,
        members: &[MachineId],
        edge: impl Fn(MachineId) -> bool,
    ) -> DiGraph<MachineId, ()> {
        let mut graph = DiGraph::new();
        let nodes: IdMap<MachineId, NodeIndex> =
            members.iter().map(|&m| (m, graph.add_node(m))).collect();
        for &m in members {
            for callee in self.callees(m).filter(|&c| edge(c)) {
                if let (Some(&from), Some(&to)) = (nodes.get(&m), nodes.get(&callee)) {
                    graph.add_edge(from, to, ());
                }
            }
        }
        graph
    }

    /// Components of that graph that hold a cycle; callees before callers. This is not Tarjan's
    /// algorithm, which in petgraph recurses for each machine on a path.
    pub(super) fn cycles(
        &self,
        members: &[MachineId],
        edge: impl Fn(MachineId) -> bool,
    ) -> Vec<Vec<MachineId>> {
        let graph = self.graph(members, edge);
        let is_cyclic =
            |c: &Vec<NodeIndex>| c.len() > 1 || c.iter().any(|&n| graph.contains_edge(n, n));
        kosaraju_scc(&graph)
            .into_iter()
            .filter(is_cyclic)
            .map(|c| c.into_iter().map(|n| graph[n]).collect())
            .collect()
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
            if !std::mem::replace(&mut live[m.place()], true) {
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
        let graph = self.graph(members, edge);
        let components = kosaraju_scc(&graph).into_iter().flatten();
        components.map(|n| graph[n]).collect()
    }
}

fn calls(body: &Dfa) -> Vec<(MachineId, u32)> {
    let mut calls = body.calls().to_vec();
    calls.sort_unstable();
    calls.dedup();
    calls
}
