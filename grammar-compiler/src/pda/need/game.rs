//! The game that a completion plays against the frames of an unknown stack.
//!
//! [`Game`]: places where the completion chooses a step ([`Side::Best`]) and places where the adversary chooses a frame that can lie
//! there ([`Side::Worst`]), with the steps of each.

use std::ops::Range;

use crate::pda::StateId;

/// Index of a place.
pub(super) type PlaceId = u32;

/// Who chooses at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The completion, in a state: what it needs is never less than nothing.
    State,
    /// Nobody: the text has ended.
    End,
    /// The completion, knowing more frames.
    Best,
    /// The adversary.
    Worst,
}

/// A step of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    /// Where it leads.
    pub(super) to: PlaceId,
    /// Whether a frame has been popped that was there before the completion.
    pub(super) is_progress: bool,
    /// Frames that it adds.
    pub(super) rise: i16,
}

/// All places.
#[derive(Default)]
pub(super) struct Game {
    sides: Vec<Side>,
    /// Where the steps of each place are.
    of_place: Vec<Range<u32>>,
    steps: Vec<Step>,
    /// The place of each state in which a completion starts.
    pub(super) roots: Vec<PlaceId>,
}

impl Game {
    /// The place of a state in which a completion starts.
    pub(super) fn root(&self, state: StateId) -> PlaceId {
        self.roots[state as usize]
    }

    /// Number of places. One where frames are known only leads to states and to places before it.
    pub(super) fn len(&self) -> usize {
        self.sides.len()
    }

    /// Who chooses at a place.
    pub(super) fn side(&self, place: PlaceId) -> Side {
        self.sides[place as usize]
    }

    /// What there is to choose from.
    pub(super) fn steps(&self, place: PlaceId) -> &[Step] {
        let Range { start, end } = self.of_place[place as usize];
        &self.steps[start as usize..end as usize]
    }

    /// Adds a place without steps.
    pub(super) fn add(&mut self, side: Side) -> PlaceId {
        self.sides.push(side);
        self.of_place.push(0..0);
        self.sides.len() as PlaceId - 1
    }

    /// Says what there is to choose from.
    pub(super) fn fill(&mut self, place: PlaceId, steps: &[Step]) {
        let from = self.steps.len() as u32;
        self.steps.extend_from_slice(steps);
        self.of_place[place as usize] = from..self.steps.len() as u32;
    }
}
