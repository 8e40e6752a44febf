//! Automata over the texts of numbers, and their algebra.
//!
//! In: a start state and steps. Out: the minimal deterministic [`Words`], numbered breadth-first,
//! so that equal languages are equal values; without words it is one state without edges.

use crate::automata::Dfa;
use crate::automata::minimize::minimize;
use crate::grammar::words::{WordState, Words};
use crate::maps::{IdSet, KeyedMap};
use std::hash::Hash;

/// The bytes that numbers are written in, ascending.
const ALPHABET: &[u8] = b"+-.0123456789Ee";

/// The minimal automaton of the states that `step` reaches from `start`; `admit` is asked whether
/// there may be so many of them.
pub fn explore<S: Clone + Eq + Hash, E>(
    start: S,
    mut admit: impl FnMut(usize) -> Result<(), E>,
    mut step: impl FnMut(&S, u8) -> Option<S>,
    is_final: impl Fn(&S) -> bool,
) -> Result<Words, E> {
    let mut ids = KeyedMap::from_iter([(start.clone(), 0u32)]);
    let mut order = vec![start];
    let mut dfa = Dfa::default();
    let mut bytes: Vec<(u8, u8, u32)> = Vec::new();
    while let Some(state) = order.get(dfa.len()).cloned() {
        for &byte in ALPHABET {
            let Some(next) = step(&state, byte) else {
                continue;
            };
            let id = match ids.get(&next) {
                Some(&id) => id,
                None => {
                    let id = order.len() as u32;
                    admit(order.len() + 1)?;
                    ids.insert(next.clone(), id);
                    order.push(next);
                    id
                }
            };
            match bytes.last_mut() {
                Some(last) if last.1 + 1 == byte && last.2 == id => last.1 = byte,
                _ => bytes.push((byte, byte, id)),
            }
        }
        dfa.push(is_final(&state), bytes.drain(..), []);
    }
    Ok(to_words(&minimize(&dfa)))
}

fn to_words(dfa: &Dfa) -> Words {
    let states = dfa.states().map(|state| WordState {
        is_final: state.is_final,
        edges: state.bytes.to_vec(),
    });
    Words {
        states: states.collect(),
    }
}

/// The state that `byte` leads to from `state`.
pub fn step(words: &Words, state: u32, byte: u8) -> Option<u32> {
    words.step(state, byte).next()
}

/// The state that `text` leads to from `state`.
pub fn walk(words: &Words, state: u32, text: &[u8]) -> Option<u32> {
    text.iter()
        .try_fold(state, |state, &byte| step(words, state, byte))
}

/// The texts that `keep` chooses, given whether a text is in `left` and whether it is in `right`.
/// `keep(false, false)` must be `false`.
pub fn combine<E>(
    left: &Words,
    right: &Words,
    keep: impl Fn(bool, bool) -> bool,
    admit: impl FnMut(usize) -> Result<(), E>,
) -> Result<Words, E> {
    let advance = |words: &Words, at: Option<u32>, byte| step(words, at?, byte);
    // A side without which nothing is kept needs no states after it has failed.
    let (needs_left, needs_right) = (!keep(false, true), !keep(true, false));
    explore(
        (Some(0), Some(0)),
        admit,
        |&(l, r), byte| {
            let next = (advance(left, l, byte), advance(right, r, byte));
            let is_dead = match next {
                (None, None) => true,
                (None, _) => needs_left,
                (_, None) => needs_right,
                _ => false,
            };
            (!is_dead).then_some(next)
        },
        |&(l, r)| {
            let is_final = |words: &Words, at: Option<u32>| at.is_some_and(|s| words.is_final(s));
            keep(is_final(left, l), is_final(right, r))
        },
    )
}

/// Whether no text is in both; `None` if that takes more than `pairs` pairs of states.
pub fn are_disjoint(left: &Words, right: &Words, pairs: usize) -> Option<bool> {
    let mut seen = IdSet::from_iter([(0, 0)]);
    let mut stack = vec![(0, 0)];
    while let Some((l, r)) = stack.pop() {
        if left.is_final(l) && right.is_final(r) {
            return Some(false);
        }
        if seen.len() > pairs {
            return None;
        }
        for &byte in ALPHABET {
            if let (Some(l), Some(r)) = (step(left, l, byte), step(right, r, byte))
                && seen.insert((l, r))
            {
                stack.push((l, r));
            }
        }
    }
    Some(true)
}
