//! Merges states and frames that no text tells apart.
//!
//! In: a [`Pda`]. Out: a smaller one with the same sentences. States and frames are refined
//! together, from all alike: two states stay in one block if their edges agree up to blocks, two
//! frames if, wherever a state of one block looks at either, the outcome is the same up to blocks.
//! And a tree must lead all frames of a block to the same block, or one frame could not stand for
//! the other. Item sets that differ only in items that others dominate end up merged, and so do the
//! frames that such sets push.
//!
//! ```text
//! states that moved ──trees──▶ trees with another signature ──states──▶ states that moved, until there are none
//! frames that moved ──trees──▶ …                             ──frames──▶ frames that moved, until there are none
//! ```
//!
//! Only what refers to something that moved is looked at again. The largest part of a block that is
//! split keeps its number, so an element moves at most log n times. The order of the work does not
//! change the partition: elements that a finer partition does not tell apart, a coarser one does
//! not either.

mod frames;
mod quotient;
mod states;
mod trees;

#[cfg(test)]
mod tests;

use super::{BOTTOM, FrameId, Pda, StateId};
use crate::intern::number;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::OwnKey;
use frames::FrameBlocks;
use states::StateBlocks;
use trees::{BlockMap, TreeSignatures};

/// A smaller automaton, and where each state and frame went.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The automaton.
    pub pda: Pda,
    /// For each state before, its state here; states are numbered by their first members.
    pub state_of: Vec<StateId>,
    /// For each frame before, its frame here.
    pub frame_of: Vec<FrameId>,
}

impl Minimized {
    /// The automaton as it was.
    fn unchanged(pda: &Pda) -> Self {
        Minimized {
            pda: pda.clone(),
            state_of: pda.state_ids().collect(),
            frame_of: (0..pda.under.len()).map(FrameId::at).collect(),
        }
    }

    /// For each state here the states before that it stands for, ascending.
    pub fn origins(&self) -> Vec<Vec<StateId>> {
        let mut origins = vec![Vec::new(); self.pda.states.len()];
        for (from, &to) in (0..).map(StateId::new).zip(&self.state_of) {
            origins[to.index()].push(from);
        }
        origins
    }
}

/// The quotient of `pda` by a stable partition of its states and frames.
///
/// # Errors
///
/// If the deadline passes.
pub fn minimize(pda: &Pda, deadline: &Deadline) -> Result<Minimized, LimitExceeded> {
    let labels = vec![(); pda.states.len()];
    let of_frames = vec![(); pda.under.len()];
    minimize_by(pda, &labels, &of_frames, deadline)
}

/// The same where only states with the same label may be merged, and only frames with the same
/// label.
///
/// # Errors
///
/// If the deadline passes.
pub(crate) fn minimize_by<L: OwnKey, F: OwnKey>(
    pda: &Pda,
    labels: &[L],
    of_frames: &[F],
    deadline: &Deadline,
) -> Result<Minimized, LimitExceeded> {
    // Without frames the item sets are the states of one minimal automaton.
    if pda.under.len() == 1 {
        return Ok(Minimized::unchanged(pda));
    }
    let refined = refine(pda, labels, of_frames, deadline)?;
    Ok(Minimized {
        pda: refined.quotient(pda),
        frame_of: refined
            .frame_of
            .iter()
            .map(|&block| FrameId::at(block as usize))
            .collect(),
        state_of: refined.state_of,
    })
}

/// A stable partition.
struct StablePartition {
    /// The blocks of states and frames, numbered by their first members.
    state_of: Vec<StateId>,
    frame_of: Vec<u32>,
    /// For each tree a number, equal for trees that are equal up to blocks.
    signatures: Vec<u32>,
}

fn refine<L: OwnKey, F: OwnKey>(
    pda: &Pda,
    labels: &[L],
    of_frames: &[F],
    deadline: &Deadline,
) -> Result<StablePartition, LimitExceeded> {
    let mut states = StateBlocks::new(pda, &number(labels.iter()));
    let is_bottom = (0..of_frames.len()).map(|frame| FrameId::at(frame) == BOTTOM);
    let mut frames = FrameBlocks::new(pda, &number(is_bottom.zip(of_frames)));
    let mut trees = TreeSignatures::new(pda, blocks(&states, &frames));
    let mut moved = states.split_all(&trees);
    loop {
        while !moved.is_empty() {
            deadline.check("merging states")?;
            trees.follow_states(&moved, blocks(&states, &frames));
            moved = states.split(&trees);
        }
        deadline.check("merging states")?;
        let mut moved_frames = frames.split(&mut trees, &states.partition.of);
        if moved_frames.is_empty() {
            moved_frames = frames.split_crossed(&trees);
        }
        if moved_frames.is_empty() {
            return Ok(StablePartition {
                state_of: number(states.partition.of.iter())
                    .into_iter()
                    .map(StateId::new)
                    .collect(),
                frame_of: number(frames.partition.of.iter()),
                signatures: trees.of,
            });
        }
        trees.follow_frames(&moved_frames, blocks(&states, &frames));
        moved = states.split(&trees);
    }
}

fn blocks<'b>(states: &'b StateBlocks, frames: &'b FrameBlocks) -> BlockMap<'b> {
    BlockMap {
        states: &states.partition.of,
        frames: &frames.partition.of,
    }
}
