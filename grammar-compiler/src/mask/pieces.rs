//! Sets of ranks that walks accepted, equal ones once, and unions of them.

use rustc_hash::FxHashMap as HashMap;

use super::set::{Ranks, Tidy};
use crate::intern::Interner;

/// Index of a set of ranks that some walk accepted; equal ones have one.
pub type PieceId = u32;

/// All pieces.
#[derive(Default)]
pub struct Pieces {
    sets: Interner<Ranks>,
    /// The unions of pieces met.
    unions: HashMap<Vec<PieceId>, PieceId>,
    /// Room for pieces that are to be one.
    alike: Vec<PieceId>,
}

impl Pieces {
    /// The ranks of a piece.
    pub fn get(&self, piece: PieceId) -> &Ranks {
        &self.sets.values[piece as usize]
    }

    /// The piece of these ranks.
    pub fn add(&mut self, ranks: Ranks) -> PieceId {
        self.sets.intern(ranks)
    }

    /// The same; none for none.
    pub fn add_some(&mut self, ranks: Ranks) -> Option<PieceId> {
        (!ranks.is_empty()).then(|| self.add(ranks))
    }

    /// The union of intervals in any order, which are put in order; those without ranks add nothing.
    pub fn of_intervals(&mut self, intervals: &mut Vec<(u32, u32)>) -> PieceId {
        let tidy = Tidy::new(intervals);
        match self.sets.find(&tidy, |ranks| tidy.is(ranks)) {
            Some(known) => known,
            None => self.sets.intern(tidy.into()),
        }
    }

    /// The union of pieces, ascending.
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

    /// Makes one piece of those that need the same height; all are ascending.
    pub fn unite(&mut self, tokens: &mut Vec<(i16, PieceId)>) {
        let mut alike = std::mem::take(&mut self.alike);
        let (mut at, mut united) = (0, 0);
        while let Some(&(height, _)) = tokens.get(at) {
            let same = tokens[at..].iter().take_while(|token| token.0 == height);
            alike.clear();
            alike.extend(same.map(|&(_, piece)| piece));
            tokens[united] = (height, self.union(&alike));
            at += alike.len();
            united += 1;
        }
        tokens.truncate(united);
        self.alike = alike;
    }
}
