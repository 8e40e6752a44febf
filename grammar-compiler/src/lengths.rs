//! How many characters may still follow behind each state of an automaton.
//!
//! In: the states at which a word may end, and the edges, of which some end a character. Out:
//! [`Lengths`]. What holds: both numbers count along ways that lead to an end.

use std::collections::VecDeque;

use crate::csr::Csr;

/// The least number behind a state that leads to no end.
pub(crate) const NEVER: u32 = u32::MAX;
/// The greatest number where there is none.
pub(crate) const UNBOUNDED: u32 = u32::MAX;

/// For each state, how many characters a word may still have there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lengths {
    /// The least numbers; [`NEVER`] if no end can be reached.
    pub(crate) least: Vec<u32>,
    /// The greatest numbers; [`UNBOUNDED`] if a loop can be reached, and then an end.
    pub(crate) greatest: Vec<u32>,
}

impl Lengths {
    /// The numbers for states, each with whether a word may end there and where its edges lead. A
    /// character ends with each edge to a state for which `is_boundary` holds. Linear in the edges.
    pub(crate) fn new<T: Iterator<Item = u32> + Clone>(
        states: impl Iterator<Item = (bool, T)> + Clone,
        is_boundary: impl Fn(u32) -> bool + Copy,
    ) -> Self {
        let numbered = (0..).zip(states);
        let ends = numbered.clone().filter(|(_, of)| of.0).map(|(at, _)| at);
        let edges = (numbered.clone())
            .flat_map(|(from, of)| of.1.map(move |to| (to, (from, is_boundary(to)))));
        let count = numbered.count();
        let before = Csr::new(count, edges);
        let least = least(&before, count, ends);
        let greatest = greatest(&before, &least);
        Lengths { least, greatest }
    }

    /// The least number of characters behind a state.
    pub(crate) fn least(&self, state: u32) -> u32 {
        self.least.get(state as usize).copied().unwrap_or(NEVER)
    }

    /// The greatest number of characters behind a state.
    pub(crate) fn greatest(&self, state: u32) -> u32 {
        (self.greatest.get(state as usize).copied()).unwrap_or(UNBOUNDED)
    }
}

/// A search from the ends, nearest first.
fn least(before: &Csr<(u32, bool)>, count: usize, ends: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut least = vec![NEVER; count];
    let mut pending: VecDeque<(u32, u32)> = ends.map(|state| (state, 0)).collect();
    while let Some((state, characters)) = pending.pop_front() {
        if characters >= least[state as usize] {
            continue;
        }
        least[state as usize] = characters;
        for &(from, is_character) in before.of(state) {
            match is_character {
                true => pending.push_back((from, characters + 1)),
                false => pending.push_front((from, characters)),
            }
        }
    }
    least
}

/// A state is done when all that it leads to are, but for those that lead to no end. States that
/// can reach a loop never are.
fn greatest(before: &Csr<(u32, bool)>, least: &[u32]) -> Vec<u32> {
    let live = || (0..).zip(least).filter(|of| *of.1 != NEVER);
    let mut ahead = vec![0u32; least.len()];
    for (state, _) in live() {
        (before.of(state).iter()).for_each(|&(from, _)| ahead[from as usize] += 1);
    }
    let is_last = |&(state, _): &(u32, &u32)| ahead[state as usize] == 0;
    let mut done: Vec<u32> = live().filter(is_last).map(|of| of.0).collect();
    let mut farthest = vec![0u32; least.len()];
    let mut greatest = vec![UNBOUNDED; least.len()];
    while let Some(state) = done.pop() {
        let characters = farthest[state as usize];
        greatest[state as usize] = characters;
        for &(from, is_character) in before.of(state) {
            let from = from as usize;
            farthest[from] = farthest[from].max(characters + u32::from(is_character));
            ahead[from] -= 1;
            if ahead[from] == 0 {
                done.push(from as u32);
            }
        }
    }
    greatest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State 0 leads to 1 and 3, 1 to an end, 2, and to 4, which leads to no end, 3 to itself and
    /// to 2. Characters end in states below 3.
    #[test]
    fn numbers_count_along_ways_to_an_end() {
        let states = [
            (false, vec![1, 3]),
            (false, vec![2, 4]),
            (true, vec![]),
            (false, vec![3, 2]),
            (false, vec![]),
        ];
        let states = states
            .iter()
            .map(|(is_end, to)| (*is_end, to.iter().copied()));
        let lengths = Lengths::new(states, |state| state < 3);
        assert_eq!(lengths.least, [1, 1, 0, 1, NEVER]);
        let all = UNBOUNDED;
        assert_eq!(lengths.greatest, [all, 1, 0, all, all]);
    }
}
