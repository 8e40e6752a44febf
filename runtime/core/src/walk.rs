//! The walk of the mask trees.
//!
//! In: the trees of a grammar's states, and the stacks of a matcher. Out: [`SetIds`]: the ids of
//! the sets whose union is the mask. It walks the tree of each stack's state down the frames of the
//! stack, and yields the sets that it meets.

use core::slice;

use crate::head::Head;
use crate::layout::{
    BOTTOM, HEAD,
    mask::{CHILDREN_SHIFT, HEADROOM_SHIFT, LOOK, MAX_CHILDREN, NO_NODE, SET, SETS},
    state::{MASK, MASK_OFFSET, STATE_WORDS},
};
use crate::words::Words;

/// The mask trees of all states.
#[derive(Clone, Copy)]
pub(crate) struct Trees<'t> {
    /// The records of the states.
    pub(crate) states: &'t [[[u8; 4]; STATE_WORDS]],
    /// The nodes of the trees.
    pub(crate) nodes: Words<'t>,
}

impl Trees<'_> {
    /// The offset of the root of a state's tree.
    #[inline]
    pub(crate) fn root(&self, state: u32) -> Option<u32> {
        let record = self.states.get(state as usize)?;
        Some(u32::from_le_bytes(record[MASK]) & MASK_OFFSET)
    }
}

impl<'t> Trees<'t> {
    /// The sets of the node at `offset`, and its children, if it looks at a frame; `None` if there
    /// is no such node.
    #[inline]
    pub(crate) fn node(&self, offset: u32) -> Option<(Words<'t>, Option<Words<'t>>)> {
        let (head, rest) = self.nodes.tail(offset as usize)?.split_first()?;
        if head & HEAD == 0 {
            return None;
        }
        let sets = rest.slice(0, (head & SETS) as usize)?;
        if head & LOOK == 0 {
            return Some((sets, None));
        }
        let pairs = (head >> CHILDREN_SHIFT & MAX_CHILDREN) as usize;
        Some((sets, Some(rest.slice(sets.len(), 1 + 2 * pairs)?)))
    }
}

/// Walks the mask trees of all stacks, and gives the ids of the sets that it meets.
pub(crate) struct SetIds<'a> {
    trees: Trees<'a>,
    /// Stacks not begun yet, and their frames.
    heads: slice::Iter<'a, Head>,
    frames: &'a [u16],
    depth: usize,
    /// The frames of this stack that have not been looked at, the next one last.
    below: &'a [u16],
    /// How many frames may still be pushed.
    room: usize,
    /// The sets left at this node.
    sets: Words<'a>,
    /// How the walk goes on below this node.
    look: Option<Look<'a>>,
}

/// The children of a node.
#[derive(Clone, Copy)]
struct Look<'a> {
    children: Words<'a>,
    /// The bottom has been looked at: there is nothing below it.
    at_bottom: bool,
}

impl<'a> SetIds<'a> {
    /// The sets of the stacks with these heads, each of which has `depth` frames of `frames`.
    #[inline]
    pub(crate) fn of(trees: Trees<'a>, heads: &'a [Head], frames: &'a [u16], depth: usize) -> Self {
        SetIds {
            trees,
            heads: heads.iter(),
            frames,
            depth,
            below: &[],
            room: 0,
            sets: Words::EMPTY,
            look: None,
        }
    }

    /// Goes to the next node; `None` if there is none.
    fn advance(&mut self) -> Option<()> {
        match self.look.take() {
            Some(look) => self.go_down(look),
            None => self.next_stack()?,
        }
        Some(())
    }

    /// The set of this word, if the stack has room for its headroom.
    #[inline]
    pub(crate) fn fits(word: u32, room: usize) -> Option<u32> {
        ((word >> HEADROOM_SHIFT) as usize <= room).then_some(word & SET)
    }

    /// Goes to the next stack's root; `None` if there is none.
    fn next_stack(&mut self) -> Option<()> {
        let head = self.heads.next()?;
        let (frames, others) = self.frames.split_at_checked(self.depth)?;
        self.frames = others;
        self.below = frames.get(..head.height as usize)?;
        self.room = self.depth.checked_sub(head.height as usize)?;
        let root = self.trees.root(head.state)?;
        self.enter(root, false);
        Some(())
    }

    /// Goes to the child of the next frame down.
    fn go_down(&mut self, look: Look<'a>) {
        let (frame, bottom) = match self.below.split_last() {
            _ if look.at_bottom => return,
            Some((&frame, below)) => {
                self.below = below;
                (frame, false)
            }
            None => (BOTTOM, true),
        };
        let child = look.children.branch(frame as u32);
        self.enter(child.unwrap_or(NO_NODE), bottom);
    }

    /// Reads the node at `offset`; where there is none, the walk of this stack ends.
    fn enter(&mut self, offset: u32, at_bottom: bool) {
        let (sets, children) = self.trees.node(offset).unwrap_or((Words::EMPTY, None));
        self.sets = sets;
        self.look = children.map(|children| Look {
            children,
            at_bottom,
        });
    }
}

impl Iterator for SetIds<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some((word, rest)) = self.sets.split_first() {
                self.sets = rest;
                if let Some(id) = Self::fits(word, self.room) {
                    return Some(id);
                }
            } else {
                self.advance()?;
            }
        }
    }

    /// Node by node, which is faster than set by set; on a microcontroller small code matters more.
    #[cfg(not(target_os = "none"))]
    #[inline]
    fn fold<B, F: FnMut(B, u32) -> B>(mut self, mut folded: B, mut with: F) -> B {
        loop {
            let room = self.room;
            let ids = self.sets.iter().filter_map(|word| Self::fits(word, room));
            folded = ids.fold(folded, &mut with);
            if self.advance().is_none() {
                return folded;
            }
        }
    }
}
