//! Linked parts as what a matcher follows.
//!
//! In: [`Parts`]. Out: [`Language`]. What holds: a text has one stack, that of the part in which it
//! stands.

use crate::error::{AcceptError, BufferTooSmall, MatcherError, StateError};
use crate::id::TablesId;
use crate::language::private::Sealed;
use crate::language::{Language, Mask};
use crate::row::MaskRow;
use crate::stack::{Storage, Text};

use super::{Parts, Place, row, saved};

impl<P: Parts> Sealed for P {}

impl<P: Parts> Language for P {
    type Place = Place;
    const MORE_BYTES: usize = saved::PLACE_BYTES;

    fn begin<S: Storage>(&self, text: &mut Text<S, Place>) -> Result<(), MatcherError> {
        text.begin(self)
    }

    fn restart<S: Storage>(&self, text: &mut Text<S, Place>) {
        // It can begin, unless a piece that the shortest text needs has gone.
        let _ = text.begin(self);
    }

    #[inline]
    fn accept_token<S: Storage>(
        &self,
        text: &mut Text<S, Place>,
        id: u32,
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError> {
        S::attempt_text(text, scratch, |next| next.take_token(self, id))
    }

    fn accept_bytes<S: Storage>(
        &self,
        text: &mut Text<S, Place>,
        bytes: &[u8],
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        S::attempt_text(text, scratch, |next| next.take_bytes(self, bytes))
    }

    fn take_token<S: Storage>(
        &self,
        text: &mut Text<S, Place>,
        id: u32,
    ) -> Result<(), AcceptError> {
        text.take_token(self, id)
    }

    #[inline]
    fn is_end<S: Storage>(&self, _: &Text<S, Place>, _: u32) -> Result<bool, AcceptError> {
        // Scratch holds the stack before an end as well.
        Ok(false)
    }

    fn could_end<S: Storage>(
        &self,
        text: &Text<S, Place>,
        scratch: Option<&mut S::Scratch>,
    ) -> bool {
        text.place == Place::Outer && text.stacks.could_end(&self.outer().grammar, scratch)
    }

    #[inline]
    fn is_finished<S: Storage>(text: &Text<S, Place>) -> bool {
        text.place == Place::Outer && text.stacks.is_empty()
    }

    fn follow_bytes<S: Storage>(&self, text: &mut Text<S, Place>, bytes: &[u8]) -> usize {
        text.follow_bytes(self, bytes)
    }

    fn force_bytes<S: Storage>(&self, text: &mut Text<S, Place>, buffer: &mut [u8]) -> usize {
        text.force_bytes(self, buffer)
    }

    fn saved_len<S: Storage>(text: &Text<S, Place>) -> usize {
        text.saved_len()
    }

    fn write_to<S: Storage>(
        &self,
        text: &Text<S, Place>,
        out: &mut [u8],
    ) -> Result<usize, StateError> {
        text.write_to(self, out)
    }

    fn read_from<S: Storage>(
        &self,
        text: &mut Text<S, Place>,
        bytes: &[u8],
    ) -> Result<(), StateError> {
        text.read_from(self, bytes)
    }

    fn size(&self) -> u32 {
        self.vocabulary().size()
    }

    fn mask_contains(mask: &Mask<'_, Self, Place>, id: u32) -> bool {
        let (mut word, at) = ([0], id as usize / 32);
        if at < mask.words() {
            mask.write_linked(&mut word, at);
        }
        word[0] >> (id % 32) & 1 == 1
    }

    #[inline]
    fn write_mask(mask: &Mask<'_, Self, Place>, window: &mut [u32], first: usize) {
        mask.write_linked(window, first);
    }

    fn next_candidate(mask: &Mask<'_, Self, Place>, id: u32) -> Option<u32> {
        (id < mask.language.size()).then_some(id)
    }

    #[inline]
    fn describe(described: &mut MaskRow, mask: &Mask<'_, Self, Place>) -> TablesId {
        row::describe(described, mask)
    }

    fn update(
        held: &mut MaskRow,
        (next, tables): (&MaskRow, TablesId),
        words: &mut [u32],
        mask: &Mask<'_, Self, Place>,
    ) -> Result<bool, BufferTooSmall> {
        row::update(held, next, tables, words, mask)
    }
}
