//! Mask trees as words.
//!
//! In: [`Masks`]. Out: the words and the offset of each node. Nodes may lead to each other in any
//! order.

use maskwright_core::layout::mask;

use super::frames::runs;
use super::limit::too_large;
use crate::limits::LimitExceeded;
use crate::mask::{MaskNode, MaskNodeId, Masks};

/// Packed mask trees.
pub struct PackedMasks {
    /// The words.
    pub words: Vec<u32>,
    /// Where each node lies.
    pub offsets: Vec<u32>,
}

/// Packs all nodes.
pub fn pack(masks: &Masks) -> Result<PackedMasks, LimitExceeded> {
    let mut offsets = Vec::with_capacity(masks.nodes.len());
    let mut end = 0usize;
    for node in &masks.nodes {
        offsets.push(end as u32);
        // The first run of frames needs no pair, only the word of its child.
        end += 1 + node.sets.len() + (2 * runs(&node.children).count()).saturating_sub(1);
        if end >= mask::NO_NODE as usize {
            return Err(too_large("mask tree nodes", mask::NO_NODE as usize));
        }
    }
    let mut words = Vec::with_capacity(end);
    for node in &masks.nodes {
        put(node, &offsets, &mut words)?;
    }
    Ok(PackedMasks { words, offsets })
}

/// Adds the words of a node.
fn put(node: &MaskNode, offsets: &[u32], words: &mut Vec<u32>) -> Result<(), LimitExceeded> {
    let offset = |node: Option<MaskNodeId>| node.map_or(mask::NO_NODE, |n| offsets[n.index()]);
    let sets =
        u8::try_from(node.sets.len()).map_err(|_| too_large("token sets in one node", 255))?;
    let mut runs = runs(&node.children);
    let first = runs.next();
    let pairs: Vec<_> = runs.collect();
    let count = u16::try_from(pairs.len()).ok();
    let count = count.filter(|&count| u32::from(count) <= mask::MAX_CHILDREN);
    let count =
        count.ok_or_else(|| too_large("children of one node", mask::MAX_CHILDREN as usize))?;
    words.push(match first {
        Some(_) => mask::look(sets, count),
        None => mask::leaf(sets),
    });
    let sets = node.sets.iter();
    words.extend(sets.map(|&(headroom, id)| mask::set(id.number(), headroom)));
    words.extend(first.map(|(_, child)| offset(child)));
    for (frame, child) in pairs {
        words.extend([u32::from(frame), offset(child)]);
    }
    Ok(())
}
