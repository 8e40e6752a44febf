//! The dead points of a state, whatever its stack.
//!
//! In: the parser's automaton, kinds of stacks, and the label of each state on them. Out: the same
//! automaton, with states split where the answer depends on the stack, of those stacks on which
//! they are met.

use super::super::exact::Parser;
use super::super::lexemes::StartId;
use super::{DOING, DeadHere};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::marks::{StackKind, mark_by, states_met};
use crate::pda::{Pda, StateId, through};

/// In place of the number of a set: the state is never met.
const UNMET: u32 = u32::MAX;

/// An automaton whose states say which points are dead.
pub(super) struct ByStates {
    pub(super) pda: Pda,
    /// For each state the states before that it stands for.
    pub(super) origins: Vec<Vec<StateId>>,
    /// For each state the terminals that compete.
    pub(super) starts: Vec<StartId>,
    /// The dead points of each state.
    pub(super) dead: Vec<DeadHere>,
}

/// Splits states. Labels of kinds have a set each, by state.
pub(super) fn by_states(
    parser: Parser,
    starts: Vec<StartId>,
    (mut kinds, of_labels): (Vec<StackKind>, &[Vec<u32>]),
    limits: &Limits,
    deadline: &Deadline,
) -> Result<ByStates, LimitExceeded> {
    let mut of_states = sets_of_states(&kinds, of_labels, deadline)?;
    if of_states.iter().any(|of| of.is_several()) {
        let met = match states_met(&parser.pda, &kinds, limits.states, deadline) {
            Ok(met) => met,
            // Too many to be told apart: a state is taken to be met wherever its top frame is.
            Err(limit) if limit.limit == "states" => Vec::new(),
            Err(limit) => return Err(limit),
        };
        for (kind, met) in kinds.iter_mut().zip(&met) {
            kind.needs.retain(|state, _| met.contains(state.place()));
        }
        of_states = sets_of_states(&kinds, of_labels, deadline)?;
    }
    if !of_states.iter().any(|of| of.is_several()) {
        return Ok(ByStates {
            dead: of_states.iter().map(|of| of.one()).collect(),
            pda: parser.pda,
            origins: parser.origins,
            starts,
        });
    }
    let mut labels: Interner<(StartId, u32)> = Interner::new();
    let marked = mark_by(
        &parser.pda,
        &kinds,
        limits.states,
        deadline,
        |state, label| {
            let of_labels = &of_labels[state.place()];
            let dead = label.and_then(|label| of_labels.get(usize::from(label)));
            labels.intern((starts[state.place()], dead.copied().unwrap_or(UNMET)))
        },
    )?;
    let of_states = marked.labels.iter().map(|&of| labels.values[of as usize]);
    let dead = of_states.clone().map(|of| match of.1 {
        UNMET => DeadHere::Unmet,
        set => DeadHere::One(set),
    });
    Ok(ByStates {
        starts: of_states.clone().map(|of| of.0).collect(),
        dead: dead.collect(),
        origins: through(&marked.origins, &parser.origins),
        pda: marked.pda,
    })
}

/// The sets that are dead in a state, on some kinds of stacks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SetsHere {
    None,
    One(u32),
    Several,
}

impl SetsHere {
    fn is_several(self) -> bool {
        self == SetsHere::Several
    }

    fn one(self) -> DeadHere {
        match self {
            SetsHere::One(set) => DeadHere::One(set),
            _ => DeadHere::Unmet,
        }
    }

    fn add(&mut self, set: u32) {
        *self = match *self {
            SetsHere::None => SetsHere::One(set),
            SetsHere::One(known) if known == set => SetsHere::One(set),
            _ => SetsHere::Several,
        };
    }
}

/// The sets of each state.
fn sets_of_states(
    kinds: &[StackKind],
    of_labels: &[Vec<u32>],
    deadline: &Deadline,
) -> Result<Vec<SetsHere>, LimitExceeded> {
    let mut sets = vec![SetsHere::None; of_labels.len()];
    for (state, label) in kinds.iter().flat_map(|kind| &kind.needs) {
        deadline.tick(DOING)?;
        let of_labels = &of_labels[state.place()];
        let set = label.and_then(|label| of_labels.get(usize::from(label)));
        if let Some(&set) = set {
            sets[state.place()].add(set);
        }
    }
    Ok(sets)
}
