//! One token set: reading it, and putting it into words of a mask.
//!
//! In: the words of a set. Out: [`TokenSet`], which is the same for all kinds: a base (nothing, a bitmap or
//! everything), ids added to it and ids removed from it. Words of a mask are written for any *window*: a run of words
//! that begins at some word of the whole mask.

use crate::layout::set::{ACCEPT, BITMAP, DELTA, MEET, REJECT};
use crate::list::List;
use crate::tables::Grammar;
use crate::words::Words;

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
    /// What is in both.
    Meet(Words<'t>, Words<'t>),
    Everything,
}

impl<'t> Grammar<'t> {
    /// The set of an id; `None` if the words make none.
    #[inline]
    pub(crate) fn set(&self, id: u32) -> Option<TokenSet<'t>> {
        let vocab_size = self.vocab_size();
        let (kind, words) = self.set_words(id)?;
        let (mut base, mut added, mut removed) = (Base::Nothing, List::EMPTY, List::EMPTY);
        match kind {
            BITMAP => base = Base::Bitmap(words.slice(0, self.mask_words())?),
            ACCEPT => added = List::new(words, vocab_size),
            REJECT => (base, removed) = (Base::Everything, List::new(words, vocab_size)),
            DELTA | MEET => {
                let (one, rest) = words.split_first()?;
                // What a bitmap has in common with itself is the bitmap.
                let (other, lists) = match kind {
                    MEET => rest.split_first()?,
                    _ => (one, rest),
                };
                base = Base::Meet(self.bitmap(one)?, self.bitmap(other)?);
                let rest;
                (added, rest) = List::split(lists, vocab_size)?;
                removed = List::new(rest, vocab_size);
            }
            _ => return None,
        }
        Some(TokenSet {
            base,
            added,
            removed,
            vocab_size,
        })
    }

    /// The words of a set that is a bitmap.
    pub(crate) fn bitmap(&self, id: u32) -> Option<Words<'t>> {
        let (BITMAP, words) = self.set_words(id)? else {
            return None;
        };
        words.slice(0, self.mask_words())
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
            Base::Bitmap(words) => has_bit(words, id),
            Base::Meet(one, other) => has_bit(one, id) && has_bit(other, id),
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
            Base::Bitmap(words) if self.added.is_empty() && self.removed.is_empty() => {
                let words = words.tail(first).unwrap_or(Words::EMPTY);
                window
                    .iter_mut()
                    .zip(words.raw())
                    .for_each(|(to, from)| *to = u32::from_le_bytes(*from));
            }
            _ => {
                window.fill(0);
                self.union_into(window, first);
            }
        }
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
            Base::Bitmap(one) => unite(window, one, one, first + start),
            Base::Meet(one, other) => unite(window, one, other, first + start),
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

/// Whether the bit of an id is set; ids past the end have none.
#[inline]
pub(crate) fn has_bit(bitmap: Words<'_>, id: u32) -> bool {
    (bitmap.get(id as usize / 32)).is_some_and(|word| word >> (id % 32) & 1 == 1)
}

/// Adds what two bitmaps have in common, from word `at` on. One loop for all bitmaps: code is dear on a microcontroller.
fn unite(window: &mut [u32], one: Words<'_>, other: Words<'_>, at: usize) {
    let [one, other] = [one, other].map(|words| words.tail(at).unwrap_or(Words::EMPTY));
    let both = one.raw().iter().zip(other.raw());
    window.iter_mut().zip(both).for_each(|(to, (a, b))| {
        *to |= u32::from_le_bytes(*a) & u32::from_le_bytes(*b);
    });
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
