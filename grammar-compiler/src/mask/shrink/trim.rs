//! Unreachable nodes and sets, dropped.
//!
//! In: [`Masks`]. Out: the same masks, numbered from the roots on, without nodes and sets that no
//! root leads to.

use crate::mask::masks::{MaskNodeId, Masks, Ranks, SetId};

/// Drops nodes and sets that no root leads to.
pub fn trim(mut masks: Masks) -> Masks {
    let mut ids: Vec<Option<MaskNodeId>> = vec![None; masks.nodes.len()];
    let mut order: Vec<MaskNodeId> = Vec::new();
    let mut visit = |node: MaskNodeId, order: &mut Vec<MaskNodeId>| {
        if ids[node.index()].is_none() {
            ids[node.index()] = Some(MaskNodeId::at(order.len()));
            order.push(node);
        }
    };
    masks.roots.iter().for_each(|&root| visit(root, &mut order));
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        let children = masks.nodes[node.index()].children.iter();
        children
            .filter_map(|c| c.1)
            .for_each(|child| visit(child, &mut order));
        at += 1;
    }
    let mut set_ids: Vec<Option<SetId>> = vec![None; masks.sets.len()];
    let mut sets: Vec<Ranks> = Vec::new();
    let mut nodes = Vec::with_capacity(order.len());
    for &node in &order {
        let mut node = std::mem::take(&mut masks.nodes[node.index()]);
        for (_, set) in &mut node.sets {
            *set = *set_ids[set.index()].get_or_insert_with(|| {
                sets.push(std::mem::take(&mut masks.sets[set.index()]));
                SetId::at(sets.len() - 1)
            });
        }
        for (_, child) in &mut node.children {
            *child = child.and_then(|c| ids[c.index()]);
        }
        nodes.push(node);
    }
    let roots = masks.roots.iter();
    Masks {
        sets,
        roots: roots.filter_map(|&root| ids[root.index()]).collect(),
        nodes,
    }
}
