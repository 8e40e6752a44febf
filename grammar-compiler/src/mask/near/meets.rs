//! Partitions of the frames, and the coarsest ones that are finer than others.

use rustc_hash::FxHashMap as HashMap;
use std::hash::Hash;

use crate::intern::Interner;
use crate::pda::FrameId;

/// The number of a partition.
pub type Looks = u32;

/// All partitions met.
pub struct Meets {
    /// For each frame the least one in its block.
    partitions: Interner<Vec<FrameId>>,
    known: HashMap<(Looks, Looks), Looks>,
    /// Frames looked at so far.
    pub work: usize,
}

impl Meets {
    /// No partition yet.
    pub fn new() -> Self {
        Meets {
            partitions: Interner::new(),
            known: HashMap::default(),
            work: 0,
        }
    }

    /// The partition of all frames by a value of each.
    pub fn by<T: Eq + Hash>(&mut self, values: impl Iterator<Item = T>) -> Looks {
        let mut least: HashMap<T, FrameId> = HashMap::default();
        let blocks = (0..).zip(values);
        let blocks = blocks.map(|(frame, value)| *least.entry(value).or_insert(frame));
        let blocks: Vec<FrameId> = blocks.collect();
        self.work += 4 * blocks.len();
        self.partitions.intern(blocks)
    }

    /// The coarsest partition that is finer than both.
    pub fn meet(&mut self, a: Looks, b: Looks) -> Looks {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let pairs = self.of(a).iter().copied().zip(self.of(b).iter().copied());
        let pairs: Vec<_> = pairs.collect();
        let both = self.by(pairs.into_iter());
        self.known.insert(key, both);
        both
    }

    /// For each frame the least one in its block.
    pub fn of(&self, looks: Looks) -> &[FrameId] {
        &self.partitions.values[looks as usize]
    }

    /// The partitions by number.
    pub fn into_partitions(self) -> Vec<Vec<FrameId>> {
        self.partitions.values
    }
}
