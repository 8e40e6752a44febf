//! Token sets made of others: a node's mask is a union anyway.
//!
//! In: [`Masks`], and for some sets the parts whose union they are. Out: the same masks, whose nodes name the parts.

use super::nested::{self, Nested};
use super::set::{Ranks, SetId};
use super::tree::Masks;

/// Sets of more ranks than this are bitmaps, to which another set would cost as much again.
const LARGEST: usize = 4_500;
/// And so are, in small vocabularies, sets of more than this part of all tokens.
const PART: usize = 16;

/// The sets that will be lists of `least` ids or more, in a vocabulary of so many tokens. What is a part of another by its levels takes next
/// to nothing.
pub fn lists(sets: &[Ranks], least: usize, tokens: usize) -> Vec<SetId> {
    let Nested { wholes, parts, .. } = nested::find(sets, tokens);
    let mut is_list: Vec<bool> = sets
        .iter()
        .map(|set| (least..=LARGEST.min(tokens / PART)).contains(&set.len()))
        .collect();
    for id in wholes.into_iter().chain(parts) {
        is_list[id as usize] = false;
    }
    (0..)
        .zip(is_list)
        .filter(|of| of.1)
        .map(|of| of.0)
        .collect()
}

/// For each set its parts: those that have none are their own.
pub struct Parts(Vec<Vec<SetId>>);

impl Parts {
    /// Of so many sets none has parts.
    pub fn none(sets: usize) -> Self {
        Parts((0..sets as SetId).map(|id| vec![id]).collect())
    }

    /// The parts of a set.
    pub fn of(&self, set: SetId) -> &[SetId] {
        &self.0[set as usize]
    }

    /// Says of what a set is made.
    pub fn set(&mut self, set: SetId, parts: Vec<SetId>) {
        self.0[set as usize] = parts;
    }

    /// The same masks: nodes name the parts of their sets, as long as they can name so many.
    pub fn named(&self, mut masks: Masks) -> Masks {
        for node in &mut masks.nodes {
            let of_node = |&(headroom, set): &(u8, SetId)| {
                self.of(set).iter().map(move |&part| (headroom, part))
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
}
