//! The matcher of a request.
//!
//! In: a handle, then tokens or bytes. Out: masks. What holds: where linked tools turn out not to
//! stand for the whole, the matcher switches to the whole grammar between two tokens. Where a tool
//! turns out to be refused, it switches to the other tools. If neither can be, all methods with a
//! result return the refusal from then on.

use std::sync::Arc;

use maskwright_core::{
    AcceptError, MaskPool, OwnedMatcher, PoolSlot, PooledRow, RollbackError, StateError,
};

use super::fallback::{FallbackMatcher, Narrowed};
use super::wholes::WholeMatcher;
use crate::error::Error;
use crate::lazy::{
    LazyMatcher, MaskError, OrRefused, Tables, Taken, TieredMatcher, take_draft, write_text,
};

/// A matcher of a request, whichever way it is served: linked tools, or a whole grammar, with
/// tables or before there are any. Its methods are those of [`OwnedMatcher`]. A clone continues
/// independently.
///
/// [`tiered`](Self::tiered) makes one without a registry.
#[derive(Clone, Debug)]
pub struct ServedMatcher {
    by: Served,
}

/// What follows the text.
#[derive(Clone, Debug)]
enum Served {
    /// Linked tools, and the first tier where their tables are not there.
    Linked(Box<FallbackMatcher>),
    /// The tables of a whole grammar.
    Whole(Box<OwnedMatcher>),
    /// The first tier of a whole grammar, or tables that came later.
    Tiered(TieredMatcher),
    /// Nothing: the request is refused.
    Refused(Refused),
}

/// The point at which the request of a text turned out to be refused.
#[derive(Clone, Debug)]
struct Refused {
    error: Box<Error>,
    is_complete: bool,
    is_finished: bool,
}

/// Where the masks of a [`ServedMatcher`] come from at a point of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaskSource {
    /// The grammar itself: the tables that the text needs are not there yet, or are refused.
    FirstTier,
    /// The tables of linked tools.
    Linked,
    /// The tables of a whole grammar.
    Tables,
    /// There are none: the request is refused.
    Refused,
}

/// Calls a method of what follows the text, and switches to the whole grammar where the linked
/// tools have failed.
macro_rules! follow {
    ($self:ident, $linked:ident => $by_linked:expr, $whole:ident => $by_whole:expr,
        $tiered:ident => $by_tiered:expr, $refused:expr) => {
        loop {
            match &mut $self.by {
                Served::Linked($linked) => match $by_linked {
                    Some(result) => break result,
                    None => $self.switch_to_whole(),
                },
                Served::Whole($whole) => break $by_whole,
                Served::Tiered($tiered) => break $by_tiered,
                Served::Refused(refused) => break Err($refused(refused.error.clone())),
            }
        }
    };
}

impl ServedMatcher {
    pub(super) fn of_linked(matcher: FallbackMatcher) -> Self {
        ServedMatcher {
            by: Served::Linked(Box::new(matcher)),
        }
    }

    pub(super) fn of_tables(matcher: OwnedMatcher) -> Self {
        ServedMatcher {
            by: Served::Whole(Box::new(matcher)),
        }
    }

    pub(super) fn of_whole(matcher: WholeMatcher) -> Self {
        match matcher {
            WholeMatcher::Tables(matcher) => Self::of_tables(matcher),
            WholeMatcher::Tiered(matcher) => Self::of_tiers(matcher),
        }
    }

    fn of_tiers(matcher: TieredMatcher) -> Self {
        ServedMatcher {
            by: Served::Tiered(matcher),
        }
    }

    /// A matcher that begins in the first tier and goes over to tables when they are there: what a
    /// registry gives for a whole grammar, for tables from any source. Tables have a depth; stacks
    /// of the first tier grow as they need to. A text that nests deeper than `depth` when the
    /// tables come stays in the first tier, and so does a text whose tables are refused.
    pub fn tiered(first: LazyMatcher, tables: Arc<dyn Tables>, depth: usize) -> Self {
        Self::of_tiers(TieredMatcher::new(first, tables, depth))
    }

    /// The matcher whose state [`to_bytes`](Self::to_bytes) wrote, without a registry. `first`
    /// stands at the beginning of a text, and takes the text of the state again in the tier that it
    /// is in. If the state is one of tables, this waits for them. The bytes are not trusted.
    ///
    /// # Errors
    /// If the bytes are no state, or one of another grammar or vocabulary, or the tables are
    /// refused.
    pub fn tiered_from_bytes(
        bytes: &[u8],
        first: LazyMatcher,
        tables: Arc<dyn Tables>,
        depth: usize,
    ) -> Result<Self, StateError> {
        TieredMatcher::from_bytes(first, tables, depth, bytes).map(Self::of_tiers)
    }

    /// Where masks come from now.
    pub fn source(&self) -> MaskSource {
        match &self.by {
            Served::Linked(linked) if linked.has_tables() => MaskSource::Linked,
            Served::Tiered(tiered) if tiered.has_tables() => MaskSource::Tables,
            Served::Linked(_) | Served::Tiered(_) => MaskSource::FirstTier,
            Served::Whole(_) => MaskSource::Tables,
            Served::Refused(_) => MaskSource::Refused,
        }
    }

    /// Whether the text is one of linked tools, and not of a grammar as a whole.
    pub fn is_linked(&self) -> bool {
        matches!(self.by, Served::Linked(_))
    }

    /// Why the request is refused, if it turned out to be at this point.
    pub fn error(&self) -> Option<&Error> {
        match &self.by {
            Served::Refused(refused) => Some(&refused.error),
            Served::Linked(_) | Served::Whole(_) | Served::Tiered(_) => None,
        }
    }

    /// Switches from linked tools to those that are not refused, or to their whole grammar.
    fn switch_to_whole(&mut self) {
        let Served::Linked(linked) = &self.by else {
            return;
        };
        let narrowed = linked.without_refused();
        let narrowed = narrowed.unwrap_or_else(|| linked.whole_matcher().map(Narrowed::Whole));
        self.by = match narrowed {
            Ok(Narrowed::Linked(matcher)) => Served::Linked(matcher.into()),
            Ok(Narrowed::Whole(whole)) => ServedMatcher::of_whole(whole).by,
            Err(error) => Served::Refused(Refused {
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
                [] => (!linked.has_failed()).then_some(Ok(())),
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
        match self.error() {
            Some(error) => Err(error.clone()),
            None => take_draft(draft, |id| self.accept_token(id)),
        }
    }

    /// How many tokens of a draft, from its first, could be taken one after the other. The text
    /// stays where it is.
    ///
    /// # Errors
    /// As for [`accept_draft`](Self::accept_draft).
    pub fn check_draft(&mut self, draft: &[u32]) -> Result<usize, Error> {
        match &self.by {
            Served::Linked(linked) if linked.has_failed() => self.switch_to_whole(),
            Served::Whole(whole) => return Ok(whole.check_draft(draft)),
            Served::Linked(_) | Served::Tiered(_) | Served::Refused(_) => {}
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
    /// If the row is too short; if the grammar is refused, or a tool of the request is, and the
    /// text has come to where the first tier does not follow.
    pub fn fill(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        follow!(self,
            linked => linked.fill(row),
            whole => Ok(whole.fill(row)?),
            tiered => tiered.fill(row),
            MaskError::Refused)
    }

    /// The row of a pool that holds the mask. Masks of tables share rows.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill) and [`MaskPool::row_of`].
    pub fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, MaskError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        follow!(self,
            linked => linked.row_of(pool),
            whole => Ok(whole.row_of(pool)?),
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
        match &self.by {
            Served::Linked(linked) => linked.is_complete(),
            Served::Whole(matcher) => matcher.is_complete(),
            Served::Tiered(matcher) => matcher.is_complete(),
            Served::Refused(refused) => refused.is_complete,
        }
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        match &self.by {
            Served::Linked(linked) => linked.is_finished(),
            Served::Whole(matcher) => matcher.is_finished(),
            Served::Tiered(matcher) => matcher.is_finished(),
            Served::Refused(refused) => refused.is_finished,
        }
    }

    /// The state as bytes, for [`Handle::matcher_from_bytes`](super::Handle::matcher_from_bytes) of
    /// the same request: the text itself, or a state of tables if the text is in those of a whole
    /// grammar (see [`OwnedMatcher::to_bytes`]). The states before are not among it.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        match &self.by {
            Served::Linked(linked) => Ok(write_text(linked.vocabulary_hash(), linked.taken())),
            Served::Whole(matcher) => Ok(matcher.to_bytes()),
            Served::Tiered(matcher) => Ok(matcher.to_bytes()),
            Served::Refused(refused) => Err(Error::clone(&refused.error)),
        }
    }
}
