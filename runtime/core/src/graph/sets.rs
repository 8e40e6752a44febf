//! The walk of the mask trees on a graph.
//!
//! In: mask trees, heads and a graph. Out: the ids of the sets whose union is the mask; an id may
//! come more than once.

use super::heads::Heads;
use super::nodes::{NO_FRAMES, edges};
use crate::layout::{BOTTOM, mask::NO_NODE};
use crate::walk::{SetIds, Trees};

/// What is told each set; it returns whether it has seen enough.
pub(crate) type Visit<'v> = dyn FnMut(u32) -> bool + 'v;

/// Nodes that were walked and are kept to be known again.
const SEEN: usize = 128;
/// Nodes that are walked at most.
const WORK: u32 = 1 << 20;

/// A node of a mask tree on the stacks of a node of the graph, for heads with some room.
type Place = (u32, u16, u16);

/// The mask trees, and the graph on whose stacks they are walked.
struct Walk<'a, 'v, 'f> {
    trees: Trees<'a>,
    words: &'a [u16],
    /// Frames that may still be pushed.
    room: usize,
    /// What was walked: many ways may lead to one place.
    seen: [Place; SEEN],
    work: u32,
    visit: &'v mut Visit<'f>,
}

/// Calls `visit` with the sets of all stacks until a call returns true; whether one did.
pub(crate) fn any(
    trees: Trees<'_>,
    mut heads: Heads<'_>,
    words: &[u16],
    depth: usize,
    visit: &mut Visit<'_>,
) -> bool {
    let mut walk = Walk {
        trees,
        words,
        room: 0,
        seen: [(NO_NODE, 0, 0); SEEN],
        work: WORK,
        visit,
    };
    heads.any(|head| {
        walk.room = depth.saturating_sub(usize::from(head.height));
        let root = trees.root(head.state).unwrap_or(NO_NODE);
        walk.node(root, Some(head.tokens))
    })
}

impl Walk<'_, '_, '_> {
    /// The sets of a node of a mask tree, and of those under it; `stacks` are the stacks below the
    /// frames that were looked at, none if the bottom was.
    fn node(&mut self, offset: u32, stacks: Option<u16>) -> bool {
        let Some((sets, children)) = self.trees.node(offset) else {
            return false;
        };
        for word in sets.iter() {
            if let Some(id) = SetIds::fits(word, self.room)
                && (self.visit)(id)
            {
                return true;
            }
        }
        let (Some(children), Some(node)) = (children, stacks) else {
            return false;
        };
        if self.is_known((offset, node, self.room as u16)) {
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
        let Some(work) = self.work.checked_sub(1) else {
            return true;
        };
        self.work = work;
        let (offset, node, room) = place;
        let mixed = offset.wrapping_mul(0x9E37_79B1) ^ u32::from(node) << 7 ^ u32::from(room);
        let seen = self.seen.get_mut((mixed >> 3) as usize % SEEN);
        seen.is_some_and(|seen| core::mem::replace(seen, place) == place)
    }
}
