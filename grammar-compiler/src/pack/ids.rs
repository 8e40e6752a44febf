//! From ranks to ids.
//!
//! In: sets of ranks and the trie that says the id of each. Out: [`SetContent`]: their ids, as a
//! list if they are few and as a bitmap if they are many. Worth (`docs/ablation.md`): without a
//! bitmap that is made from the last one, a compile takes 5 % longer at the 99th percentile.

use super::lists::{ids_of, list_words, ones};
use crate::maps::own_keys;
use crate::mask::{Ranks, TokenTrie};

/// The longest list, if it saves less than half of a bitmap; also the longest list of differences
/// to a base.
pub const SHORT_LIST: usize = 1_000;
/// The longest list of a set that others may be stored as differences to.
const MAX_LIST: usize = 4_500;
/// In a larger vocabulary a list may hold one in this many of the tokens, since a bitmap takes more
/// bytes and time there.
const LIST_SHARE: usize = 40;

/// The longest list of all.
pub fn longest_list(vocab_size: usize) -> usize {
    MAX_LIST.max(vocab_size / LIST_SHARE)
}

/// The ids of a set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetContent {
    /// Few: the ids, ascending.
    List(Vec<u32>),
    /// Many: a bit an id.
    Bitmap(Vec<u32>),
}

own_keys!(SetContent);

impl SetContent {
    /// The ids of a bitmap.
    pub fn of(bitmap: Vec<u32>, vocab_size: u32) -> Self {
        if !is_list(ones(bitmap.iter().copied()), vocab_size as usize) {
            return SetContent::Bitmap(bitmap);
        }
        let none = vec![0; bitmap.len()];
        SetContent::List(ids_of(&bitmap, &none))
    }
}

/// A list of more ids than this is put in order by a bitmap, otherwise by comparing them.
const ORDERED_BY_BITS: usize = 200;

/// Makes bitmaps. If a set has more ids than differ from the last bitmap, or from the bitmap of all
/// ids, that bitmap is changed instead of an empty one.
pub struct Ids<'a> {
    trie: &'a TokenTrie,
    /// All ranks.
    all: Ranks,
    /// Scratch: a bitmap without ids, once one has been needed.
    none: Vec<u64>,
    /// The last bitmap, and its set.
    last: Option<(&'a Ranks, Vec<u32>)>,
}

impl<'a> Ids<'a> {
    /// No bitmap yet.
    pub fn new(trie: &'a TokenTrie) -> Self {
        Ids {
            trie,
            all: Ranks::from_unsorted(vec![(0, trie.ids.len() as u32)]),
            none: Vec::new(),
            last: None,
        }
    }

    /// The ids of a set.
    pub fn content(&mut self, ranks: &'a Ranks) -> SetContent {
        if !is_list(ranks.len(), self.trie.vocab_size as usize) {
            return SetContent::Bitmap(self.bitmap(ranks));
        }
        let mut list: Vec<u32> = Vec::with_capacity(ranks.len());
        ranks.each_interval(&mut |from, to| list.extend_from_slice(self.of(from, to)));
        self.order(&mut list);
        SetContent::List(list)
    }

    /// Puts ids in order, each once.
    fn order(&mut self, list: &mut Vec<u32>) {
        if list.len() <= ORDERED_BY_BITS {
            list.sort_unstable();
            return list.dedup();
        }
        let words = (self.trie.vocab_size as usize).div_ceil(64);
        self.none.resize(words, 0);
        for &id in list.iter() {
            self.none[id as usize / 64] |= 1 << (id % 64);
        }
        list.clear();
        for (first, word) in (0..).step_by(64).zip(&mut self.none) {
            let mut left = std::mem::take(word);
            while left != 0 {
                list.push(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    /// A bit for each id of a set.
    pub fn bitmap(&mut self, ranks: &'a Ranks) -> Vec<u32> {
        let none = Ranks::default();
        let least = ranks.len().min(self.all.len() - ranks.len());
        let (from, mut bitmap) = match &self.last {
            Some((last, bitmap)) if last.distance(ranks, least).is_some() => {
                (*last, bitmap.clone())
            }
            _ if least < ranks.len() => (&self.all, self.trie.all.clone()),
            _ => (&none, vec![0; self.trie.all.len()]),
        };
        from.minus(ranks).each_interval(&mut |from, to| {
            self.of(from, to)
                .iter()
                .for_each(|&id| bitmap[id as usize / 32] &= !(1 << (id % 32)));
        });
        ranks
            .minus(from)
            .each_interval(&mut |from, to| add(&mut bitmap, self.of(from, to)));
        // Another rank of the same id may be in the set.
        let twice = self.trie.twice.iter().filter(|&&rank| ranks.contains(rank));
        twice.for_each(|&rank| add(&mut bitmap, self.of(rank, rank + 1)));
        self.last = Some((ranks, bitmap.clone()));
        bitmap
    }

    fn of(&self, from: u32, to: u32) -> &'a [u32] {
        &self.trie.ids[from as usize..to as usize]
    }
}

/// A bit for each of these ids.
pub fn bitmap_of(ids: &[u32], vocab_size: u32) -> Vec<u32> {
    let mut bitmap = vec![0; (vocab_size as usize).div_ceil(32)];
    add(&mut bitmap, ids);
    bitmap
}

fn add(bitmap: &mut [u32], ids: &[u32]) {
    for &id in ids {
        bitmap[id as usize / 32] |= 1 << (id % 32);
    }
}

/// Whether a set with this number of ids is a list.
fn is_list(count: usize, vocab_size: usize) -> bool {
    let (list, bitmap) = (list_words(count, vocab_size), vocab_size.div_ceil(32));
    count <= SHORT_LIST && list < bitmap || count <= MAX_LIST && 2 * list <= bitmap
}

#[cfg(test)]
mod tests {
    use super::{Ids, ORDERED_BY_BITS, SetContent};
    use crate::mask::{Ranks, TokenTrie};
    use crate::vocabulary::Vocabulary;
    use proptest::prelude::*;

    const TOKENS: u32 = 4_000;

    /// Tokens whose ids have another order than their ranks.
    fn trie() -> TokenTrie {
        let token = |id: u32| (id * 1_237 % TOKENS).to_string().into_bytes();
        TokenTrie::new(&Vocabulary::from_tokens(
            (0..TOKENS).map(token).collect(),
            vec![0],
        ))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn lists_are_in_order(sets in proptest::collection::vec((0u32..3_000, 1u32..200), 1..4)) {
            let trie = trie();
            let sizes = [1, ORDERED_BY_BITS as u32 / 2, ORDERED_BY_BITS as u32];
            let sets = sets.into_iter().zip(sizes).map(|((from, len), more)| vec![(from, from + len + more)]);
            let sets: Vec<Ranks> = sets.map(Ranks::from_unsorted).collect();
            let mut ids = Ids::new(&trie);
            for set in &sets {
                let mut expected = Vec::new();
                set.each_interval(&mut |from, to| expected.extend_from_slice(&trie.ids[from as usize..to as usize]));
                expected.sort_unstable();
                expected.dedup();
                match ids.content(set) {
                    SetContent::List(list) => prop_assert_eq!(list, expected),
                    SetContent::Bitmap(bitmap) => prop_assert_eq!(super::bitmap_of(&expected, TOKENS), bitmap),
                }
            }
        }
    }
}
