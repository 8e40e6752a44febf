//! Nodes with every frame that can lie where they look.

use super::construction::RawNode;
use crate::bits::Bits;
use crate::mask::masks::{MaskNode, MaskNodeId};
use crate::pda::{FrameId, Pda};

/// For each node the frames that can lie where it looks.
fn possible(pda: &Pda, nodes: &[RawNode], roots: &[MaskNodeId]) -> Vec<Bits> {
    let mut possible = vec![Bits::default(); nodes.len()];
    let mut add = |node: MaskNodeId, frames: &[FrameId]| {
        frames.iter().for_each(|&frame| {
            possible[node.index()].insert(frame.index());
        });
    };
    for (state, &root) in pda.states.iter().zip(roots) {
        add(root, &state.top);
    }
    for &(frame, kid) in nodes.iter().flat_map(|node| &node.kids) {
        add(kid, &pda.under[frame.index()]);
    }
    possible
}

/// The nodes, each with every frame that can lie where it looks and the node that the frame leads
/// to; `None` if no frame leads to a token.
pub fn listed(pda: &Pda, nodes: Vec<RawNode>, roots: &[MaskNodeId]) -> Vec<MaskNode> {
    let possible = possible(pda, &nodes, roots);
    let of_node = |(RawNode { sets, kids }, possible): (RawNode, &Bits)| {
        let mut children = Vec::new();
        if !kids.is_empty() {
            children.extend(possible.iter().map(|frame| {
                let kid = kids.binary_search_by_key(&FrameId::at(frame), |kid| kid.0);
                (FrameId::at(frame), kid.ok().map(|at| kids[at].1))
            }));
        }
        MaskNode { sets, children }
    };
    nodes.into_iter().zip(&possible).map(of_node).collect()
}
