//! What strings a set holds: lengths, the shortest one, all of them.

use std::collections::VecDeque;

use super::Language;
use crate::lengths::{Lengths, NEVER, UNBOUNDED};

impl Language {
    /// The shortest and the longest length in characters; no longest one if there is no bound, and
    /// nothing if the set is empty.
    pub fn lengths(&self) -> Option<(u64, Option<u64>)> {
        let rests = self.rests();
        let (shortest, longest) = (rests.least(0), rests.greatest(0));
        if shortest == NEVER {
            return None;
        }
        let longest = (longest != UNBOUNDED).then(|| longest.into());
        Some((shortest.into(), longest))
    }

    /// How many characters may follow behind each state.
    fn rests(&self) -> Lengths {
        let states = self.states().iter();
        let states = states.map(|state| (state.is_final, state.edges.iter().map(|edge| edge.2)));
        Lengths::new(states, |_| true)
    }

    /// A shortest string: of the shortest, the first in the order of code points.
    pub fn shortest(&self) -> Option<String> {
        // Breadth-first over sorted edges: the first way to a state is the least of its length.
        let mut way: Vec<Option<(u32, char)>> = vec![None; self.states().len()];
        let mut queue = VecDeque::from([0u32]);
        while let Some(state) = queue.pop_front() {
            if self.states()[state as usize].is_final {
                let mut text = Vec::new();
                let mut at = state;
                while let (true, Some((from, c))) = (at != 0, way[at as usize]) {
                    text.push(c);
                    at = from;
                }
                return Some(text.iter().rev().collect());
            }
            for &(low, _, to) in &self.states()[state as usize].edges {
                if to != 0 && way[to as usize].is_none() {
                    way[to as usize] = Some((state, low));
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// All strings in order, if there are no more than `at_most`.
    pub fn words(&self, at_most: usize) -> Option<Vec<String>> {
        let order = self.topological()?;
        let mut counts = vec![0u64; self.states().len()];
        for state in order {
            let state_of = &self.states()[state as usize];
            counts[state as usize] = state_of.edges.iter().fold(
                u64::from(state_of.is_final),
                |sum, &(low, high, to)| {
                    let width = (low..=high).size_hint().0 as u64;
                    sum.saturating_add(width.saturating_mul(counts[to as usize]))
                },
            );
        }
        (counts[0] <= at_most as u64).then(|| self.all_words())
    }

    /// All strings of a finite set.
    fn all_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        // What is still to be visited: a state, and how it was reached.
        let mut stack = vec![(0u32, String::new())];
        while let Some((state, text)) = stack.pop() {
            let state = &self.states()[state as usize];
            for &(low, high, to) in state.edges.iter().rev() {
                for c in (low..=high).rev() {
                    let mut longer = text.clone();
                    longer.push(c);
                    stack.push((to, longer));
                }
            }
            if state.is_final {
                words.push(text);
            }
        }
        words
    }

    /// The states, each after those that it leads to; `None` if some string can be pumped.
    fn topological(&self) -> Option<Vec<u32>> {
        let mut incoming = vec![0u32; self.states().len()];
        let edges = self.states().iter().flat_map(|s| &s.edges);
        edges.for_each(|e| incoming[e.2 as usize] += 1);
        let mut order: Vec<u32> = Vec::new();
        order.extend((incoming.first() == Some(&0)).then_some(0));
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            for e in &self.states()[state as usize].edges {
                incoming[e.2 as usize] -= 1;
                if incoming[e.2 as usize] == 0 {
                    order.push(e.2);
                }
            }
        }
        order.reverse();
        (order.len() == self.states().len()).then_some(order)
    }
}
