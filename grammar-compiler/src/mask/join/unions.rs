//! Token sets as unions of pieces.
//!
//! In: pieces that walks accepted, each with the headroom that it needs. Out: sets, equal ones once. Different nodes mostly unite the same
//! pieces, so unions are kept.

use rustc_hash::FxHashMap as HashMap;

use crate::intern::Interner;
use crate::mask::masks::{Ranks, SetId};
use crate::mask::walk::{Piece, PieceId, Walker};

/// Pieces or sets, each with the headroom that it needs.
type ByHeadroom<T> = Vec<(u8, T)>;

/// The unions so far.
pub struct Unions<'w> {
    walker: &'w Walker<'w>,
    /// For pieces the sets of their unions.
    known: HashMap<ByHeadroom<PieceId>, ByHeadroom<SetId>>,
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

    /// For each headroom the union of the pieces that need it, without the ranks that need less.
    pub fn join(&mut self, pieces: &mut Vec<(u8, PieceId)>) -> Vec<(u8, SetId)> {
        pieces.sort_unstable();
        pieces.dedup();
        if let Some(known) = self.known.get(pieces.as_slice()) {
            return known.clone();
        }
        let mut sets: Vec<(u8, SetId)> = Vec::new();
        for of_headroom in pieces.chunk_by(|a, b| a.0 == b.0) {
            let lower = sets.iter().map(|&(_, set)| &self.sets.values[set.place()]);
            let ranks = lower.fold(self.unite(of_headroom), |ranks, lower| ranks.minus(lower));
            if !ranks.is_empty() {
                sets.push((of_headroom[0].0, SetId::new(self.sets.intern(ranks))));
            }
        }
        self.known.insert(pieces.clone(), sets.clone());
        sets
    }

    /// The union of pieces.
    fn unite(&self, pieces: &[(u8, PieceId)]) -> Ranks {
        let pieces = pieces.iter().map(|&(_, piece)| self.walker.piece(piece));
        let mut rests = pieces.clone().filter_map(|piece| match piece {
            Piece::Set(_) => None,
            Piece::Rest(set, other) => Some((set, other)),
        });
        let first = rests.next();
        let further: Vec<Ranks> = rests.map(|(set, other)| set.minus(other)).collect();
        let sets = pieces.filter_map(|piece| match piece {
            Piece::Set(set) => Some(set),
            Piece::Rest(..) => None,
        });
        let sets = sets.chain(&further);
        match first {
            None => Ranks::union(sets),
            Some((set, other)) => Ranks::union_with_rest(set, other, sets),
        }
    }
}
