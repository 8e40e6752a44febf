//! Token sets as words, each in the cheapest form that keeps a mask fast.
//!
//! In: sets of ranks. Out: the set index and the sets. Chains of sets become the levels of a few
//! planes. Then each set is given its form, from the largest set down, so that a base comes before
//! the sets that are stored as differences to it. A list has at most
//! [`longest_list`](super::ids::longest_list) ids, even where a longer list would save bytes: the
//! runtime spends time on each id of a list, while every bitmap takes the same time. In the end the
//! bitmaps that no other set needs may become somewhat longer lists.
//!
//! Worth (`docs/ablation.md`): without lists as differences tables are 85 % larger at the 99th
//! percentile. Lists of refused ids occur in no schema of the sample; a grammar that accepts nearly
//! all text has them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use maskwright_core::layout::set;

use super::bases::{Bases, LevelBase};
use super::beside::{Beside, OtherSetId};
use super::ids::{Ids, SHORT_LIST, SetContent, bitmap_of, longest_list};
use super::limit::too_large;
use super::lists::{distance, ids_of, list_words, push_list};
use crate::limits::{Deadline, LimitExceeded};
use crate::mask::masks::chains::{self, Nested};
use crate::mask::{Ranks, SetId, TokenTrie};
use crate::threads::Threads;

/// Sets unpacked at a time.
const BATCH: usize = 2_048;
/// Sets that a thread unpacks at a time.
const SHARE: usize = 8;
/// Shorter lists are left as they are.
const MIN_PART: usize = 300;

/// How many sets are stored in each form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetKinds {
    /// A bit a token.
    pub bitmaps: usize,
    /// The ids in the set.
    pub accept_lists: usize,
    /// The ids not in the set.
    pub reject_lists: usize,
    /// Short differences: to the ids of at least some level, or to what bitmaps have in common.
    pub deltas: usize,
    /// Sets of the base tables.
    pub shared: usize,
}

/// Sets as words.
#[derive(Debug)]
pub struct PackedSets {
    /// Where each begins.
    pub index: Vec<u32>,
    /// Their words.
    pub words: Vec<u32>,
    /// How many there are in each form.
    pub kinds: SetKinds,
}

impl PackedSets {
    /// Words of all.
    pub fn len(&self) -> usize {
        self.index.len() + self.words.len()
    }
}

/// Packs all sets, alone or beside the base tables, whichever is shorter: beside others, sets are
/// differences to other bases, so that need not be shorter. The threads turn ranks into ids. The
/// forms are then chosen in order, so the result does not depend on the number of threads.
pub fn pack(
    sets: &[Ranks],
    trie: &TokenTrie,
    beside: Option<&Beside>,
    threads: &Threads,
    deadline: &Deadline,
) -> Result<PackedSets, LimitExceeded> {
    let nested = chains::find(sets, trie.ids.len());
    let mut alone = Packer::new(&nested, sets, trie, None);
    let mut other = beside.map(|beside| Packer::new(&nested, sets, trie, Some(beside)));
    let ids = (0..).map(SetId::new);
    let mut order: Vec<(usize, SetId)> = sets.iter().map(Ranks::len).zip(ids).collect();
    order.sort_unstable_by_key(|&(len, id)| (std::cmp::Reverse(len), id));
    for batch in order.chunks(BATCH) {
        deadline.check("packing token sets")?;
        let ranks: Vec<&Ranks> = batch.iter().map(|&(_, id)| &sets[id.index()]).collect();
        for (content, &(_, id)) in contents(&ranks, trie, threads).into_iter().zip(batch) {
            if let Some(other) = &mut other {
                other.add(id, content.clone());
            }
            alone.add(id, content);
        }
    }
    let alone = alone.finish()?;
    let Some(other) = other else {
        return Ok(alone);
    };
    let other = other.finish()?;
    let is_shorter = other.len() < alone.len();
    Ok(if is_shorter { other } else { alone })
}

/// The ids of sets, in order.
fn contents(sets: &[&Ranks], trie: &TokenTrie, threads: &Threads) -> Vec<SetContent> {
    let parts: Vec<&[&Ranks]> = sets.chunks(SHARE).collect();
    let unpacked = threads.share(parts.len(), parts.len(), |share| {
        let mut ids = Ids::new(trie);
        let mut content = |part: usize| {
            let sets = parts[part].iter();
            (part, Vec::from_iter(sets.map(|set| ids.content(set))))
        };
        share.map(&mut content).collect::<Vec<_>>()
    });
    let mut unpacked: Vec<_> = unpacked.into_iter().flatten().collect();
    unpacked.sort_unstable_by_key(|part| part.0);
    unpacked.into_iter().flat_map(|part| part.1).collect()
}

struct Packer<'a> {
    vocab_size: u32,
    /// The sets of the tables that these stand beside.
    beside: Option<&'a Beside>,
    /// The bitmaps of those tables are numbered from here on, behind all other sets.
    planes: SetId,
    /// Whether a set is a short difference to one of these.
    uses_planes: bool,
    bases: Bases,
    /// Sets that are stored as bitmaps though lists would be shorter, since others are differences
    /// to them.
    wholes: BTreeSet<SetId>,
    /// The bitmaps that a list could replace, as long as no set is a difference to them.
    unused: BTreeMap<SetId, Vec<u32>>,
    /// The words of all sets, in the order in which the sets were stored.
    words: Vec<u32>,
    /// Where those of each set are.
    packed: Vec<Range<usize>>,
    kinds: SetKinds,
}

impl<'a> Packer<'a> {
    /// Stores the chains among the sets, and makes them and the bitmaps of the base tables bases.
    fn new(nested: &Nested, sets: &[Ranks], trie: &TokenTrie, beside: Option<&'a Beside>) -> Self {
        let mut packer = Packer {
            vocab_size: trie.vocab_size,
            beside,
            planes: SetId::default(),
            uses_planes: false,
            bases: Bases::default(),
            wholes: nested.wholes.iter().copied().collect(),
            unused: BTreeMap::new(),
            words: Vec::new(),
            packed: vec![0..0; sets.len()],
            kinds: SetKinds::default(),
        };
        packer.add_chains(nested, sets, trie);
        packer.add_planes();
        packer
    }

    /// All sets as words.
    fn finish(mut self) -> Result<PackedSets, LimitExceeded> {
        self.list_unused();
        let planes = self.planes.index();
        if self.uses_planes {
            self.kinds.shared += self.packed.len() - planes;
        } else {
            self.packed.truncate(planes);
        }
        if self.packed.len() >= maskwright_core::layout::mask::SET as usize {
            return Err(too_large(
                "token sets",
                maskwright_core::layout::mask::SET as usize,
            ));
        }
        let mut index = Vec::with_capacity(self.packed.len());
        let mut words = Vec::with_capacity(self.words.len());
        for set in self.packed {
            let offset = u32::try_from(words.len());
            index.push(offset.map_err(|_| too_large("token sets", u32::MAX as usize))?);
            words.extend_from_slice(&self.words[set]);
        }
        Ok(PackedSets {
            index,
            words,
            kinds: self.kinds,
        })
    }

    /// Makes the bitmaps of the base tables bases.
    fn add_planes(&mut self) {
        self.planes = SetId::at(self.packed.len());
        let planes = self.beside.map_or(&[][..], Beside::planes);
        for (other, bitmap) in planes {
            let id = self.next_set();
            self.share(id, *other);
            self.bases.add_bitmap(id, bitmap.clone());
        }
    }

    /// Makes planes of chains. Texts that count something are mostly far from the count's end,
    /// where the first set of a chain holds. That set gets a bitmap of its own, so that its masks
    /// need no planes.
    fn add_chains(&mut self, nested: &Nested, sets: &[Ranks], trie: &TokenTrie) {
        for chain in &nested.chains {
            let mut ids = Ids::new(trie);
            let levels = chain.sets.iter().skip(usize::from(chain.is_mostly_first));
            let levels = levels.map(|&id| ids.bitmap(&sets[id.index()]));
            let levels: Vec<Vec<u32>> = levels.collect();
            let first = SetId::at(self.packed.len());
            for plane in self.bases.add_chain(first, &levels) {
                let id = self.next_set();
                self.put_bitmap(id, &plane);
            }
        }
    }

    /// The id of a further set, which is to be stored next.
    fn next_set(&mut self) -> SetId {
        self.packed.push(0..0);
        SetId::at(self.packed.len() - 1)
    }

    fn add(&mut self, id: SetId, content: SetContent) {
        if let Some(other) = self.beside.and_then(|beside| beside.find(&content)) {
            self.kinds.shared += 1;
            return self.share(id, other);
        }
        let bitmap = match content {
            SetContent::List(ids) => return self.add_list(id, &ids),
            SetContent::Bitmap(bitmap) => bitmap,
        };
        let size = self.vocab_size as usize;
        let words = size.div_ceil(32);
        let mut full = vec![u32::MAX; words];
        if !size.is_multiple_of(32) {
            full[words - 1] = (1 << (size % 32)) - 1;
        }
        let missing = distance(&full, &bitmap);
        let short = |far: usize| far <= SHORT_LIST && 2 * list_words(far, size) < words;
        let near = self.bases.nearest(&bitmap, SHORT_LIST, short);
        if short(missing) && near.as_ref().is_none_or(|near| missing <= near.1) {
            self.kinds.reject_lists += 1;
            return self.list(id, set::REJECT, &ids_of(&full, &bitmap));
        }
        match near {
            Some((base, _)) => self.changed(id, &base, &bitmap),
            None => {
                let count = size - missing;
                if count <= longest_list(size) && 2 * list_words(count, size) <= words {
                    self.unused.insert(id, bitmap.clone());
                }
                self.bitmap(id, bitmap);
            }
        }
    }

    /// Turns bitmaps that no set is a difference to into lists.
    fn list_unused(&mut self) {
        for (id, bitmap) in std::mem::take(&mut self.unused) {
            let none = vec![0; bitmap.len()];
            self.kinds.bitmaps -= 1;
            self.kinds.accept_lists += 1;
            self.list(id, set::ACCEPT, &ids_of(&bitmap, &none));
        }
    }

    /// Adds a set of few ids: as a list, or as a difference to a base, if that is shorter.
    fn add_list(&mut self, id: SetId, ids: &[u32]) {
        let size = self.vocab_size as usize;
        let is_whole = self.wholes.contains(&id);
        if is_whole || self.bases.has_chains() && ids.len() >= MIN_PART {
            let bitmap = bitmap_of(ids, self.vocab_size);
            if is_whole {
                return self.bitmap(id, bitmap);
            }
            let words = list_words(ids.len(), size);
            let short = |far: usize| 2 * list_words(far, size) < words;
            if let Some((base, _)) = self.bases.nearest(&bitmap, ids.len(), short) {
                return self.changed(id, &base, &bitmap);
            }
        }
        self.kinds.accept_lists += 1;
        self.list(id, set::ACCEPT, ids);
    }

    fn bitmap(&mut self, id: SetId, bitmap: Vec<u32>) {
        self.put_bitmap(id, &bitmap);
        self.bases.add_bitmap(id, bitmap);
    }

    /// Adds a set that the base tables have.
    fn share(&mut self, id: SetId, other: OtherSetId) {
        self.put(id, |words, _| {
            words.push(set::SHARED | other.number() << set::SHARED_SHIFT)
        });
    }

    fn put_bitmap(&mut self, id: SetId, bitmap: &[u32]) {
        self.kinds.bitmaps += 1;
        self.put(id, |words, _| {
            words.push(set::BITMAP);
            words.extend_from_slice(bitmap);
        });
    }

    fn list(&mut self, id: SetId, kind: u32, ids: &[u32]) {
        self.put(id, |words, vocab_size| {
            words.push(kind);
            push_list(words, ids, vocab_size);
        });
    }

    /// Stores a set as a base and the ids that differ.
    fn changed(&mut self, id: SetId, base: &LevelBase, bitmap: &[u32]) {
        self.kinds.deltas += 1;
        self.uses_planes |= base.planes.iter().any(|&plane| plane >= self.planes);
        base.planes.iter().for_each(|plane| {
            self.unused.remove(plane);
        });
        let count = base.planes.len() as u32;
        self.put(id, |words, vocab_size| {
            words.push(set::LEVELS | count << set::PLANES_SHIFT | base.least << set::LEAST_SHIFT);
            words.extend(base.planes.iter().map(|plane| plane.number()));
            push_list(words, &ids_of(bitmap, &base.bitmap), vocab_size);
            push_list(words, &ids_of(&base.bitmap, bitmap), vocab_size);
        });
    }

    /// Stores the words of a set, which `write` adds.
    fn put(&mut self, id: SetId, write: impl FnOnce(&mut Vec<u32>, u32)) {
        let from = self.words.len();
        write(&mut self.words, self.vocab_size);
        self.packed[id.index()] = from..self.words.len();
    }
}
