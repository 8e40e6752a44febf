//! Token sets as words, each in the cheapest form that keeps a mask fast.
//!
//! In: sets of ranks. Out: the set index and the sets. Forms are chosen from the largest set down, so that what a set is
//! close to, or a part of, is there before it. A list has at most [`MAX_LIST`] ids, whatever it would save: applying it
//! costs about a nanosecond an id, a bitmap costs the same few hundred whatever it holds.

use maskwright_core::layout::set;

use super::lists::{distance, ids_of, list_words, push_list};
use super::too_large;
use crate::limits::{Deadline, LimitExceeded};
use crate::mask::{Ranks, TokenTrie};

/// The longest list of a set that saves less than half of a bitmap, and of what changes one.
const SHORT_LIST: usize = 1_000;
/// The longest list of a set.
pub const MAX_LIST: usize = 4_500;
/// Sets unpacked at a time.
const BATCH: usize = 2_048;
/// How many bitmaps a set is compared with in search of a short difference.
const BASES: usize = 96;
/// How many of the least bitmaps around a set are tried in search of two that meet in it.
const AROUND: usize = 3;

/// How many sets are stored in each form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetKinds {
    /// A bit a token.
    pub bitmaps: usize,
    /// The ids in the set.
    pub accept_lists: usize,
    /// The ids not in the set.
    pub reject_lists: usize,
    /// A bitmap, or what two have in common, and a few ids that differ.
    pub deltas: usize,
}

/// Packs all sets: the index, the words, and a count of forms. The threads turn ranks into ids; the forms are then
/// chosen in order, so that the result does not depend on how many there are.
pub fn pack(
    sets: &[Ranks],
    trie: &TokenTrie,
    threads: usize,
    deadline: &Deadline,
) -> Result<(Vec<u32>, Vec<u32>, SetKinds), LimitExceeded> {
    let mut packer = Packer {
        vocab_size: trie.vocab_size,
        bitmaps: Vec::new(),
        counts: Vec::new(),
        packed: vec![Vec::new(); sets.len()],
        kinds: SetKinds::default(),
    };
    let mut order: Vec<(usize, u32)> = sets.iter().map(Ranks::len).zip(0..).collect();
    order.sort_unstable_by_key(|&(len, id)| (std::cmp::Reverse(len), id));
    for batch in order.chunks(BATCH) {
        deadline.check("packing token sets")?;
        let ranks: Vec<&Ranks> = batch.iter().map(|&(_, id)| &sets[id as usize]).collect();
        for (content, &(_, id)) in contents(&ranks, trie, threads).into_iter().zip(batch) {
            packer.add(id, content);
        }
    }
    if sets.len() >= maskwright_core::layout::mask::SET as usize {
        return Err(too_large(
            "token sets",
            maskwright_core::layout::mask::SET as usize,
        ));
    }
    let mut index = Vec::with_capacity(sets.len());
    let mut words = Vec::with_capacity(packer.packed.iter().map(Vec::len).sum());
    for mut set in packer.packed {
        let offset = u32::try_from(words.len());
        index.push(offset.map_err(|_| too_large("token sets", u32::MAX as usize))?);
        words.append(&mut set);
    }
    Ok((index, words, packer.kinds))
}

/// The ids of a set.
enum Content {
    /// Few: the ids, ascending.
    List(Vec<u32>),
    /// Many: a bit an id.
    Bitmap(Vec<u32>),
}

fn contents(sets: &[&Ranks], trie: &TokenTrie, threads: usize) -> Vec<Content> {
    let chunk = sets.len().div_ceil(threads.max(1)).max(256);
    if chunk >= sets.len() {
        return sets.iter().map(|set| content(set, trie)).collect();
    }
    std::thread::scope(|scope| {
        let part = |sets: &[&Ranks]| {
            sets.iter()
                .map(|set| content(set, trie))
                .collect::<Vec<_>>()
        };
        let parts: Vec<_> = sets
            .chunks(chunk)
            .map(|sets| scope.spawn(move || part(sets)))
            .collect();
        let joined = parts.into_iter().map(|part| part.join());
        joined
            .flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn content(ranks: &Ranks, trie: &TokenTrie) -> Content {
    let size = trie.vocab_size as usize;
    let words = size.div_ceil(32);
    if is_list(ranks.len(), size) {
        let mut ids: Vec<u32> = Vec::with_capacity(ranks.len());
        ranks.each_interval(&mut |from, to| {
            ids.extend_from_slice(&trie.ids[from as usize..to as usize]);
        });
        ids.sort_unstable();
        ids.dedup();
        return Content::List(ids);
    }
    let mut bitmap = vec![0u32; words];
    ranks.each_interval(&mut |from, to| {
        for &id in &trie.ids[from as usize..to as usize] {
            bitmap[id as usize / 32] |= 1 << (id % 32);
        }
    });
    Content::Bitmap(bitmap)
}

/// Whether a set of so many ids is a list.
fn is_list(count: usize, vocab_size: usize) -> bool {
    let (list, bitmap) = (list_words(count, vocab_size), vocab_size.div_ceil(32));
    count <= SHORT_LIST && list < bitmap || count <= MAX_LIST && 2 * list <= bitmap
}

struct Packer {
    vocab_size: u32,
    /// The sets stored as bitmaps, latest last.
    bitmaps: Vec<(u32, Vec<u32>)>,
    /// How many ids are in each of them.
    counts: Vec<usize>,
    /// The words of each set.
    packed: Vec<Vec<u32>>,
    kinds: SetKinds,
}

/// How far a bitmap is from a set: the ids that only the bitmap has, and those that only the set has.
#[derive(Clone, Copy)]
struct Distance {
    at: usize,
    extra: usize,
    missing: usize,
}

impl Packer {
    fn add(&mut self, id: u32, content: Content) {
        let size = self.vocab_size as usize;
        let words = size.div_ceil(32);
        let bitmap = match content {
            Content::List(ids) => {
                self.kinds.accept_lists += 1;
                return self.list(id, set::ACCEPT, &ids);
            }
            Content::Bitmap(bitmap) => bitmap,
        };
        let mut full = vec![u32::MAX; words];
        if !size.is_multiple_of(32) {
            full[words - 1] = (1 << (size % 32)) - 1;
        }
        let missing = distance(&full, &bitmap);
        let near = self.near(&bitmap);
        let nearest = near.iter().map(|d| d.extra + d.missing).min();
        let short = |far: &usize| *far <= SHORT_LIST && 2 * list_words(*far, size) < words;
        let nearest = nearest.filter(short);
        if short(&missing) && nearest.is_none_or(|far| missing <= far) {
            self.kinds.reject_lists += 1;
            return self.list(id, set::REJECT, &ids_of(&full, &bitmap));
        }
        let base = near
            .iter()
            .find(|d| Some(d.extra + d.missing) == nearest)
            .map(|d| vec![d.at])
            .or_else(|| self.meeting(&bitmap, near, short));
        match base {
            Some(base) => self.changed(id, &base, &bitmap),
            None => {
                self.kinds.bitmaps += 1;
                let set = &mut self.packed[id as usize];
                set.push(set::BITMAP);
                set.extend_from_slice(&bitmap);
                self.counts.push(count_of(&bitmap));
                self.bitmaps.push((id, bitmap));
            }
        }
    }

    /// How far the latest bitmaps are.
    fn near(&self, set: &[u32]) -> Vec<Distance> {
        let count = count_of(set);
        let first = self.bitmaps.len().saturating_sub(BASES);
        let latest = self.bitmaps.iter().enumerate().skip(first);
        latest
            .map(|(at, (_, bitmap))| {
                let far = distance(bitmap, set);
                // far = extra + missing, and the sizes differ by extra - missing.
                let missing = (far + count - self.counts[at]) / 2;
                Distance {
                    at,
                    extra: far - missing,
                    missing,
                }
            })
            .collect()
    }

    /// Two bitmaps that have little more or less in common than `set`.
    fn meeting(
        &self,
        set: &[u32],
        mut around: Vec<Distance>,
        short: impl Fn(&usize) -> bool,
    ) -> Option<Vec<usize>> {
        around.retain(|d| short(&d.missing));
        around.sort_by_key(|d| (d.extra, d.at));
        let far = |a: usize, b: usize| {
            let (a, b) = (&self.bitmaps[a].1, &self.bitmaps[b].1);
            let pairs = a.iter().zip(b).zip(set);
            let differs = pairs.map(|((a, b), set)| (a & b ^ set).count_ones() as usize);
            differs.sum::<usize>()
        };
        let least = around.iter().take(AROUND).enumerate();
        let pairs = least.flat_map(|(i, a)| around[i + 1..].iter().map(|b| (a.at, b.at)));
        let best = pairs.map(|(a, b)| (far(a, b), a, b)).min();
        best.filter(|(far, ..)| short(far))
            .map(|(_, a, b)| vec![a, b])
    }

    fn list(&mut self, id: u32, kind: u32, ids: &[u32]) {
        let set = &mut self.packed[id as usize];
        set.push(kind);
        push_list(set, ids, self.vocab_size);
    }

    /// Stores a set as what one or two bitmaps have, and what differs.
    fn changed(&mut self, id: u32, base: &[usize], bitmap: &[u32]) {
        self.kinds.deltas += 1;
        let mut common = vec![u32::MAX; bitmap.len()];
        let set = &mut self.packed[id as usize];
        set.push(if base.len() == 1 {
            set::DELTA
        } else {
            set::MEET
        });
        for &at in base {
            let (id, words) = &self.bitmaps[at];
            set.push(*id);
            common.iter_mut().zip(words).for_each(|(a, b)| *a &= b);
        }
        push_list(set, &ids_of(bitmap, &common), self.vocab_size);
        push_list(set, &ids_of(&common, bitmap), self.vocab_size);
    }
}

fn count_of(bitmap: &[u32]) -> usize {
    bitmap.iter().map(|word| word.count_ones() as usize).sum()
}
