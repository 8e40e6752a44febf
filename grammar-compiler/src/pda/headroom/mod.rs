//! Completion headroom: how much higher a stack must be able to grow for the text to be finished.
//!
//! In: a [`Pda`]. Out: [`Headroom`], and where a state's need depends on the stack, the automaton
//! refined until it does not. A matcher of depth `D` keeps a stack if and only if some completion
//! of the text never has more than `D` frames on it. It decides that by two bounds, without looking
//! at more than the top:
//!
//! - The **need** of a state: from there some run pops the top frame, or ends the text, and never
//!   rises by more than this number of frames above the present height. The matcher stays where
//!   `height + need <= D`.
//! - The **reserve** of a frame: once it is popped, the cheapest continuation rises this number of
//!   frames above the frame's own place. It is pushed only where `height + reserve <= D`, the new
//!   frame counted. A frame on which the text can end need not be popped, and reserves nothing.
//!
//! Both bounds are necessary: a completion has to pop each other frame, and to go on below it.
//! Together they are sufficient: if a stack passed these checks when its frames were pushed, its
//! frames can be popped one after the other. A frame may have several continuations, of which the
//! cheapest is not open any more. The state's need then includes the headroom of the others; see
//! `kinds`.
//!
//! 1. `exits`: for each state, and each push, how its runs leave the frames that they know, and
//!    with what peaks.
//! 2. `answers`, `ranges`: the least and the greatest cost of these exits. Mostly both are equal,
//!    and this is all.
//! 3. `kinds`: otherwise, the cost of exits on each kind of stack. Where the need of a state or the
//!    reserve of a frame differs from kind to kind, [`marks`](super::marks) splits the state or the
//!    frame.

mod answers;
mod exits;
mod kinds;
mod ranges;
#[cfg(test)]
mod tests;

use self::answers::Answers;
use self::exits::{ExitNodeId, NodeExits};
use self::kinds::StackKinds;
use self::ranges::{Range, Ranges};
use super::Pda;
use super::marks::{MarkedPda, Push, StackKind, mark};
pub use super::needs::{Headroom, MAX_NEED, Need};
use crate::intern::number;
use crate::limits::{Deadline, LimitExceeded, Limits};

/// The headroom of an automaton.
#[derive(Clone, Debug)]
pub enum Solved {
    /// The headroom of the automaton as it is.
    Uniform(Headroom),
    /// The need of some state depended on the stack: an automaton with the same sentences in which
    /// none does.
    Refined(Box<MarkedPda>),
}

/// What states need and frames reserve, exactly.
///
/// # Errors
///
/// If a state needs more frames than a table can say, its need depends on so much of the stack that
/// a limit is passed, or the deadline passes.
pub fn headroom(pda: &Pda, limits: &Limits, deadline: &Deadline) -> Result<Solved, LimitExceeded> {
    let mut exits = NodeExits::new(pda, deadline)?;
    let nodes: Vec<ExitNodeId> = pda.state_ids().map(|state| exits.of_state(state)).collect();
    let is_dead = nodes.iter().map(|&node| exits.peaks(node).is_empty());
    let is_dead: Vec<bool> = is_dead.collect();
    // Within a symbol that is taken again, a state may have no exits whatever fits.
    if exits.are_cut() && is_dead.contains(&true) {
        return Err(LimitExceeded::new(
            "frames",
            MAX_NEED,
            "finishing a sentence needs too many nested calls",
        ));
    }
    let answers = Answers::new(pda, &mut exits, deadline)?;
    let ranges = Ranges::new(pda, &exits, &answers, deadline)?;
    if let Some(headroom) = uniform(pda, &nodes, &exits, &ranges, deadline)? {
        return Ok(Solved::Uniform(headroom.without(&is_dead)));
    }
    let kinds = StackKinds::new(pda, &exits, &answers, deadline)?;
    let kinds = with_needs(pda, &nodes, &exits, &kinds, deadline)?;
    if let Some(headroom) = agreed(pda, &kinds) {
        return Ok(Solved::Uniform(headroom.without(&is_dead)));
    }
    mark(pda, &kinds, limits.states, deadline).map(|marked| Solved::Refined(Box::new(marked)))
}

impl Headroom {
    /// The same, but no run finishes these states. A matcher is in one only within a symbol that it
    /// takes again, and then refuses.
    fn without(mut self, is_dead: &[bool]) -> Self {
        for (need, _) in self.states.iter_mut().zip(is_dead).filter(|of| *of.1) {
            *need = None;
        }
        self
    }
}

/// The headroom, if the need of each state and the reserve of each frame are the same on all
/// stacks.
fn uniform(
    pda: &Pda,
    nodes: &[ExitNodeId],
    exits: &NodeExits<'_>,
    ranges: &Ranges<'_>,
    deadline: &Deadline,
) -> Result<Option<Headroom>, LimitExceeded> {
    let reserve = |range: &Option<Range>| match range {
        Some(range) => {
            let reserve = range.least.saturating_sub(1);
            (range.greatest.saturating_sub(1) == reserve).then_some(reserve)
        }
        None => Some(0),
    };
    let frames = ranges.continuations.iter().map(reserve);
    let Some(frames) = frames.collect::<Option<Vec<u8>>>() else {
        return Ok(None);
    };
    let peaks = nodes.iter().map(|&node| exits.peaks(node));
    let alike = number(peaks.zip(pda.states.iter().map(|state| &state.top)));
    let mut needs: Vec<u8> = Vec::new();
    for ((state, &node), &group) in pda.states.iter().zip(nodes).zip(&alike) {
        if group as usize == needs.len() {
            deadline.ticks(state.top.len() * exits.peaks(node).len(), "bounding stacks")?;
            let of_frames = state.top.iter().filter_map(|&f| ranges.need(node, f));
            // Nothing leads to a state that is on no stack.
            let need = of_frames
                .reduce(Range::join)
                .map(|all| (all.least, all.greatest));
            let (least, greatest) = need.unwrap_or((0, 0));
            if least != greatest {
                return Ok(None);
            }
            needs.push(least);
        }
    }
    let states = alike.iter().map(|&group| Some(needs[group as usize]));
    let states = states.collect();
    Ok(Some(Headroom { states, frames }))
}

/// The headroom, if all kinds agree on what each state needs and each frame reserves.
fn agreed(pda: &Pda, kinds: &[StackKind]) -> Option<Headroom> {
    let mut states: Vec<Need> = vec![None; pda.states.len()];
    let mut frames: Vec<Option<u8>> = vec![None; pda.under.len()];
    for kind in kinds {
        for (&state, need) in &kind.needs {
            // A state is never met on a kind of stack that refuses all of its exits.
            if let Some(need) = *need
                && *states[state.index()].get_or_insert(need) != need
            {
                return None;
            }
        }
        for (&frame, push) in &kind.pushes {
            if *frames[usize::from(frame)].get_or_insert(push.reserve) != push.reserve {
                return None;
            }
        }
    }
    Some(Headroom {
        // Nothing leads to a state that is on no stack.
        states: states.into_iter().map(|need| need.or(Some(0))).collect(),
        frames: frames.into_iter().map(|of| of.unwrap_or(0)).collect(),
    })
}

/// All kinds, each with the needs of the states that may be met on it: `None` where the kind
/// refuses all exits of the state.
fn with_needs(
    pda: &Pda,
    nodes: &[ExitNodeId],
    exits: &NodeExits<'_>,
    kinds: &StackKinds,
    deadline: &Deadline,
) -> Result<Vec<StackKind>, LimitExceeded> {
    let mut all: Vec<StackKind> = vec![StackKind::default(); kinds.costs.values.len()];
    for ((id, state), &node) in pda.state_ids().zip(&pda.states).zip(nodes) {
        deadline.check("bounding stacks")?;
        let under = state.top.iter();
        for &kind in under.flat_map(|&frame| &kinds.of_frame[usize::from(frame)]) {
            deadline.ticks(exits.peaks(node).len(), "bounding stacks")?;
            let needs = &mut all[kind.index()].needs;
            needs
                .entry(id)
                .or_insert_with(|| kinds.need(exits, node, kind));
        }
    }
    kinds.pushed.iter().for_each(|(&(frame, below), pushed)| {
        if let Some(pushed) = pushed {
            let push = Push {
                to: pushed.kind,
                reserve: pushed.least.saturating_sub(1),
            };
            all[below.index()].pushes.insert(frame, push);
        }
    });
    Ok(all)
}
