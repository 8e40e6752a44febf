//! The words of a graph: how many are in use, and where the frames of a node lie.

use super::Full;

/// The stack without frames.
pub(crate) const NO_FRAMES: u16 = 0;

/// A frame, and the node of the stacks below it.
pub(super) type Edge = [u16; 2];

/// The words of a graph that are in use.
#[inline]
pub(crate) fn used(words: &[u16]) -> usize {
    let used = words.first().map_or(0, |&used| usize::from(used));
    used.min(words.len())
}

/// Goes to the graph of no nodes but the stack without frames, which needs no word.
pub(crate) fn clear(words: &mut [u16]) {
    if let Some(used) = words.first_mut() {
        *used = 1;
    }
}

/// The edges of the node that begins at a word, in one run; `None` if there is no whole node.
#[inline]
fn record(words: &[u16], at: usize) -> Option<&[u16]> {
    let (&count, rest) = words.get(at..)?.split_first()?;
    rest.get(..2 * usize::from(count))
}

/// The frames of a node, ascending; none for the stack without frames.
#[inline]
pub(crate) fn edges(words: &[u16], node: u16) -> &[Edge] {
    match node {
        NO_FRAMES => &[],
        node => record(words, node.into()).map_or(&[], |edges| edges.as_chunks().0),
    }
}

/// Writes words over others, which are as many.
#[inline]
pub(super) fn copy(from: &[u16], to: &mut [u16]) -> Result<(), Full> {
    match from.len() == to.len() {
        true => {
            to.copy_from_slice(from);
            Ok(())
        }
        false => Err(Full),
    }
}

/// All nodes, in their order.
pub(super) fn nodes(words: &[u16]) -> impl Iterator<Item = (u16, &[Edge])> {
    let words = words.get(..used(words)).unwrap_or(&[]);
    let mut at = 1;
    core::iter::from_fn(move || {
        let (node, edges) = (at, record(words, at)?);
        at += 1 + edges.len();
        Some((node as u16, edges.as_chunks().0))
    })
}
