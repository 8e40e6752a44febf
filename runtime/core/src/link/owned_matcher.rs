//! A matcher that shares its parts, and whose depth is chosen at run time.
//!
//! In: parts, shared, then tokens or bytes. Out: at each point the mask, and on request the places
//! before. What holds throughout: as for [`LinkedMatcher`](crate::LinkedMatcher); an error changes
//! nothing, the history included.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{AcceptError, MatcherError, RollbackError, StateError};
use crate::follow::force;
use crate::owned::History;
use crate::slices::Heap;
use crate::stack::Stacks;

use super::Parts;
use super::mask::LinkedMask;
use super::place::Place;
use super::stacks::LinkedStacks;

/// States that are kept to go back to.
const HISTORY: usize = 256;

/// Where a text stands in a linked grammar that is shared: what
/// [`OwnedMatcher`](crate::OwnedMatcher) is for one that was compiled as a whole. A clone goes on
/// by itself.
pub struct OwnedLinkedMatcher<P> {
    parts: Arc<P>,
    linked: LinkedStacks<Heap>,
    /// Room for the stack after a token, while it may still be refused.
    next: LinkedStacks<Heap>,
    history: History,
    places: VecDeque<Place>,
}

impl<P: Parts> OwnedLinkedMatcher<P> {
    /// A matcher at the beginning of a text, of the depth for which the parts were linked.
    ///
    /// # Errors
    /// If the shortest text needs more frames.
    pub fn new(parts: Arc<P>) -> Result<Self, MatcherError> {
        let mut matcher = Self::at(parts);
        matcher.linked.begin(&*matcher.parts)?;
        Ok(matcher)
    }

    /// A matcher without a stack yet.
    fn at(parts: Arc<P>) -> Self {
        let room = || LinkedStacks::none(Stacks::none(Heap::new(parts.depth(), 1)));
        let (linked, next) = (room(), room());
        OwnedLinkedMatcher {
            parts,
            linked,
            next,
            history: History::new(HISTORY),
            places: VecDeque::new(),
        }
    }

    /// The parts.
    pub fn parts(&self) -> &Arc<P> {
        &self.parts
    }

    /// The part in which the text stands.
    pub fn place(&self) -> Place {
        self.linked.place
    }

    /// The tokens that may come next.
    #[inline]
    pub fn mask(&self) -> LinkedMask<'_, P> {
        LinkedMask::of(&*self.parts, &self.linked)
    }

    /// Takes a token: see [`LinkedMatcher::accept_token`](crate::LinkedMatcher::accept_token).
    ///
    /// # Errors
    /// As there. The matcher is then as it was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        self.attempt(|next, parts| next.take_token(parts, id))
    }

    /// Takes bytes. For [`rollback`](Self::rollback) they are one token; no bytes are none.
    ///
    /// # Errors
    /// As for [`accept_token`](Self::accept_token).
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.attempt(|next, parts| next.take_bytes(parts, bytes))
    }

    #[inline]
    fn attempt(
        &mut self,
        with: impl FnOnce(&mut LinkedStacks<Heap>, &P) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        self.next.copy_from(&self.linked);
        with(&mut self.next, &self.parts)?;
        core::mem::swap(&mut self.linked, &mut self.next);
        // `next` now has what was there before.
        self.history.push(&self.next.stacks);
        self.places.push_back(self.next.place);
        while self.places.len() > self.history.len() {
            self.places.pop_front();
        }
        Ok(())
    }

    /// Takes the tokens of a draft up to the first that is refused; returns how many.
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        let is_taken = |&&id: &&u32| self.accept_token(id).is_ok();
        draft.iter().take_while(is_taken).count()
    }

    /// Goes back by so many tokens, the end of the text among them; 0 changes nothing.
    ///
    /// # Errors
    /// If fewer states are kept: at most 256 are. The matcher is then as it was.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        if tokens == 0 {
            return Ok(());
        }
        let kept = self.history.len();
        let place = self.places.len().checked_sub(tokens);
        let place = place.and_then(|at| self.places.get(at).copied());
        let place = place.ok_or(RollbackError { tokens, kept })?;
        let found = self.history.pop(tokens, &mut self.linked.stacks);
        found.ok_or(RollbackError { tokens, kept })?;
        self.places.truncate(self.places.len() - tokens);
        self.linked.place = place;
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
        self.attempt(|next, _| {
            next.stacks.clear();
            Ok(())
        })
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        self.linked.is_complete(&*self.parts)
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        self.linked.is_finished()
    }

    /// Where the text stands, as bytes: see
    /// [`LinkedMatcher::write_to`](crate::LinkedMatcher::write_to). The states to go back to are
    /// not among them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.linked.saved_len()];
        // The buffer is as long as the state.
        let written = self.linked.write_to(&*self.parts, &mut bytes);
        debug_assert_eq!(written, Ok(bytes.len()));
        bytes
    }

    /// A matcher where [`to_bytes`](Self::to_bytes) or
    /// [`LinkedMatcher::write_to`](crate::LinkedMatcher::write_to) stood, without states to go back
    /// to. The bytes are not trusted.
    ///
    /// # Errors
    /// As for [`LinkedMatcher::read_from`](crate::LinkedMatcher::read_from).
    pub fn from_bytes(bytes: &[u8], parts: Arc<P>) -> Result<Self, StateError> {
        let mut matcher = Self::at(parts);
        matcher.linked.read_from(&*matcher.parts, bytes)?;
        Ok(matcher)
    }

    /// Writes the bytes that must come next: see
    /// [`LinkedMatcher::forced_bytes`](crate::LinkedMatcher::forced_bytes).
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        self.next.copy_from(&self.linked);
        self.next.force_bytes(&*self.parts, buffer)
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as `buffer` goes;
    /// how many were written.
    pub fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        self.next.copy_from(&self.linked);
        let parts = &*self.parts;
        let only = |next: &LinkedStacks<_>| LinkedMask::of(parts, next).only();
        force(&mut self.next, buffer, only, |next, id| {
            next.take_token(parts, id)
        })
    }
}

impl<P> Clone for OwnedLinkedMatcher<P> {
    fn clone(&self) -> Self {
        OwnedLinkedMatcher {
            parts: self.parts.clone(),
            linked: self.linked.clone(),
            next: self.next.clone(),
            history: self.history.clone(),
            places: self.places.clone(),
        }
    }
}

impl<P> fmt::Debug for OwnedLinkedMatcher<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedLinkedMatcher")
            .field("place", &self.linked.place)
            .field("stacks", &self.linked.stacks)
            .finish_non_exhaustive()
    }
}
