//! The states that wait for a visit of their edges, in the order of the visits.
//!
//! In: new states, and states that have a due branch. Out: the next state to visit. What holds: no
//! state waits twice.

use std::collections::VecDeque;

use crate::pda::StateId;

/// What is left to visit.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    /// States without edges yet. They come first, so that sets of frames grow in large steps.
    fresh: VecDeque<StateId>,
    /// States some of whose branches are due.
    again: VecDeque<StateId>,
    /// For each state, whether it waits.
    waits: Vec<bool>,
}

impl Agenda {
    /// The number of states that were ever added.
    pub(super) fn len(&self) -> usize {
        self.waits.len()
    }

    /// Adds the state that has the next number.
    pub(super) fn add_new(&mut self) {
        self.fresh.push_back(StateId::at(self.waits.len()));
        self.waits.push(true);
    }

    /// Adds a state that was visited before and does not wait.
    pub(super) fn add_again(&mut self, state: StateId) {
        self.waits[state.index()] = true;
        self.again.push_back(state);
    }

    /// Whether a state waits.
    pub(super) fn has(&self, state: StateId) -> bool {
        self.waits[state.index()]
    }

    /// Takes the next state.
    pub(super) fn next(&mut self) -> Option<StateId> {
        let state = self.fresh.pop_front().or_else(|| self.again.pop_front())?;
        self.waits[state.index()] = false;
        Some(state)
    }
}
