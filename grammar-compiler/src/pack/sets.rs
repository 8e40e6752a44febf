//! Token sets as words, each in the cheapest form that keeps a mask fast.
//!
//! In: sets of ranks. Out: the set index and the sets. A list is never longer than [`MAX_LIST`] ids, whatever it would
//! save: applying it costs about a nanosecond an id, a bitmap costs the same few hundred whatever it holds.

use maskwright_core::layout::set;

use super::too_large;
use crate::limits::{Deadline, LimitExceeded};
use crate::mask::{Ranks, TokenTrie};

/// The longest list of a set.
pub const MAX_LIST: usize = 1_000;
/// Sets unpacked at a time.
const BATCH: usize = 2_048;
/// How many bitmaps a set is compared with in search of a short difference.
const BASES: usize = 96;

/// How many sets are stored in each form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetKinds {
    /// A bit a token.
    pub bitmaps: usize,
    /// The ids in the set.
    pub accept_lists: usize,
    /// The ids not in the set.
    pub reject_lists: usize,
    /// A bitmap and a few ids that differ from it.
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
        trie,
        bitmaps: Vec::new(),
        index: vec![],
        words: vec![],
        kinds: SetKinds::default(),
    };
    for batch in sets.chunks(BATCH) {
        deadline.check("packing token sets")?;
        for content in contents(batch, trie, threads) {
            let offset = u32::try_from(packer.words.len());
            let id = packer.index.len() as u32;
            packer
                .index
                .push(offset.map_err(|_| too_large("token sets", u32::MAX as usize))?);
            packer.add(id, content);
        }
    }
    if sets.len() >= maskwright_core::layout::mask::SET as usize {
        return Err(too_large(
            "token sets",
            maskwright_core::layout::mask::SET as usize,
        ));
    }
    Ok((packer.index, packer.words, packer.kinds))
}

/// The ids of a set.
enum Content {
    /// Few: the ids, ascending.
    List(Vec<u32>),
    /// Many: a bit an id.
    Bitmap(Vec<u32>),
}

fn contents(sets: &[Ranks], trie: &TokenTrie, threads: usize) -> Vec<Content> {
    let chunk = sets.len().div_ceil(threads.max(1)).max(256);
    if chunk >= sets.len() {
        return sets.iter().map(|set| content(set, trie)).collect();
    }
    std::thread::scope(|scope| {
        let part = |sets: &[Ranks]| {
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
    if ranks.len() <= MAX_LIST && list_words(ranks.len(), size) < words {
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

struct Packer<'a> {
    trie: &'a TokenTrie,
    /// The sets stored as bitmaps, latest last.
    bitmaps: Vec<(u32, Vec<u32>)>,
    index: Vec<u32>,
    words: Vec<u32>,
    kinds: SetKinds,
}

impl Packer<'_> {
    fn add(&mut self, id: u32, content: Content) {
        let size = self.trie.vocab_size as usize;
        let words = size.div_ceil(32);
        let bitmap = match content {
            Content::List(ids) => return self.list(set::ACCEPT, &ids),
            Content::Bitmap(bitmap) => bitmap,
        };
        let mut full = vec![u32::MAX; words];
        if !size.is_multiple_of(32) {
            full[words - 1] = (1 << (size % 32)) - 1;
        }
        let missing = distance(&full, &bitmap);
        let base = self.nearest(&bitmap);
        let reject = list_words(missing, size);
        let delta = base.map_or(usize::MAX, |(_, far)| {
            1 + 2 * size.div_ceil(1 << 16) + far.div_ceil(2) + 2
        });
        if missing <= MAX_LIST && reject < words && reject <= delta {
            return self.list(set::REJECT, &ids_of(&full, &bitmap));
        }
        match base {
            Some((at, far)) if far <= MAX_LIST && delta < words => self.delta(at, &bitmap),
            _ => {
                self.kinds.bitmaps += 1;
                self.words.push(set::BITMAP);
                self.words.extend_from_slice(&bitmap);
                self.bitmaps.push((id, bitmap));
            }
        }
    }

    /// The bitmap that differs least, among the latest ones, and in how many ids.
    fn nearest(&self, bitmap: &[u32]) -> Option<(usize, usize)> {
        let first = self.bitmaps.len().saturating_sub(BASES);
        let latest = self.bitmaps.iter().enumerate().skip(first);
        latest
            .map(|(at, (_, base))| (at, distance(base, bitmap)))
            .min_by_key(|&(at, far)| (far, at))
    }

    fn list(&mut self, kind: u32, ids: &[u32]) {
        match kind {
            set::ACCEPT => self.kinds.accept_lists += 1,
            _ => self.kinds.reject_lists += 1,
        }
        self.words.push(kind);
        push_list(&mut self.words, ids, self.trie.vocab_size);
    }

    fn delta(&mut self, base: usize, bitmap: &[u32]) {
        self.kinds.deltas += 1;
        let (id, words) = &self.bitmaps[base];
        let (added, removed) = (ids_of(bitmap, words), ids_of(words, bitmap));
        self.words.extend([set::DELTA, *id]);
        push_list(&mut self.words, &added, self.trie.vocab_size);
        push_list(&mut self.words, &removed, self.trie.vocab_size);
    }
}

/// Words of a set that is a list of `count` ids, at most.
fn list_words(count: usize, vocab_size: usize) -> usize {
    let blocks = vocab_size.div_ceil(set::BLOCK as usize);
    1 + 2 * blocks + count.div_ceil(2)
}

fn distance(a: &[u32], b: &[u32]) -> usize {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a ^ b).count_ones() as usize)
        .sum()
}

/// The ids in `a` but not in `b`, ascending.
fn ids_of(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        let mut rest = a & !b;
        while rest != 0 {
            out.push(at as u32 * 32 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
    out
}

/// Appends a list of ascending ids.
fn push_list(words: &mut Vec<u32>, ids: &[u32], vocab_size: u32) {
    let mut rest = ids;
    for block in 0..vocab_size.div_ceil(set::BLOCK) {
        let past = (block as u64 + 1) * set::BLOCK as u64;
        let (here, later) = rest.split_at(rest.partition_point(|&id| (id as u64) < past));
        words.push(here.len() as u32);
        for pair in here.chunks(2) {
            words.push(pair[0] & 0xffff | pair.get(1).map_or(0, |id| id << 16));
        }
        rest = later;
    }
}
