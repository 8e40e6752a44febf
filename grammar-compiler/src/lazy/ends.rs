//! The states of large automata from which words can end.
//!
//! In: an automaton, and a state that a text comes to. Out: whether a word can end behind it. What
//! holds: the answer is exact, and it takes a search only where no search before has passed. States
//! that nobody asks for cost nothing.

use crate::maps::IdSet;

use super::GaveUp;
use super::work::Work;
use crate::bits::Bits;
use crate::grammar::Words;

/// The states of one automaton whose answer is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Words can end behind them.
    live: Bits,
    /// No word can.
    dead: Bits,
}

impl Ends {
    /// Whether a word can end behind a state.
    ///
    /// # Errors
    /// If the step has too much work.
    pub(super) fn lie_behind(
        &mut self,
        words: &Words,
        state: u32,
        work: &mut Work,
    ) -> Result<bool, GaveUp> {
        if self.live.contains(state as usize) {
            return Ok(true);
        }
        // Mostly an end is near.
        let of_state = words.states.get(state as usize);
        let is_live = |edge: &(u8, u8, u32)| self.live.contains(edge.2 as usize);
        if of_state.is_some_and(|of| of.is_final || of.edges.iter().any(is_live)) {
            self.live.insert(state as usize);
            return Ok(true);
        }
        // The way to the state that is looked at: each state on it with the number of its edges
        // that have been followed.
        let mut way = vec![(state, 0)];
        let mut seen = IdSet::from_iter([state]);
        while let Some((at, next)) = way.last_mut() {
            work.spend(1)?;
            let here = words.states.get(*at as usize);
            if here.is_some_and(|here| here.is_final) || self.live.contains(*at as usize) {
                way.iter().for_each(|&(passed, _)| {
                    self.live.insert(passed as usize);
                });
                return Ok(true);
            }
            let Some(&(_, _, to)) = here.and_then(|here| here.edges.get(*next)) else {
                way.pop();
                continue;
            };
            *next += 1;
            if !self.dead.contains(to as usize) && seen.insert(to) {
                way.push((to, 0));
            }
        }
        // All that the state leads to has been seen, and no end.
        seen.into_iter().for_each(|state| {
            self.dead.insert(state as usize);
        });
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::WordState;

    /// Whatever is asked first: random automata, each state against a search of its own.
    #[test]
    fn answers_do_not_depend_on_their_order() {
        let mut number = 1_u32;
        let mut below = |bound: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % bound
        };
        let (mut live, mut dead) = (0, 0);
        for _ in 0..300 {
            let count = 1 + below(12);
            let states = (0..count).map(|_| WordState {
                is_final: below(6) == 0,
                edges: (0..below(3)).map(|_| (b'a', b'b', below(count))).collect(),
            });
            let words = Words {
                states: states.collect(),
            };
            let mut ends = Ends::default();
            for _ in 0..2 * count {
                let state = below(count);
                let mut from = words.clone();
                from.states.swap(0, state as usize);
                for edge in from.states.iter_mut().flat_map(|of| &mut of.edges) {
                    edge.2 = match edge.2 {
                        0 => state,
                        to if to == state => 0,
                        to => to,
                    };
                }
                let expected = !from.is_empty();
                *if expected { &mut live } else { &mut dead } += 1;
                let mut work = Work::of_step(0);
                assert_eq!(ends.lie_behind(&words, state, &mut work), Ok(expected));
            }
        }
        assert!(live > 300 && dead > 300, "{live} {dead}");
    }
}
