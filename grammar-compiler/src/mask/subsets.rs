//! Token sets that hold others, kept as what they have beyond them.
//!
//! In: [`Masks`]. Out: the same masks. Before a comma a list may also end, so its set is that of another state and a few tokens more. A
//! node's mask is a union anyway: a set that holds another one can be that one and a rest.

use std::collections::BTreeSet;

use super::nested::{self, Nested};
use super::set::{Ranks, SetId};
use super::tree::Masks;
use crate::intern::Interner;

/// Sets of more ranks than this are bitmaps, or short differences to one.
const LARGEST: usize = 4_500;
/// And so are, in small vocabularies, sets of more than this part of all tokens.
const PART: usize = 16;
/// Smaller sets are not looked for in others.
const LEAST: usize = 24;
/// How many sets, from the largest on, are looked for in each.
const TRIED: usize = 64;
/// A set is made of at most so many others and a rest.
const PARTS: usize = 3;
/// Bytes that it has to save: a set takes a few words of its own, and each mask some time for one more.
const SAVED: usize = 96;
/// Bytes of a set's name in a node.
const NAME: usize = 4;

/// Makes sets that hold others of those and what is left, in a vocabulary of so many tokens.
pub fn split_off(mut masks: Masks, tokens: usize) -> Masks {
    let Nested { wholes, parts, .. } = nested::find(&masks.sets, tokens);
    let by_levels: BTreeSet<SetId> = wholes.into_iter().chain(parts).collect();
    let uses = masks.uses(masks.sets.len());
    let sizes = masks.sets.iter().map(Ranks::len).zip(0..);
    let is_list = |&(len, id): &(usize, SetId)| {
        (LEAST..=LARGEST.min(tokens / PART)).contains(&len)
            && uses[id as usize] > 0
            && !by_levels.contains(&id)
    };
    let mut order: Vec<(usize, SetId)> = sizes.filter(is_list).collect();
    order.sort_unstable();
    let mut parts: Vec<Vec<SetId>> = (0..masks.sets.len() as SetId).map(|id| vec![id]).collect();
    // They are distinct, so they keep their numbers.
    let mut sets = Interner::new();
    for set in std::mem::take(&mut masks.sets) {
        sets.intern(set);
    }
    for (at, &(len, id)) in order.iter().enumerate() {
        let names = uses[id as usize] * NAME;
        let whole = sets.values[id as usize].clone();
        let smaller = order[..at].iter().rev().take(TRIED);
        let mut rest = Rest {
            of: Vec::new(),
            set: whole,
            len,
        };
        for &(part, part_id) in smaller {
            let of = &parts[part_id as usize];
            let saved = bytes(rest.len, tokens)
                .saturating_sub(bytes(rest.len.saturating_sub(part), tokens));
            if part > rest.len
                || rest.of.len() + of.len() > PARTS
                || saved < SAVED + names * of.len()
            {
                continue;
            }
            let part_set = &sets.values[part_id as usize];
            if rest.set.holds(part_set) {
                rest.set = rest.set.minus(part_set);
                rest.len -= part;
                rest.of.extend(of);
            }
        }
        if rest.of.is_empty() {
            continue;
        }
        if rest.len > 0 {
            rest.of.push(sets.intern(rest.set));
        }
        parts[id as usize] = rest.of;
    }
    masks.sets = sets.values;
    for node in &mut masks.nodes {
        let of_node = |&(headroom, set): &(u8, SetId)| {
            parts[set as usize]
                .iter()
                .map(move |&part| (headroom, part))
        };
        let mut sets: Vec<(u8, SetId)> = node.sets.iter().flat_map(of_node).collect();
        sets.sort_unstable();
        sets.dedup();
        if sets.len() < u8::MAX as usize {
            node.sets = sets;
        }
    }
    masks
}

/// What is left of a set, and what has been taken from it.
struct Rest {
    of: Vec<SetId>,
    set: Ranks,
    len: usize,
}

/// Bytes of a list of ids, about.
fn bytes(len: usize, tokens: usize) -> usize {
    (2 * len).min(len + tokens / 256)
}

#[cfg(test)]
mod tests {
    use super::{Ranks, split_off};
    use crate::mask::tree::{MaskNode, Masks};
    use proptest::prelude::*;

    const TOKENS: usize = 100_000;

    /// What holds at a node: the ranks of each headroom.
    fn held(masks: &Masks, node: &MaskNode) -> Vec<Ranks> {
        let of = |headroom| {
            let sets = node.sets.iter().filter(move |set| set.0 == headroom);
            Ranks::union(sets.map(|set| &masks.sets[set.1 as usize]))
        };
        vec![of(0), of(1)]
    }

    /// Unions of a few blocks, so that sets often hold each other.
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
                sets: vec![(headroom, (set % all.len()) as u32)],
                children: vec![],
            };
            let nodes: Vec<MaskNode> = names.iter().map(node).collect();
            let before = Masks { sets: all, nodes, roots: vec![] };
            let after = split_off(before.clone(), TOKENS);
            for (was, is) in before.nodes.iter().zip(&after.nodes) {
                prop_assert_eq!(held(&before, was), held(&after, is));
            }
        }

        #[test]
        fn a_set_that_holds_another_is_a_rest(size in 200u32..1_000, more in 1u32..50) {
            let sets = [(0, size), (0, size + more)];
            let sets: Vec<Ranks> = sets.iter().map(|&of| Ranks::from_unsorted(vec![of])).collect();
            let node = |set| MaskNode { sets: vec![(0, set)], children: vec![] };
            let masks = Masks { sets, nodes: vec![node(0), node(1)], roots: vec![] };
            let after = split_off(masks, TOKENS);
            prop_assert_eq!(after.nodes[1].sets.len(), 2);
            prop_assert_eq!(after.sets[2].len(), more as usize);
        }
    }
}
