//! Token sets as unions of pieces.
//!
//! In: pieces that walks accepted, each with the headroom that it needs. Out: sets, equal ones once. Walks that differ come
//! to the same ranks more often than not, so equal pieces are taken for one before they are united: most unions are then
//! known.

use rustc_hash::FxHashMap as HashMap;

use super::descend::PieceId;
use super::set::{Ranks, SetId};
use super::walk::Walker;
use crate::intern::Interner;

/// Sets, or distinct pieces, each with the headroom that it needs.
type ByHeadroom = Vec<(u8, u32)>;

/// The unions so far.
pub struct Unions<'w> {
    walker: &'w Walker<'w>,
    /// The pieces met that differ.
    distinct: Interner<&'w Ranks>,
    /// Which of them each piece met is.
    numbers: HashMap<PieceId, u32>,
    /// Sets by the distinct pieces that they are the union of.
    known: HashMap<ByHeadroom, ByHeadroom>,
    sets: Interner<Ranks>,
}

impl<'w> Unions<'w> {
    /// No unions yet.
    pub fn new(walker: &'w Walker<'w>) -> Self {
        Unions {
            walker,
            distinct: Interner::new(),
            numbers: HashMap::default(),
            known: HashMap::default(),
            sets: Interner::new(),
        }
    }

    /// The sets.
    pub fn into_sets(self) -> Interner<Ranks> {
        self.sets
    }

    /// Sets by headroom: of pieces with the headroom that they need. A rank is only in the set of the least headroom.
    pub fn join(&mut self, mut pieces: Vec<(u8, PieceId)>) -> Vec<(u8, SetId)> {
        for (_, piece) in &mut pieces {
            let number = self.numbers.entry(*piece);
            *piece =
                *number.or_insert_with_key(|&piece| self.distinct.intern(self.walker.piece(piece)));
        }
        pieces.sort_unstable();
        pieces.dedup();
        if let Some(known) = self.known.get(&pieces) {
            return known.clone();
        }
        let mut sets: Vec<(u8, SetId)> = Vec::new();
        for of_headroom in pieces.chunk_by(|a, b| a.0 == b.0) {
            let distinct = &self.distinct.values;
            let united = of_headroom
                .iter()
                .map(|&(_, number)| distinct[number as usize]);
            let lower = sets.iter().map(|&(_, set)| &self.sets.values[set as usize]);
            let ranks = lower.fold(Ranks::union(united), |ranks, lower| ranks.minus(lower));
            if !ranks.is_empty() {
                sets.push((of_headroom[0].0, self.sets.intern(ranks)));
            }
        }
        self.known.insert(pieces, sets.clone());
        sets
    }
}
