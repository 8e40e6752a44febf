//! Mask trees: for each state, which tokens can follow, by the frames that lie on the stack.

use super::ranks::Ranks;
use crate::id::id;
use crate::pda::{FrameId, StateId, reorder};

id! {
    /// Index of a token set in [`Masks::sets`].
    pub struct SetId;
}

id! {
    /// Index of a node in [`Masks::nodes`].
    pub struct MaskNodeId;
}

/// The masks of all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Token sets, equal ones once.
    pub sets: Vec<Ranks>,
    /// Tree nodes; a node may lead back to itself, one frame further down.
    pub nodes: Vec<MaskNode>,
    /// The root of each state's tree.
    pub roots: Vec<MaskNodeId>,
}

/// A node of a mask tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaskNode {
    /// The token sets that are allowed here, each with the number of frames that it needs above the
    /// present height.
    pub sets: Vec<(u8, SetId)>,
    /// For each frame that can lie at this depth, the node to go on with, ascending by frame; empty
    /// if the mask does not depend on it.
    pub children: Vec<(FrameId, Option<MaskNodeId>)>,
}

impl Masks {
    /// Renumbers the frames.
    pub fn number_frames(&mut self, number: &[FrameId]) {
        for children in self.nodes.iter_mut().map(|node| &mut node.children) {
            children
                .iter_mut()
                .for_each(|child| child.0 = number[child.0.index()]);
            children.sort_unstable_by_key(|child| child.0);
        }
    }

    /// Renumbers the states.
    pub fn number_states(&mut self, number: &[StateId]) {
        reorder(&mut self.roots, number);
    }

    /// For each of the first `sets` sets the number of nodes that name it.
    pub fn uses(&self, sets: usize) -> Vec<usize> {
        let mut uses = vec![0; sets];
        for (_, set) in self.nodes.iter().flat_map(|node| &node.sets) {
            uses[set.index()] += 1;
        }
        uses
    }
}
