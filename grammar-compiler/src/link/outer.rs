//! The part that stands around pieces.

use maskwright_core::OwnedPart;

/// An outer part, and where its holes lead.
#[derive(Debug)]
pub struct OuterPart {
    pub(super) part: OwnedPart,
    /// Each hole, and a state behind it: ascending.
    pub(super) exits: Vec<(u16, u32)>,
    /// The tokens that some part names.
    pub(super) reserved: Vec<u32>,
}

impl OuterPart {
    pub(super) fn new(part: OwnedPart, reserved: Vec<u32>) -> Self {
        let exits = part.view().behind_exits();
        OuterPart {
            part,
            exits,
            reserved,
        }
    }

    /// The part.
    pub fn part(&self) -> &OwnedPart {
        &self.part
    }

    /// The states behind holes, ascending.
    pub(super) fn states(&self) -> Vec<u32> {
        let mut states: Vec<u32> = self.exits.iter().map(|exit| exit.1).collect();
        states.sort_unstable();
        states.dedup();
        states
    }
}
