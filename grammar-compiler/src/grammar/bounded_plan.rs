//! How a bound on the number of characters is written where tables must spell it out.
//!
//! In: [`BoundedWords`]. Out: a [`BoundPlan`], by what each way would cost. A pair of state and
//! number is a state of its own as long as there are few pairs. An automaton of few states is
//! counted in digits, whatever the bound is: for each two states a rule holds the words of one
//! block that lead from one to the other.

use std::sync::Arc;

use super::bounded::BoundedWords;
use super::bounded_core::BoundedCore;
use crate::maps::IdSet;

/// Pairs that are states of their own without another thought.
const FEW_PAIRS: usize = 30_000;
/// Pairs that are states of their own if there is no better way, those within characters included:
/// a whole automaton may have about as many.
const MANY_PAIRS: usize = 90_000;
/// Edges that the rules of one digit may have.
const DIGIT_EDGES: usize = 60_000;
/// States of an automaton that may be counted in digits.
const DIGIT_STATES: usize = 64;
/// Characters of a block of the lowest digit, about.
const BLOCK: usize = 16;

/// A way to write a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundPlan {
    /// Each pair of state and number is a state.
    Pairs,
    /// Blocks of characters, in digits.
    Digits,
    /// Blocks of characters of this automaton, each of which all of its states share.
    Beside(Arc<BoundedCore>),
}

impl BoundedWords {
    /// How the bound is written; `None` if each way takes too much.
    pub(crate) fn plan(&self) -> Option<BoundPlan> {
        if let Some(core) = self.core() {
            return Some(BoundPlan::Beside(core.clone()));
        }
        let next = self.characters();
        let characters = |pair| {
            let targets = next[self.parts(pair).0 as usize].iter();
            targets.filter_map(|&to| self.behind(pair, to)).collect()
        };
        if has_pairs(characters, FEW_PAIRS) {
            return Some(BoundPlan::Pairs);
        }
        if digit_edges(&next).is_some_and(|edges| edges <= DIGIT_EDGES) {
            return Some(BoundPlan::Digits);
        }
        let edges = |pair| self.edges(pair).map(|edge| edge.2).collect();
        has_pairs(edges, MANY_PAIRS).then_some(BoundPlan::Pairs)
    }

    /// For each state between characters those that one more character leads to, ascending.
    fn characters(&self) -> Vec<Vec<u32>> {
        let states = &self.words().states;
        let of = |from: u32| {
            let mut found = Vec::new();
            let (mut met, mut pending) = (IdSet::from_iter([from]), vec![from]);
            while let Some(at) = pending.pop() {
                for &(.., to) in &states[at as usize].edges {
                    if to < self.boundaries() {
                        found.push(to);
                    } else if met.insert(to) {
                        pending.push(to);
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            found
        };
        (0..self.boundaries()).map(of).collect()
    }
}

/// Whether words lead to no more pairs than `most`; `next` are those behind a pair.
fn has_pairs(next: impl Fn(u32) -> Vec<u32>, most: usize) -> bool {
    let mut pending = vec![0];
    let mut met = IdSet::from_iter([0]);
    while let Some(pair) = pending.pop() {
        if met.len() > most {
            return false;
        }
        pending.extend(next(pair).into_iter().filter(|&pair| met.insert(pair)));
    }
    true
}

/// The edges that rules of one digit have, about; nothing for very many states.
fn digit_edges(next: &[Vec<u32>]) -> Option<usize> {
    if next.len() > DIGIT_STATES {
        return None;
    }
    let reached = |from: usize| {
        let mut met = vec![false; next.len()];
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            for &to in &next[at] {
                if !std::mem::replace(&mut met[to as usize], true) {
                    pending.push(to as usize);
                }
            }
        }
        (0..next.len()).filter(|&to| met[to]).collect::<Vec<_>>()
    };
    let reached: Vec<Vec<usize>> = (0..next.len()).map(reached).collect();
    let of = |targets: &Vec<usize>| {
        let inner: usize = targets.iter().map(|&to| reached[to].len()).sum();
        targets.len() * inner * BLOCK
    };
    Some(reached.iter().map(of).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Deadline;
    use crate::syntax::json_schema::strings::{Escapes, Language, format, json_text, pattern};
    use std::sync::Arc;

    fn plan(language: &Language, max: u32) -> Option<BoundPlan> {
        let words = json_text(language, Escapes::Natural);
        let boundaries = language.states().len() as u32;
        let bounded = BoundedWords::new(Arc::new(words), boundaries, max).unwrap();
        bounded.plan()
    }

    #[test]
    fn what_takes_few_states_is_written_in_pairs() {
        let email = format("email").unwrap();
        assert_eq!(plan(&email, 254), Some(BoundPlan::Pairs));
        let uri = format("uri").unwrap();
        assert_eq!(plan(&uri, 500), Some(BoundPlan::Pairs));
        assert_eq!(plan(&uri, 10_000), None);
        // Most of its states stand within characters.
        assert_eq!(plan(&format("iri").unwrap(), 500), None);
    }

    #[test]
    fn an_automaton_of_few_states_is_counted_whatever_its_bound() {
        let words = pattern(r"^\S+( \S+)*$", &Deadline::never()).unwrap();
        assert_eq!(plan(&words, 1_000), Some(BoundPlan::Pairs));
        for max in [60_000, 1_000_000] {
            assert_eq!(plan(&words, max), Some(BoundPlan::Digits));
        }
    }
}
