//! The decision trees of edges while frames are still found.
//!
//! In: the outcome of an edge under the frames looked at. Out: [`Edges`]: a node for each branch
//! met so far. A node is made once, since the outcome of an edge under given frames does not
//! change. A node is *due* if it, or a node below it, reads a set of frames that has grown since
//! its last visit.

use std::ops::Range;

use super::closure::{KnownGotos, Unknown};
use super::flow::{BranchId, FramePlace};
use super::item::{GotoEntry, MAX_LOOK, MAX_RETURN};
use crate::bits::Bits;
use crate::intern::Sequences;
use crate::pda::{Class, FrameId, StateId, TreeId};

/// No frame deeper than this is ever looked at.
const DEEPEST: usize = if MAX_LOOK > MAX_RETURN {
    MAX_LOOK
} else {
    MAX_RETURN
} as usize;

/// The outcome of an edge, given the frames looked at.
#[derive(Clone, Copy)]
pub enum EdgeOutcome {
    /// This leaf.
    Leaf(TreeId),
    /// The frame at this depth decides.
    Look(u8),
}

/// The frames that one branch of a decision tree has looked at, by depth.
#[derive(Clone, Copy, Default)]
pub struct Looked([Option<FrameId>; DEEPEST + 1]);

impl Looked {
    /// The frame at a depth, if it has been looked at.
    pub fn get(&self, depth: u8) -> Option<FrameId> {
        self.0.get(depth as usize).copied().flatten()
    }

    /// With one more frame.
    pub fn and(mut self, depth: u8, frame: FrameId) -> Self {
        self.0[depth as usize] = Some(frame);
        self
    }
}

/// The goto maps of the frames looked at.
pub struct LookedFrames<'a> {
    /// The frames looked at.
    pub looked: Looked,
    /// The goto maps of all frames.
    pub frames: &'a Sequences<GotoEntry>,
}

impl KnownGotos for LookedFrames<'_> {
    fn frame(&self, depth: u8) -> Result<&[GotoEntry], Unknown> {
        let frame = self.looked.get(depth).ok_or(Unknown(depth))?;
        Ok(self.frames.get(u32::from(frame)))
    }
}

/// A branch of the decision tree of an edge.
pub struct Branch {
    /// The state of the edge.
    pub state: StateId,
    /// The node that looked last; none for the whole edge.
    pub parent: Option<BranchId>,
    /// The frames looked at.
    pub looked: Looked,
    /// The outcome of the edge under them.
    pub outcome: EdgeOutcome,
    /// The branches of a look, ascending by frame.
    pub children: Vec<(FrameId, BranchId)>,
    /// Whether growth of what can lie on top makes the node due.
    pub reads_top: bool,
    /// Frames for which growth of what can lie under them makes the node due.
    pub reads_under: Bits,
    /// To be visited.
    pub is_due: bool,
}

impl Branch {
    /// Notes that growth of a place (the top of its state, or under a frame) makes the node due;
    /// returns whether that is new. The top of its state makes a whole edge due anyway.
    pub fn read(&mut self, place: FramePlace) -> bool {
        match place {
            FramePlace::Top(_) => !std::mem::replace(&mut self.reads_top, true),
            FramePlace::Under(frame) => self.reads_under.insert(usize::from(frame)),
        }
    }
}

/// The trees of all edges.
#[derive(Default)]
pub struct Edges {
    /// All nodes.
    pub nodes: Vec<Branch>,
    /// The computed edges: class and root of the tree. The edges of a state lie side by side,
    /// ascending by class.
    pub roots: Vec<(Class, BranchId)>,
    /// Where the edges of each state lie; a state has none before it is explored.
    of_state: Vec<Range<usize>>,
}

impl Edges {
    /// Adds a state without edges.
    pub fn add_state(&mut self) {
        self.of_state.push(0..0);
    }

    /// Where the roots of a state are.
    pub fn of(&self, state: StateId) -> Range<usize> {
        self.of_state[state.index()].clone()
    }

    /// Adds the root of the next edge of a state. All edges of one state are added in a row.
    pub fn add_root(&mut self, state: StateId, class: Class, root: BranchId) {
        let of = &mut self.of_state[state.index()];
        if of.start == of.end {
            of.start = self.roots.len();
        }
        self.roots.push((class, root));
        of.end = self.roots.len();
    }

    /// Adds a node that is due.
    pub fn add(
        &mut self,
        state: StateId,
        parent: Option<BranchId>,
        looked: Looked,
        outcome: EdgeOutcome,
    ) -> BranchId {
        self.nodes.push(Branch {
            state,
            parent,
            looked,
            outcome,
            children: Vec::new(),
            reads_top: parent.is_none(),
            reads_under: Bits::default(),
            is_due: true,
        });
        BranchId::at(self.nodes.len() - 1)
    }

    /// Makes a node due, and the nodes above it, through which a visit gets there.
    pub fn make_due(&mut self, node: BranchId) {
        let mut next = Some(node);
        while let Some(at) = next {
            let node = &mut self.nodes[at.index()];
            if std::mem::replace(&mut node.is_due, true) {
                return;
            }
            next = node.parent;
        }
    }
}
