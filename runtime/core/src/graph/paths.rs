//! Ways from the top of a graph's stacks down.

use super::words::NO_FRAMES;

/// The frames that a walk has met, from the top of some stacks down, and the stacks below them.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    above: Option<&'p Path<'p>>,
    frame: u16,
    /// The node of the stacks below.
    pub(super) below: u16,
    /// Frames met.
    pub(super) len: usize,
}

impl<'p> Path<'p> {
    /// At the top of the stacks of a node.
    pub(super) fn top(node: u16) -> Self {
        Path {
            above: None,
            frame: 0,
            below: node,
            len: 0,
        }
    }

    /// One frame further down.
    pub(super) fn down(&'p self, [frame, below]: [u16; 2]) -> Self {
        Path {
            above: Some(self),
            frame,
            below,
            len: self.len + 1,
        }
    }

    /// Whether there are no frames below.
    pub(super) fn is_at_bottom(&self) -> bool {
        self.below == NO_FRAMES
    }

    /// The frame at a depth, 0 for the top; `None` below those that were met.
    pub(super) fn frame(&self, depth: usize) -> Option<u16> {
        let mut path = self;
        while path.len > depth + 1 {
            path = path.above?;
        }
        (path.len == depth + 1).then_some(path.frame)
    }

    /// The frames that were met, the deepest first.
    pub(super) fn frames(&self) -> impl Iterator<Item = u16> {
        let mut next = Some(self);
        core::iter::from_fn(move || {
            let path = next?;
            next = path.above;
            (path.len > 0).then_some(path.frame)
        })
    }
}
