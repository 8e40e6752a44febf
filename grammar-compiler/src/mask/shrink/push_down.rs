//! Large token sets, moved from a node to its children where some child has large sets too.
//!
//! In: [`Masks`]. Out: the same masks. A state within a counted block accepts tokens of at most so
//! many characters by itself, and longer ones under certain frames: for each digit two sets of
//! about half the vocabulary. Their union is almost always the same set, so the union is stored,
//! below the look, and a mask copies one bitmap instead of two.
//!
//! Worth (`docs/ablation.md`): without it tables are 22 % larger at the 99th percentile.

use crate::maps::IdMap;
use std::collections::BTreeSet;

use super::merge::merge_equal;
use crate::intern::Interner;
use crate::mask::masks::{MaskNode, MaskNodeId, Masks, Ranks, SetId};
use crate::pda::BOTTOM;

/// A set is large if it has more than one in this many of all tokens: it is then a bitmap, or a
/// short difference to one.
const LARGE: usize = 64;
/// The number of frames that a set is moved down at most.
const MAX_DEPTH: u8 = 4;

/// Moves large sets down; `tokens` is the number of ranks of the vocabulary.
pub fn push_down(masks: Masks, tokens: usize) -> Masks {
    let mut pusher = Pusher {
        large: tokens / LARGE,
        sets: masks.sets.into_iter().collect(),
        nodes: masks.nodes,
        unions: IdMap::default(),
        heirs: IdMap::default(),
    };
    // A node below the bottom of the stack is the end of every walk: what moved on from there would
    // be lost.
    let children = pusher.nodes.iter().flat_map(|node| &node.children);
    let last: BTreeSet<MaskNodeId> = children
        .filter(|c| c.0 == BOTTOM)
        .filter_map(|c| c.1)
        .collect();
    for node in (0..pusher.nodes.len())
        .map(MaskNodeId::at)
        .filter(|node| !last.contains(node))
    {
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

/// A child, whether it lies below the bottom of the stack, and the sets that it takes over.
type Heir = (Option<MaskNodeId>, bool, Vec<(u8, SetId)>);

struct Pusher {
    /// Sets of more ranks than this are large.
    large: usize,
    sets: Interner<Ranks>,
    nodes: Vec<MaskNode>,
    unions: IdMap<(SetId, SetId), SetId>,
    /// The nodes that took sets over.
    heirs: IdMap<Heir, MaskNodeId>,
}

impl Pusher {
    /// Moves the large sets of a node to its children, if some child has large ones.
    fn push(&mut self, node: MaskNodeId, depth: u8) {
        let is_large = |set: &(u8, SetId)| self.sets.values[set.1.index()].len() > self.large;
        let has_large = |node: &MaskNode| node.sets.iter().any(is_large);
        let here = &self.nodes[node.index()];
        let below = here.children.iter().filter_map(|child| child.1);
        let mut below = below.map(|child| &self.nodes[child.index()]);
        if depth >= MAX_DEPTH || !has_large(here) || !below.any(has_large) {
            return;
        }
        let MaskNode { sets, children } = here.clone();
        let (moved, kept): (Vec<_>, Vec<_>) = sets.into_iter().partition(is_large);
        let mut heirs = Vec::with_capacity(children.len());
        for (frame, child) in children {
            let heir = self.heir(child, frame == BOTTOM, &moved, depth + 1);
            heirs.push((frame, Some(heir)));
        }
        self.nodes[node.index()] = MaskNode {
            sets: kept,
            children: heirs,
        };
    }

    /// A node like `child` that also holds the sets `moved`.
    fn heir(
        &mut self,
        child: Option<MaskNodeId>,
        is_last: bool,
        moved: &[(u8, SetId)],
        depth: u8,
    ) -> MaskNodeId {
        let key = (child, is_last, moved.to_vec());
        if let Some(&known) = self.heirs.get(&key) {
            return known;
        }
        let mut node = child.map_or_else(MaskNode::default, |c| self.nodes[c.index()].clone());
        for &(headroom, set) in moved {
            match node.sets.iter().position(|s| s.0 == headroom) {
                Some(at) => node.sets[at].1 = self.union(node.sets[at].1, set),
                None => node.sets.push((headroom, set)),
            }
        }
        node.sets.sort_unstable();
        let id = MaskNodeId::at(self.nodes.len());
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
        let ranks = Ranks::union(both.map(|set| &self.sets.values[set.index()]));
        let id = SetId::new(self.sets.intern(ranks));
        self.unions.insert(key, id);
        id
    }
}
