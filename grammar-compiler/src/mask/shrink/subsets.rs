//! Token sets that contain others, stored as the rest beyond those.
//!
//! In: [`Masks`]. Out: the same masks. Where one more property may follow, or where a list may also
//! end, a state accepts the tokens of another state and a few more. Its set is then the other
//! state's set and a rest.
//!
//! Worth (`docs/ablation.md`): without it tables are 14 % larger at the median.

use super::parts::{self, SetParts};
use crate::intern::Interner;
use crate::mask::masks::chains::Levels;
use crate::mask::masks::{Masks, Ranks, SetId};

/// Smaller sets are not considered.
const LEAST: usize = 24;
/// For each set the number of smaller sets, the largest first, that are tried as its parts.
const TRIED: usize = 64;
/// The number of other sets that a set is made of at most, besides a rest.
const OTHERS: usize = 3;
/// The least number of bytes that it has to save: a set takes a few words of its own, and each mask
/// some time for one more.
const SAVED: usize = 96;
/// Bytes that the name of a set takes in a node.
const NAME: usize = 4;

/// Makes sets that contain others unions of those and a rest; `tokens` is the number of ranks of
/// the vocabulary, and `levels` are those of the chains.
pub fn split_off(mut masks: Masks, levels: &[Levels], tokens: usize) -> Masks {
    let uses = masks.uses(masks.sets.len());
    let lists = parts::lists(&masks.sets, levels, LEAST, tokens).into_iter();
    let used = lists.filter(|&id| uses[id.index()] > 0);
    let mut order: Vec<(usize, SetId)> =
        used.map(|id| (masks.sets[id.index()].len(), id)).collect();
    order.sort_unstable();
    let mut parts = SetParts::default();
    // The sets are distinct, so each keeps its number.
    let mut sets: Interner<Ranks> = std::mem::take(&mut masks.sets).into_iter().collect();
    for (at, &(_, id)) in order.iter().enumerate() {
        let names = uses[id.index()] * NAME;
        let mut rest = sets.values[id.index()].clone();
        let mut others = Vec::new();
        for (len, other) in order[..at].iter().rev().take(TRIED) {
            let of = parts.of(other);
            let is_worth = *len <= rest.len()
                && others.len() + of.len() <= OTHERS
                && bytes(rest.len(), tokens)
                    >= bytes(rest.len() - len, tokens) + SAVED + names * of.len();
            let other = &sets.values[other.index()];
            if is_worth && other.outside(&rest, 0).is_some() {
                rest = rest.minus(other);
                others.extend(of);
            }
        }
        if others.is_empty() {
            continue;
        }
        if !rest.is_empty() {
            others.push(SetId::new(sets.intern(rest)));
        }
        parts.set(id, others);
    }
    masks.sets = sets.values;
    parts.named(masks)
}

/// The approximate size of a list of ids in bytes.
fn bytes(len: usize, tokens: usize) -> usize {
    (2 * len).min(len + tokens / 256)
}

#[cfg(test)]
mod tests {
    use super::{Ranks, split_off};
    use crate::mask::masks::{MaskNode, Masks, SetId};
    use proptest::prelude::*;

    const TOKENS: usize = 100_000;

    /// The ranks that a node's sets have for each headroom.
    fn held(masks: &Masks, node: &MaskNode) -> Vec<Ranks> {
        let of = |headroom| {
            let sets = node.sets.iter().filter(move |set| set.0 == headroom);
            Ranks::union(sets.map(|set| &masks.sets[set.1.index()]))
        };
        vec![of(0), of(1)]
    }

    /// Unions of a few blocks, so that sets often contain each other.
    fn sets() -> impl Strategy<Value = Vec<Vec<u32>>> {
        let blocks = proptest::collection::btree_set(0u32..8, 1..6);
        let set = blocks.prop_map(|blocks| blocks.into_iter().collect());
        proptest::collection::vec(set, 2..12)
    }

    proptest! {
        #[test]
        fn nodes_hold_what_they_held(sets in sets(), size in 1u32..200, names in proptest::collection::vec((0u8..2, 0usize..12), 1..20)) {
            let interval = |block: u32| (block * 300, block * 300 + size + block);
            let mut all: Vec<Ranks> = Vec::new();
            for blocks in sets {
                let set = Ranks::from_unsorted(blocks.into_iter().map(interval).collect());
                if !all.contains(&set) {
                    all.push(set);
                }
            }
            let node = |&(headroom, set): &(u8, usize)| MaskNode {
                sets: vec![(headroom, SetId::at(set % all.len()))],
                children: vec![],
            };
            let nodes: Vec<MaskNode> = names.iter().map(node).collect();
            let before = Masks { sets: all, nodes, roots: vec![] };
            let after = split_off(before.clone(), &[], TOKENS);
            for (was, is) in before.nodes.iter().zip(&after.nodes) {
                prop_assert_eq!(held(&before, was), held(&after, is));
            }
        }

        #[test]
        fn a_set_that_holds_another_is_a_rest(size in 200u32..1_000, more in 1u32..50) {
            let sets = [(0, size), (0, size + more)];
            let sets: Vec<Ranks> = sets.iter().map(|&of| Ranks::from_unsorted(vec![of])).collect();
            let node = |set| MaskNode { sets: vec![(0, SetId::at(set))], children: vec![] };
            let masks = Masks { sets, nodes: vec![node(0), node(1)], roots: vec![] };
            let after = split_off(masks, &[], TOKENS);
            prop_assert_eq!(after.nodes[1].sets.len(), 2);
            prop_assert_eq!(after.sets[2].len(), more as usize);
        }
    }
}
