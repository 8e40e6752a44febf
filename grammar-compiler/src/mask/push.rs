//! Large token sets one frame further down, where what lies there has large ones as well.
//!
//! In: [`Masks`]. Out: the same masks. A state in a counted block accepts tokens of at most so many characters by itself, and
//! longer ones under each frame: two sets of half the vocabulary each, for each digit. Their union is almost always the same
//! set, so it is kept below the look, where it is the only one.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

use super::merge::merge_equal;
use super::set::{Ranks, SetId};
use super::tree::{MaskNode, Masks, NodeId};
use crate::intern::Interner;
use crate::pda::BOTTOM;

/// A set of more than this part of all tokens is large: it is stored as a bitmap, or as a short difference to one.
const LARGE: usize = 64;
/// Sets are moved at most so many frames down.
const MAX_DEPTH: u8 = 4;

/// Moves large sets of a vocabulary of so many tokens down.
pub fn push_down(masks: Masks, tokens: usize) -> Masks {
    let mut pusher = Pusher {
        large: tokens / LARGE,
        sets: masks.sets.into_iter().collect(),
        nodes: masks.nodes,
        unions: HashMap::default(),
        heirs: HashMap::default(),
    };
    // Below the bottom of a stack there is no look that could find what was moved.
    let children = pusher.nodes.iter().flat_map(|node| &node.children);
    let last: BTreeSet<NodeId> = children
        .filter(|c| c.0 == BOTTOM)
        .filter_map(|c| c.1)
        .collect();
    for node in (0..pusher.nodes.len() as NodeId).filter(|node| !last.contains(node)) {
        pusher.push(node, 0);
    }
    let masks = Masks {
        sets: pusher.sets.values,
        nodes: pusher.nodes,
        roots: masks.roots,
    };
    match pusher.heirs.is_empty() {
        true => masks,
        false => merge_equal(masks),
    }
}

/// A child, whether it lies under the bottom, and the sets that it takes over.
type Heir = (Option<NodeId>, bool, Vec<(u8, SetId)>);

struct Pusher {
    /// The size that a large set passes.
    large: usize,
    sets: Interner<Ranks>,
    nodes: Vec<MaskNode>,
    unions: HashMap<(SetId, SetId), SetId>,
    /// Nodes with the sets of what lies above them.
    heirs: HashMap<Heir, NodeId>,
}

impl Pusher {
    /// Moves the large sets of a node to its children, if some child has large ones.
    fn push(&mut self, node: NodeId, depth: u8) {
        let MaskNode { sets, children } = self.nodes[node as usize].clone();
        let is_large = |set: &(u8, SetId)| self.sets.values[set.1 as usize].len() > self.large;
        let (moved, kept): (Vec<_>, Vec<_>) = sets.into_iter().partition(is_large);
        let mut below = children.iter().filter_map(|c| c.1);
        let has_large = |child: NodeId| self.nodes[child as usize].sets.iter().any(is_large);
        if moved.is_empty() || depth >= MAX_DEPTH || !below.any(has_large) {
            return;
        }
        let mut heirs = Vec::with_capacity(children.len());
        for (frame, child) in children {
            let heir = self.heir(child, frame == BOTTOM, &moved, depth + 1);
            heirs.push((frame, Some(heir)));
        }
        self.nodes[node as usize] = MaskNode {
            sets: kept,
            children: heirs,
        };
    }

    /// A node like `child` that also holds the sets `moved`.
    fn heir(
        &mut self,
        child: Option<NodeId>,
        is_last: bool,
        moved: &[(u8, SetId)],
        depth: u8,
    ) -> NodeId {
        let key = (child, is_last, moved.to_vec());
        if let Some(&known) = self.heirs.get(&key) {
            return known;
        }
        let mut node = child.map_or_else(MaskNode::default, |c| self.nodes[c as usize].clone());
        for &(headroom, set) in moved {
            match node.sets.iter().position(|s| s.0 == headroom) {
                Some(at) => node.sets[at].1 = self.union(node.sets[at].1, set),
                None => node.sets.push((headroom, set)),
            }
        }
        node.sets.sort_unstable();
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.heirs.insert(key, id);
        if !is_last {
            self.push(id, depth);
        }
        id
    }

    fn union(&mut self, a: SetId, b: SetId) -> SetId {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let both = [a, b].into_iter();
        let ranks = Ranks::union(both.map(|set| &self.sets.values[set as usize]));
        let id = self.sets.intern(ranks);
        self.unions.insert(key, id);
        id
    }
}

/// Drops nodes and sets that no root leads to.
pub fn trim(mut masks: Masks) -> Masks {
    let mut ids: Vec<Option<NodeId>> = vec![None; masks.nodes.len()];
    let mut order: Vec<NodeId> = Vec::new();
    let mut visit = |node: NodeId, order: &mut Vec<NodeId>| {
        if ids[node as usize].is_none() {
            ids[node as usize] = Some(order.len() as NodeId);
            order.push(node);
        }
    };
    masks.roots.iter().for_each(|&root| visit(root, &mut order));
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        let children = masks.nodes[node as usize].children.iter();
        children
            .filter_map(|c| c.1)
            .for_each(|child| visit(child, &mut order));
        at += 1;
    }
    let mut set_ids: Vec<Option<SetId>> = vec![None; masks.sets.len()];
    let mut sets: Vec<Ranks> = Vec::new();
    let mut nodes = Vec::with_capacity(order.len());
    for &node in &order {
        let mut node = std::mem::take(&mut masks.nodes[node as usize]);
        for (_, set) in &mut node.sets {
            *set = *set_ids[*set as usize].get_or_insert_with(|| {
                sets.push(std::mem::take(&mut masks.sets[*set as usize]));
                sets.len() as SetId - 1
            });
        }
        for (_, child) in &mut node.children {
            *child = child.and_then(|c| ids[c as usize]);
        }
        nodes.push(node);
    }
    let roots = masks.roots.iter();
    Masks {
        sets,
        roots: roots.filter_map(|&root| ids[root as usize]).collect(),
        nodes,
    }
}
