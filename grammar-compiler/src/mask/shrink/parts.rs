//! Token sets as unions of others, which nodes name in their stead.
//!
//! In: [`Masks`], and for some sets the parts whose union they are. Out: the same masks, whose
//! nodes name the parts. That costs a mask little: it is a union of sets anyway.

use crate::maps::IdMap;
use std::slice;

use crate::mask::masks::chains::{self, Levels};
use crate::mask::masks::{Masks, Ranks, SetId};

/// Sets of more ranks than this are stored as bitmaps; to name another set besides a bitmap would
/// cost as much again.
const LARGEST: usize = 4_500;
/// In small vocabularies sets of more than one in this many of all tokens are bitmaps too.
const PART: usize = 16;

/// The sets that will be stored as lists of `least` ids or more; `tokens` is the number of ranks of
/// the vocabulary. Intersections with chains of these `levels` are left out: they take next to
/// nothing.
pub fn lists(sets: &[Ranks], levels: &[Levels], least: usize, tokens: usize) -> Vec<SetId> {
    let (wholes, parts) = chains::find_parts(sets, levels, tokens);
    let mut is_list: Vec<bool> = sets
        .iter()
        .map(|set| (least..=LARGEST.min(tokens / PART)).contains(&set.len()))
        .collect();
    for id in wholes.into_iter().chain(parts) {
        is_list[id.index()] = false;
    }
    (0..sets.len())
        .filter(|&set| is_list[set])
        .map(SetId::at)
        .collect()
}

/// The parts of those sets that have some; a set without parts is its own only part.
#[derive(Default)]
pub struct SetParts(IdMap<SetId, Vec<SetId>>);

impl SetParts {
    /// The parts of a set.
    pub fn of<'a>(&'a self, set: &'a SetId) -> &'a [SetId] {
        self.0.get(set).map_or(slice::from_ref(set), Vec::as_slice)
    }

    /// Records the parts of a set.
    pub fn set(&mut self, set: SetId, parts: Vec<SetId>) {
        self.0.insert(set, parts);
    }

    /// The same masks: nodes name the parts of their sets, unless these are more than a node can
    /// name.
    pub fn named(&self, mut masks: Masks) -> Masks {
        for node in &mut masks.nodes {
            let mut named = node.sets.iter();
            if !named.any(|(_, set)| self.0.contains_key(set)) {
                node.sets.sort_unstable();
                continue;
            }
            let parts = node.sets.iter().flat_map(|(headroom, set)| {
                let parts = self.of(set).iter();
                parts.map(|&part| (*headroom, part))
            });
            let mut sets: Vec<(u8, SetId)> = parts.collect();
            sets.sort_unstable();
            sets.dedup();
            if sets.len() < u8::MAX as usize {
                node.sets = sets;
            }
        }
        masks
    }
}
