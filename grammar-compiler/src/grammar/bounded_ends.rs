//! The exact numbers of characters behind which words can end.
//!
//! In: an automaton, and which of its states stand between two characters. Out: [`ExactLengths`]:
//! for each number of characters the states from which that many end some word. What holds: from
//! some number on these states are the same.

use super::words::Words;

/// The numbers of characters that are told apart. Automata that count beyond are not.
const MOST: usize = 300;

/// The states from which words end, by the number of characters until then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ExactLengths {
    /// For each number of characters whether a word can end so from each state. The last is that of
    /// all greater numbers.
    ends: Vec<Vec<bool>>,
}

impl ExactLengths {
    /// For an automaton whose states below `boundaries` stand between two characters. `None` if the
    /// states differ for many numbers, or for ever.
    pub(super) fn new(words: &Words, boundaries: u32) -> Option<Self> {
        let count = words.states.len();
        let mut before: Vec<Vec<(u32, bool)>> = vec![Vec::new(); count];
        for (from, state) in (0..).zip(&words.states) {
            for &(_, _, to) in &state.edges {
                before.get_mut(to as usize)?.push((from, to < boundaries));
            }
        }
        // Of each state those before it, once each.
        before.iter_mut().for_each(|of| {
            of.sort_unstable();
            of.dedup();
        });
        let spread = |mut pending: Vec<u32>| {
            let mut has = vec![false; count];
            while let Some(at) = pending.pop() {
                if !std::mem::replace(&mut has[at as usize], true) {
                    let uncounted = before[at as usize].iter().filter(|from| !from.1);
                    pending.extend(uncounted.map(|from| from.0));
                }
            }
            has
        };
        let finals = (0..count as u32).filter(|&state| words.is_final(state));
        let mut ends = vec![spread(finals.collect())];
        while ends.len() <= MOST {
            let last = ends.last()?;
            let mut pending = Vec::new();
            for (at, _) in last.iter().enumerate().filter(|of| *of.1) {
                pending.extend(before[at].iter().filter(|from| from.1).map(|from| from.0));
            }
            let next = spread(pending);
            if next == *last {
                return Some(ExactLengths { ends });
            }
            ends.push(next);
        }
        None
    }

    /// The number of characters from which on nothing changes.
    pub(super) fn settled(&self) -> u32 {
        self.ends.len() as u32 - 1
    }

    /// Whether exactly this many characters can end a word behind a state.
    pub(super) fn has(&self, state: u32, characters: u32) -> bool {
        let at = characters.min(self.settled()) as usize;
        let of = self.ends.get(at).and_then(|ends| ends.get(state as usize));
        of.is_some_and(|&ends| ends)
    }

    /// Whether some number of characters in a range can.
    pub(super) fn has_one(&self, state: u32, fewest: u32, most: u32) -> bool {
        let last = most.min(fewest.max(self.settled()));
        (fewest..=last).any(|characters| self.has(state, characters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::words::WordState;

    /// `a*bc` or `bb`, of one byte a character.
    #[test]
    fn each_number_of_characters_is_told() {
        let state = |is_final, edges: &[(u8, u32)]| WordState {
            is_final,
            edges: edges.iter().map(|&(byte, to)| (byte, byte, to)).collect(),
        };
        let words = Words {
            states: vec![
                state(false, &[(b'a', 0), (b'b', 1)]),
                state(false, &[(b'c', 2), (b'b', 2)]),
                state(true, &[]),
            ],
        };
        let lengths = ExactLengths::new(&words, 3).unwrap();
        let of = |state| (0..5).map(|n| lengths.has(state, n)).collect::<Vec<_>>();
        assert_eq!(of(0), [false, false, true, true, true]);
        assert_eq!(of(1), [false, true, false, false, false]);
        assert_eq!(of(2), [true, false, false, false, false]);
        assert!(lengths.has_one(1, 0, 1) && !lengths.has_one(1, 2, 1_000_000));
    }

    /// Only even numbers of characters end words: that goes on for ever.
    #[test]
    fn numbers_that_alternate_are_not_told() {
        let state = |is_final, to| WordState {
            is_final,
            edges: vec![(b'a', b'a', to)],
        };
        let words = Words {
            states: vec![state(true, 1), state(false, 0)],
        };
        assert_eq!(ExactLengths::new(&words, 2), None);
    }
}
