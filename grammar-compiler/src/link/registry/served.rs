//! The matcher of a request.
//!
//! In: a handle, then tokens or bytes. Out: masks. What holds: where linked tools turn out not to
//! stand for the whole, the matcher switches to the whole grammar between two tokens. Where a tool
//! turns out to be refused, it switches to the other tools. If neither can be, all methods with a
//! result return the refusal from then on.

use maskwright_core::{
    AcceptError, LogitsMask, MaskPool, OwnedMatcher, PoolSlot, PooledRow, RollbackError,
};

use super::fallback::{FallbackMatcher, Narrowed};
use super::wholes::WholeMatcher;
use crate::error::Error;
use crate::lazy::{MaskError, OrRefused, Taken, TieredMatcher, take_draft};

/// A matcher of a request, whichever way it is served. Its methods are those of [`OwnedMatcher`]. A
/// clone continues independently.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ServedMatcher {
    /// Of linked tools.
    Linked(FallbackMatcher),
    /// Of a grammar whose tables were there.
    Whole(OwnedMatcher),
    /// Of a grammar whose tables were not there yet.
    Tiered(TieredMatcher),
    /// Of linked tools whose whole grammar is refused.
    Refused(RefusedMatcher),
}

/// The point at which the request of a text turned out to be refused.
#[derive(Clone, Debug)]
pub struct RefusedMatcher {
    error: Box<Error>,
    is_complete: bool,
    is_finished: bool,
}

impl RefusedMatcher {
    /// Why the request is refused.
    pub fn error(&self) -> &Error {
        &self.error
    }
}

/// Calls a method of the matcher that follows the text, and switches to the whole grammar where the
/// linked tools have failed.
macro_rules! follow {
    ($self:ident, $linked:ident => $by_linked:expr, $whole:ident => $by_whole:expr,
        $tiered:ident => $by_tiered:expr, $refused:expr) => {
        loop {
            match $self {
                ServedMatcher::Linked($linked) => match $by_linked {
                    Some(result) => break result,
                    None => $self.switch_to_whole(),
                },
                ServedMatcher::Whole($whole) => break $by_whole,
                ServedMatcher::Tiered($tiered) => break $by_tiered,
                ServedMatcher::Refused(refused) => break Err($refused(refused.error.clone())),
            }
        }
    };
}

impl ServedMatcher {
    /// A matcher of a grammar as a whole.
    pub(super) fn of_whole(matcher: WholeMatcher) -> Self {
        match matcher {
            WholeMatcher::Tables(matcher) => ServedMatcher::Whole(matcher),
            WholeMatcher::Tiered(matcher) => ServedMatcher::Tiered(matcher),
        }
    }

    /// Switches from linked tools to those that are not refused, or to their whole grammar.
    fn switch_to_whole(&mut self) {
        let ServedMatcher::Linked(linked) = self else {
            return;
        };
        let narrowed = linked.without_refused();
        let narrowed = narrowed.unwrap_or_else(|| linked.whole_matcher().map(Narrowed::Whole));
        *self = match narrowed {
            Ok(Narrowed::Linked(matcher)) => ServedMatcher::Linked(matcher),
            Ok(Narrowed::Whole(whole)) => ServedMatcher::of_whole(whole),
            Err(error) => ServedMatcher::Refused(RefusedMatcher {
                error: Box::new(error),
                is_complete: linked.is_complete(),
                is_finished: linked.is_finished(),
            }),
        };
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here, or the request is refused. The matcher is then as it was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), OrRefused<AcceptError>> {
        follow!(self,
            linked => linked.accept(Taken::Token(id)).map(|taken| Ok(taken?)),
            whole => Ok(whole.accept_token(id)?),
            tiered => tiered.accept_token(id),
            OrRefused::Refused)
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// As for [`accept_token`](Self::accept_token).
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), OrRefused<AcceptError>> {
        follow!(self,
            linked => match bytes {
                [] if !linked.has_failed() => Some(Ok(())),
                _ => linked.accept(Taken::Bytes(bytes.into())).map(|taken| Ok(taken?)),
            },
            whole => Ok(whole.accept_bytes(bytes)?),
            tiered => tiered.accept_bytes(bytes),
            OrRefused::Refused)
    }

    /// Takes the tokens of a draft up to the first that is not allowed; returns how many.
    ///
    /// # Errors
    /// If the request is refused and no token was taken. Where some were, the next call says so.
    pub fn accept_draft(&mut self, draft: &[u32]) -> Result<usize, Error> {
        match self {
            ServedMatcher::Refused(refused) => Err(Error::clone(&refused.error)),
            _ => take_draft(draft, |id| self.accept_token(id)),
        }
    }

    /// How many tokens of a draft, from its first, could be taken one after the other. The text
    /// stays where it is.
    ///
    /// # Errors
    /// As for [`accept_draft`](Self::accept_draft).
    pub fn check_draft(&mut self, draft: &[u32]) -> Result<usize, Error> {
        if matches!(self, ServedMatcher::Linked(linked) if linked.has_failed()) {
            self.switch_to_whole();
        }
        self.clone().accept_draft(draft)
    }

    /// Goes back by a number of tokens.
    ///
    /// # Errors
    /// If fewer are kept, or the request is refused.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), OrRefused<RollbackError>> {
        follow!(self,
            linked => match linked.has_failed() {
                true => None,
                false => Some(linked.rollback(tokens).map_err(OrRefused::from)),
            },
            whole => Ok(whole.rollback(tokens)?),
            tiered => Ok(tiered.rollback(tokens)?),
            OrRefused::Refused)
    }

    /// Writes the mask into the first words of a row, and zeros behind.
    ///
    /// # Errors
    /// As for [`TieredMatcher::fill`]; and if a tool of the request turns out to be refused.
    pub fn fill(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        follow!(self,
            linked => linked.fill(row),
            whole => Ok(whole.with_mask(|mask| mask.fill(row))?),
            tiered => tiered.fill(row),
            MaskError::Refused)
    }

    /// The row of a pool that holds the mask.
    ///
    /// # Errors
    /// As for [`TieredMatcher::row_of`] and [`fill`](Self::fill).
    pub fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, MaskError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        follow!(self,
            linked => linked.row_of(pool),
            whole => Ok(whole.with_mask(|mask| pool.row_of_mask(mask))?),
            tiered => tiered.row_of(pool),
            MaskError::Refused)
    }

    /// Writes the bytes that must come next, as far as the buffer goes; returns how many.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        follow!(self,
            linked => linked.forced_bytes(buffer).map(Ok),
            whole => Ok(whole.forced_bytes(buffer)),
            tiered => Ok(tiered.forced_bytes(buffer)),
            |error: Box<Error>| *error)
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as the buffer
    /// goes; returns how many. In the first tier they may be fewer, where it cannot follow.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn forced_tokens(&mut self, buffer: &mut [u32]) -> Result<usize, Error> {
        follow!(self,
            linked => linked.forced_tokens(buffer).map(Ok),
            whole => Ok(whole.forced_tokens(buffer)),
            tiered => Ok(tiered.forced_tokens(buffer)),
            |error: Box<Error>| *error)
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        match self {
            ServedMatcher::Linked(linked) => linked.is_complete(),
            ServedMatcher::Whole(matcher) => matcher.is_complete(),
            ServedMatcher::Tiered(matcher) => matcher.is_complete(),
            ServedMatcher::Refused(refused) => refused.is_complete,
        }
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        match self {
            ServedMatcher::Linked(linked) => linked.is_finished(),
            ServedMatcher::Whole(matcher) => matcher.is_finished(),
            ServedMatcher::Tiered(matcher) => matcher.is_finished(),
            ServedMatcher::Refused(refused) => refused.is_finished,
        }
    }
}

impl LogitsMask for ServedMatcher {
    type NoMask = MaskError;
    type NotTaken = OrRefused<AcceptError>;

    fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MaskError> {
        self.fill(words)
    }

    fn accept_token(&mut self, id: u32) -> Result<(), OrRefused<AcceptError>> {
        ServedMatcher::accept_token(self, id)
    }

    /// None are forced if the request is refused, as the next mask says.
    fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        ServedMatcher::forced_tokens(self, buffer).unwrap_or_default()
    }

    fn is_finished(&self) -> bool {
        ServedMatcher::is_finished(self)
    }
}
