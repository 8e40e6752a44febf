//! Following tokens from a boundary, to find out which cross it.
//!
//! In: a [`Crossing`] and bytes. Out: whether they can follow there. What holds: a step allocates
//! nothing, and looks the part up only where the walk has come to another one.

use crate::error::AcceptError;
use crate::slices::Heap;
use crate::stack::{Stacks, Text};
use crate::step;

use super::Parts;
use super::place::{Crossing, Place};
use super::stacks::is_finishable;

/// Where a token stands that crosses a boundary.
pub struct LinkedWalk<'p, P: Parts> {
    parts: &'p P,
    text: Text<Heap, Place>,
    /// The part in which the walk stood when a part was last needed, and its place.
    part: Option<(Place, P::View<'p>)>,
}

impl<'p, P: Parts> LinkedWalk<'p, P> {
    /// Where the tokens of a crossing go on.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn new(parts: &'p P, crossing: &Crossing) -> Result<Self, AcceptError> {
        let mut walk = Self::nowhere(parts);
        walk.text.go(parts, crossing)?;
        Ok(walk)
    }

    /// A walk that stands nowhere, for [`copy_from`](Self::copy_from).
    pub fn nowhere(parts: &'p P) -> Self {
        LinkedWalk {
            parts,
            text: Text::new(Stacks::none(Heap::new(parts.depth(), 1))),
            part: None,
        }
    }

    /// Goes to where another walk of the same parts stands.
    pub fn copy_from(&mut self, other: &Self) {
        self.text.copy_from(&other.text);
    }

    /// Whether a token can follow that is a terminal. If not, the walk stands nowhere.
    pub fn take_token(&mut self, id: u32) -> bool {
        self.text.take_token(self.parts, id).is_ok()
    }

    /// Whether a byte cannot follow, as far as the part tells without a look at the stack. It takes
    /// a fraction of the time of a [`step`](Self::step).
    pub fn refuses(&mut self, byte: u8) -> bool {
        self.look_up();
        self.part.as_ref().is_some_and(|(_, part)| {
            let class = part.grammar.class(byte);
            let mut heads = self.text.stacks.heads().iter();
            heads.all(|head| step::is_refused(&part.grammar, head.state, class))
        })
    }

    /// Takes a byte; returns whether it can follow. If not, the walk stands nowhere.
    pub fn step(&mut self, byte: u8) -> bool {
        self.look_up();
        let taken = match &self.part {
            Some((_, part)) => self.text.take_byte(self.parts, part, byte),
            None => self.text.step(self.parts, byte),
        };
        taken.is_ok()
    }

    /// Whether a token can end here.
    pub fn can_end(&mut self) -> bool {
        self.look_up();
        match &self.part {
            Some((_, part)) => is_finishable(&self.text.stacks, part),
            None => matches!(self.text.place, Place::Names { .. }),
        }
    }

    /// Looks up the part in which the walk stands, unless it is known; there is none within names.
    fn look_up(&mut self) {
        let place = self.text.place;
        if self.part.as_ref().is_none_or(|(known, _)| *known != place) {
            self.part = self.parts.part(place).map(|part| (place, part));
        }
    }
}
