//! The matcher of a linked grammar.
//!
//! In: [`Parts`], then tokens or bytes. Out: at each point the [`LinkedMask`] of the tokens that
//! may come next. What holds throughout: as for [`Matcher`](crate::Matcher); an error changes
//! nothing.

use core::fmt;

use crate::error::{AcceptError, MatcherError, StateError};
use crate::follow::force;
use crate::stack::{Fixed, FixedStacks};

use super::Parts;
use super::mask::LinkedMask;
use super::place::{Crossing, Place};
use super::saved;
use super::stacks::LinkedStacks;

/// Where a text stands in a linked grammar: what [`Matcher`](crate::Matcher) is for one that was
/// compiled as a whole. Linked grammars need one stack.
///
/// `DEPTH` is that for which the parts were [linked](Parts::depth). A matcher is small and `Copy`:
/// a checkpoint or a fork is a copy.
pub struct LinkedMatcher<'p, P, const DEPTH: usize> {
    parts: &'p P,
    linked: LinkedStacks<Fixed<DEPTH, 1>>,
}

impl<P, const DEPTH: usize> Clone for LinkedMatcher<'_, P, DEPTH> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const DEPTH: usize> Copy for LinkedMatcher<'_, P, DEPTH> {}

impl<'p, P: Parts, const DEPTH: usize> LinkedMatcher<'p, P, DEPTH> {
    /// A matcher at the beginning of a text.
    ///
    /// # Errors
    /// If `DEPTH` is not the depth for which the parts were linked.
    pub fn new(parts: &'p P) -> Result<Self, MatcherError> {
        let mut linked = LinkedStacks::none(FixedStacks::NONE);
        linked.begin(parts)?;
        Ok(LinkedMatcher { parts, linked })
    }

    /// The matcher of texts that go on where a crossing does: for finding its tokens.
    ///
    /// # Errors
    /// If there is no such place, or `DEPTH` is not the depth for which the parts were linked.
    #[doc(hidden)]
    pub fn behind(parts: &'p P, crossing: &Crossing) -> Result<Self, AcceptError> {
        let mut linked = LinkedStacks::none(FixedStacks::NONE);
        linked.go(parts, crossing)?;
        Ok(LinkedMatcher { parts, linked })
    }

    /// The parts.
    pub fn parts(&self) -> &'p P {
        self.parts
    }

    /// The part in which the text stands.
    pub fn place(&self) -> Place {
        self.linked.place
    }

    /// The tokens that may come next, the end-of-sequence tokens included where the text is
    /// complete. Nothing is computed yet.
    #[inline]
    pub fn mask(&self) -> LinkedMask<'_, P> {
        LinkedMask::of(self.parts, &self.linked)
    }

    /// Takes a token: one that is in the [`mask`](Self::mask).
    ///
    /// # Errors
    /// As for [`Matcher::accept_token`](crate::Matcher::accept_token). The matcher is then as it
    /// was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        self.attempt(|linked, parts| linked.take_token(parts, id))
    }

    /// Takes bytes, whatever tokens they may come from.
    ///
    /// # Errors
    /// As for [`Matcher::accept_bytes`](crate::Matcher::accept_bytes). The matcher is then as it
    /// was.
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        self.attempt(|linked, parts| linked.take_bytes(parts, bytes))
    }

    #[inline]
    fn attempt(
        &mut self,
        with: impl FnOnce(&mut LinkedStacks<Fixed<DEPTH, 1>>, &P) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        let mut next = self.linked;
        with(&mut next, self.parts)?;
        self.linked = next;
        Ok(())
    }

    /// Ends the text, as an end-of-sequence token does.
    ///
    /// # Errors
    /// If the text is not complete. The matcher is then as it was.
    pub fn finish(&mut self) -> Result<(), AcceptError> {
        if !self.is_complete() {
            return Err(AcceptError::NotAllowed);
        }
        self.linked.stacks.clear();
        Ok(())
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        self.linked.is_complete(self.parts)
    }

    /// Whether the text has ended. The mask is then empty.
    pub fn is_finished(&self) -> bool {
        self.linked.is_finished()
    }

    /// Goes back to a checkpoint: a copy made earlier.
    pub fn rollback(&mut self, checkpoint: &Self) {
        *self = *checkpoint;
    }

    /// How many tokens of `draft`, from its first, would be accepted one after the other.
    pub fn check_draft(&self, draft: &[u32]) -> usize {
        let mut copy = *self;
        copy.accept_draft(draft)
    }

    /// Takes the tokens of `draft` up to the first that is refused; returns how many.
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        let accepted = draft.iter();
        accepted
            .take_while(|&&id| self.accept_token(id).is_ok())
            .count()
    }

    /// Writes the longest run of bytes with which every continuation of the text begins, as far as
    /// `buffer` goes; how many bytes were written: see
    /// [`Matcher::forced_bytes`](crate::Matcher::forced_bytes).
    pub fn forced_bytes(&self, buffer: &mut [u8]) -> usize {
        let mut copy = self.linked;
        copy.force_bytes(self.parts, buffer)
    }

    /// The most bytes that [`write_to`](Self::write_to) writes.
    pub const MAX_BYTES: usize = saved::most_linked_bytes(DEPTH);

    /// Writes where the text stands to the beginning of `out`, for [`read_from`](Self::read_from)
    /// in some other process; returns the number of bytes.
    ///
    /// # Errors
    /// If `out` is too short. It may have been written to then.
    pub fn write_to(&self, out: &mut [u8]) -> Result<usize, StateError> {
        self.linked.write_to(self.parts, out)
    }

    /// A matcher where [`write_to`](Self::write_to) or
    /// [`OwnedLinkedMatcher::to_bytes`](crate::OwnedLinkedMatcher::to_bytes) stood. The bytes are
    /// not trusted. Where the text stands in a piece, that piece is needed.
    ///
    /// # Errors
    /// If the bytes are not a state of a linked text, are of other parts, names or another depth,
    /// or contradict the parts.
    pub fn read_from(bytes: &[u8], parts: &'p P) -> Result<Self, StateError> {
        let mut linked = LinkedStacks::none(FixedStacks::NONE);
        linked.read_from(parts, bytes)?;
        Ok(LinkedMatcher { parts, linked })
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as `buffer` goes;
    /// how many were written.
    pub fn forced_tokens(&self, buffer: &mut [u32]) -> usize {
        let only = |matcher: &Self| matcher.mask().only();
        force(&mut { *self }, buffer, only, Self::accept_token)
    }
}

impl<P, const DEPTH: usize> fmt::Debug for LinkedMatcher<'_, P, DEPTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkedMatcher")
            .field("place", &self.linked.place)
            .field("stacks", &self.linked.stacks)
            .finish_non_exhaustive()
    }
}
