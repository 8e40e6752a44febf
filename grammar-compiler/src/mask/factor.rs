//! What token sets have in common, kept once.
//!
//! In: [`Masks`]. Out: the same masks. A node's mask is a union anyway, so a set can be the union of some of its parts. The sets of
//! a grammar differ less than they agree: all states before a number take the thousand tokens of digits. Ranks that lie in exactly the same sets
//! form an *atom*; an atom that is large and lies in several sets becomes a set of its own, and those sets keep the rest.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

use super::nested::{self, Nested};
use super::set::{Ranks, SetId};
use super::tree::Masks;
use crate::intern::Interner;

/// Sets of more ranks than this are bitmaps, to which another set would cost as much again.
const LARGEST: usize = 4_500;
/// And so are, in small vocabularies, sets of more than this part of all tokens.
const PART: usize = 16;
/// An atom saves at least so many ranks, over all sets that it lies in but one.
const SAVED: usize = 64;
/// An atom has at least so many ranks for each node that would have to name it.
const RANKS_A_NODE: usize = 4;
/// A set is made of at most so many atoms and a rest.
const PARTS: usize = 4;

/// Ranks that lie in the same sets.
#[derive(Default)]
struct Atom {
    intervals: Vec<(u32, u32)>,
    len: usize,
    /// How many sets they are, and how many nodes name these.
    sets: usize,
    nodes: usize,
}

/// Makes large common parts of small sets sets of their own, in a vocabulary of so many tokens.
pub fn factor(mut masks: Masks, tokens: usize) -> Masks {
    // What is a part of another by its levels takes next to nothing.
    let Nested { wholes, parts, .. } = nested::find(&masks.sets, tokens);
    let by_levels: BTreeSet<SetId> = wholes.into_iter().chain(parts).collect();
    let small: Vec<SetId> = (0..)
        .zip(&masks.sets)
        .filter(|(_, set)| (SAVED / 2..=LARGEST.min(tokens / PART)).contains(&set.len()))
        .map(|(id, _)| id)
        .filter(|id| !by_levels.contains(id))
        .collect();
    let uses = masks.uses(masks.sets.len());
    let atoms = atoms(&masks.sets, &small, &uses);
    let mut parts: Vec<Vec<SetId>> = (0..masks.sets.len() as SetId).map(|id| vec![id]).collect();
    // They are distinct, so they keep their numbers.
    let mut sets = Interner::new();
    for set in std::mem::take(&mut masks.sets) {
        sets.intern(set);
    }
    for &id in &small {
        let whole = sets.values[id as usize].clone();
        let mut inside: Vec<&Ranks> = atoms.iter().filter(|atom| whole.holds(atom)).collect();
        inside.truncate(PARTS);
        if inside.is_empty() {
            continue;
        }
        let rest = whole.minus(&Ranks::union(inside.iter().copied()));
        let mut of_set: Vec<SetId> = inside
            .into_iter()
            .map(|atom| sets.intern(atom.clone()))
            .collect();
        if !rest.is_empty() {
            of_set.push(sets.intern(rest));
        }
        parts[id as usize] = of_set;
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

/// The atoms that are worth a set, the largest first.
fn atoms(sets: &[Ranks], small: &[SetId], uses: &[usize]) -> Vec<Ranks> {
    // At each rank where sets begin or end: which, as a sum of numbers that stand for them, how many, and their nodes.
    let mut changes: Vec<(u32, u64, i64, i64)> = Vec::new();
    for &id in small {
        let mark = (u64::from(id) + 1)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(31)
            .wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let nodes = uses[id as usize] as i64;
        sets[id as usize].each_interval(&mut |from, to| {
            changes.push((from, mark, 1, nodes));
            changes.push((to, mark.wrapping_neg(), -1, -nodes));
        });
    }
    changes.sort_unstable();
    let mut atoms: HashMap<u64, Atom> = HashMap::default();
    let (mut mark, mut count, mut nodes) = (0u64, 0i64, 0i64);
    for (at, &(rank, of, begin, by)) in changes.iter().enumerate() {
        mark = mark.wrapping_add(of);
        count += begin;
        nodes += by;
        let next = changes.get(at + 1).map_or(rank, |change| change.0);
        if next > rank && count > 1 {
            let atom = atoms.entry(mark).or_default();
            atom.intervals.push((rank, next));
            atom.len += (next - rank) as usize;
            atom.sets = count as usize;
            atom.nodes = nodes as usize;
        }
    }
    // At least two sets each.
    let is_worth = |atom: &Atom| {
        atom.len * (atom.sets - 1) >= SAVED
            && atom.len >= RANKS_A_NODE * atom.nodes / (atom.sets - 1)
    };
    let mut worth: Vec<Atom> = atoms.into_values().filter(is_worth).collect();
    worth.sort_unstable_by(|a, b| b.len.cmp(&a.len).then(a.intervals.cmp(&b.intervals)));
    worth
        .into_iter()
        .map(|atom| Ranks::from_unsorted(atom.intervals))
        .collect()
}
