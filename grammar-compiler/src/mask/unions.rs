//! Token sets as unions of pieces.
//!
//! In: pieces that walks accepted, each with the headroom that it needs. Out: sets, equal ones once. Walks that differ come
//! to the same pieces more often than not: most unions are known.

use rustc_hash::FxHashMap as HashMap;

use super::pieces::PieceId;
use super::set::{Ranks, SetId};
use super::walk::Walker;
use crate::intern::Interner;

/// Sets, or pieces, each with the headroom that it needs.
type ByHeadroom = Vec<(u8, u32)>;

/// The unions so far.
pub struct Unions<'w> {
    walker: &'w Walker<'w>,
    /// Sets by the pieces that they are the union of.
    known: HashMap<ByHeadroom, ByHeadroom>,
    sets: Interner<Ranks>,
}

impl<'w> Unions<'w> {
    /// No unions yet.
    pub fn new(walker: &'w Walker<'w>) -> Self {
        Unions {
            walker,
            known: HashMap::default(),
            sets: Interner::new(),
        }
    }

    /// The sets.
    pub fn into_sets(self) -> Interner<Ranks> {
        self.sets
    }

    /// Sets by headroom: of pieces with the headroom that they need. A rank is only in the set of the least headroom.
    pub fn join(&mut self, pieces: &mut Vec<(u8, PieceId)>) -> Vec<(u8, SetId)> {
        pieces.sort_unstable();
        pieces.dedup();
        if let Some(known) = self.known.get(pieces.as_slice()) {
            return known.clone();
        }
        let mut sets: Vec<(u8, SetId)> = Vec::new();
        for of_headroom in pieces.chunk_by(|a, b| a.0 == b.0) {
            let united = of_headroom
                .iter()
                .map(|&(_, piece)| self.walker.piece(piece));
            let lower = sets.iter().map(|&(_, set)| &self.sets.values[set as usize]);
            let ranks = lower.fold(Ranks::union(united), |ranks, lower| ranks.minus(lower));
            if !ranks.is_empty() {
                sets.push((of_headroom[0].0, self.sets.intern(ranks)));
            }
        }
        self.known.insert(pieces.clone(), sets.clone());
        sets
    }
}
