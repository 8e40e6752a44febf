//! The dead points of a state, whatever its stack.
//!
//! In: the parser's automaton, kinds of stacks, and the label of each state on them. Out: the same
//! automaton, with states split where the answer depends on the stack, of those stacks on which
//! they are met.

use super::super::exact::Parser;
use super::super::lexemes::StartId;
use super::{Apart, DOING, DeadHere, SetsOfLabels};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::marks::{StackKind, mark_by, states_met};
use crate::pda::through;

/// In place of the number of a set: the state is never met.
const UNMET: u32 = u32::MAX;

/// Splits states.
pub(super) fn by_states(
    parser: Parser,
    starts: Vec<StartId>,
    (mut kinds, of_labels): (Vec<StackKind>, &SetsOfLabels),
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Apart, LimitExceeded> {
    let mut of_states = sets_of_states(&kinds, of_labels, deadline)?;
    if of_states.iter().any(|of| of.is_several()) {
        let met = match states_met(&parser.pda, &kinds, limits.states, deadline) {
            Ok(met) => met,
            // Too many to be told apart: a state is taken to be met wherever its top frame is.
            Err(limit) if limit.limit == "states" => Vec::new(),
            Err(limit) => return Err(limit),
        };
        for (kind, met) in kinds.iter_mut().zip(&met) {
            kind.needs.retain(|state, _| met.contains(state.index()));
        }
        of_states = sets_of_states(&kinds, of_labels, deadline)?;
    }
    if !of_states.iter().any(|of| of.is_several()) {
        return Ok(Apart {
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
            let dead = of_labels.get(state, label).unwrap_or(UNMET);
            labels.intern((starts[state.index()], dead))
        },
    )?;
    let of_states = marked.labels.iter().map(|&of| labels.values[of as usize]);
    let dead = of_states.clone().map(|of| match of.1 {
        UNMET => DeadHere::Unmet,
        set => DeadHere::One(set),
    });
    Ok(Apart {
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
    of_labels: &SetsOfLabels,
    deadline: &Deadline,
) -> Result<Vec<SetsHere>, LimitExceeded> {
    let mut sets = vec![SetsHere::None; of_labels.0.len()];
    for (&state, &label) in kinds.iter().flat_map(|kind| &kind.needs) {
        deadline.tick(DOING)?;
        if let Some(set) = of_labels.get(state, label) {
            sets[state.index()].add(set);
        }
    }
    Ok(sets)
}
