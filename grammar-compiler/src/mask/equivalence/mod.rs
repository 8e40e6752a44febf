//! k-equivalence: states and frames that no text of at most *k* symbols distinguishes (Moore's
//! refinement, by length).
//!
//! In: the automaton and its headroom. Out: [`Equivalence`]: for each length a partition of the
//! states, and under each state a partition of the frames on the stack. The digits of a count
//! differ only at the end of a block and after the last block, and most tokens are too short to
//! reach either. So below most trie nodes, walks from almost all digits have the same result, and
//! one walk serves them all.
//!
//! Two equivalent states have the same need and the same frames on top, their transitions lead to
//! states that are equivalent for one symbol less, and they look at the same unknown frames. So
//! walks from the two accept the same nodes. The same holds for two stacks of known frames. A
//! non-consuming transition leaves the length as it is, so such transitions have to agree exactly.
//!
//! Worth (`docs/ablation.md`): without it a compile takes 24 % longer at the 99th percentile.

mod partitions;
mod refine;
mod users;

#[cfg(test)]
mod tests;

pub use self::partitions::BlockId;
use self::partitions::PartitionId;
use self::refine::Refining;
use crate::csr::Csr;
use crate::pda::headroom::Headroom;
use crate::pda::{FrameId, Pda, StateId};

/// Refining ends when about this many words have been read, which takes some milliseconds. From
/// then on all states count as different for longer texts.
const WORK: usize = 4_000_000;

/// The states and frames that texts of each length do not distinguish.
pub struct Equivalence {
    /// Texts of this length and longer ones distinguish everything.
    lengths: u32,
    /// For each state its blocks.
    blocks: History<BlockId>,
    /// For each state the partitions of the frames under it.
    frames: History<PartitionId>,
    /// For each partition and frame the least frame of its block.
    partitions: Vec<Vec<FrameId>>,
}

impl Equivalence {
    /// The finest one: any text distinguishes all states and frames.
    pub fn finest() -> Self {
        Equivalence {
            lengths: 0,
            blocks: History::default(),
            frames: History::default(),
            partitions: Vec::new(),
        }
    }

    /// The equivalence for texts of fewer than `lengths` symbols.
    pub fn new(pda: &Pda, headroom: &Headroom, lengths: u32) -> Self {
        let mut refining = Refining::new(pda, headroom);
        let (mut blocks, mut frames) = (Vec::new(), Vec::new());
        let mut length = 0;
        while length < lengths && refining.work < WORK {
            let moved = refining.moved().map(|(s, block)| (s, (length, block)));
            blocks.extend(moved);
            let refined = refining.refined().map(|(s, of)| (s, (length, of)));
            frames.extend(refined);
            length += 1;
            if refining.is_stable() {
                break;
            }
            refining.refine();
        }
        Equivalence {
            lengths: length,
            blocks: History::new(pda.states.len(), blocks),
            frames: History::new(pda.states.len(), frames),
            partitions: refining.into_partitions(),
        }
    }

    /// The block of the states that texts of this length do not distinguish from `state`.
    pub fn block(&self, length: u32, state: StateId) -> BlockId {
        match length < self.lengths {
            true => self.blocks.at(state, length),
            false => BlockId::alone(state),
        }
    }

    /// The frame that stands for all frames that texts of this length do not distinguish from
    /// `frame` on a stack under `state`.
    pub fn frame(&self, length: u32, state: StateId, frame: FrameId) -> FrameId {
        match length < self.lengths {
            true => self.partitions[self.frames.at(state, length).index()][usize::from(frame)],
            false => frame,
        }
    }
}

/// For each state some values, each from some length on.
struct History<T> {
    of_state: Csr,
    entries: Vec<(u32, T)>,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        History {
            of_state: Csr::default(),
            entries: Vec::new(),
        }
    }
}

impl<T: Copy> History<T> {
    /// Entries in the order of their lengths, each with its state; each state has one of length 0.
    fn new(states: usize, entries: Vec<(StateId, (u32, T))>) -> Self {
        let of_state = (0..)
            .zip(&entries)
            .map(|(at, entry)| (entry.0.number(), at));
        History {
            of_state: Csr::new(states, of_state),
            entries: entries.iter().map(|entry| entry.1).collect(),
        }
    }

    fn at(&self, state: StateId, length: u32) -> T {
        let entries = self.of_state.of(state.number());
        let later = entries.partition_point(|&at| self.entries[at as usize].0 <= length);
        self.entries[entries[later - 1] as usize].1
    }
}
