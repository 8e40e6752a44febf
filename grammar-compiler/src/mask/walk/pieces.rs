//! Pieces: sets of ranks that walks accepted, equal ones once, and their unions.

use rustc_hash::FxHashMap as HashMap;

use crate::id::id;
use crate::intern::Interner;
use crate::mask::masks::{Ranks, SortedIntervals};

id! {
    /// Index of a set of ranks that some walk accepted.
    pub struct PieceId;
}

/// All pieces.
#[derive(Default)]
pub struct Pieces {
    sets: Interner<Ranks>,
    /// The unions of pieces.
    unions: HashMap<Vec<PieceId>, PieceId>,
}

impl Pieces {
    /// The ranks of a piece.
    pub fn get(&self, piece: PieceId) -> &Ranks {
        &self.sets.values[piece.place()]
    }

    /// The piece of these ranks.
    pub fn add(&mut self, ranks: Ranks) -> PieceId {
        PieceId::new(self.sets.intern(ranks))
    }

    /// The piece of these ranks, unless there are none.
    pub fn add_some(&mut self, ranks: Ranks) -> Option<PieceId> {
        (!ranks.is_empty()).then(|| self.add(ranks))
    }

    /// The piece of intervals, which may overlap, be empty and come in any order; they are left sorted.
    pub fn of_intervals(&mut self, intervals: &mut Vec<(u32, u32)>) -> PieceId {
        let sorted = SortedIntervals::new(intervals);
        let known = self.sets.find(&sorted, |ranks| sorted.is(ranks));
        PieceId::new(known.unwrap_or_else(|| self.sets.intern(sorted.into())))
    }

    /// The union of pieces, which are ascending.
    pub fn union(&mut self, pieces: &[PieceId]) -> PieceId {
        if let [only] = pieces {
            return *only;
        }
        if let Some(&known) = self.unions.get(pieces) {
            return known;
        }
        let ranks = Ranks::union(pieces.iter().map(|&piece| self.get(piece)));
        let union = self.add(ranks);
        self.unions.insert(pieces.to_vec(), union);
        union
    }
}
