//! States and frames refined by what lies on the stack.
//!
//! In: a [`Pda`] and all *kinds* of stacks, each with the needs of states on it and the results of
//! pushes. Out:
//! [`MarkedPda`]: a
//! pushdown automaton with the same sentences in which a state alone says what it needs, and a
//! frame alone what it reserves.
//!
//! 1. `merge`: kinds that do not contradict each other become one *mark*.
//! 2. `refine`: a state carries the mark of its stack, a frame the mark of what lies below it, so
//!    that a pop brings the mark back.
//! 3. States and frames that no text and no need tells apart are merged again.

mod merge;
mod refine;

use std::collections::BTreeMap;

pub(crate) use merge::{Mark, Marks, merge_within};

use merge::merge;
use refine::refine;

use super::minimize::minimize_by;
use super::needs::{Headroom, Need};
use super::{FrameId, Pda, StateId};
use crate::bits::Bits;
use crate::id::id;
use crate::limits::{Deadline, LimitExceeded};

id! {
    /// Index of a kind of stack.
    pub struct KindId;
}

/// A kind of stack, or what a mark stands for.
#[derive(Clone, Debug, Default)]
pub struct StackKind<To = KindId> {
    /// The need of each state that can be met on it; states without one cannot be finished.
    pub needs: BTreeMap<StateId, Need>,
    /// The frames that can be pushed, and the result of each push.
    pub pushes: BTreeMap<FrameId, Push<To>>,
}

impl StackKind {
    /// The only kind: all states need nothing, all frames can be pushed. Marking by it finds what
    /// can be reached, and which frames can lie where.
    pub(crate) fn of_all(pda: &Pda) -> Self {
        let frames = (0..pda.under.len()).map(FrameId::at);
        let push = Push {
            to: KindId::new(0),
            reserve: 0,
        };
        StackKind {
            needs: pda.state_ids().map(|state| (state, Some(0))).collect(),
            pushes: frames.map(|frame| (frame, push)).collect(),
        }
    }
}

/// The result of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push<To = KindId> {
    /// The kind of the stack after it; once kinds are merged, its mark.
    pub to: To,
    /// The frames that must fit above the pushed one.
    pub reserve: u8,
}

/// An automaton whose states and frames say what they need and reserve.
#[derive(Clone, Debug)]
pub struct MarkedPda {
    /// The automaton.
    pub pda: Pda,
    /// What its states need and its frames reserve.
    pub headroom: Headroom,
    /// For each of its states the states of the automaton before that it stands for, ascending.
    pub origins: Vec<Vec<StateId>>,
}

/// An automaton that was refined by kinds, whose states have labels.
pub(crate) struct LabelledPda {
    /// The automaton.
    pub(crate) pda: Pda,
    /// The label of each state.
    pub(crate) labels: Vec<u32>,
    /// For each of its states the states of the automaton before that it stands for, ascending.
    pub(crate) origins: Vec<Vec<StateId>>,
}

/// Refines an automaton by kinds of stacks, that of the empty stack first. Each state gets a label
/// by the state that it refines and its need on the stacks of its mark; only states with one label
/// are merged again.
///
/// # Errors
///
/// If there would be more than `limit` states, or the deadline passes.
pub(crate) fn mark_by(
    pda: &Pda,
    kinds: &[StackKind],
    limit: usize,
    deadline: &Deadline,
    mut label: impl FnMut(StateId, Need) -> u32,
) -> Result<LabelledPda, LimitExceeded> {
    let marks: Marks = merge(kinds, deadline)?;
    let refined = refine(pda, &marks, limit, deadline)?;
    let states = refined.state_of.iter().zip(&refined.needs);
    let labels: Vec<u32> = states.map(|(&state, &need)| label(state, need)).collect();
    let minimized = minimize_by(&refined.pda, &labels, &refined.reserves, deadline)?;
    let origins = minimized.origins();
    Ok(LabelledPda {
        labels: origins.iter().map(|of| labels[of[0].index()]).collect(),
        origins: through_refined(&origins, &refined.state_of),
        pda: minimized.pda,
    })
}

/// For each kind the states that are met on it.
///
/// # Errors
///
/// If there would be more than `limit` pairs of a state and a kind, or the deadline passes.
pub(crate) fn states_met(
    pda: &Pda,
    kinds: &[StackKind],
    limit: usize,
    deadline: &Deadline,
) -> Result<Vec<Bits>, LimitExceeded> {
    let marks = Marks::of_kinds(kinds);
    let refined = refine(pda, &marks, limit, deadline)?;
    let mut met = vec![Bits::default(); kinds.len()];
    for (state, mark) in refined.state_of.iter().zip(&refined.mark_of) {
        met[mark.index()].insert(state.index());
    }
    Ok(met)
}

/// For each state the states before refining that it stands for, ascending.
fn through_refined(origins: &[Vec<StateId>], state_of: &[StateId]) -> Vec<Vec<StateId>> {
    let of = |members: &Vec<StateId>| {
        let mut of: Vec<StateId> = members.iter().map(|m| state_of[m.index()]).collect();
        of.sort_unstable();
        of.dedup();
        of
    };
    origins.iter().map(of).collect()
}

/// Refines an automaton by kinds of stacks, that of the empty stack first.
///
/// # Errors
///
/// If there would be more than `limit` states, or the deadline passes.
pub fn mark(
    pda: &Pda,
    kinds: &[StackKind],
    limit: usize,
    deadline: &Deadline,
) -> Result<MarkedPda, LimitExceeded> {
    let marks: Marks = merge(kinds, deadline)?;
    let refined = refine(pda, &marks, limit, deadline)?;
    let minimized = minimize_by(&refined.pda, &refined.needs, &refined.reserves, deadline)?;
    let mut frames = vec![0; minimized.pda.under.len()];
    for (&reserve, &frame) in refined.reserves.iter().zip(&minimized.frame_of) {
        frames[usize::from(frame)] = reserve;
    }
    let members = minimized.origins();
    let states = members.iter().map(|of| refined.needs[of[0].index()]);
    Ok(MarkedPda {
        headroom: Headroom {
            states: states.collect(),
            frames,
        },
        origins: through_refined(&members, &refined.state_of),
        pda: minimized.pda,
    })
}
