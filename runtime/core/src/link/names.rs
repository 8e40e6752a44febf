//! What a hole begins with.
//!
//! In: names, ascending, none of which is the beginning of another one, unless it is marked as
//! open. Out: [`Names`], which follows them byte by byte.

use crate::list::IS_SMALL;
use crate::words::Words;

/// The names of a hole, each with the piece that follows it.
#[derive(Clone, Copy, Debug)]
pub struct Names<'t> {
    /// Where each name begins, and where the last one ends.
    offsets: Words<'t>,
    /// The piece of each name.
    pieces: Words<'t>,
    text: &'t [u8],
}

impl<'t> Names<'t> {
    /// Set in the word of a piece whose name another name begins with. What the piece begins with
    /// does not go on with a name.
    pub const OPEN: u32 = 1 << 31;

    /// Names in words: how many there are, where each begins and where the last one ends in the
    /// bytes behind, the piece of each, the bytes. `None` if there are too few words. That the
    /// names ascend and none is the beginning of another one is not checked: see
    /// [`are_apart`](Self::are_apart).
    pub fn view(words: &'t [u8]) -> Option<Self> {
        let (all, _) = Words::split(words);
        Self::split_words(all).map(|(names, _)| names)
    }

    pub(crate) const fn split_words(words: Words<'t>) -> Option<(Self, Words<'t>)> {
        let Some((count, rest)) = words.split_first() else {
            return None;
        };
        let count = count as usize;
        let Some((offsets, rest)) = rest.split_at(count.saturating_add(1)) else {
            return None;
        };
        let Some((pieces, rest)) = rest.split_at(count) else {
            return None;
        };
        let Some(length) = offsets.get(count) else {
            return None;
        };
        let Some((text, rest)) = rest.split_bytes(length as usize) else {
            return None;
        };
        let names = Names {
            offsets,
            pieces,
            text,
        };
        Some((names, rest))
    }

    /// Whether the names ascend, and none is the beginning of another one, unless it is marked as
    /// open.
    pub fn are_apart(&self) -> bool {
        let count = self.len();
        let is_run = |at: u32| self.offsets.get(at as usize) <= self.offsets.get(at as usize + 1);
        let is_apart = |at: u32| {
            let (one, next) = (self.name(at), self.name(at + 1));
            one < next && (self.is_open(at) || !next.starts_with(one))
        };
        (0..count).all(is_run) && (0..count.saturating_sub(1)).all(is_apart)
    }

    /// Number of names.
    pub fn len(&self) -> u32 {
        self.pieces.len() as u32
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A name; empty if there is no such name.
    pub fn name(&self, at: u32) -> &'t [u8] {
        let offset = |at: usize| Some(self.offsets.get(at)? as usize);
        let (Some(start), Some(end)) = (offset(at as usize), offset(at as usize + 1)) else {
            return &[];
        };
        self.text.get(start..end).unwrap_or(&[])
    }

    /// The piece that follows a name.
    pub fn piece(&self, at: u32) -> Option<u32> {
        let word = self.pieces.get(at as usize)?;
        Some(word & !Self::OPEN)
    }

    /// Whether another name may go on where this one ends.
    pub fn is_open(&self, at: u32) -> bool {
        let word = self.pieces.get(at as usize);
        word.is_some_and(|word| word & Self::OPEN != 0)
    }

    /// Whether the first `read` bytes of a name are all of it.
    pub fn is_whole(&self, at: u32, read: u16) -> bool {
        at < self.len() && self.name(at).len() == usize::from(read)
    }

    /// The first name that begins with the first `read` bytes of the name `first` and then this
    /// byte.
    pub fn step(&self, first: u32, read: u16, byte: u8) -> Option<u32> {
        let read = usize::from(read);
        let prefix = self.name(first).get(..read)?;
        if IS_SMALL {
            let is_it = |name: &[u8]| begins_with(name, prefix) && name.get(read) == Some(&byte);
            return (first..self.len()).find(|&at| is_it(self.name(at)));
        }
        let is_before = |name: &[u8]| {
            begins_with(name, prefix) && name.get(read).is_none_or(|&next| next < byte)
        };
        // Names with the prefix lie side by side.
        let (mut low, mut high) = (first, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match is_before(self.name(middle)) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let found = self.name(low);
        let is_it = begins_with(found, prefix) && found.get(read) == Some(&byte);
        let is_it = is_it && low < self.len();
        is_it.then_some(low)
    }

    /// The only byte that can follow the first `read` bytes of the name `first`.
    pub fn only(&self, first: u32, read: u16) -> Option<u8> {
        if self.is_whole(first, read) {
            return None;
        }
        let at = usize::from(read);
        let name = self.name(first);
        let byte = *name.get(at)?;
        // Names ascend: if the next one differs later only, look at the last that shares the
        // prefix.
        let greater = (byte..=u8::MAX).skip(1);
        let mut others = greater.filter(|&other| self.step(first, read, other).is_some());
        others.next().is_none().then_some(byte)
    }
}

/// Whether a name begins with a prefix.
#[inline]
fn begins_with(name: &[u8], prefix: &[u8]) -> bool {
    match IS_SMALL {
        // The other way needs a function that compares memory.
        true => {
            let mut pairs = name.iter().zip(prefix);
            name.len() >= prefix.len() && pairs.all(|(one, other)| one == other)
        }
        false => name.starts_with(prefix),
    }
}
