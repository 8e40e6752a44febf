//! Token sets of which each is a part of the one before.
//!
//! In: token sets. Out: [`Nested`]: chains of large sets, each a part of the one before but for a few ranks; and smaller sets that are
//! what a set has in common with one of a chain. A counted repetition of a body that most tokens are made of leaves such sets: the
//! tokens of at most one character, of at most two, and so on. The number of sets of a chain that a rank lies in, its *level*, is
//! all that a chain says, and takes a few bits a rank where the chain has many sets: see [`crate::pack`].

use std::cmp::Reverse;

use super::set::{Ranks, SetId};

/// Sets of more ranks than this are large: their chains are looked for.
pub const LARGE: usize = 4_500;
/// The least number of sets in a chain: five sets take three planes.
const MIN_CHAIN: usize = 5;
/// The greatest number of sets in a chain.
const MAX_CHAIN: usize = 31;
/// Sets of a chain are at least so many ranks apart: what is nearer is a short difference anyway.
const APART: usize = 1_000;
/// Ranks of a set of a chain that the one before may lack.
const STRAY: usize = 250;
/// How many sets a chain may begin with.
const MAX_STARTS: usize = 16;
/// How many large sets are looked at.
const MAX_LARGE: usize = 256;
/// A set of at least so many ranks may be what another has in common with one of a chain.
const MIN_PART: usize = 600;
/// Bytes of a difference, apart from a byte for each rank in which it differs: a list takes a byte a rank, or a little more.
const DIFFERENCE: usize = 250;
/// How many sets may have parts.
const MAX_WHOLES: usize = 12;

/// What sets have to do with each other.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// Sets of which each is a part of the one before, but for a few ranks.
    pub chains: Vec<Chain>,
    /// Sets that are not large and of which parts are listed in `parts`.
    pub wholes: Vec<SetId>,
    /// Sets that are what a whole has in common with a set of a chain, but for a few ranks.
    pub parts: Vec<SetId>,
}

/// Sets of which each is a part of the one before, but for a few ranks.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The sets, the largest first.
    pub sets: Vec<SetId>,
    /// Whether at least half of all sets that are near one of them are near the first: so it is where something is counted, and far from the
    /// count's end.
    pub is_mostly_first: bool,
}

/// Finds chains, and parts of other sets where it pays to keep these as bitmaps. A set takes as many ranks as `tokens` at most.
pub fn find(sets: &[Ranks], tokens: usize) -> Nested {
    let mut large = by_size(sets, |size| size > LARGE && size + APART <= tokens);
    large.truncate(MAX_LARGE);
    let mut nested = Nested::default();
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
        // What is near a level of this chain needs no other.
        let common = Common::new(&sets[chain[0] as usize], &level);
        let (mut near_first, mut near_any) = (0, 0);
        large.retain(|&id| {
            let near = common.nearest(&sets[id as usize], APART);
            near_first += usize::from(near.is_some_and(|(_, level)| level == 0));
            near_any += usize::from(near.is_some());
            near.is_none()
        });
        nested.chains.push(Chain {
            sets: chain,
            is_mostly_first: 2 * near_first >= near_any,
        });
        levels.push(level);
    }
    if !levels.is_empty() {
        add_parts(&mut nested, sets, &levels, tokens);
    }
    nested
}

/// The sets of these sizes, the largest first.
fn by_size(sets: &[Ranks], is_asked: impl Fn(usize) -> bool) -> Vec<SetId> {
    let size = |id: SetId| sets[id as usize].len();
    let mut ids: Vec<SetId> = (0..sets.len() as SetId)
        .filter(|&id| is_asked(size(id)))
        .collect();
    ids.sort_by_key(|&id| (Reverse(size(id)), id));
    ids
}

/// The sets of a chain, each all of it a part of the one before: ranks of at least the first level, of the second, and so on.
type Levels = Vec<Ranks>;

/// The chain that begins with the first of these sets, and its levels.
fn chain(sets: &[Ranks], large: &[SetId]) -> (Vec<SetId>, Levels) {
    let mut chain: Vec<SetId> = Vec::new();
    let mut levels = Levels::new();
    let mut size = usize::MAX;
    for &id in large {
        let set = &sets[id as usize];
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

/// All but the first set of a chain, if it takes fewer bytes to say what the first one has in common with other chains' levels than to have
/// planes for this chain as well.
fn parts(sets: &[Ranks], chain: &[SetId], levels: &[Levels], tokens: usize) -> Option<Vec<SetId>> {
    let (first, parts) = chain.split_first()?;
    let common = |levels| Common::new(&sets[*first as usize], levels);
    let common: Vec<Common> = levels.iter().map(common).collect();
    let far = |&id: &SetId| {
        let part = &sets[id as usize];
        let far = |common: &Common| common.distance(part, part.len() / 8);
        Some(common.iter().filter_map(far).min()? + DIFFERENCE)
    };
    let differences: usize = parts.iter().map(far).sum::<Option<usize>>()?;
    let planes = chain.len().ilog2() as usize + 1;
    (differences < (planes - 1) * tokens / 8).then(|| parts.to_vec())
}

/// What a set has in common with each level.
struct Common(Vec<Ranks>);

impl Common {
    fn new(whole: &Ranks, levels: &Levels) -> Self {
        let common = levels.iter().map(|level| whole.common(level));
        Common(common.collect())
    }

    /// How many ranks a set and what there is in common with the nearest level differ in, if not in more than `most`; and which level that is.
    fn nearest(&self, part: &Ranks, most: usize) -> Option<(usize, usize)> {
        let levels = (0..).zip(&self.0);
        let far = levels.filter_map(|(at, level)| Some((level.distance(part, most)?, at)));
        far.min()
    }

    /// [`nearest`](Self::nearest) without the level.
    fn distance(&self, part: &Ranks, most: usize) -> Option<usize> {
        Some(self.nearest(part, most)?.0)
    }
}

/// A set, what it has in common with each chain, and its parts.
struct Whole {
    id: SetId,
    common: Vec<Common>,
    parts: Vec<SetId>,
    /// Bytes that it saves to have it as a bitmap.
    saved: usize,
}

/// Finds parts, and keeps the wholes that are worth a bitmap.
fn add_parts(nested: &mut Nested, sets: &[Ranks], levels: &[Levels], tokens: usize) {
    let small = by_size(sets, |size| (MIN_PART..=LARGE).contains(&size));
    let mut wholes: Vec<Whole> = Vec::new();
    for id in small {
        let part = &sets[id as usize];
        let size = part.len();
        let far = |whole: &Whole| {
            let common = whole.common.iter();
            common
                .filter_map(|common| common.distance(part, size / 8))
                .min()
        };
        let near = (0..)
            .zip(&wholes)
            .find_map(|(at, whole)| Some((at, far(whole)?)));
        match near {
            Some((at, far)) => {
                let whole: &mut Whole = &mut wholes[at];
                whole.parts.push(id);
                whole.saved += size.saturating_sub(far + DIFFERENCE);
            }
            None if wholes.len() < MAX_WHOLES => wholes.push(Whole {
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
    for whole in wholes {
        if whole.saved > tokens / 8 {
            nested.wholes.push(whole.id);
            nested.parts.extend(whole.parts);
        }
    }
}
