//! One token set: reading it, and putting it into words of a mask.
//!
//! In: the words of a set. Out: [`TokenSet`], which is the same for all kinds: a base (nothing, a bitmap or
//! everything), ids added to it and ids removed from it. Words of a mask are written for any *window*: a run of words
//! that begins at some word of the whole mask.

use crate::layout::set::{ACCEPT, BITMAP, BLOCK, DELTA, REJECT};
use crate::tables::Grammar;
use crate::words::Words;

/// Words of a mask that a block of a list covers.
const BLOCK_MASK_WORDS: usize = BLOCK as usize / 32;

/// A set of token ids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenSet<'t> {
    base: Base<'t>,
    added: List<'t>,
    removed: List<'t>,
    vocab_size: u32,
}

/// What a set is but for a few ids.
#[derive(Clone, Copy, Debug)]
enum Base<'t> {
    Nothing,
    Bitmap(Words<'t>),
    Everything,
}

/// Ids, ascending, in blocks of their high halves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'t> {
    /// The blocks, and perhaps more words after them.
    words: Words<'t>,
    blocks: u32,
}

impl<'t> Grammar<'t> {
    /// The set of an id; `None` if the words make none.
    #[inline]
    pub(crate) fn set(&self, id: u32) -> Option<TokenSet<'t>> {
        let vocab_size = self.vocab_size();
        let set = |base, added, removed| {
            Some(TokenSet {
                base,
                added,
                removed,
                vocab_size,
            })
        };
        let (kind, words) = self.set_words(id)?;
        match kind {
            BITMAP => set(
                Base::Bitmap(words.slice(0, self.mask_words())?),
                List::EMPTY,
                List::EMPTY,
            ),
            ACCEPT => set(Base::Nothing, List::new(words, vocab_size), List::EMPTY),
            REJECT => set(Base::Everything, List::EMPTY, List::new(words, vocab_size)),
            DELTA => {
                let (base, lists) = words.split_first()?;
                let (BITMAP, bitmap) = self.set_words(base)? else {
                    return None;
                };
                let (added, removed) = List::split(lists, vocab_size)?;
                set(
                    Base::Bitmap(bitmap.slice(0, self.mask_words())?),
                    added,
                    List::new(removed, vocab_size),
                )
            }
            _ => None,
        }
    }

    /// The kind of a set, and the words from its first to the end of the section.
    #[inline]
    fn set_words(&self, id: u32) -> Option<(u32, Words<'t>)> {
        self.sets
            .tail(self.set_index.get(id as usize)? as usize)?
            .split_first()
    }
}

impl<'t> TokenSet<'t> {
    /// Whether the set is more than a list.
    #[inline]
    pub(crate) fn has_base(&self) -> bool {
        !matches!(self.base, Base::Nothing)
    }

    /// Whether `id` is in the set.
    pub(crate) fn contains(&self, id: u32) -> bool {
        let in_base = match self.base {
            Base::Nothing => false,
            Base::Bitmap(words) => words
                .get(id as usize / 32)
                .is_some_and(|word| word >> (id % 32) & 1 == 1),
            Base::Everything => id < self.vocab_size,
        };
        if in_base {
            !self.removed.contains(id)
        } else {
            self.added.contains(id)
        }
    }

    /// The least id from `id` on that may be in the set: exact for lists, `id` itself otherwise.
    pub(crate) fn next_candidate(&self, id: u32) -> Option<u32> {
        if self.has_base() {
            (id < self.vocab_size).then_some(id)
        } else {
            self.added.next(id)
        }
    }

    /// Writes the set into a window that begins at word `first` of the mask.
    pub(crate) fn write(&self, window: &mut [u32], first: usize) {
        match self.base {
            Base::Nothing => window.fill(0),
            Base::Bitmap(words) => {
                let words = words.tail(first).unwrap_or(Words::EMPTY);
                window
                    .iter_mut()
                    .zip(words.raw())
                    .for_each(|(to, from)| *to = u32::from_le_bytes(*from));
            }
            Base::Everything => {
                window.fill(u32::MAX);
                self.clear_past_end(window, first);
            }
        }
        self.removed
            .each_in(first, window.len(), |at, bit| clear(window, at, bit));
        self.added
            .each_in(first, window.len(), |at, bit| insert(window, at, bit));
    }

    /// Adds the set to a window that begins at word `first` of the mask: its base, and of a word with removed ids what stays of
    /// it; then the ids added.
    pub(crate) fn union_into(&self, window: &mut [u32], first: usize) {
        let (len, mut done, mut before) = (window.len(), 0, 0);
        self.removed.each_in(first, len, |at, bit| {
            if at >= done {
                before = window.get(at).copied().unwrap_or(0);
                self.union_base(window, first, done, at + 1);
                done = at + 1;
            }
            clear(window, at, bit & !before);
        });
        self.union_base(window, first, done, len);
        self.added
            .each_in(first, len, |at, bit| insert(window, at, bit));
    }

    /// Adds the base to the words from `start` to `end` of a window.
    #[inline]
    fn union_base(&self, window: &mut [u32], first: usize, start: usize, end: usize) {
        let Some(window) = window.get_mut(start..end) else {
            return;
        };
        match self.base {
            Base::Nothing => {}
            Base::Bitmap(words) => {
                let words = words.tail(first + start).unwrap_or(Words::EMPTY);
                window
                    .iter_mut()
                    .zip(words.raw())
                    .for_each(|(to, from)| *to |= u32::from_le_bytes(*from));
            }
            Base::Everything => {
                window.fill(u32::MAX);
                self.clear_past_end(window, first + start);
            }
        }
    }

    /// Clears what lies at or after `vocab_size`.
    fn clear_past_end(&self, window: &mut [u32], first: usize) {
        let (whole, rest) = (self.vocab_size as usize / 32, self.vocab_size % 32);
        if let Some(last) = whole.checked_sub(first).and_then(|at| window.get_mut(at)) {
            *last &= (1 << rest) - 1;
        }
    }
}

#[inline]
fn insert(window: &mut [u32], at: usize, bit: u32) {
    if let Some(word) = window.get_mut(at) {
        *word |= bit;
    }
}

#[inline]
fn clear(window: &mut [u32], at: usize, bit: u32) {
    if let Some(word) = window.get_mut(at) {
        *word &= !bit;
    }
}

impl<'t> List<'t> {
    /// No ids.
    const EMPTY: Self = List {
        words: Words::EMPTY,
        blocks: 0,
    };

    /// The list at the beginning of `words`.
    fn new(words: Words<'t>, vocab_size: u32) -> Self {
        List {
            words,
            blocks: vocab_size.div_ceil(BLOCK),
        }
    }

    /// The list at the beginning of `words`, and what follows it.
    pub(crate) fn split(words: Words<'t>, vocab_size: u32) -> Option<(Self, Words<'t>)> {
        let mut rest = words;
        let list = Self::new(words, vocab_size);
        for _ in 0..list.blocks {
            let (count, ids) = rest.split_first()?;
            rest = ids.tail(count.div_ceil(2) as usize)?;
        }
        Some((list, rest))
    }

    /// The low halves of the ids of each block, in order.
    #[inline]
    pub(crate) fn blocks(self) -> impl Iterator<Item = &'t [[u8; 2]]> {
        let mut rest = self.words;
        (0..self.blocks).map_while(move |_| {
            let (count, ids) = rest.split_first()?;
            let halves = ids.slice(0, count.div_ceil(2) as usize)?.halves();
            rest = ids.tail(count.div_ceil(2) as usize)?;
            halves.get(..count as usize)
        })
    }

    /// Whether `id` is in the list.
    fn contains(self, id: u32) -> bool {
        let low = (id % BLOCK) as u16;
        let block = self.blocks().nth((id / BLOCK) as usize);
        block.is_some_and(|ids| {
            ids.binary_search_by_key(&low, |half| u16::from_le_bytes(*half))
                .is_ok()
        })
    }

    /// The first id from `id` on.
    fn next(self, id: u32) -> Option<u32> {
        let first = id / BLOCK;
        self.blocks()
            .zip(0..)
            .skip(first as usize)
            .find_map(|(ids, block)| {
                let low = if block == first { id % BLOCK } else { 0 };
                let at = ids.partition_point(|half| (u16::from_le_bytes(*half) as u32) < low);
                ids.get(at)
                    .map(|half| block * BLOCK + u16::from_le_bytes(*half) as u32)
            })
    }

    /// Calls `visit` with each id in a window of `len` words from word `first` on: its word in the window and its bit.
    #[inline]
    fn each_in(self, first: usize, len: usize, mut visit: impl FnMut(usize, u32)) {
        let end = first + len;
        for (block, ids) in self.blocks().enumerate() {
            let start = block * BLOCK_MASK_WORDS;
            if start >= end {
                break;
            }
            let ids = if first <= start && start + BLOCK_MASK_WORDS <= end {
                ids
            } else {
                let before =
                    |word: usize| ids.partition_point(|half| start + word_of(*half) < word);
                ids.get(before(first)..before(end)).unwrap_or(&[])
            };
            for half in ids {
                visit(
                    (start + word_of(*half)).wrapping_sub(first),
                    1 << (half[0] & 31),
                );
            }
        }
    }
}

/// The word of the block's bits that an id lies in.
#[inline]
fn word_of(half: [u8; 2]) -> usize {
    (u16::from_le_bytes(half) >> 5) as usize
}
