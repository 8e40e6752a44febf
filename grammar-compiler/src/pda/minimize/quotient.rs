//! The automaton of blocks.
//!
//! In: a [`Pda`], the blocks of its states and frames, numbered by their first members, and the
//! signatures of its trees up to blocks. Out: one state and frame for each block, and one tree for
//! each signature that is needed.

use super::StablePartition;
use crate::pda::{Alternative, FrameId, Pda, State, Tree, TreeId};
use std::collections::BTreeMap;

/// A tree that is not made yet.
const NONE: TreeId = TreeId::new(u32::MAX);

impl StablePartition {
    /// The automaton of blocks.
    pub(super) fn quotient(&self, pda: &Pda) -> Pda {
        let mut made = QuotientTrees::new(pda, self);
        let mut states: Vec<State> = Vec::new();
        for (state, &block) in pda.states.iter().zip(&self.state_of) {
            if block.index() == states.len() {
                let edges = state.edges.iter();
                states.push(State {
                    edges: edges
                        .map(|&(class, tree)| (class, made.tree(tree)))
                        .collect(),
                    top: Vec::new(),
                });
            }
            let top = state.top.iter().map(|&frame| self.frame(frame));
            states[block.index()].top.extend(top);
        }
        let mut under: Vec<Vec<FrameId>> = vec![Vec::new(); count(&self.frame_of)];
        for (below, &block) in pda.under.iter().zip(&self.frame_of) {
            under[block as usize].extend(below.iter().map(|&frame| self.frame(frame)));
        }
        let tops = states.iter_mut().map(|state| &mut state.top);
        tops.chain(&mut under).for_each(normalize);
        Pda {
            classes: pda.classes.clone(),
            start: self.state_of[pda.start.index()],
            states,
            trees: made.trees,
            under,
        }
    }

    fn frame(&self, frame: FrameId) -> FrameId {
        FrameId::at(self.frame_of[frame.index()] as usize)
    }
}

/// How many numbers there are, if all below the largest are used.
fn count(numbers: &[u32]) -> usize {
    numbers.iter().max().map_or(0, |&last| last as usize + 1)
}

fn normalize(frames: &mut Vec<FrameId>) {
    frames.sort_unstable();
    frames.dedup();
}

/// The trees made so far.
struct QuotientTrees<'a> {
    pda: &'a Pda,
    blocks: &'a StablePartition,
    of_signature: Vec<TreeId>,
    trees: Vec<Tree>,
}

impl<'a> QuotientTrees<'a> {
    fn new(pda: &'a Pda, blocks: &'a StablePartition) -> Self {
        QuotientTrees {
            pda,
            blocks,
            of_signature: vec![NONE; count(&blocks.signatures)],
            trees: Vec::new(),
        }
    }

    fn tree(&mut self, tree: TreeId) -> TreeId {
        let signatures = &self.blocks.signatures;
        let signature = signatures[tree.index()];
        if self.of_signature[signature as usize] != NONE {
            return self.of_signature[signature as usize];
        }
        let made = match &self.pda.trees[tree.index()] {
            Tree::Leaf(leaf) => self.leaf(leaf),
            Tree::Look { depth, branches } => {
                // If all branches are equal, no look is needed.
                let same = |branch: &&(_, TreeId)| signatures[branch.1.index()] == signature;
                match branches.first().filter(same) {
                    Some(only) => return self.tree(only.1),
                    None => self.look(*depth, branches),
                }
            }
        };
        self.trees.push(made);
        let id = TreeId::at(self.trees.len() - 1);
        self.of_signature[signature as usize] = id;
        id
    }

    fn leaf(&self, leaf: &[Alternative]) -> Tree {
        let blocks = self.blocks;
        let of_block = |a: &Alternative| Alternative {
            push: a.push.map(|frame| blocks.frame(frame)),
            next: blocks.state_of[a.next.index()],
            ..*a
        };
        let mut leaf: Vec<Alternative> = leaf.iter().map(of_block).collect();
        leaf.sort_unstable();
        leaf.dedup();
        Tree::Leaf(leaf)
    }

    fn look(&mut self, depth: u8, branches: &[(FrameId, TreeId)]) -> Tree {
        let mut blocks: BTreeMap<FrameId, TreeId> = BTreeMap::new();
        for &(frame, branch) in branches {
            let branch = self.tree(branch);
            // A tree leads each block to one signature.
            blocks.entry(self.blocks.frame(frame)).or_insert(branch);
        }
        Tree::Look {
            depth,
            branches: blocks.into_iter().collect(),
        }
    }
}
