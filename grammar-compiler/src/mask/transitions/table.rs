//! The table that walks read.

use super::characters::Characters;
use super::defaults::{DefaultTransition, defaults};
use super::narrow::NarrowStates;
use super::regions::{Region, Regions, regions};
use super::runs::StateRuns;
use super::shapes::Shapes;
use super::stays::Stays;
use super::words::Transitions;
use crate::pda::headroom::Headroom;
use crate::pda::{Pda, StateId};

/// The transitions of an automaton, and what is derived from them. States after those of the
/// automaton are copies of regions.
pub struct Table {
    /// What each state does with each class.
    pub transitions: Transitions,
    /// The run of each state.
    pub runs: StateRuns,
    /// For each state of the automaton a state that it agrees with except on a few classes.
    defaults: Vec<Option<DefaultTransition>>,
    /// For each state of the automaton the region that it is in.
    regions: Vec<Option<Region>>,
    /// The shapes of the copied regions.
    pub shapes: Shapes,
    /// For each state the strings that stay in its run.
    pub stays: Stays,
    /// The states that take only a few symbols.
    pub narrow: NarrowStates,
}

impl Table {
    /// The table of `pda`.
    pub fn new(pda: &Pda, headroom: &Headroom) -> Self {
        let transitions = Transitions::new(pda, headroom);
        let mut characters = Characters::new(&transitions, pda);
        let runs = StateRuns::new(&transitions, pda, &mut characters);
        let defaults = defaults(&transitions, pda, &runs);
        let Regions { of, copies } = regions(&transitions, pda, &runs);
        let shapes = Shapes::new(&copies, of.len(), &pda.classes);
        let transitions = transitions.with_copies(copies.iter().map(|copied| &copied.row));
        let copied = copies.iter().map(|copied| copied.from);
        let runs = runs.with_copies(copied, |state| of[state.index()].map(|region| region.copy));
        let stays = Stays::new(&runs);
        Table {
            transitions,
            runs,
            defaults,
            regions: of,
            shapes,
            stays,
            narrow: NarrowStates::new(pda),
        }
    }

    /// The region that a state is in.
    pub fn region(&self, state: StateId) -> Option<Region> {
        self.regions.get(state.index()).copied().flatten()
    }

    /// Whether most bytes lead from a state to a loop, as in a string: along a run, or by its
    /// default transition.
    pub fn is_in_string(&self, state: StateId) -> bool {
        self.runs.of(state).along.is_some() || self.default_transition(state).is_some()
    }

    /// Whether a state is one of a copy of a region.
    pub fn is_copy(&self, state: StateId) -> bool {
        state.index() >= self.regions.len()
    }

    /// The default transition of a state.
    pub fn default_transition(&self, state: StateId) -> Option<&DefaultTransition> {
        self.defaults.get(state.index())?.as_ref()
    }
}
