//! Decision trees up to blocks.
//!
//! In: the blocks of states and frames, and which of these have moved. Out: for each tree its
//! signature, a number that is the same for trees that are equal up to blocks; and the trees whose
//! signature has changed.

use crate::csr::Csr;
use crate::intern::Sequences;
use crate::pda::{Alternative, FrameId, Pda, StateId, Tree, TreeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The block of each state and frame.
#[derive(Clone, Copy)]
pub(super) struct BlockMap<'b> {
    pub states: &'b [u32],
    pub frames: &'b [u32],
}

/// The signatures, and what they depend on.
pub(super) struct TreeSignatures<'a> {
    pub pda: &'a Pda,
    /// The signature of each tree.
    pub of: Vec<u32>,
    /// The trees whose signatures have changed since the states were last split; some may be named
    /// twice.
    pub changed: Vec<TreeId>,
    /// The trees that look at frames and at or below which a block or a signature has changed; some
    /// may be named twice.
    pub touched: Vec<TreeId>,
    shapes: Sequences<u32>,
    leaves_of_state: Csr<TreeId>,
    trees_of_frame: Csr<TreeId>,
    trees_of_tree: Csr<TreeId>,
    /// Queued trees, which look at frames: a tree before those that lead to it. And for each tree
    /// whether it is queued.
    queue: BinaryHeap<Reverse<TreeId>>,
    is_queued: Vec<bool>,
    shape: TreeWords,
}

impl<'a> TreeSignatures<'a> {
    /// The signatures of all trees.
    pub fn new(pda: &'a Pda, blocks: BlockMap<'_>) -> Self {
        let frames = pda.under.len();
        let mut trees = TreeSignatures {
            pda,
            of: Vec::with_capacity(pda.trees.len()),
            changed: Vec::new(),
            touched: Vec::new(),
            shapes: Sequences::new(),
            leaves_of_state: Csr::new(
                pda.states.len(),
                alternatives(pda).map(|(t, a)| (a.next.number(), t)),
            ),
            trees_of_frame: Csr::new(frames, frame_uses(pda)),
            trees_of_tree: Csr::new(
                pda.trees.len(),
                branches(pda).map(|(t, (_, branch))| (branch.number(), t)),
            ),
            queue: BinaryHeap::new(),
            is_queued: vec![false; pda.trees.len()],
            shape: TreeWords::default(),
        };
        // A tree is interned after the trees that it leads to, so their signatures are known.
        for tree in (0..pda.trees.len()).map(TreeId::at) {
            let signature = trees.signature(tree, blocks);
            trees.of.push(signature);
        }
        trees
    }

    /// Brings the signatures up to date after `states` have moved to other blocks.
    pub fn follow_states(&mut self, states: &[StateId], blocks: BlockMap<'_>) {
        self.changed.clear();
        for &state in states {
            for at in 0..self.leaves_of_state.of(state.number()).len() {
                let leaf = self.leaves_of_state.of(state.number())[at];
                self.look_again(leaf, blocks);
            }
        }
        self.look_up(blocks);
    }

    /// Brings the signatures up to date after `frames` have moved to other blocks.
    pub fn follow_frames(&mut self, frames: &[u32], blocks: BlockMap<'_>) {
        self.changed.clear();
        for &frame in frames {
            for at in 0..self.trees_of_frame.of(frame).len() {
                let tree = self.trees_of_frame.of(frame)[at];
                match self.pda.trees[tree.index()] {
                    Tree::Leaf(_) => self.look_again(tree, blocks),
                    Tree::Look { .. } => self.enqueue(tree),
                }
            }
        }
        self.look_up(blocks);
    }

    fn enqueue(&mut self, tree: TreeId) {
        if !std::mem::replace(&mut self.is_queued[tree.index()], true) {
            self.queue.push(Reverse(tree));
        }
    }

    /// Works off the queue, which grows by the trees that lead to changed ones.
    fn look_up(&mut self, blocks: BlockMap<'_>) {
        while let Some(Reverse(tree)) = self.queue.pop() {
            self.is_queued[tree.index()] = false;
            self.touched.push(tree);
            self.look_again(tree, blocks);
        }
    }

    /// Computes the signature of `tree` anew. If it has changed, or `tree` is touched, the trees
    /// that lead there are queued.
    fn look_again(&mut self, tree: TreeId, blocks: BlockMap<'_>) {
        let signature = self.signature(tree, blocks);
        let before = std::mem::replace(&mut self.of[tree.index()], signature);
        if before != signature {
            self.changed.push(tree);
        }
        if before != signature || matches!(self.pda.trees[tree.index()], Tree::Look { .. }) {
            for at in 0..self.trees_of_tree.of(tree.number()).len() {
                self.enqueue(self.trees_of_tree.of(tree.number())[at]);
            }
        }
    }

    fn signature(&mut self, tree: TreeId, blocks: BlockMap<'_>) -> u32 {
        match &self.pda.trees[tree.index()] {
            Tree::Leaf(leaf) => self.shape.leaf(leaf, blocks),
            Tree::Look { depth, branches } => {
                let of = |&(frame, branch): &(FrameId, TreeId)| {
                    (blocks.frames[usize::from(frame)], self.of[branch.index()])
                };
                if let Some(only) = self.shape.look(*depth, branches.iter().map(of)) {
                    return only;
                }
            }
        }
        self.shapes.intern(&self.shape.words)
    }
}

/// All alternatives with the leaves that they are in.
fn alternatives(pda: &Pda) -> impl Iterator<Item = (TreeId, &Alternative)> + Clone {
    (0..)
        .map(TreeId::new)
        .zip(&pda.trees)
        .flat_map(|(id, tree)| {
            let leaf = match tree {
                Tree::Leaf(leaf) => leaf.as_slice(),
                Tree::Look { .. } => &[],
            };
            leaf.iter().map(move |alternative| (id, alternative))
        })
}

/// All branches with the trees that they are of.
fn branches(pda: &Pda) -> impl Iterator<Item = (TreeId, (FrameId, TreeId))> + Clone {
    (0..)
        .map(TreeId::new)
        .zip(&pda.trees)
        .flat_map(|(id, tree)| {
            let branches = match tree {
                Tree::Leaf(_) => &[],
                Tree::Look { branches, .. } => branches.as_slice(),
            };
            branches.iter().map(move |&branch| (id, branch))
        })
}

/// Frames with the leaves that push them and the trees that look for them.
fn frame_uses(pda: &Pda) -> impl Iterator<Item = (u32, TreeId)> + Clone {
    let pushed = alternatives(pda).filter_map(|(leaf, a)| Some((u32::from(a.push?), leaf)));
    pushed.chain(branches(pda).map(|(tree, (frame, _))| (u32::from(frame), tree)))
}

/// A tree up to blocks, as words: scratch.
#[derive(Default)]
struct TreeWords {
    words: Vec<u32>,
    alternatives: Vec<[u32; 3]>,
    branches: Vec<(u32, u32)>,
}

impl TreeWords {
    /// Alternatives: what is popped and whether the symbol is taken again, block pushed, block of
    /// the next state.
    fn leaf(&mut self, leaf: &[Alternative], blocks: BlockMap<'_>) {
        self.alternatives.clear();
        self.alternatives.extend(leaf.iter().map(|a| {
            let push = a.push.map_or(0, |f| blocks.frames[usize::from(f)] + 1);
            let next = blocks.states[a.next.index()];
            [u32::from(a.pop) << 1 | u32::from(a.again), push, next]
        }));
        self.alternatives.sort_unstable();
        self.alternatives.dedup();
        self.words.clear();
        self.words.push(0);
        self.words.extend(self.alternatives.iter().flatten());
    }

    /// Depth, and blocks of frames with the signatures that their frames lead to, ascending; if all
    /// lead to one, only that.
    fn look(&mut self, depth: u8, branches: impl Iterator<Item = (u32, u32)>) -> Option<u32> {
        self.branches.clear();
        self.branches.extend(branches);
        if let Some(&(_, only)) = self.branches.first()
            && self.branches.iter().all(|branch| branch.1 == only)
        {
            return Some(only);
        }
        self.branches.sort_unstable();
        self.branches.dedup();
        self.words.clear();
        self.words.push(1 + u32::from(depth));
        self.words
            .extend(self.branches.iter().flat_map(|&(block, to)| [block, to]));
        None
    }
}
