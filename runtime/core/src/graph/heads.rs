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

/// A head.
#[inline]
pub(crate) fn get(own: &[Head], words: &[u16], at: usize) -> Option<Head> {
    if let Some(head) = own.get(at) {
        return Some(*head);
    }
    let start = place(own.len(), words.len(), at)?;
    let words = words.get(start..)?.first_chunk();
    words.copied().map(Head::from_halves)
}

/// Writes a head; `None` if there is no place for it.
#[inline]
pub(crate) fn set(own: &mut [Head], words: &mut [u16], at: usize, head: Head) -> Option<()> {
    if let Some(to) = own.get_mut(at) {
        *to = head;
        return Some(());
    }
    let start = place(own.len(), words.len(), at)?;
    *words.get_mut(start..)?.first_chunk_mut()? = head.to_halves();
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

    /// A head by its number.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Head> {
        get(self.own, self.words, at).filter(|_| at < self.live)
    }
}

impl Iterator for Heads<'_> {
    type Item = Head;

    #[inline]
    fn next(&mut self) -> Option<Head> {
        let head = self.get(self.at)?;
        self.at += 1;
        Some(head)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.live - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Heads<'_> {}
