//! Equal nodes, merged.
//!
//! In: [`Masks`]. Out: the same masks without two nodes that no walk tells apart.

use super::tree::{MaskNode, Masks, NodeId};
use crate::intern::number;

/// Stands for the block of a child that is not there.
const NONE: u32 = u32::MAX;

/// Merges nodes that no walk tells apart, by refining a partition until it is stable.
pub fn merge_equal(masks: Masks) -> Masks {
    let Masks { sets, nodes, roots } = masks;
    let mut block = number(nodes.iter().map(|node| &node.sets));
    loop {
        // Blocks are numbered in the order of their first nodes, so one that stays has its number again.
        let finer = number(Rows::new(&nodes, &block).iter());
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
            kids.for_each(|kid| *kid = block[*kid as usize]);
            merged.push(node);
        }
    }
    Masks {
        sets,
        nodes: merged,
        roots: roots.iter().map(|&root| block[root as usize]).collect(),
    }
}

/// A row of numbers for each node, equal for two nodes of a block if each frame leads from them to one block.
struct Rows {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl Rows {
    fn new(nodes: &[MaskNode], block: &[u32]) -> Self {
        let of_kid = |kid: Option<NodeId>| kid.map_or(NONE, |kid| block[kid as usize]);
        let mut rows = Rows {
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
