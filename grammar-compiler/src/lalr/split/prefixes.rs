//! The prefixes of right sides.
//!
//! In: [`Tables`]. Out: [`Prefixes`]: for each nonterminal a tree of what can have been taken of
//! its right sides.

use maskwright_lalr::{Part, Tables};

use super::DOING;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::{IdMap, own_keys};

own_keys!(Part);

/// The prefixes of right sides, those of each nonterminal as a tree.
pub(super) struct Prefixes {
    /// The prefixes. The empty ones come first: those of nonterminals have their numbers.
    pub(super) all: Vec<Prefix>,
}

/// One prefix.
#[derive(Default)]
pub(super) struct Prefix {
    /// The parts that may follow, each with the longer prefix.
    pub(super) parts: Vec<(Part, u32)>,
    /// The productions whose right side it is.
    pub(super) ends: Vec<u32>,
}

impl Prefixes {
    pub(super) fn new(tables: &Tables, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let mut all = Vec::new();
        all.resize_with(tables.rules.len(), Prefix::default);
        let mut known: IdMap<(u32, Part), u32> = IdMap::default();
        for (number, production) in (0..).zip(&tables.productions) {
            let right = &tables.rights[number as usize];
            deadline.ticks(1 + right.len(), DOING)?;
            let mut at = production.nonterminal;
            for &part in right {
                let next = all.len() as u32;
                let to = *known.entry((at, part)).or_insert(next);
                if to == next {
                    all.push(Prefix::default());
                    all[at as usize].parts.push((part, to));
                }
                at = to;
            }
            all[at as usize].ends.push(number);
        }
        Ok(Prefixes { all })
    }
}
