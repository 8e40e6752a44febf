//! Pieces: sets of ranks that walks accepted, equal ones once, and their unions.
//!
//! A large set without some tokens is a piece that names the set and those tokens. It will be
//! united with other pieces anyway, so no bitmap is made of it alone.

use crate::maps::IdMap;

use crate::id::id;
use crate::intern::Interner;
use crate::mask::masks::{Ranks, SortedIntervals};

id! {
    /// Index of a set of ranks that some walk accepted.
    pub struct PieceId;
}

/// Marks the numbers of rests; a number without it is that of a set.
const REST: u32 = 1 << 31;

/// The ranks of a piece.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'p> {
    /// Those of a set.
    Set(&'p Ranks),
    /// Those of the first set that are not in the second.
    Rest(&'p Ranks, &'p Ranks),
}

impl<'p> Piece<'p> {
    /// The ranks.
    fn ranks(self) -> Ranks {
        match self {
            Piece::Set(ranks) => ranks.clone(),
            Piece::Rest(set, other) => set.minus(other),
        }
    }

    /// The ranks of pieces.
    pub fn union(pieces: impl Iterator<Item = Piece<'p>> + Clone) -> Ranks {
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

/// All pieces.
#[derive(Default)]
pub struct Pieces {
    sets: Interner<Ranks>,
    /// The sets of each rest.
    rests: Vec<(PieceId, PieceId)>,
    /// The unions of sets.
    unions: IdMap<Vec<PieceId>, PieceId>,
    /// For two pieces, the rest of the first one without the second.
    differences: IdMap<(PieceId, PieceId), Option<PieceId>>,
}

impl Pieces {
    /// The ranks of a piece.
    pub fn get(&self, piece: PieceId) -> Piece<'_> {
        let number = piece.number();
        if number < REST {
            return Piece::Set(self.set(piece));
        }
        let (set, other) = self.rests[(number & !REST) as usize];
        Piece::Rest(self.set(set), self.set(other))
    }

    /// The ranks of a piece that is a set.
    pub fn set(&self, piece: PieceId) -> &Ranks {
        &self.sets.values[piece.index()]
    }

    /// The piece of these ranks.
    pub fn add(&mut self, ranks: Ranks) -> PieceId {
        PieceId::new(self.sets.intern(ranks))
    }

    /// The piece of these ranks, unless there are none.
    pub fn add_some(&mut self, ranks: Ranks) -> Option<PieceId> {
        (!ranks.is_empty()).then(|| self.add(ranks))
    }

    /// The piece of intervals, which may overlap, be empty and come in any order; they are left
    /// sorted.
    pub fn of_intervals(&mut self, intervals: &mut Vec<(u32, u32)>) -> PieceId {
        let sorted = SortedIntervals::new(intervals);
        let known = self.sets.find(&sorted, |ranks| sorted.is(ranks));
        PieceId::new(known.unwrap_or_else(|| self.sets.intern(sorted.into())))
    }

    /// The union of pieces that are sets; they are ascending.
    pub fn union(&mut self, pieces: &[PieceId]) -> PieceId {
        if let [only] = pieces {
            return *only;
        }
        if let Some(&known) = self.unions.get(pieces) {
            return known;
        }
        let ranks = Ranks::union(pieces.iter().map(|&piece| self.set(piece)));
        let union = self.add(ranks);
        self.unions.insert(pieces.to_vec(), union);
        union
    }

    /// What is left of a piece without a piece that is a set; `None` if that is nothing.
    pub fn difference(&mut self, piece: PieceId, other: PieceId) -> Option<PieceId> {
        if let Some(&known) = self.differences.get(&(piece, other)) {
            return known;
        }
        let without = self.set(other);
        let left = match self.get(piece) {
            Piece::Set(set) if set.is_bitmap() && set.len() > without.len() => {
                let number = self.rests.len() as u32;
                self.rests.push((piece, other));
                Some(PieceId::new(number | REST))
            }
            of => {
                let left = of.ranks().minus(without);
                self.add_some(left)
            }
        };
        self.differences.insert((piece, other), left);
        left
    }
}
