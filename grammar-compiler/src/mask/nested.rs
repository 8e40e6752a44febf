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
    pub chains: Vec<Vec<SetId>>,
    /// Sets that are not large and of which parts are listed in `parts`.
    pub wholes: Vec<SetId>,
    /// Sets that are what a whole has in common with a set of a chain, but for a few ranks.
    pub parts: Vec<SetId>,
}

/// Finds chains, and parts of other sets where it pays to keep these as bitmaps. A set takes as many ranks as `tokens` at most.
pub fn find(sets: &[Ranks], tokens: usize) -> Nested {
    let sizes: Vec<usize> = sets.iter().map(Ranks::len).collect();
    let mut large = by_size(&sizes, |size| size > LARGE && size + APART <= tokens);
    large.truncate(MAX_LARGE);
    let mut nested = Nested::default();
    let mut levels = Vec::new();
    for _ in 0..MAX_STARTS {
        if large.len() < MIN_CHAIN {
            break;
        }
        let (chain, level) = chain(sets, &sizes, &large);
        if chain.len() < MIN_CHAIN {
            large.remove(0);
            continue;
        }
        // What is near a level of this chain needs no other.
        let top = &sets[chain[0] as usize];
        large.retain(|&id| level.distance(top, &sets[id as usize]) > APART);
        nested.chains.push(chain);
        levels.push(level);
    }
    if !levels.is_empty() {
        add_parts(&mut nested, sets, &sizes, &levels, tokens);
    }
    nested
}

/// The sets of these sizes, the largest first.
fn by_size(sizes: &[usize], is_asked: impl Fn(usize) -> bool) -> Vec<SetId> {
    let mut ids: Vec<SetId> = (0..sizes.len() as SetId)
        .filter(|&id| is_asked(sizes[id as usize]))
        .collect();
    ids.sort_by_key(|&id| (Reverse(sizes[id as usize]), id));
    ids
}

/// The level of each rank, and the number of levels.
struct Levels {
    of: Vec<u8>,
    count: usize,
}

/// The chain that begins with the first of these sets, and its levels.
fn chain(sets: &[Ranks], sizes: &[usize], large: &[SetId]) -> (Vec<SetId>, Levels) {
    let mut chain: Vec<SetId> = Vec::new();
    let mut levels = Levels {
        of: Vec::new(),
        count: 0,
    };
    let mut last = Ranks::default();
    for &id in large {
        let set = &sets[id as usize];
        let stray = set.minus(&last);
        let inner = set.minus(&stray);
        let is_next = sizes[id as usize] + APART <= last.len()
            && stray.len() <= STRAY
            && inner.len() + APART <= last.len();
        if !chain.is_empty() && !is_next {
            continue;
        }
        last = if chain.is_empty() { set.clone() } else { inner };
        levels.add(&last);
        chain.push(id);
        if chain.len() == MAX_CHAIN {
            break;
        }
    }
    (chain, levels)
}

impl Levels {
    fn add(&mut self, set: &Ranks) {
        set.each_interval(&mut |from, to| {
            self.of.resize(self.of.len().max(to as usize), 0);
            self.of[from as usize..to as usize]
                .iter_mut()
                .for_each(|level| *level += 1);
        });
        self.count += 1;
    }

    fn of(&self, rank: u32) -> usize {
        self.of
            .get(rank as usize)
            .map_or(0, |&level| level as usize)
    }

    /// How many ranks `part` and what `whole` has of at least some level differ in, for the level where they are fewest.
    fn distance(&self, whole: &Ranks, part: &Ranks) -> usize {
        let mut counts = vec![[0usize; 2]; self.count + 1];
        let mut stray = 0;
        whole.each_interval(&mut |from, to| {
            (from..to).for_each(|rank| counts[self.of(rank)][0] += 1);
        });
        part.minus(whole)
            .each_interval(&mut |from, to| stray += (to - from) as usize);
        part.each_interval(&mut |from, to| {
            (from..to).for_each(|rank| counts[self.of(rank)][1] += 1);
        });
        // From the lowest level up: ranks of the part that are left out, and ranks of the whole that are not in the part.
        let mut lost = 0;
        let mut extra: usize = counts.iter().map(|c| c[0].saturating_sub(c[1])).sum();
        let mut best = usize::MAX;
        for [whole, part] in counts {
            lost += part;
            extra -= whole.saturating_sub(part);
            best = best.min(lost + extra);
        }
        best + stray
    }
}

/// Finds parts, and keeps the wholes that are worth a bitmap.
fn add_parts(
    nested: &mut Nested,
    sets: &[Ranks],
    sizes: &[usize],
    levels: &[Levels],
    tokens: usize,
) {
    let small = by_size(sizes, |size| (MIN_PART..=LARGE).contains(&size));
    let mut wholes: Vec<(SetId, Vec<SetId>, usize)> = Vec::new();
    for id in small {
        let (part, size) = (&sets[id as usize], sizes[id as usize]);
        let far = |whole: SetId| {
            let whole = &sets[whole as usize];
            let far = levels.iter().map(|levels| levels.distance(whole, part));
            far.min().filter(|far| 8 * far <= size)
        };
        let mut near = (0..wholes.len()).filter_map(|at| Some((at, far(wholes[at].0)?)));
        match near.next() {
            Some((at, far)) => {
                wholes[at].1.push(id);
                wholes[at].2 += size.saturating_sub(far + DIFFERENCE);
            }
            None if wholes.len() < MAX_WHOLES => wholes.push((id, Vec::new(), 0)),
            None => {}
        }
    }
    for (whole, parts, saved) in wholes {
        if saved > tokens / 8 {
            nested.wholes.push(whole);
            nested.parts.extend(parts);
        }
    }
}
