//! Dominated sets: large sets that are left out because every walk onwards meets a superset.
//!
//! In: [`Masks`]. Out: the same masks. `enlarge` has added sets from above a look to those below
//! it, so that a set above is often a subset of one below, whichever frame lies there. To include
//! it in a mask would change nothing.
//!
//! Worth (`docs/ablation.md`): under 1 % of any figure. To delete it would change tables, so it
//! stays until their format changes.

use crate::maps::IdMap;

use super::merge::merge_equal;
use crate::mask::masks::{MaskNode, MaskNodeId, Masks, Ranks, SetId};

/// A set is large if it has more than one in this many of all tokens: uniting it costs a mask as
/// much as a bitmap does, or more.
const LARGE: usize = 64;
/// The number of frames, from a node downwards, in which supersets are looked for.
const MAX_DEPTH: u8 = 3;

/// Leaves out dominated sets; `tokens` is the number of ranks of the vocabulary.
pub fn leave_out(masks: Masks, tokens: usize) -> Masks {
    let Masks { sets, nodes, roots } = masks;
    let mut dominance = Dominance {
        sets: &sets,
        nodes,
        parts: IdMap::default(),
    };
    let mut is_changed = false;
    for node in 0..dominance.nodes.len() {
        let named = dominance.nodes[node].sets.iter();
        let is_large = |set: &&(u8, SetId)| sets[set.1.index()].len() > tokens / LARGE;
        let large: Vec<(u8, SetId)> = named.filter(is_large).copied().collect();
        for set in large {
            is_changed |= dominance.leave_out(MaskNodeId::at(node), set);
        }
    }
    let nodes = dominance.nodes;
    let masks = Masks { sets, nodes, roots };
    match is_changed {
        true => merge_equal(masks),
        false => masks,
    }
}

struct Dominance<'a> {
    sets: &'a [Ranks],
    nodes: Vec<MaskNode>,
    /// Whether the first set of a pair is a subset of the second.
    parts: IdMap<(SetId, SetId), bool>,
}

impl Dominance<'_> {
    /// Leaves a set out of a node if it is dominated. Trees may lead back to the node, so it is
    /// taken out before they are asked.
    fn leave_out(&mut self, node: MaskNodeId, set: (u8, SetId)) -> bool {
        let here = &mut self.nodes[node.index()].sets;
        let Some(at) = here.iter().position(|&named| named == set) else {
            return false;
        };
        here.remove(at);
        let is_held = self.is_held_below(node, set, MAX_DEPTH);
        if !is_held {
            self.nodes[node.index()].sets.insert(at, set);
        }
        is_held
    }

    /// Whether every walk on from a node meets a superset.
    fn is_held_below(&mut self, node: MaskNodeId, set: (u8, SetId), depth: u8) -> bool {
        let children = &self.nodes[node.index()].children;
        if children.is_empty() || depth == 0 {
            return false;
        }
        let mut below: Vec<Option<MaskNodeId>> = children.iter().map(|child| child.1).collect();
        below.sort_unstable();
        below.dedup();
        below.into_iter().all(|child| {
            child.is_some_and(|child| {
                self.is_held_at(child, set) || self.is_held_below(child, set, depth - 1)
            })
        })
    }

    /// Whether a node names a superset of a set that needs no more headroom.
    fn is_held_at(&mut self, node: MaskNodeId, (headroom, set): (u8, SetId)) -> bool {
        let (sets, parts) = (self.sets, &mut self.parts);
        let mut named = self.nodes[node.index()].sets.iter();
        named.any(|&(needed, other)| {
            needed <= headroom
                && *parts.entry((set, other)).or_insert_with(|| {
                    let [part, whole] = [set, other].map(|id| &sets[id.index()]);
                    part.outside(whole, 0).is_some()
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::leave_out;
    use crate::mask::masks::{MaskNode, MaskNodeId, Masks, Ranks, SetId};
    use crate::pda::FrameId;

    fn masks(nodes: Vec<MaskNode>) -> Masks {
        let sets = [vec![(0, 30)], vec![(0, 50)], vec![(20, 60)]];
        Masks {
            sets: sets.map(Ranks::from_unsorted).into(),
            nodes,
            roots: vec![MaskNodeId::new(0)],
        }
    }

    fn named(sets: &[(u8, u32)]) -> Vec<(u8, SetId)> {
        let sets = sets.iter();
        sets.map(|&(headroom, set)| (headroom, SetId::new(set)))
            .collect()
    }

    fn node(sets: &[(u8, u32)], children: &[(u16, Option<u32>)]) -> MaskNode {
        MaskNode {
            sets: named(sets),
            children: children
                .iter()
                .map(|&(frame, child)| (FrameId::new(frame), child.map(MaskNodeId::new)))
                .collect(),
        }
    }

    /// The sets that the root keeps above two children with these.
    fn left(of_first: &[(u8, u32)], of_second: &[(u8, u32)]) -> Vec<(u8, SetId)> {
        let root = node(&[(0, 0)], &[(1, Some(1)), (2, Some(2))]);
        let nodes = vec![root, node(of_first, &[]), node(of_second, &[])];
        leave_out(masks(nodes), 100).nodes.swap_remove(0).sets
    }

    #[test]
    fn what_all_below_hold_is_left_out() {
        assert_eq!(left(&[(0, 1)], &[(0, 2), (0, 0)]), []);
        assert_eq!(left(&[(0, 1)], &[(0, 2)]), named(&[(0, 0)]));
        assert_eq!(left(&[(0, 1)], &[(1, 1)]), named(&[(0, 0)]));
        assert_eq!(left(&[(0, 1)], &[]), named(&[(0, 0)]));
    }

    #[test]
    fn what_nothing_follows_stays() {
        let root = node(&[(0, 0)], &[(0, None), (1, Some(1))]);
        let nodes = vec![root, node(&[(0, 1)], &[])];
        assert_eq!(leave_out(masks(nodes.clone()), 100).nodes, nodes);
    }

    #[test]
    fn a_cycle_keeps_one() {
        let to = |next| [(1, Some(next))];
        let nodes = vec![node(&[(0, 1)], &to(1)), node(&[(0, 1)], &to(0))];
        let kept = leave_out(masks(nodes), 100);
        let kept = kept.nodes.iter().filter(|node| !node.sets.is_empty());
        assert_eq!(kept.count(), 1);
        let alone = vec![node(&[(0, 1)], &to(0))];
        assert_eq!(leave_out(masks(alone.clone()), 100).nodes, alone);
    }
}
