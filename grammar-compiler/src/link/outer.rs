//! The outer part, which stands around pieces.
//!
//! In: a compiled part, its grammar, and the tokens that some part names. Out: [`OuterPart`], which
//! requests with the same outer part share. What holds: it does not depend on the names or the
//! pieces of a request.

use std::sync::Arc;

use maskwright_core::link::OwnedPart;

use super::NotLinked;
use super::slots::OuterSlots;
use crate::grammar::Grammar;
use crate::terminals;

/// An outer part, and where its holes lead.
#[derive(Debug)]
pub struct OuterPart {
    pub(super) part: OwnedPart,
    /// Its grammar, in which a token stands for each hole.
    pub(super) grammar: Arc<Grammar>,
    /// About how many bytes the grammar takes.
    read: usize,
    /// Each hole, and a state behind it: ascending.
    pub(super) exits: Vec<(u16, u32)>,
    /// The tokens that some part names.
    pub(super) reserved: Vec<u32>,
    /// The tokens that lead here from pieces, and further into no name.
    pub(super) slots: OuterSlots,
}

impl OuterPart {
    pub(super) fn new(part: OwnedPart, grammar: Arc<Grammar>, reserved: Vec<u32>) -> Self {
        let exits = part.view().behind_exits();
        let mut states: Vec<u32> = exits.iter().map(|exit| exit.1).collect();
        states.sort_unstable();
        states.dedup();
        OuterPart {
            part,
            read: grammar.memory(),
            grammar,
            exits,
            reserved,
            slots: OuterSlots::new(states),
        }
    }

    /// The part.
    pub fn part(&self) -> &OwnedPart {
        &self.part
    }

    /// Whether a piece, which ends with the token `exit`, names only tokens that the outer part
    /// knows of.
    ///
    /// # Errors
    /// If not.
    pub(super) fn check_named(&self, piece: &Grammar, exit: u32) -> Result<(), NotLinked> {
        let mut named = terminals::named(piece).into_iter();
        match named.any(|id| id < exit && !self.reserved.contains(&id)) {
            true => Err(NotLinked::NotAPart("a piece names a token of its own")),
            false => Ok(()),
        }
    }

    /// About how many bytes it takes, with the tokens that have been found so far.
    pub(super) fn memory(&self) -> usize {
        self.part.memory() + self.read + self.slots.memory()
    }

    /// The states behind holes, ascending.
    pub(super) fn states(&self) -> &[u32] {
        &self.slots.states
    }
}
