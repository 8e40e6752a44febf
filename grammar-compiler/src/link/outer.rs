//! The part that stands around pieces.

use maskwright_core::{OwnedPart, OwnedVocabulary};

use super::slots::FromPieces;
use super::{PartVocabulary, known};

/// An outer part, and where its holes lead.
#[derive(Debug)]
pub struct OuterPart {
    pub(super) part: OwnedPart,
    /// Each hole, and a state behind it: ascending.
    pub(super) exits: Vec<(u16, u32)>,
    /// The tokens that some part names.
    pub(super) reserved: Vec<u32>,
    /// The tokens that lead here from pieces, and further into no name.
    pub(super) behind: FromPieces,
}

impl OuterPart {
    pub(super) fn new(part: OwnedPart, reserved: Vec<u32>) -> Self {
        let exits = part.view().behind_exits();
        let mut states: Vec<u32> = exits.iter().map(|exit| exit.1).collect();
        states.sort_unstable();
        states.dedup();
        OuterPart {
            part,
            exits,
            reserved,
            behind: FromPieces::new(states),
        }
    }

    /// The part.
    pub fn part(&self) -> &OwnedPart {
        &self.part
    }

    /// The states behind holes, ascending.
    pub(super) fn states(&self) -> &[u32] {
        &self.behind.states
    }

    /// Finds the tokens that lead here from a piece. Pieces of one format mostly have the same endings: then they have been found for another piece.
    pub(super) fn find_behind(
        &self,
        piece: &OwnedPart,
        vocabulary: &OwnedVocabulary,
        tokens: &PartVocabulary,
    ) {
        let slots = self.behind.slots(piece);
        for (crossing, slot) in self.behind.crossings(&slots) {
            slot.get_or_init(|| known::tokens(self, (vocabulary, tokens), None, &crossing));
        }
    }
}
