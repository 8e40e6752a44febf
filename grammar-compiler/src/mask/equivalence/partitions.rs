//! Numbers of blocks of states; and partitions of the frames, numbered, and their meets: the
//! coarsest partitions that are finer than two others.

use crate::maps::{IdMap, OwnKey};

use crate::id::id;
use crate::intern::Interner;
use crate::pda::{FrameId, StateId};

id! {
    /// The number of a partition.
    pub struct PartitionId;
}

id! {
    /// The block of some equivalent states: a number, or the state itself if it is alone.
    pub struct BlockId;
}

impl BlockId {
    /// The block of one state that is equivalent to no other.
    pub const fn alone(state: StateId) -> Self {
        BlockId::new(!state.number())
    }
}

/// All partitions that occur.
pub struct Partitions {
    /// For each frame the least one in its block.
    all: Interner<Vec<FrameId>>,
    meets: IdMap<(PartitionId, PartitionId), PartitionId>,
    /// The number of frames looked at so far.
    pub work: usize,
}

impl Partitions {
    /// No partition yet.
    pub fn new() -> Self {
        Partitions {
            all: Interner::new(),
            meets: IdMap::default(),
            work: 0,
        }
    }

    /// The partition of all frames by a value of each.
    pub fn by<T: OwnKey>(&mut self, values: impl Iterator<Item = T>) -> PartitionId {
        let mut least: IdMap<T, FrameId> = IdMap::default();
        let blocks = values.enumerate();
        let blocks = blocks.map(|(frame, value)| *least.entry(value).or_insert(FrameId::at(frame)));
        let blocks: Vec<FrameId> = blocks.collect();
        self.work += 4 * blocks.len();
        PartitionId::new(self.all.intern(blocks))
    }

    /// The coarsest partition that is finer than both.
    pub fn meet(&mut self, a: PartitionId, b: PartitionId) -> PartitionId {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.meets.get(&key) {
            return known;
        }
        let pairs = self.of(a).iter().copied().zip(self.of(b).iter().copied());
        let pairs: Vec<_> = pairs.collect();
        let both = self.by(pairs.into_iter());
        self.meets.insert(key, both);
        both
    }

    /// For each frame the least one in its block.
    pub fn of(&self, partition: PartitionId) -> &[FrameId] {
        &self.all.values[partition.index()]
    }

    /// The partitions by number.
    pub fn into_partitions(self) -> Vec<Vec<FrameId>> {
        self.all.values
    }
}
