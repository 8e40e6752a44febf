//! The answer to a request, and its matchers.

use std::fmt;
use std::sync::Arc;

use maskwright_core::{
    AcceptError, MaskPool, OwnedLinkedMatcher, OwnedMatcher, PoolSlot, PooledRow, RollbackError,
};

use super::fallback::{Fallback, FallbackMatcher};
use super::refusal::refused;
use super::whole::Whole;
use super::wholes::{WholeMatcher, Wholes};
use crate::error::Error;
use crate::lazy::{MaskError, Tables, Taken, TieredMatcher};
use crate::link::{LinkedTools, NotLinked, ReadyParts};

/// Tools that are linked, or a grammar as a whole.
pub(super) enum Served {
    /// Linked tools, and what is done if they turn out not to be parts.
    Linked(Arc<LinkedTools>, Arc<Fallback>),
    Whole(Arc<Whole>, Arc<Wholes>),
}

/// What a request is answered with: a clone counts a reference.
#[derive(Clone)]
pub struct Handle {
    served: Arc<Served>,
}

impl Handle {
    pub(super) fn new(served: Served) -> Self {
        Handle {
            served: Arc::new(served),
        }
    }

    /// Whether everything has been compiled, so that no matcher has to wait.
    pub fn is_ready(&self) -> bool {
        match &*self.served {
            Served::Linked(tools, fallback) => match tools.has_failed() {
                false => tools.is_ready(),
                true => fallback
                    .needed()
                    .is_some_and(|whole| whole.ready().is_some()),
            },
            Served::Whole(whole, _) => whole.ready().is_some(),
        }
    }

    /// Compiles here what the registry's threads have not begun, and waits for the rest. Tools that turn out not to be linkable are compiled as a whole.
    ///
    /// # Errors
    /// If something is refused: a schema of a tool, or a grammar.
    pub fn wait(&self) -> Result<(), Error> {
        let whole = match &*self.served {
            Served::Linked(tools, fallback) => match tools.compile(1) {
                Ok(()) => return Ok(()),
                Err(NotLinked::Refused(error)) => return Err(*error),
                Err(_) => fallback.whole()?,
            },
            Served::Whole(whole, _) => whole,
        };
        whole.get().as_ref().map(drop).map_err(Clone::clone)
    }

    /// Why the request is refused, as far as that is known by now: nothing is waited for.
    pub fn error(&self) -> Option<Error> {
        let whole = match &*self.served {
            Served::Linked(tools, fallback) => match tools.check() {
                Err(NotLinked::Refused(error)) => return Some(*error),
                Ok(()) | Err(_) => fallback.needed()?,
            },
            Served::Whole(whole, _) => whole,
        };
        whole.ready()?.as_ref().err().cloned()
    }

    /// The linked tools, if the request has tools that can be linked.
    pub fn linked(&self) -> Option<&Arc<LinkedTools>> {
        match &*self.served {
            Served::Linked(tools, _) => Some(tools),
            Served::Whole(..) => None,
        }
    }

    /// A matcher at the beginning of a text. It is there as soon as the request has been read: linked tools are not waited for, and a grammar that has no tables yet is followed
    /// [in the first tier](crate::lazy) until they come. Only a grammar that the first tier does not follow is waited for.
    ///
    /// # Errors
    /// If the grammar is refused, or the shortest text needs more frames than the registry gives.
    pub fn matcher(&self) -> Result<ServedMatcher, Error> {
        match &*self.served {
            Served::Linked(tools, fallback) => {
                if tools.has_failed() {
                    return Ok(ServedMatcher::of_whole(fallback.matcher(&[])?));
                }
                let matcher = OwnedLinkedMatcher::new(Arc::new(ReadyParts::new(tools)));
                let matcher = matcher.map_err(|error| refused(&error.to_string()))?;
                let matcher = FallbackMatcher::new(matcher, fallback);
                Ok(ServedMatcher::Linked(matcher))
            }
            Served::Whole(whole, wholes) => Ok(ServedMatcher::of_whole(wholes.matcher(whole)?)),
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("is_linked", &self.linked().is_some())
            .field("is_ready", &self.is_ready())
            .finish()
    }
}

/// A matcher of a request, whichever way it is served. Its methods are those of [`OwnedMatcher`]. A clone goes on by itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ServedMatcher {
    /// Of linked tools.
    Linked(FallbackMatcher),
    /// Of a grammar whose tables were there.
    Whole(OwnedMatcher),
    /// Of a grammar whose tables were not there yet.
    Tiered(TieredMatcher),
}

impl ServedMatcher {
    /// A matcher of a grammar as a whole.
    fn of_whole(matcher: WholeMatcher) -> Self {
        match matcher {
            WholeMatcher::Tables(matcher) => ServedMatcher::Whole(matcher),
            WholeMatcher::Tiered(matcher) => ServedMatcher::Tiered(matcher),
        }
    }

    /// Goes over from linked tools to their whole grammar.
    fn go_over(&mut self) -> Result<(), MaskError> {
        if let ServedMatcher::Linked(linked) = self {
            let whole = linked.go_over();
            let whole = whole.map_err(|error| MaskError::Refused(Box::new(error)))?;
            *self = ServedMatcher::of_whole(whole);
        }
        Ok(())
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here. The matcher is then as it was. If the request is refused, no token is allowed any more, and [`fill`](Self::fill) says why.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        match self {
            ServedMatcher::Linked(linked) => match linked.accept(Taken::Token(id)) {
                Some(result) => result,
                None => {
                    self.go_over().map_err(|_| AcceptError::NotAllowed)?;
                    self.accept_token(id)
                }
            },
            ServedMatcher::Whole(matcher) => matcher.accept_token(id),
            ServedMatcher::Tiered(matcher) => matcher.accept_token(id),
        }
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// As for [`accept_token`](Self::accept_token).
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            ServedMatcher::Linked(linked) => match linked.accept(Taken::Bytes(bytes.into())) {
                Some(result) => result,
                None => {
                    self.go_over().map_err(|_| AcceptError::NotAllowed)?;
                    self.accept_bytes(bytes)
                }
            },
            ServedMatcher::Whole(matcher) => matcher.accept_bytes(bytes),
            ServedMatcher::Tiered(matcher) => matcher.accept_bytes(bytes),
        }
    }

    /// Takes the tokens of a draft up to the first that is refused; returns how many.
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        let is_taken = |&&id: &&u32| self.accept_token(id).is_ok();
        draft.iter().take_while(is_taken).count()
    }

    /// Goes back by so many tokens.
    ///
    /// # Errors
    /// If fewer are kept.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        match self {
            ServedMatcher::Linked(matcher) => matcher.rollback(tokens),
            ServedMatcher::Whole(matcher) => matcher.rollback(tokens),
            ServedMatcher::Tiered(matcher) => matcher.rollback(tokens),
        }
    }

    /// Writes the mask into the first words of a row, and zeros behind.
    ///
    /// # Errors
    /// As for [`TieredMatcher::fill`]; and if a tool of the request turns out to be refused.
    pub fn fill(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        match self {
            ServedMatcher::Linked(linked) => match linked.fill(row) {
                Some(filled) => filled,
                None => {
                    self.go_over()?;
                    self.fill(row)
                }
            },
            ServedMatcher::Whole(matcher) => Ok(matcher.with_mask(|mask| mask.fill(row))?),
            ServedMatcher::Tiered(matcher) => matcher.fill(row),
        }
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
        match self {
            ServedMatcher::Linked(linked) => match linked.row_of(pool) {
                Some(row) => row,
                None => {
                    self.go_over()?;
                    self.row_of(pool)
                }
            },
            ServedMatcher::Whole(matcher) => Ok(matcher.with_mask(|mask| pool.row_of_mask(mask))?),
            ServedMatcher::Tiered(matcher) => matcher.row_of(pool),
        }
    }

    /// Writes the bytes that must come next, as far as the buffer goes; returns how many.
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        match self {
            ServedMatcher::Linked(linked) => match linked.forced_bytes(buffer) {
                Some(forced) => forced,
                None => match self.go_over() {
                    Ok(()) => self.forced_bytes(buffer),
                    Err(_) => 0,
                },
            },
            ServedMatcher::Whole(matcher) => matcher.forced_bytes(buffer),
            ServedMatcher::Tiered(matcher) => matcher.forced_bytes(buffer),
        }
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        match self {
            ServedMatcher::Linked(linked) => linked.is_complete(),
            ServedMatcher::Whole(matcher) => matcher.is_complete(),
            ServedMatcher::Tiered(matcher) => matcher.is_complete(),
        }
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        match self {
            ServedMatcher::Linked(linked) => linked.is_finished(),
            ServedMatcher::Whole(matcher) => matcher.is_finished(),
            ServedMatcher::Tiered(matcher) => matcher.is_finished(),
        }
    }
}
