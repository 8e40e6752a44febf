//! The walk of the mask trees on a graph.
//!
//! In: mask trees, heads and a graph. Out: the ids of the sets whose union is the mask; an id may
//! come more than once.

use super::heads::Heads;
use super::words::{NO_FRAMES, edges};
use crate::layout::{BOTTOM, mask::NO_NODE};
use crate::walk::{SetIds, Trees};

/// What is told each set; it returns whether it has seen enough.
pub(crate) type Visit<'v> = dyn FnMut(u32) -> bool + 'v;

/// Places that are kept to be known again, and places that are walked at most: first some, which
/// are enough for most masks, then many.
const SOME: (usize, u32) = (128, 1 << 9);
const MANY: (usize, u32) = (if cfg!(feature = "alloc") { 4096 } else { 512 }, 1 << 20);

/// A node of a mask tree, and a node of the graph on whose stacks it is walked.
type Place = (u32, u16);

/// The mask trees, and the graph on whose stacks they are walked.
struct Walk<'a, 'v, 'f, const SEEN: usize> {
    trees: Trees<'a>,
    words: &'a [u16],
    /// Frames that may still be pushed.
    room: u16,
    /// Places that were walked, each with the room it was walked with: many ways may lead to one
    /// place, and where there is less room, there are no other sets.
    seen: [(Place, u16); SEEN],
    work: u32,
    visit: &'v mut Visit<'f>,
}

/// Calls `visit` with the sets of all stacks until a call returns true; whether one did.
pub(crate) fn any(
    trees: Trees<'_>,
    heads: Heads<'_>,
    words: &[u16],
    depth: usize,
    visit: &mut Visit<'_>,
) -> bool {
    let graph = (heads, words);
    match any_within::<{ SOME.0 }>(trees, graph.clone(), depth, SOME.1, visit) {
        Some(found) => found,
        None => any_of_many(trees, graph, depth, visit),
    }
}

#[cold]
#[inline(never)]
fn any_of_many(
    trees: Trees<'_>,
    graph: (Heads<'_>, &[u16]),
    depth: usize,
    visit: &mut Visit<'_>,
) -> bool {
    any_within::<{ MANY.0 }>(trees, graph, depth, MANY.1, visit).unwrap_or(false)
}

/// As [`any`]; `None` if more work is needed than there may be.
fn any_within<const SEEN: usize>(
    trees: Trees<'_>,
    (mut heads, words): (Heads<'_>, &[u16]),
    depth: usize,
    work: u32,
    visit: &mut Visit<'_>,
) -> Option<bool> {
    let mut walk = Walk {
        trees,
        words,
        room: 0,
        seen: [((NO_NODE, 0), 0); SEEN],
        work,
        visit,
    };
    let found = heads.any(|head| {
        walk.room = depth.saturating_sub(usize::from(head.height)) as u16;
        let root = trees.root(head.state).unwrap_or(NO_NODE);
        walk.node(root, Some(head.tokens))
    });
    (found || walk.work > 0).then_some(found)
}

impl<const SEEN: usize> Walk<'_, '_, '_, SEEN> {
    /// The sets of a node of a mask tree, and of those under it; `stacks` are the stacks below the
    /// frames that were looked at, none if the bottom was.
    fn node(&mut self, offset: u32, stacks: Option<u16>) -> bool {
        let Some((sets, children)) = self.trees.node(offset) else {
            return false;
        };
        for word in sets.iter() {
            if let Some(id) = SetIds::fits(word, usize::from(self.room))
                && (self.visit)(id)
            {
                return true;
            }
        }
        let (Some(children), Some(node)) = (children, stacks) else {
            return false;
        };
        if self.is_known((offset, node)) {
            return false;
        }
        let child = |frame: u16| children.branch(u32::from(frame)).unwrap_or(NO_NODE);
        if node == NO_FRAMES {
            return self.node(child(BOTTOM), None);
        }
        let words = self.words;
        let mut below = edges(words, node).iter();
        below.any(|&[frame, below]| self.node(child(frame), Some(below)))
    }

    /// Whether what lies under a place has been walked.
    fn is_known(&mut self, place: Place) -> bool {
        self.work = self.work.saturating_sub(1);
        let (offset, node) = place;
        let mixed = (offset ^ u32::from(node) << 16).wrapping_mul(0x9E37_79B1);
        let Some(seen) = self.seen.get_mut((mixed >> 15) as usize % SEEN) else {
            return self.work == 0;
        };
        if seen.0 == place && seen.1 >= self.room {
            return true;
        }
        *seen = (place, self.room);
        self.work == 0
    }
}
