//! A graph without what no head leads to, in the one order that its stacks have.
//!
//! In: heads and words after some steps, or words from anywhere. Out: the same stacks in words of
//! their own, or whether words are a graph. What holds after: equal stacks have equal words.

use super::Full;
use super::heads::{self, Heads};
use super::words::{NO_FRAMES, clear, copy, edges, used};
use crate::head::Head;
use crate::layout::BOTTOM;

/// In the place of a node's count: the node was written, and its new place follows.
const WRITTEN: u16 = u16::MAX;

/// Writes the nodes that the first `live` heads lead to, from the words `from` to the words `to`,
/// and sorts the heads. `from` is not fit for use afterwards.
///
/// # Errors
/// If there is no room.
pub(crate) fn compact(
    own: &mut [Head],
    live: usize,
    from: &mut [u16],
    to: &mut [u16],
) -> Result<(), Full> {
    sort(own, live, from)?;
    gather(own, live, from, to)
}

/// [`compact`], but the heads stay in their order.
pub(super) fn gather(
    own: &mut [Head],
    live: usize,
    from: &mut [u16],
    to: &mut [u16],
) -> Result<(), Full> {
    clear(to);
    let end = heads::end(own.len(), to.len(), live).ok_or(Full)?;
    // The heads that lie among the words.
    let heads = from.get(end..).ok_or(Full)?;
    copy(heads, to.get_mut(end..).ok_or(Full)?)?;
    for at in 0..live {
        let head = heads::get(own, to, at).ok_or(Full)?;
        let room = to.get_mut(..end).ok_or(Full)?;
        let tokens = write(from, room, head.tokens)?;
        heads::set(own, to, at, Head { tokens, ..head }).ok_or(Full)?;
    }
    Ok(())
}

/// Sorts heads by state and height (a Shell sort, as they do not lie side by side).
fn sort(own: &mut [Head], live: usize, words: &mut [u16]) -> Result<(), Full> {
    let key = |head: Head| (head.state, head.height);
    let mut gap = live / 2;
    while gap > 0 {
        for begin in gap..live {
            let head = heads::get(own, words, begin).ok_or(Full)?;
            let mut at = begin;
            while let Some(before) = at.checked_sub(gap) {
                let other = heads::get(own, words, before).ok_or(Full)?;
                if key(other) <= key(head) {
                    break;
                }
                heads::set(own, words, at, other).ok_or(Full)?;
                at = before;
            }
            heads::set(own, words, at, head).ok_or(Full)?;
        }
        gap /= 2;
    }
    Ok(())
}

/// Writes a node and those below it, unless they have been written; the node in the new words.
fn write(from: &mut [u16], to: &mut [u16], node: u16) -> Result<u16, Full> {
    if node == NO_FRAMES {
        return Ok(NO_FRAMES);
    }
    let start = usize::from(node);
    let (count, second) = (from.get(start).copied(), from.get(start + 1).copied());
    let (Some(count), Some(second)) = (count, second) else {
        return Err(Full);
    };
    if count == WRITTEN {
        return Ok(second);
    }
    let end = start + 1 + 2 * usize::from(count);
    for at in (start + 2..end).step_by(2) {
        let below = from.get(at).copied().ok_or(Full)?;
        let below = write(from, to, below)?;
        if let Some(word) = from.get_mut(at) {
            *word = below;
        }
    }
    let new = used(to);
    let next = new + end - start;
    let record = from.get(start..end).ok_or(Full)?;
    copy(record, to.get_mut(new..next).ok_or(Full)?)?;
    if let Some(first) = to.first_mut() {
        *first = u16::try_from(next).map_err(|_| Full)?;
    }
    if let Some(place) = from
        .get_mut(start..)
        .and_then(|from| from.first_chunk_mut())
    {
        *place = [WRITTEN, new as u16];
    }
    Ok(new as u16)
}

/// Whether words that nobody vouches for are a graph: its nodes have frames below `frames`, stacks
/// of one height each, and each head names the node of stacks of its height. `heights` is room for
/// as many words.
pub(crate) fn check(heads: Heads<'_>, words: &[u16], heights: &mut [u16], frames: u32) -> bool {
    let end = used(words);
    heights.fill(0);
    // The height of what lies at each word where a node begins, and one more: 0 elsewhere.
    if let Some(first) = heights.first_mut() {
        *first = 1;
    }
    let mut at = 1;
    while at < end {
        let edges = edges(words, at as u16);
        let height_of = |below: u16| match usize::from(below) < at {
            true => heights.get(usize::from(below)).copied().unwrap_or(0),
            false => 0,
        };
        let height = edges.first().map_or(0, |[_, below]| height_of(*below));
        let is_right = |[frame, below]: &[u16; 2]| {
            *frame != BOTTOM && u32::from(*frame) < frames && height_of(*below) == height
        };
        let next = at + 1 + 2 * edges.len();
        let is_whole = words.get(at).map(|&count| usize::from(count)) == Some(edges.len());
        let ascend = edges.is_sorted_by(|one, other| one[0] < other[0]);
        if height == 0 || next > end || !is_whole || !ascend || !edges.iter().all(is_right) {
            return false;
        }
        if let Some(here) = heights.get_mut(at) {
            *here = height.saturating_add(1);
        }
        at = next;
    }
    let is_right = |head: Head| {
        let height = heights.get(usize::from(head.tokens)).copied();
        height.unwrap_or(1) == head.height.saturating_add(1)
            && (height.is_some() || head.tokens == NO_FRAMES)
    };
    let key = |head: Head| (head.state, head.height);
    at == end.max(1) && heads.clone().all(is_right) && heads.map(key).is_sorted_by(|a, b| a < b)
}
