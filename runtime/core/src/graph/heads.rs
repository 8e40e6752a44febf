//! The heads of a graph.
//!
//! In: the heads that a matcher has, and the words of a graph. Out: any number of heads: those for
//! which the first have no room lie at the end of the words, four words each, the last one first.

use crate::head::Head;

/// Words of a head that lies among the words.
const HEAD: usize = 4;

/// The words of heads that begin at an end of `own` heads.
fn place(own: usize, words: usize, at: usize) -> Option<usize> {
    words.checked_sub(HEAD * (at.checked_sub(own)? + 1))
}

/// Where the words for nodes end if there are `live` heads.
pub(crate) fn end(own: usize, words: usize, live: usize) -> Option<usize> {
    words.checked_sub(HEAD * live.saturating_sub(own))
}

/// A head as words.
fn to_words(head: Head) -> [u16; HEAD] {
    let [low, high] = [head.state as u16, (head.state >> 16) as u16];
    [low, high, head.height, head.tokens]
}

/// A head from words.
fn from_words(words: [u16; HEAD]) -> Head {
    let [low, high, height, tokens] = words;
    Head {
        state: u32::from(low) | u32::from(high) << 16,
        height,
        tokens,
    }
}

/// A head.
#[inline]
pub(crate) fn get(own: &[Head], words: &[u16], at: usize) -> Option<Head> {
    if let Some(head) = own.get(at) {
        return Some(*head);
    }
    let start = place(own.len(), words.len(), at)?;
    words.get(start..)?.first_chunk().copied().map(from_words)
}

/// Writes a head; `None` if there is no place for it.
#[inline]
pub(crate) fn set(own: &mut [Head], words: &mut [u16], at: usize, head: Head) -> Option<()> {
    if let Some(to) = own.get_mut(at) {
        *to = head;
        return Some(());
    }
    let start = place(own.len(), words.len(), at)?;
    *words.get_mut(start..)?.first_chunk_mut()? = to_words(head);
    Some(())
}

/// The first `live` heads.
#[derive(Clone)]
pub(crate) struct Heads<'a> {
    own: &'a [Head],
    words: &'a [u16],
    at: usize,
    live: usize,
}

impl<'a> Heads<'a> {
    pub(crate) fn new(own: &'a [Head], words: &'a [u16], live: usize) -> Self {
        Heads {
            own,
            words,
            at: 0,
            live,
        }
    }
}

impl Iterator for Heads<'_> {
    type Item = Head;

    #[inline]
    fn next(&mut self) -> Option<Head> {
        if self.at >= self.live {
            return None;
        }
        self.at += 1;
        get(self.own, self.words, self.at - 1)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.live - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Heads<'_> {}
