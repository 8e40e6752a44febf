//! The words of a graph: how many are in use, and where the frames of a node lie.

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

/// The frames of a node, ascending; none for the stack without frames.
#[inline]
pub(crate) fn edges(words: &[u16], node: u16) -> &[Edge] {
    let record = words.get(usize::from(node)..);
    let Some((&count, rest)) = record.and_then(|record| record.split_first()) else {
        return &[];
    };
    if node == NO_FRAMES {
        return &[];
    }
    rest.as_chunks().0.get(..usize::from(count)).unwrap_or(&[])
}
