//! Equivalent nodes, merged.
//!
//! In: [`Masks`]. Out: the same masks. What holds after: no two nodes that every walk treats alike
//! are left. Worth (`docs/ablation.md`): without merging, here and in `join/gather`, tables are 6 %
//! larger at the median and 64 % at the 99th percentile.

use crate::intern::number;
use crate::mask::masks::{MaskNode, MaskNodeId, Masks};

/// The block of a missing child.
const NONE: u32 = u32::MAX;

/// Merges nodes that no walk distinguishes: Moore's refinement of a partition, until it is stable.
pub fn merge_equal(masks: Masks) -> Masks {
    let Masks { sets, nodes, roots } = masks;
    let mut block = number(nodes.iter().map(|node| &node.sets));
    loop {
        // Blocks are numbered by their first nodes, so a block that was not split gets the same
        // number again.
        let finer = number(NodeRows::new(&nodes, &block).iter());
        if finer == block {
            break;
        }
        block = finer;
    }
    let mut merged: Vec<MaskNode> = Vec::new();
    for (mut node, &block_of) in nodes.into_iter().zip(&block) {
        if block_of as usize == merged.len() {
            let kids = node
                .children
                .iter_mut()
                .filter_map(|child| child.1.as_mut());
            kids.for_each(|kid| *kid = MaskNodeId::new(block[kid.index()]));
            merged.push(node);
        }
    }
    Masks {
        sets,
        nodes: merged,
        roots: roots
            .iter()
            .map(|&root| MaskNodeId::new(block[root.index()]))
            .collect(),
    }
}

/// For each node a row of numbers: its block, and the blocks that its frames lead to.
struct NodeRows {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl NodeRows {
    fn new(nodes: &[MaskNode], block: &[u32]) -> Self {
        let of_kid = |kid: Option<MaskNodeId>| kid.map_or(NONE, |kid| block[kid.index()]);
        let mut rows = NodeRows {
            numbers: Vec::new(),
            ends: Vec::with_capacity(nodes.len()),
        };
        for (node, &block) in nodes.iter().zip(block) {
            rows.numbers.push(block);
            let children = node.children.iter();
            let children = children.flat_map(|&(frame, kid)| [u32::from(frame), of_kid(kid)]);
            rows.numbers.extend(children);
            rows.ends.push(rows.numbers.len());
        }
        rows
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| {
            let row = &self.numbers[from..end];
            from = end;
            row
        })
    }
}
