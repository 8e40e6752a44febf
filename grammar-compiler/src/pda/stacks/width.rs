//! The control graph: states and their possible next states.
//!
//! In: a [`Pda`]. Out: the largest number of stacks that descend from the first one, if no split
//! lies on a cycle of the graph.

use super::super::{Pda, StateId};
use crate::components::components;

/// Bounds the number of stacks of `pda`, if the graph does.
pub fn bound(pda: &Pda) -> Option<u32> {
    let edges = control_edges(pda);
    let pairs = edges.iter().flat_map(|(from, next)| {
        let from = from.index() as u32;
        next.iter().map(move |to| (from, to.index() as u32))
    });
    let mut pairs: Vec<(u32, u32)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    let components = components(pda.states.len(), &pairs);
    let mut component = vec![0usize; pda.states.len()];
    for (c, members) in components.iter().enumerate() {
        members.iter().for_each(|&n| component[n as usize] = c);
    }
    let mut leaving: Vec<Vec<&[StateId]>> = vec![Vec::new(); components.len()];
    for (from, next) in &edges {
        let here = component[from.index()];
        if next.len() > 1 && next.iter().any(|&to| component[to.index()] == here) {
            return None;
        }
        leaving[here].push(next);
    }
    // Components come callees first: whatever a component leads to has its width already.
    let mut width = vec![1u32; components.len()];
    for c in 0..components.len() {
        for next in &leaving[c] {
            let others = next
                .iter()
                .map(|&to| component[to.index()])
                .filter(|&to| to != c);
            let sum = others.map(|to| width[to]).fold(0u32, u32::saturating_add);
            width[c] = width[c].max(sum);
        }
    }
    Some(width[component[pda.start.index()]])
}

/// Each state with the next states of each of its leaves.
fn control_edges(pda: &Pda) -> Vec<(StateId, Vec<StateId>)> {
    let mut out = Vec::new();
    for (id, state) in pda.state_ids().zip(&pda.states) {
        for &(_, tree) in &state.edges {
            pda.leaves(tree, &mut |leaf| {
                out.push((id, leaf.iter().map(|a| a.next).collect()))
            });
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
