//! Bases: sets that other sets are stored as a short difference to.
//!
//! In: bitmaps and chains of sets. Out: [`Bases`]: the sets that tables store as planes and a
//! level; and for any other set, the base that differs from it least.
//!
//! Worth (`docs/ablation.md`): without differences tables are 56 % larger at the median and 6.6
//! times as large at the 99th percentile; without two bases, 19 % there.

use maskwright_core::layout::set;

use super::lists::{distance, ones};
use crate::mask::SetId;

/// How many of the latest bitmaps a set is compared with.
const LATEST: usize = 96;
/// To find two bases whose intersection differs little from a set, this many are tried: the
/// smallest that contain almost all of the set.
const AROUND: usize = 3;
/// Words compared at a time.
const CHUNK: usize = 128;

/// Ids of at least some level.
#[derive(Clone, Debug)]
pub struct LevelBase {
    /// The sets that are the planes, low bits first.
    pub planes: Vec<SetId>,
    /// The least level.
    pub least: u32,
    /// A bit an id.
    pub bitmap: Vec<u32>,
    /// How many ids there are.
    count: usize,
}

impl LevelBase {
    /// The ids of at least some level.
    pub fn new(planes: Vec<SetId>, least: u32, bitmap: Vec<u32>) -> Self {
        LevelBase {
            planes,
            least,
            count: ones(bitmap.iter().copied()),
            bitmap,
        }
    }

    /// The intersection with a bitmap.
    fn meet(&self, other: &LevelBase) -> LevelBase {
        let both = self.bitmap.iter().zip(&other.bitmap);
        let bitmap = both.map(|(a, b)| a & b).collect();
        let planes = [&self.planes[..], &other.planes].concat();
        let least = self.least | other.least << self.planes.len();
        LevelBase::new(planes, least, bitmap)
    }

    fn is_bitmap(&self) -> bool {
        self.planes.len() == 1
    }
}

/// All bases so far.
#[derive(Debug, Default)]
pub struct Bases {
    /// Bases that every set is compared with.
    levels: Vec<LevelBase>,
    /// Bitmaps, latest last.
    bitmaps: Vec<LevelBase>,
}

/// How far a base is from a set: the ids that only the base has, and those that only the set has.
#[derive(Clone, Copy)]
struct Far<'b> {
    base: &'b LevelBase,
    extra: usize,
    missing: usize,
}

impl Far<'_> {
    fn total(&self) -> usize {
        self.extra + self.missing
    }
}

impl Bases {
    /// Adds a set that is stored as a bitmap.
    pub fn add_bitmap(&mut self, id: SetId, bitmap: Vec<u32>) {
        self.bitmaps.push(LevelBase::new(vec![id], 1, bitmap));
    }

    /// Adds the sets of a chain, each a part of the one before: they become the levels of planes,
    /// whose ids begin with `first`. Returns the planes.
    pub fn add_chain(&mut self, first: SetId, chain: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let bits = usize::BITS - chain.len().leading_zeros();
        let words = chain.first().map_or(0, Vec::len);
        let mut planes = vec![vec![0u32; words]; bits as usize];
        let mut last = vec![u32::MAX; words];
        let ids = (0..planes.len()).map(|plane| SetId::at(first.index() + plane));
        let ids: Vec<SetId> = ids.collect();
        for (level, set) in (1u32..).zip(chain) {
            last.iter_mut()
                .zip(set)
                .for_each(|(last, set)| *last &= set);
            // From one level to the next, the bits in which both numbers differ change.
            for (bit, plane) in planes.iter_mut().enumerate() {
                if (level ^ (level - 1)) >> bit & 1 == 1 {
                    plane.iter_mut().zip(&last).for_each(|(a, b)| *a ^= b);
                }
            }
            self.levels
                .push(LevelBase::new(ids.clone(), level, last.clone()));
        }
        planes
    }

    /// Whether there are chains.
    pub fn has_chains(&self) -> bool {
        !self.levels.is_empty()
    }

    /// The nearest base, if it differs in at most `most` ids, few enough to pay; and the number of
    /// ids. Of equally near bases the first.
    pub fn nearest(
        &self,
        set: &[u32],
        most: usize,
        pays: impl Fn(usize) -> bool,
    ) -> Option<(LevelBase, usize)> {
        // A base that lacks more ids than that can only be too far, so comparing ends early.
        let most = (0..=most).rev().find(|&far| pays(far))?;
        let far = self.far(set, most);
        let least = far.iter().min_by_key(|far| far.total())?;
        if pays(least.total()) {
            return Some((least.base.clone(), least.total()));
        }
        let around = far.into_iter().filter(|far| pays(far.missing));
        let met = meeting(around.collect(), set)?;
        let total = distance(&met.bitmap, set);
        pays(total).then_some((met, total))
    }

    /// The bases that lack at most `most` ids of a set.
    fn far<'b>(&'b self, set: &[u32], most: usize) -> Vec<Far<'b>> {
        let count = ones(set.iter().copied());
        let far = |base: &'b LevelBase| {
            let missing = missing(&base.bitmap, set, most)?;
            let both = count - missing;
            Some(Far {
                base,
                extra: base.count - both,
                missing,
            })
        };
        // Each level is a part of the one before it, so those behind one that lacks too many ids
        // lack as many.
        let chains = self.levels.chunk_by(|a, b| a.planes == b.planes);
        let levels = chains.flat_map(|chain| chain.iter().map_while(far));
        let first = self.bitmaps.len().saturating_sub(LATEST);
        let bitmaps = self.bitmaps[first..].iter().filter_map(far);
        levels.chain(bitmaps).collect()
    }
}

/// The number of ids of a set that a base lacks, if it is at most `most`.
fn missing(base: &[u32], set: &[u32], most: usize) -> Option<usize> {
    let mut missing = 0;
    for (base, set) in base.chunks(CHUNK).zip(set.chunks(CHUNK)) {
        missing += ones(base.iter().zip(set).map(|(base, set)| set & !base));
        if missing > most {
            return None;
        }
    }
    Some(missing)
}

/// The intersection of two bases that is nearest to a set, among the smallest bases that lack few
/// ids of it.
fn meeting(mut around: Vec<Far<'_>>, set: &[u32]) -> Option<LevelBase> {
    around.sort_by(|a, b| (a.extra, &a.base.planes).cmp(&(b.extra, &b.base.planes)));
    let (bitmaps, levels): (Vec<Far<'_>>, Vec<_>) =
        around.into_iter().partition(|far| far.base.is_bitmap());
    let mut best: Option<(usize, &LevelBase, &LevelBase)> = None;
    for (at, one) in bitmaps.iter().take(AROUND).enumerate() {
        let others = bitmaps[..at].iter().chain(levels.iter().take(AROUND));
        for other in others.filter(|other| other.base.planes.len() < set::MAX_PLANES) {
            let pairs = one.base.bitmap.iter().zip(&other.base.bitmap).zip(set);
            let far = ones(pairs.map(|((a, b), set)| a & b ^ set));
            if best.is_none_or(|best| far < best.0) {
                best = Some((far, other.base, one.base));
            }
        }
    }
    best.map(|(_, other, bitmap)| other.meet(bitmap))
}
