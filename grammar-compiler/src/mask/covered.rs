//! Large sets left out where what lies below holds them as well.
//!
//! In: [`Masks`]. Out: the same masks. Sets below a look have grown by what holds above it, so that a set above is often a part of one
//! below, whatever frame lies there: a mask would unite it for nothing.

use rustc_hash::FxHashMap as HashMap;

use super::merge::merge_equal;
use super::set::{Ranks, SetId};
use super::tree::{MaskNode, Masks, NodeId};

/// A set of more than this part of all tokens is large: it costs a mask as much as a bitmap does, or more.
const LARGE: usize = 64;
/// How many frames further down a set is looked for.
const MAX_DEPTH: u8 = 3;

/// Leaves out the large sets, of a vocabulary of so many tokens, that every walk meets again.
pub fn leave_out(masks: Masks, tokens: usize) -> Masks {
    let Masks { sets, nodes, roots } = masks;
    let mut covering = Covering {
        sets: &sets,
        nodes,
        parts: HashMap::default(),
    };
    let mut is_changed = false;
    for node in 0..covering.nodes.len() {
        let named = covering.nodes[node].sets.clone();
        for set in named {
            if sets[set.1 as usize].len() > tokens / LARGE {
                is_changed |= covering.leave_out(node as NodeId, set);
            }
        }
    }
    let nodes = covering.nodes;
    let masks = Masks { sets, nodes, roots };
    match is_changed {
        true => merge_equal(masks),
        false => masks,
    }
}

struct Covering<'a> {
    sets: &'a [Ranks],
    nodes: Vec<MaskNode>,
    /// Whether a set is a part of another one.
    parts: HashMap<(SetId, SetId), bool>,
}

impl Covering<'_> {
    /// Leaves a set out of a node if all below hold it. Trees may lead back, so it is left out before they are asked.
    fn leave_out(&mut self, node: NodeId, set: (u8, SetId)) -> bool {
        let here = &mut self.nodes[node as usize].sets;
        let Some(at) = here.iter().position(|&named| named == set) else {
            return false;
        };
        here.remove(at);
        let is_held = self.is_held_below(node, set, MAX_DEPTH);
        if !is_held {
            self.nodes[node as usize].sets.insert(at, set);
        }
        is_held
    }

    /// Whether a set holds wherever a walk goes on from a node.
    fn is_held_below(&mut self, node: NodeId, set: (u8, SetId), depth: u8) -> bool {
        let children = &self.nodes[node as usize].children;
        if children.is_empty() || depth == 0 {
            return false;
        }
        let mut below: Vec<Option<NodeId>> = children.iter().map(|child| child.1).collect();
        below.sort_unstable();
        below.dedup();
        below.into_iter().all(|child| {
            child.is_some_and(|child| {
                self.is_held_at(child, set) || self.is_held_below(child, set, depth - 1)
            })
        })
    }

    /// Whether a node has a set that holds another one, with no more headroom.
    fn is_held_at(&mut self, node: NodeId, (headroom, set): (u8, SetId)) -> bool {
        let (sets, parts) = (self.sets, &mut self.parts);
        let mut named = self.nodes[node as usize].sets.iter();
        named.any(|&(needed, other)| {
            needed <= headroom
                && *parts.entry((set, other)).or_insert_with(|| {
                    let [part, whole] = [set, other].map(|id| &sets[id as usize]);
                    part.outside(whole, 0).is_some()
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::leave_out;
    use crate::mask::set::Ranks;
    use crate::mask::tree::{MaskNode, Masks};

    fn masks(nodes: Vec<MaskNode>) -> Masks {
        let sets = [vec![(0, 30)], vec![(0, 50)], vec![(20, 60)]];
        Masks {
            sets: sets.map(Ranks::from_unsorted).into(),
            nodes,
            roots: vec![0],
        }
    }

    fn node(sets: &[(u8, u32)], children: &[(u16, Option<u32>)]) -> MaskNode {
        MaskNode {
            sets: sets.to_vec(),
            children: children.to_vec(),
        }
    }

    /// The root's sets, where two children have these.
    fn left(of_first: &[(u8, u32)], of_second: &[(u8, u32)]) -> Vec<(u8, u32)> {
        let root = node(&[(0, 0)], &[(1, Some(1)), (2, Some(2))]);
        let nodes = vec![root, node(of_first, &[]), node(of_second, &[])];
        leave_out(masks(nodes), 100).nodes.swap_remove(0).sets
    }

    #[test]
    fn what_all_below_hold_is_left_out() {
        assert_eq!(left(&[(0, 1)], &[(0, 2), (0, 0)]), []);
        assert_eq!(left(&[(0, 1)], &[(0, 2)]), [(0, 0)]);
        assert_eq!(left(&[(0, 1)], &[(1, 1)]), [(0, 0)]);
        assert_eq!(left(&[(0, 1)], &[]), [(0, 0)]);
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
