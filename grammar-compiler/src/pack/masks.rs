//! Mask trees as words.
//!
//! In: [`Masks`]. Out: the words and the offset of each node. Nodes may lead to each other in any order.

use maskwright_core::layout::mask;

use super::programs::most_frequent;
use super::too_large;
use crate::limits::LimitExceeded;
use crate::mask::{MaskNode, Masks};

/// Packed mask trees.
pub struct PackedMasks {
    /// The words.
    pub words: Vec<u32>,
    /// Where each node lies.
    pub offsets: Vec<u32>,
}

/// A node's sets, default child and other children.
struct Record<'a> {
    node: &'a MaskNode,
    default: Option<u32>,
    listed: Vec<(u32, Option<u32>)>,
}

/// Packs all nodes.
pub fn pack(masks: &Masks) -> Result<PackedMasks, LimitExceeded> {
    let records: Vec<Record> = masks.nodes.iter().map(record).collect();
    let mut offsets = Vec::with_capacity(records.len());
    let mut end = 0usize;
    for record in &records {
        offsets.push(end as u32);
        let look = if record.node.children.is_empty() {
            0
        } else {
            1 + 2 * record.listed.len()
        };
        end += 1 + record.node.sets.len() + look;
        if end >= mask::NO_NODE as usize {
            return Err(too_large("mask tree nodes", mask::NO_NODE as usize));
        }
    }
    let offset = |node: Option<u32>| node.map_or(mask::NO_NODE, |n| offsets[n as usize]);
    let mut words = Vec::with_capacity(end);
    for record in &records {
        let sets = u8::try_from(record.node.sets.len())
            .map_err(|_| too_large("token sets in one node", 255))?;
        if record.node.children.is_empty() {
            words.push(mask::leaf(sets));
        } else {
            let children = u16::try_from(record.listed.len())
                .ok()
                .filter(|&c| c as u32 <= mask::MAX_CHILDREN);
            let children = children
                .ok_or_else(|| too_large("children of one node", mask::MAX_CHILDREN as usize))?;
            words.push(mask::look(sets, children));
        }
        words.extend(
            record
                .node
                .sets
                .iter()
                .map(|&(headroom, id)| mask::set(id, headroom)),
        );
        if !record.node.children.is_empty() {
            words.push(offset(record.default));
            record
                .listed
                .iter()
                .for_each(|&(frame, child)| words.extend([frame, offset(child)]));
        }
    }
    Ok(PackedMasks { words, offsets })
}

fn record(node: &MaskNode) -> Record<'_> {
    let code = |child: Option<u32>| child.map_or(0, |c| c + 1);
    let default =
        most_frequent(node.children.iter().map(|c| code(c.1))).and_then(|code| code.checked_sub(1));
    let listed = node
        .children
        .iter()
        .filter(|c| c.1 != default)
        .map(|&(frame, child)| (frame as u32, child))
        .collect();
    Record {
        node,
        default,
        listed,
    }
}
