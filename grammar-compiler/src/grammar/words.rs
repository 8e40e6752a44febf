//! Regular languages over bytes that a front end has computed: an intersection, a complement, a
//! range of numbers.
//!
//! In: states and edges. Out: [`Words`], a part of a right part like a literal or a class.

use super::Expr;

/// A finite automaton over bytes, without empty edges. Its language is the words that lead to a
/// final state.
///
/// Edges of a state may overlap; later stages make it deterministic and minimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Words {
    /// The states; the first is the start. Without any state the language is empty.
    pub states: Vec<WordState>,
}

/// A state of [`Words`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WordState {
    /// Whether a word may end here.
    pub is_final: bool,
    /// Edges `(low, high, target)` over inclusive byte ranges.
    pub edges: Vec<(u8, u8, u32)>,
}

impl Words {
    /// Whether no word is in the language.
    pub fn is_empty(&self) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut stack = vec![0u32];
        while let Some(state) = stack.pop() {
            let Some(reached) = seen.get_mut(state as usize) else {
                continue;
            };
            if std::mem::replace(reached, true) {
                continue;
            }
            let state = &self.states[state as usize];
            if state.is_final {
                return false;
            }
            stack.extend(state.edges.iter().map(|e| e.2));
        }
        true
    }

    /// The edges of all states.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &(u8, u8, u32)> {
        self.states.iter().flat_map(|state| &state.edges)
    }

    /// The states that `byte` leads to from `state`.
    pub fn step(&self, state: u32, byte: u8) -> impl Iterator<Item = u32> + '_ {
        let edges = self
            .states
            .get(state as usize)
            .map_or(&[][..], |s| s.edges.as_slice());
        (edges.iter().filter(move |e| (e.0..=e.1).contains(&byte))).map(|e| e.2)
    }

    /// Whether a word may end in `state`.
    pub fn is_final(&self, state: u32) -> bool {
        self.states.get(state as usize).is_some_and(|s| s.is_final)
    }
}

/// A finite automaton whose edges are right parts. It stands for languages whose regular
/// expressions are long, such as optional parts with separators between those that are present.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Graph {
    /// The states; the first is the start. Without any state the language is empty.
    pub states: Vec<GraphState>,
}

impl Graph {
    /// Whether it is a text that a [limit](super::TokenSet::limit) on its tokens can close.
    pub fn is_limited(&self) -> bool {
        let mut parts = self.states.iter().flat_map(|state| &state.edges);
        parts.any(|(part, _)| matches!(part, Expr::Tokens(set) if set.tokens_before().is_some()))
    }
}

/// A state of a [`Graph`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GraphState {
    /// Whether a word may end here.
    pub is_final: bool,
    /// Edges: a right part, and the state behind it.
    pub edges: Vec<(Expr, u32)>,
}
