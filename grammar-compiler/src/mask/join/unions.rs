//! Token sets as unions of pieces.
//!
//! In: pieces that walks accepted, each with the headroom that it needs. Out: sets, equal ones
//! once. Different nodes mostly unite the same pieces, so unions are kept.

use crate::maps::IdMap;

use crate::intern::Interner;
use crate::mask::masks::{Ranks, SetId};
use crate::mask::walk::{Piece, PieceId, Walker};

/// Pieces or sets, each with the headroom that it needs.
type ByHeadroom<T> = Vec<(u8, T)>;

/// The unions so far.
pub struct Unions<'w> {
    walker: &'w Walker<'w>,
    /// For pieces the sets of their unions.
    known: IdMap<ByHeadroom<PieceId>, ByHeadroom<SetId>>,
    sets: Interner<Ranks>,
}

impl<'w> Unions<'w> {
    /// No unions yet.
    pub fn new(walker: &'w Walker<'w>) -> Self {
        Unions {
            walker,
            known: IdMap::default(),
            sets: Interner::new(),
        }
    }

    /// The sets.
    pub fn into_sets(self) -> Interner<Ranks> {
        self.sets
    }

    /// For each headroom the union of the pieces that need it, without the ranks that need less.
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
            let lower = sets.iter().map(|&(_, set)| &self.sets.values[set.index()]);
            let ranks = lower.fold(Piece::union(united), |ranks, lower| ranks.minus(lower));
            if !ranks.is_empty() {
                sets.push((of_headroom[0].0, SetId::new(self.sets.intern(ranks))));
            }
        }
        self.known.insert(pieces.clone(), sets.clone());
        sets
    }
}
