//! A list of token ids.
//!
//! In: the words of a list, in either of its forms. Out: [`List`]: its ids, ascending; also only
//! those in some window of a mask.

use crate::layout::set::{BLOCK, FINE, FINE_BLOCK};
use crate::words::Words;

/// On a microcontroller code is dearer than time.
pub(crate) const IS_SMALL: bool = cfg!(target_os = "none");

/// Words of a mask that a block of halves covers.
const BLOCK_WORDS: usize = BLOCK as usize / 32;
/// Words of a mask that a block of bytes covers.
const FINE_WORDS: usize = FINE_BLOCK as usize / 32;

/// Ids, ascending.
#[derive(Clone, Copy, Debug)]
pub(crate) enum List<'t> {
    /// Low halves in blocks of [`BLOCK`] ids.
    Halves {
        /// The blocks, and perhaps more words after them.
        words: Words<'t>,
        /// Number of blocks.
        blocks: u32,
    },
    /// Low bytes in blocks of [`FINE_BLOCK`] ids.
    Bytes {
        /// The number of ids in each block.
        counts: &'t [u8],
        /// The ids.
        lows: &'t [u8],
    },
}

impl<'t> List<'t> {
    /// No ids.
    pub(crate) const EMPTY: Self = List::Bytes {
        counts: &[],
        lows: &[],
    };

    /// The list at the beginning of `words`; empty if they are no list.
    pub(crate) fn new(words: Words<'t>, vocab_size: u32) -> Self {
        match words.get(0) {
            Some(head) if head & FINE != 0 => {
                Self::fine(words, vocab_size).map_or(Self::EMPTY, |(list, _)| list)
            }
            _ => List::Halves {
                words,
                blocks: vocab_size.div_ceil(BLOCK),
            },
        }
    }

    /// The list at the beginning of `words`, and the words after it.
    pub(crate) fn split(words: Words<'t>, vocab_size: u32) -> Option<(Self, Words<'t>)> {
        if words.get(0)? & FINE != 0 {
            return Self::fine(words, vocab_size);
        }
        let blocks = vocab_size.div_ceil(BLOCK);
        let mut rest = words;
        for _ in 0..blocks {
            let (count, ids) = rest.split_first()?;
            rest = ids.tail(count.div_ceil(2) as usize)?;
        }
        Some((List::Halves { words, blocks }, rest))
    }

    #[inline]
    fn fine(words: Words<'t>, vocab_size: u32) -> Option<(Self, Words<'t>)> {
        let (head, rest) = words.split_first()?;
        let (blocks, count) = (
            vocab_size.div_ceil(FINE_BLOCK) as usize,
            (head & !FINE) as usize,
        );
        let (counts, rest) = rest.split_bytes(blocks)?;
        let (lows, rest) = rest.split_bytes(count)?;
        Some((List::Bytes { counts, lows }, rest))
    }

    /// Calls `visit` with each id until it fails; returns its error.
    pub(crate) fn try_each<E>(self, mut visit: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        match self {
            List::Halves { words, blocks } => {
                for (ids, block) in halves(words, blocks).zip(0..) {
                    for half in ids {
                        visit(block * BLOCK + u16::from_le_bytes(*half) as u32)?;
                    }
                }
            }
            List::Bytes { counts, lows } => {
                for (ids, block) in fine_blocks(counts, lows).zip(0..) {
                    for low in ids {
                        visit(block * FINE_BLOCK + *low as u32)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Number of ids.
    pub(crate) fn len(self) -> usize {
        match self {
            List::Halves { words, blocks } => halves(words, blocks).map(<[_]>::len).sum(),
            List::Bytes { lows, .. } => lows.len(),
        }
    }

    /// Whether the counts of the blocks and the number of ids agree.
    pub(crate) fn is_whole(self) -> bool {
        match self {
            List::Halves { .. } => true,
            List::Bytes { counts, lows } => total(counts) == lows.len(),
        }
    }

    /// Whether `id` is in the list.
    pub(crate) fn contains(self, id: u32) -> bool {
        self.next(id) == Some(id)
    }

    /// The first id from `id` on.
    pub(crate) fn next(self, id: u32) -> Option<u32> {
        match self {
            List::Halves { words, blocks } => {
                let first = id / BLOCK;
                let later = halves(words, blocks).zip(0..).skip(first as usize);
                later.into_iter().find_map(|(ids, block)| {
                    let low = if block == first { id % BLOCK } else { 0 };
                    let at = ids.partition_point(|half| (u16::from_le_bytes(*half) as u32) < low);
                    let half = ids.get(at)?;
                    Some(block * BLOCK + u16::from_le_bytes(*half) as u32)
                })
            }
            List::Bytes { counts, lows } => {
                let first = id / FINE_BLOCK;
                let (before, counts) = counts.split_at_checked(first as usize)?;
                let lows = lows.get(total(before)..)?;
                fine_blocks(counts, lows)
                    .zip(first..)
                    .find_map(|(ids, block)| {
                        let low = if block == first { id % FINE_BLOCK } else { 0 };
                        let at = ids.partition_point(|&byte| (byte as u32) < low);
                        Some(block * FINE_BLOCK + *ids.get(at)? as u32)
                    })
            }
        }
    }

    /// Adds the ids to a whole mask, which needs no search for a window and no bounds checks in
    /// whole blocks.
    pub(crate) fn add_to(self, mask: &mut [u32]) {
        match self {
            List::Halves { words, blocks } => {
                for (ids, mask) in halves(words, blocks).zip(mask.chunks_mut(BLOCK_WORDS)) {
                    for half in ids {
                        if let Some(word) = mask.get_mut(word_of(*half)) {
                            *word |= 1 << (half[0] & 31);
                        }
                    }
                }
            }
            List::Bytes { counts, lows } => {
                let blocks = mask.chunks_mut(FINE_WORDS);
                for (ids, block) in fine_blocks(counts, lows).zip(blocks) {
                    if let Some(block) = block.first_chunk_mut::<FINE_WORDS>() {
                        for low in ids {
                            block[(low >> 5) as usize] |= 1 << (low & 31);
                        }
                        continue;
                    }
                    for low in ids {
                        if let Some(word) = block.get_mut((low >> 5) as usize) {
                            *word |= 1 << (low & 31);
                        }
                    }
                }
            }
        }
    }

    /// Takes the ids out of a window that begins at word `first` of the mask.
    #[inline]
    pub(crate) fn remove_from(self, window: &mut [u32], first: usize) {
        self.each_in(first, window.len(), |at, bit| clear(window, at, bit));
    }

    /// Calls `visit` with each id in a window of `len` words from word `first` on: its word in the
    /// window and its bit.
    #[inline]
    pub(crate) fn each_in(self, first: usize, len: usize, mut visit: impl FnMut(usize, u32)) {
        match IS_SMALL {
            true => self.each_in_window(first, len, &mut visit as &mut dyn FnMut(usize, u32)),
            false => self.each_in_window(first, len, visit),
        }
    }

    /// [`each_in`](Self::each_in): where code is dear it is there once.
    #[cfg_attr(not(target_os = "none"), inline)]
    #[cfg_attr(target_os = "none", inline(never))]
    fn each_in_window(self, first: usize, len: usize, mut visit: impl FnMut(usize, u32)) {
        let end = first + len;
        match self {
            List::Halves { words, blocks } => {
                for (block, ids) in halves(words, blocks).enumerate() {
                    let start = block * BLOCK_WORDS;
                    if start >= end {
                        break;
                    }
                    let before = ids.partition_point(|half| start + word_of(*half) < first);
                    for half in ids.get(before..).unwrap_or(&[]) {
                        let word = (start + word_of(*half)).wrapping_sub(first);
                        if word >= len {
                            break;
                        }
                        visit(word, 1 << (half[0] & 31));
                    }
                }
            }
            List::Bytes { counts, lows } => {
                let Some((before, counts)) = counts.split_at_checked(first / FINE_WORDS) else {
                    return;
                };
                let lows = lows.get(total(before)..).unwrap_or(&[]);
                let starts = (before.len() * FINE_WORDS..end).step_by(FINE_WORDS);
                for (ids, start) in fine_blocks(counts, lows).zip(starts) {
                    let start = start.wrapping_sub(first);
                    for low in ids {
                        let word = start.wrapping_add((low >> 5) as usize);
                        if word < len {
                            visit(word, 1 << (low & 31));
                        }
                    }
                }
            }
        }
    }
}

/// The low halves of the ids of each block, in order.
#[inline]
fn halves(words: Words<'_>, blocks: u32) -> impl Iterator<Item = &[[u8; 2]]> {
    let mut rest = words;
    (0..blocks).map_while(move |_| {
        let (count, ids) = rest.split_first()?;
        let halves = ids.slice(0, count.div_ceil(2) as usize)?.halves();
        rest = ids.tail(count.div_ceil(2) as usize)?;
        halves.get(..count as usize)
    })
}

/// The low bytes of the ids of each block, in order.
#[inline]
fn fine_blocks<'t>(counts: &'t [u8], lows: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    let mut rest = lows;
    counts.iter().map_while(move |&count| {
        let (ids, others) = rest.split_at_checked(count as usize)?;
        rest = others;
        Some(ids)
    })
}

fn total(counts: &[u8]) -> usize {
    counts.iter().map(|&count| count as usize).sum()
}

/// The word of the block's bits that an id lies in.
#[inline]
fn word_of(half: [u8; 2]) -> usize {
    (u16::from_le_bytes(half) >> 5) as usize
}

/// Clears a bit of a word of a window, if there is such a word.
#[inline]
pub(crate) fn clear(window: &mut [u32], at: usize, bit: u32) {
    if let Some(word) = window.get_mut(at) {
        *word &= !bit;
    }
}
