//! The automaton with the item sets and goto maps that it was made of.

use super::item::{GotoEntry, Item};
use super::positions::Positions;
use crate::intern::Sequences;
use crate::pda::{Pda, StateId};

/// The automaton with the item sets behind it.
#[derive(Clone, Debug)]
pub struct Built {
    /// The automaton.
    pub pda: Pda,
    /// The positions that items name.
    pub positions: Positions,
    pub(super) item_sets: Sequences<Item>,
    pub(super) frames: Sequences<GotoEntry>,
}

impl Built {
    /// An automaton that was not made of item sets: each state has none.
    pub(crate) fn of_tables(pda: Pda, positions: Positions) -> Self {
        Built {
            positions,
            item_sets: Sequences::new(),
            frames: Sequences::new(),
            pda,
        }
    }

    /// The item set of a state; empty if the automaton was made of tables.
    pub fn item_set(&self, state: StateId) -> &[Item] {
        match state.index() < self.item_sets.len() {
            true => self.item_sets.get(state.number()),
            false => &[],
        }
    }

    /// The item set of each state.
    pub fn item_sets(&self) -> impl Iterator<Item = &[Item]> {
        self.item_sets.iter()
    }

    /// The rule that most states are in; `None` if the automaton was made of tables.
    pub(crate) fn largest_rule(&self) -> Option<&str> {
        most_in(&self.positions, self.item_sets())
    }

    /// The goto map of each frame; that of the bottom is empty.
    pub fn frames(&self) -> impl Iterator<Item = &[GotoEntry]> {
        self.frames.iter()
    }
}

/// The rule that the first items of most of these states are of; `None` if there are no states.
pub(super) fn most_in<'p, 's>(
    positions: &'p Positions,
    item_sets: impl Iterator<Item = &'s [Item]>,
) -> Option<&'p str> {
    let mut counts = vec![0usize; positions.names.len()];
    for first in item_sets.filter_map(|items| items.first()) {
        counts[positions.nodes[first.node as usize].machine.index()] += 1;
    }
    let numbered = counts.iter().zip(&positions.names);
    let (count, name) = numbered.max_by_key(|of| *of.0)?;
    (*count > 0).then_some(name)
}
