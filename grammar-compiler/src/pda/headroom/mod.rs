//! Completion headroom: how much higher a stack must be able to grow for the text to be finished.
//!
//! In: a [`Pda`]. Out: [`Headroom`], and where a state's need depends on the stack, the automaton refined until it does not.
//! A matcher of depth `D` keeps a stack if and only if some completion of the text never has more than `D` frames on it.
//! It decides that by two bounds, without looking at more than the top:
//!
//! - The **need** of a state: from there some run pops the top frame, or ends the text, and never rises more than so many
//!   frames above the present height. The matcher stays where `height + need <= D`.
//! - The **reserve** of a frame: once it is popped, the cheapest continuation rises so many frames above the frame's own place. It is pushed only
//!   where `height + reserve <= D`, the new frame counted.
//!
//! Both are necessary: a completion has to pop each frame, and then to go on below it. Together they are sufficient: of a stack that
//! passed these checks when its frames were pushed, each frame can be popped in turn. Where a frame has several
//! continuations and the cheapest is not open any more, what the others need is part of the state's need; see [`kinds`].
//!
//! 1. `exits`: for each state, and each push, how its runs leave the frames that they know, and with what peaks.
//! 2. `kinds`: what these exits cost on the stacks that there can be.
//! 3. Where states or frames differ from kind to kind, [`marks`](super::marks) make them differ by themselves.

mod exits;
mod kinds;

#[cfg(test)]
mod tests;

use self::exits::{Exits, NodeId};
use self::kinds::{KindId, Kinds};
use super::marks::{Kind, Marked, Push, mark};
use super::{Pda, StateId};
use crate::intern::number;
use crate::limits::{Deadline, LimitExceeded, Limits};

/// How many frames above the present height a state needs; `None` if it cannot be finished, which
/// happens only where a vocabulary cannot spell what is missing.
pub type Need = Option<u8>;

/// The greatest need that tables can say.
pub const MAX_NEED: u8 = maskwright_core::layout::state::MAX_NEED as u8;

/// What states need and frames reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headroom {
    /// The need of each state.
    pub states: Vec<Need>,
    /// For each frame, how many more must fit above it when it is pushed.
    pub frames: Vec<u8>,
}

/// The headroom of an automaton.
#[derive(Clone, Debug)]
pub enum Solved {
    /// The headroom of the automaton as it is.
    Uniform(Headroom),
    /// What a state needs depended on the stack: an automaton with the same sentences in which it does not.
    Refined(Marked),
}

/// What states need and frames reserve, exactly.
///
/// # Errors
///
/// If a state needs more frames than a table can say, what it needs depends on so much of the stack that a limit is passed, or the deadline passes.
pub fn headroom(pda: &Pda, limits: &Limits, deadline: &Deadline) -> Result<Solved, LimitExceeded> {
    let mut exits = Exits::new(pda, deadline)?;
    let nodes: Vec<NodeId> = (0..pda.states.len() as StateId)
        .map(|state| exits.of_state(state))
        .collect();
    if nodes.iter().any(|&node| exits.peaks(node).is_empty()) {
        return Err(LimitExceeded {
            limit: "frames",
            value: MAX_NEED as u64,
            what: "finishing a sentence needs too many nested calls".to_owned(),
        });
    }
    let kinds = Kinds::new(pda, &mut exits, deadline)?;
    let solver = Solver {
        pda,
        exits: &exits,
        nodes: &nodes,
        kinds: &kinds,
    };
    if let Some(headroom) = solver.uniform() {
        return Ok(Solved::Uniform(headroom));
    }
    solver.refined(limits, deadline).map(Solved::Refined)
}

struct Solver<'a> {
    pda: &'a Pda,
    exits: &'a Exits<'a>,
    nodes: &'a [NodeId],
    kinds: &'a Kinds,
}

impl Solver<'_> {
    /// The headroom, if no state's need and no frame's reserve depends on the kind of the stack.
    fn uniform(&self) -> Option<Headroom> {
        Some(Headroom {
            frames: self.reserves()?,
            states: self.needs()?,
        })
    }

    fn reserves(&self) -> Option<Vec<u8>> {
        let mut reserves: Vec<Option<u8>> = vec![None; self.pda.under.len()];
        for (&(frame, _), pushed) in &self.kinds.pushed {
            let Some(reserve) = pushed.map(|pushed| pushed.least.saturating_sub(1)) else {
                continue;
            };
            let known = reserves[usize::from(frame)].get_or_insert(reserve);
            if *known != reserve {
                return None;
            }
        }
        Some(reserves.into_iter().map(|of| of.unwrap_or(0)).collect())
    }

    fn needs(&self) -> Option<Vec<Need>> {
        let peaks = self.nodes.iter().map(|&node| self.exits.peaks(node));
        let tops = self.pda.states.iter().map(|state| &state.top);
        let alike = number(peaks.zip(tops));
        let mut needs: Vec<u8> = Vec::new();
        for (state, &group) in (0..).zip(&alike) {
            if group as usize == needs.len() {
                needs.push(self.need(state)?);
            }
        }
        Some(
            alike
                .iter()
                .map(|&group| Some(needs[group as usize]))
                .collect(),
        )
    }

    /// The need of a state, if it is the same on all kinds of stacks.
    fn need(&self, state: StateId) -> Option<u8> {
        let mut known = None;
        for kind in self.kinds_under(state) {
            if let Some(need) = self
                .kinds
                .need(self.exits, self.nodes[state as usize], kind)
                && *known.get_or_insert(need) != need
            {
                return None;
            }
        }
        // Nothing leads to a state that is on no stack.
        Some(known.unwrap_or(0))
    }

    /// The kinds of the stacks that a state can be met on, ascending.
    fn kinds_under(&self, state: StateId) -> Vec<KindId> {
        let top = self.pda.states[state as usize].top.iter();
        let kinds = top.flat_map(|&frame| &self.kinds.of_frame[usize::from(frame)]);
        let mut kinds: Vec<KindId> = kinds.copied().collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The automaton refined until its headroom is uniform.
    fn refined(&self, limits: &Limits, deadline: &Deadline) -> Result<Marked, LimitExceeded> {
        let kinds = self.all_kinds(deadline)?;
        mark(self.pda, &kinds, limits.states, deadline)
    }

    /// All kinds with what states need on them.
    fn all_kinds(&self, deadline: &Deadline) -> Result<Vec<Kind>, LimitExceeded> {
        let mut all: Vec<Kind> = vec![Kind::default(); self.kinds.costs.values.len()];
        for state in 0..self.pda.states.len() as StateId {
            deadline.check("bounding stacks")?;
            for kind in self.kinds_under(state) {
                let need = self
                    .kinds
                    .need(self.exits, self.nodes[state as usize], kind);
                all[kind as usize].needs.insert(state, need);
            }
        }
        for (&(frame, below), pushed) in &self.kinds.pushed {
            if let Some(pushed) = pushed {
                let push = Push {
                    to: pushed.kind,
                    reserve: pushed.least.saturating_sub(1),
                };
                all[below as usize].pushes.insert(frame, push);
            }
        }
        Ok(all)
    }
}
