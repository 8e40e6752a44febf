//! A [`Graph`] whose states are numbered as they are met.

use std::hash::Hash;

use crate::grammar::words::GraphState;
use crate::grammar::{Expr, Graph};
use crate::intern::KeyedInterner;

/// The states met so far, of which those before `next` have been looked at.
pub(super) struct MetStates<S> {
    met: KeyedInterner<S>,
    next: usize,
    graph: Graph,
}

impl<S: Clone + Eq + Hash> MetStates<S> {
    /// Only the start.
    pub fn new(start: S) -> Self {
        let mut states = MetStates {
            met: KeyedInterner::new(),
            next: 0,
            graph: Graph::default(),
        };
        states.id(start);
        states
    }

    /// Number of states met.
    pub fn count(&self) -> usize {
        self.met.values.len()
    }

    /// The next state to look at; edges and ends are then its own.
    pub fn next(&mut self) -> Option<S> {
        let state = self.met.values.get(self.next)?.clone();
        self.next += 1;
        Some(state)
    }

    /// An edge from the state that is looked at.
    pub fn edge(&mut self, part: Expr, to: S) {
        let to = self.id(to);
        self.looked_at().edges.push((part, to));
    }

    /// Whether a word may end in the state that is looked at.
    pub fn ends(&mut self, is_final: bool) {
        self.looked_at().is_final = is_final;
    }

    /// The automaton.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    fn looked_at(&mut self) -> &mut GraphState {
        &mut self.graph.states[self.next.saturating_sub(1)]
    }

    fn id(&mut self, state: S) -> u32 {
        let id = self.met.intern(state);
        if id as usize == self.graph.states.len() {
            self.graph.states.push(GraphState::default());
        }
        id
    }
}
