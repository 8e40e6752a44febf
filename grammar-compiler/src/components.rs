//! Strongly connected components of a graph, by Kosaraju's algorithm.
//!
//! In: edges between nodes `0..count`. Out: the components. What holds after: a component comes
//! behind those that it leads to; the order of components and of their nodes depends on the order
//! of the edges only. Nothing recurses, since a path may be as long as a grammar.

use crate::bits::Bits;
use crate::csr::Csr;

/// The components of a graph.
pub(crate) fn components(count: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    // Later edges are followed first, and those that are pushed last.
    let backwards = Csr::new(count, edges.iter().rev().map(|&(from, to)| (to, from)));
    let mut finished = Vec::with_capacity(count);
    let (mut seen, mut done) = (Bits::default(), Bits::default());
    let mut stack = Vec::new();
    for start in 0..count as u32 {
        if seen.contains(start as usize) {
            continue;
        }
        stack.push(start);
        while let Some(&node) = stack.last() {
            if seen.insert(node as usize) {
                let before = backwards.of(node).iter();
                stack.extend(before.filter(|&&node| !seen.contains(node as usize)));
            } else {
                stack.pop();
                if done.insert(node as usize) {
                    finished.push(node);
                }
            }
        }
    }
    let forwards = Csr::new(count, edges.iter().rev().copied());
    let mut seen = Bits::default();
    let mut components = Vec::new();
    for start in finished.into_iter().rev() {
        let mut component = Vec::new();
        stack.push(start);
        while let Some(node) = stack.pop() {
            if seen.insert(node as usize) {
                let next = forwards.of(node).iter();
                stack.extend(next.filter(|&&node| !seen.contains(node as usize)));
                component.push(node);
            }
        }
        if !component.is_empty() {
            components.push(component);
        }
    }
    components
}

/// Those of the components that hold a cycle.
pub(crate) fn cycles(count: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut to_itself = Bits::default();
    for &(from, _) in edges.iter().filter(|(from, to)| from == to) {
        to_itself.insert(from as usize);
    }
    let mut found = components(count, edges);
    found.retain(|component| component.len() > 1 || to_itself.contains(component[0] as usize));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cycles_come_behind_those_that_they_lead_to() {
        let edges = [
            (0, 1),
            (1, 0),
            (1, 2),
            (2, 3),
            (3, 2),
            (3, 4),
            (4, 4),
            (5, 4),
        ];
        let sorted = |mut found: Vec<Vec<u32>>| {
            found.iter_mut().for_each(|nodes| nodes.sort_unstable());
            found
        };
        let cycles = sorted(cycles(7, &edges));
        assert_eq!(cycles, [vec![4], vec![2, 3], vec![0, 1]]);
        assert_eq!(components(7, &edges).len(), 5);
        assert!(components(0, &[]).is_empty());
    }

    proptest! {
        /// Two nodes are in one component if and only if each leads to the other.
        #[test]
        fn components_are_those_of_reachability(
            edges in prop::collection::vec((0u32..9, 0u32..9), 0..24)
        ) {
            let mut leads = [[false; 9]; 9];
            (0..9).for_each(|node| leads[node][node] = true);
            edges.iter().for_each(|&(from, to)| leads[from as usize][to as usize] = true);
            for by in 0..9 {
                for from in 0..9 {
                    for to in 0..9 {
                        leads[from][to] |= leads[from][by] && leads[by][to];
                    }
                }
            }
            let found = components(9, &edges);
            let mut place = [9; 9];
            for (at, nodes) in found.iter().enumerate() {
                nodes.iter().for_each(|&node| place[node as usize] = at);
            }
            for from in 0..9 {
                for to in 0..9 {
                    let together = leads[from][to] && leads[to][from];
                    prop_assert_eq!(place[from] == place[to], together);
                    prop_assert!(!leads[from][to] || place[from] >= place[to]);
                }
            }
        }
    }
}
