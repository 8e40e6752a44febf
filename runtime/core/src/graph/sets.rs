//! The walk of the mask trees on a graph.
//!
//! In: mask trees, heads and a graph. Out: the ids of the sets whose union is the mask, an id maybe
//! more than once; or a stack that has a set.

use super::heads::Heads;
use super::words::{NO_FRAMES, edges};
use crate::head::Head;
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
    /// Room for the frames of the stack that has the last set.
    frames: &'v mut [u16],
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
    match find_within::<{ SOME.0 }>(trees, graph.clone(), depth, SOME.1, (visit, &mut [])) {
        Some(found) => found.is_some(),
        None => find(trees, graph, depth, visit, &mut []).is_some(),
    }
}

/// A stack that has a set for which `visit` returns true: its head, and in `frames` its frames.
/// Those that the mask trees do not look at are of any stack below the others.
#[cold]
#[inline(never)]
pub(super) fn find(
    trees: Trees<'_>,
    graph: (Heads<'_>, &[u16]),
    depth: usize,
    visit: &mut Visit<'_>,
    frames: &mut [u16],
) -> Option<Head> {
    find_within::<{ MANY.0 }>(trees, graph, depth, MANY.1, (visit, frames)).flatten()
}

/// As [`find`]; `None` if more work is needed than there may be.
fn find_within<const SEEN: usize>(
    trees: Trees<'_>,
    (mut heads, words): (Heads<'_>, &[u16]),
    depth: usize,
    work: u32,
    (visit, frames): (&mut Visit<'_>, &mut [u16]),
) -> Option<Option<Head>> {
    let mut walk = Walk {
        trees,
        words,
        room: 0,
        seen: [((NO_NODE, 0), 0); SEEN],
        work,
        visit,
        frames,
    };
    let found = heads.find(|head| {
        walk.room = depth.saturating_sub(usize::from(head.height)) as u16;
        let root = trees.root(head.state).unwrap_or(NO_NODE);
        walk.node(root, Some(head.tokens), head.height)
    });
    (found.is_some() || walk.work > 0).then_some(found)
}

impl<const SEEN: usize> Walk<'_, '_, '_, SEEN> {
    /// The sets of a node of a mask tree, and of those under it; `stacks` are the stacks below the
    /// frames that were looked at, none if the bottom was, and `height` is how many frames they
    /// have.
    fn node(&mut self, offset: u32, stacks: Option<u16>, height: u16) -> bool {
        let Some((sets, children)) = self.trees.node(offset) else {
            return false;
        };
        for word in sets.iter() {
            if let Some(id) = SetIds::fits(word, usize::from(self.room))
                && (self.visit)(id)
            {
                self.choose_below(stacks.unwrap_or(NO_FRAMES), height);
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
            return self.node(child(BOTTOM), None, 0);
        }
        let below = height.saturating_sub(1);
        let mut edges = edges(self.words, node).iter();
        edges.any(|&[frame, stacks]| {
            let found = self.node(child(frame), Some(stacks), below);
            if found {
                self.choose(frame, below);
            }
            found
        })
    }

    /// Writes the frames of one of the stacks of a node.
    #[cold]
    fn choose_below(&mut self, mut node: u16, height: u16) {
        for at in (0..height).rev() {
            let Some(&[frame, below]) = edges(self.words, node).first() else {
                return;
            };
            self.choose(frame, at);
            node = below;
        }
    }

    /// Writes a frame, if there is room for frames.
    fn choose(&mut self, frame: u16, at: u16) {
        if let Some(to) = self.frames.get_mut(usize::from(at)) {
            *to = frame;
        }
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
