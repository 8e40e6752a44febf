//! States and frames that short texts do not tell apart.
//!
//! In: the automaton and its headroom. Out: [`Near`]: for each length a partition of the states by what texts of at most so
//! many symbols can come to, and under each state one of the frames on the stack. The digits of a count differ in
//! where a block ends and in what follows its last block, which most tokens do not reach: so what walks find below most trie
//! nodes is the same from almost all of them.
//!
//! Two states of a block have the same need and the same frames on top, go on alike and look at the same unknown frames, so that
//! what is found from one is found from the other, node for node; and so it is with two stacks of known frames.

mod meets;
mod refine;
mod users;

#[cfg(test)]
mod tests;

use crate::grouped::Grouped;
use crate::pda::headroom::Headroom;
use crate::pda::{FrameId, Pda, StateId};
use refine::Refining;

/// Refining ends when about so many words have been looked at: 10 ms. Longer texts then tell everything apart.
const WORK: usize = 2_000_000;

/// What texts of each length do not tell apart.
pub struct Near {
    /// Texts of this length and longer ones tell everything apart.
    lengths: u32,
    /// For each state the numbers of its blocks.
    blocks: History,
    /// For each state the numbers of partitions of the frames.
    looks: History,
    /// For each frame of a partition the least one in its block.
    partitions: Vec<Vec<FrameId>>,
}

impl Near {
    /// Every text tells everything apart.
    pub fn nothing() -> Self {
        Near {
            lengths: 0,
            blocks: History::default(),
            looks: History::default(),
            partitions: Vec::new(),
        }
    }

    /// What texts of fewer than `lengths` symbols do not tell apart.
    pub fn new(pda: &Pda, headroom: &Headroom, lengths: u32) -> Self {
        let mut refining = Refining::new(pda, headroom);
        let (mut blocks, mut looks) = (Vec::new(), Vec::new());
        let mut length = 0;
        while length < lengths && refining.work < WORK {
            let moved = refining.moved().map(|(s, block)| (s, (length, block)));
            blocks.extend(moved);
            let looked = refining.looked().map(|(s, looks)| (s, (length, looks)));
            looks.extend(looked);
            length += 1;
            if refining.is_stable() {
                break;
            }
            refining.refine();
        }
        Near {
            lengths: length,
            blocks: History::new(pda.states.len(), blocks),
            looks: History::new(pda.states.len(), looks),
            partitions: refining.into_partitions(),
        }
    }

    /// A number that states have in common which texts of this length do not tell apart.
    pub fn state(&self, length: u32, state: StateId) -> u32 {
        match length < self.lengths {
            true => self.blocks.at(state, length),
            false => !state,
        }
    }

    /// The frame that stands for this one, on a stack under `state`.
    pub fn frame(&self, length: u32, state: StateId, frame: FrameId) -> FrameId {
        match length < self.lengths {
            true => self.partitions[self.looks.at(state, length) as usize][usize::from(frame)],
            false => frame,
        }
    }
}

/// For each state some numbers, each from some length on.
#[derive(Default)]
struct History {
    of_state: Grouped,
    entries: Vec<(u32, u32)>,
}

impl History {
    /// Entries by length, each with its state; each state has one of length 0.
    fn new(states: usize, entries: Vec<(StateId, (u32, u32))>) -> Self {
        let of_state = (0..).zip(&entries).map(|(at, entry)| (entry.0, at));
        History {
            of_state: Grouped::new(states, of_state),
            entries: entries.iter().map(|entry| entry.1).collect(),
        }
    }

    fn at(&self, state: StateId, length: u32) -> u32 {
        let entries = self.of_state.of(state);
        let later = entries.partition_point(|&at| self.entries[at as usize].0 <= length);
        self.entries[entries[later - 1] as usize].1
    }
}
