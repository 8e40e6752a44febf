//! What of an automaton is counted in blocks.
//!
//! In: an automaton whose characters are counted. Out: [`BoundedCore`]: an automaton that has the
//! same words behind its states, as long as no bound is near. What holds: what matters near a bound
//! only need not be told apart in it, so it may be smaller.

use std::sync::Arc;

use super::words::Words;
use crate::lengths::{Lengths, NEVER, UNBOUNDED};

/// The automaton that is left of [`BoundedWords`](super::BoundedWords) far away from both bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoundedCore {
    words: Arc<Words>,
    /// The states below this number stand between two characters.
    boundaries: u32,
    /// For each state between two characters of the words the one that it is here.
    of: Vec<u32>,
    lengths: Lengths,
}

impl BoundedCore {
    /// The automaton `words`, of which the states below `boundaries` stand between two characters.
    /// `of` says for each such state of the counted words which of these it is.
    pub(crate) fn new(words: Arc<Words>, boundaries: u32, of: Vec<u32>) -> Self {
        let states = words.states.iter();
        let states = states.map(|state| (state.is_final, state.edges.iter().map(|edge| edge.2)));
        let lengths = Lengths::new(states, |to| to < boundaries);
        BoundedCore {
            words,
            boundaries,
            of,
            lengths,
        }
    }

    /// The automaton.
    pub(crate) fn words(&self) -> &Arc<Words> {
        &self.words
    }

    /// The states below this number stand between two characters.
    pub(crate) fn boundaries(&self) -> u32 {
        self.boundaries
    }

    /// The state here for a state of the counted words, if words of any length go on from it.
    pub(crate) fn of(&self, state: u32) -> Option<u32> {
        let of = self.of.get(state as usize).copied();
        of.filter(|&of| self.is_endless(of))
    }

    /// A state of the counted words that is this state here.
    pub(crate) fn origin(&self, state: u32) -> Option<u32> {
        let at = self.of.iter().position(|&of| of == state);
        at.map(|at| at as u32)
    }

    /// Whether words of any length go on from a state.
    pub(crate) fn is_endless(&self, state: u32) -> bool {
        self.lengths.greatest(state) == UNBOUNDED && self.is_live(state)
    }

    /// Whether a word can end behind a state.
    pub(crate) fn is_live(&self, state: u32) -> bool {
        self.lengths.least(state) != NEVER
    }
}
