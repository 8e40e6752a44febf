//! Chains of token sets: each set is a subset of the one before it, a few ranks excepted.
//!
//! In: token sets. Out: [`Nested`]: chains of large sets, and smaller sets that are nearly the
//! intersection of some set with a set of a chain. A counted repetition whose body matches most
//! tokens leaves such sets behind: the tokens of at most one character, of at most two, and so on.
//! The *level* of a rank is the number of sets of the chain that hold it. The levels determine the
//! chain, and a level takes a few bits, however many sets the chain has: [`pack`](crate::pack)
//! stores these bits as planes.
//!
//! Worth (`docs/ablation.md`): without chains tables are 35 % larger at the 99th percentile. The
//! parts of chains alone save less than 1 %.

use std::cmp::Reverse;

use super::ranks::Ranks;
use super::tree::SetId;

/// Sets of more ranks than this are large. Chains consist of large sets.
pub const LARGE: usize = 4_500;
/// The least number of sets in a chain: five sets take three planes.
const MIN_CHAIN: usize = 5;
/// The greatest number of sets in a chain.
const MAX_CHAIN: usize = 31;
/// The least difference in size between two sets of a chain. Sets that are closer are stored as a
/// short difference anyway.
const APART: usize = 1_000;
/// The number of ranks that a set of a chain may have beyond the set before it.
const STRAY: usize = 250;
/// The number of sets that are tried as the first set of a chain.
const MAX_STARTS: usize = 16;
/// The number of large sets that are considered.
const MAX_LARGE: usize = 256;
/// The least size of a set that may be stored as the intersection of another set with a set of a
/// chain.
const MIN_PART: usize = 600;
/// Bytes of a difference besides one byte for each rank that differs.
const DIFFERENCE: usize = 250;
/// The number of sets that may be wholes.
const MAX_WHOLES: usize = 12;

/// Which sets are nearly subsets of others.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// The chains.
    pub chains: Vec<SetChain>,
    /// Sets that are not large, and whose intersections with sets of chains are in `parts`.
    pub wholes: Vec<SetId>,
    /// Sets that are the intersection of a whole with a set of a chain, a few ranks excepted.
    pub parts: Vec<SetId>,
}

/// Sets, each a subset of the one before it, a few ranks excepted.
#[derive(Clone, Debug)]
pub struct SetChain {
    /// The sets, the largest first.
    pub sets: Vec<SetId>,
    /// Whether at least half of the sets that are close to some set of the chain are close to the
    /// first one, as in a count whose end most of its states are far from.
    pub is_mostly_first: bool,
}

/// Finds chains, and wholes and their parts where a bitmap of the whole saves bytes. The vocabulary
/// has `tokens` ranks.
pub fn find(sets: &[Ranks], tokens: usize) -> Nested {
    let (chains, levels) = find_chains(sets, tokens);
    let (wholes, parts) = find_parts(sets, &levels, tokens);
    Nested {
        chains,
        wholes,
        parts,
    }
}

/// The levels of the chains, which do not depend on sets that are not large.
pub fn levels(sets: &[Ranks], tokens: usize) -> Vec<Levels> {
    find_chains(sets, tokens).1
}

fn find_chains(sets: &[Ranks], tokens: usize) -> (Vec<SetChain>, Vec<Levels>) {
    let mut large = by_size(sets, |size| size > LARGE && size + APART <= tokens);
    large.truncate(MAX_LARGE);
    let mut chains = Vec::new();
    let mut levels = Vec::new();
    for _ in 0..MAX_STARTS {
        if large.len() < MIN_CHAIN {
            break;
        }
        let (chain, level) = chain(sets, &large);
        if chain.len() < MIN_CHAIN {
            large.remove(0);
            continue;
        }
        if let Some(parts) = parts(sets, &chain, &levels, tokens) {
            large.retain(|id| *id != chain[0] && !parts.contains(id));
            continue;
        }
        // A set that is close to a level of this chain needs no other chain.
        let common = Common::new(&sets[chain[0].index()], &level);
        let (mut close_to_first, mut close_to_any) = (0, 0);
        large.retain(|&id| {
            let close = common.nearest(&sets[id.index()], APART);
            close_to_first += usize::from(close.is_some_and(|(_, level)| level == 0));
            close_to_any += usize::from(close.is_some());
            close.is_none()
        });
        chains.push(SetChain {
            sets: chain,
            is_mostly_first: 2 * close_to_first >= close_to_any,
        });
        levels.push(level);
    }
    (chains, levels)
}

/// The sets whose size `is_asked` accepts, the largest first.
fn by_size(sets: &[Ranks], is_asked: impl Fn(usize) -> bool) -> Vec<SetId> {
    let size = |id: SetId| sets[id.index()].len();
    let ids = (0..sets.len()).map(SetId::at);
    let mut ids: Vec<SetId> = ids.filter(|&id| is_asked(size(id))).collect();
    ids.sort_by_key(|&id| (Reverse(size(id)), id));
    ids
}

/// The sets of a chain cut down to true subsets: the ranks of at least level one, of at least level
/// two, and so on.
pub type Levels = Vec<Ranks>;

/// The chain that begins with the first of the `large` sets, and its levels.
fn chain(sets: &[Ranks], large: &[SetId]) -> (Vec<SetId>, Levels) {
    let mut chain: Vec<SetId> = Vec::new();
    let mut levels = Levels::new();
    let mut size = usize::MAX;
    for &id in large {
        let set = &sets[id.index()];
        let Some(last) = levels.last() else {
            size = set.len();
            levels.push(set.clone());
            chain.push(id);
            continue;
        };
        if set.len() + APART > size || set.outside(last, STRAY).is_none() {
            continue;
        }
        let inner = set.common(last);
        size = inner.len();
        levels.push(inner);
        chain.push(id);
        if chain.len() == MAX_CHAIN {
            break;
        }
    }
    (chain, levels)
}

/// The sets of a chain after its first, if intersections of the first one with the levels of
/// earlier chains describe them in fewer bytes than planes of their own would take.
fn parts(sets: &[Ranks], chain: &[SetId], levels: &[Levels], tokens: usize) -> Option<Vec<SetId>> {
    let (first, parts) = chain.split_first()?;
    let common = |levels| Common::new(&sets[first.index()], levels);
    let common: Vec<Common> = levels.iter().map(common).collect();
    let cost = |&id: &SetId| {
        let part = &sets[id.index()];
        let distance = |common: &Common| common.distance(part, part.len() / 8);
        Some(common.iter().filter_map(distance).min()? + DIFFERENCE)
    };
    let differences: usize = parts.iter().map(cost).sum::<Option<usize>>()?;
    let planes = chain.len().ilog2() as usize + 1;
    (differences < (planes - 1) * tokens / 8).then(|| parts.to_vec())
}

/// The intersections of a set with each level of a chain.
struct Common(Vec<Ranks>);

impl Common {
    fn new(whole: &Ranks, levels: &Levels) -> Self {
        let common = levels.iter().map(|level| whole.common(level));
        Common(common.collect())
    }

    /// The distance of `part` to the nearest of these intersections, and the level of that one;
    /// `None` if all are more than `most` ranks away.
    fn nearest(&self, part: &Ranks, most: usize) -> Option<(usize, usize)> {
        let levels = (0..).zip(&self.0);
        let distances = levels.filter_map(|(at, level)| Some((level.distance(part, most)?, at)));
        distances.min()
    }

    /// The distance that [`nearest`](Self::nearest) gives.
    fn distance(&self, part: &Ranks, most: usize) -> Option<usize> {
        Some(self.nearest(part, most)?.0)
    }
}

/// A set, its intersections with each chain, and its parts.
struct WholeSet {
    id: SetId,
    common: Vec<Common>,
    parts: Vec<SetId>,
    /// Bytes that its parts save if it is a bitmap.
    saved: usize,
}

/// The wholes that are worth a bitmap, and their parts: sets that are not large. There are none if
/// there are no chains.
pub fn find_parts(sets: &[Ranks], levels: &[Levels], tokens: usize) -> (Vec<SetId>, Vec<SetId>) {
    if levels.is_empty() {
        return Default::default();
    }
    let small = by_size(sets, |size| (MIN_PART..=LARGE).contains(&size));
    let mut wholes: Vec<WholeSet> = Vec::new();
    for id in small {
        let part = &sets[id.index()];
        let size = part.len();
        let distance = |whole: &WholeSet| {
            let common = whole.common.iter();
            common
                .filter_map(|common| common.distance(part, size / 8))
                .min()
        };
        let close = (0..)
            .zip(&wholes)
            .find_map(|(at, whole)| Some((at, distance(whole)?)));
        match close {
            Some((at, distance)) => {
                let whole: &mut WholeSet = &mut wholes[at];
                whole.parts.push(id);
                whole.saved += size.saturating_sub(distance + DIFFERENCE);
            }
            None if wholes.len() < MAX_WHOLES => wholes.push(WholeSet {
                id,
                common: levels
                    .iter()
                    .map(|levels| Common::new(part, levels))
                    .collect(),
                parts: Vec::new(),
                saved: 0,
            }),
            None => {}
        }
    }
    let worth = wholes.into_iter().filter(|of| of.saved > tokens / 8);
    let (wholes, parts): (Vec<SetId>, Vec<Vec<SetId>>) = worth.map(|of| (of.id, of.parts)).unzip();
    (wholes, parts.concat())
}
