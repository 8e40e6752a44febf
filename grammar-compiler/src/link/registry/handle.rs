//! What a request is answered with, and the matchers of it.

use std::fmt;
use std::sync::Arc;

use maskwright_core::{
    AcceptError, MaskPool, MatcherError, OwnedLinkedMatcher, OwnedMatcher, PoolSlot, PooledRow,
    RollbackError,
};

use super::whole::Whole;
use crate::error::{Code, Diagnostic, Error};
use crate::lazy::{LazyVocabulary, MaskError, Tables, TieredMatcher};
use crate::link::{LinkedTools, NotLinked};

/// Tools that are linked, or a grammar as a whole.
pub(super) enum Served {
    Linked(Arc<LinkedTools>),
    Whole(Arc<Whole>, Arc<LazyVocabulary>),
}

pub(super) fn refused(why: &str) -> Error {
    Diagnostic::error(Code::Build, format!("the request has no grammar: {why}")).into()
}

/// What a request is answered with: a clone counts a reference.
#[derive(Clone)]
pub struct Handle {
    served: Arc<Served>,
    depth: usize,
}

impl Handle {
    pub(super) fn new(served: Served, depth: usize) -> Self {
        Handle {
            served: Arc::new(served),
            depth,
        }
    }

    /// Whether everything has been compiled, so that no matcher has to wait.
    pub fn is_ready(&self) -> bool {
        match &*self.served {
            Served::Linked(tools) => tools.is_ready(),
            Served::Whole(whole, _) => whole.ready().is_some(),
        }
    }

    /// Compiles here what the registry's threads have not begun, and waits for the rest.
    ///
    /// # Errors
    /// If something is refused: a schema of a tool, or a grammar.
    pub fn wait(&self) -> Result<(), Error> {
        match &*self.served {
            Served::Linked(tools) => tools.compile(1).map_err(of_link),
            Served::Whole(whole, _) => whole.get().as_ref().map(drop).map_err(Clone::clone),
        }
    }

    /// The linked tools, if the request has tools that can be linked.
    pub fn linked(&self) -> Option<&Arc<LinkedTools>> {
        match &*self.served {
            Served::Linked(tools) => Some(tools),
            Served::Whole(..) => None,
        }
    }

    /// A matcher at the beginning of a text. It is there as soon as the request has been read: linked tools are not waited for, and a grammar that has no tables yet is followed
    /// [in the first tier](crate::lazy) until they come. Only a grammar that the first tier does not follow is waited for.
    ///
    /// # Errors
    /// If the grammar is refused, or the shortest text needs more frames than the registry gives.
    pub fn matcher(&self) -> Result<ServedMatcher, Error> {
        let of_matcher = |error: MatcherError| refused(&error.to_string());
        match &*self.served {
            Served::Linked(tools) => {
                let matcher = OwnedLinkedMatcher::new(tools.clone()).map_err(of_matcher)?;
                Ok(ServedMatcher::Linked(matcher))
            }
            Served::Whole(whole, vocabulary) => {
                if whole.ready().is_none()
                    && let Some(first) = whole.first_tier(vocabulary)?
                {
                    let matcher = TieredMatcher::new(first, whole.clone(), self.depth);
                    return Ok(ServedMatcher::Tiered(matcher));
                }
                let grammar = whole.get().as_ref().map_err(Clone::clone)?;
                let matcher = OwnedMatcher::new(grammar, self.depth).map_err(of_matcher)?;
                Ok(ServedMatcher::Whole(matcher))
            }
        }
    }
}

fn of_link(error: NotLinked) -> Error {
    match error {
        NotLinked::Refused(error) => *error,
        other => refused(&other.to_string()),
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
    Linked(OwnedLinkedMatcher<LinkedTools>),
    /// Of a grammar whose tables were there.
    Whole(OwnedMatcher),
    /// Of a grammar whose tables were not there yet.
    Tiered(TieredMatcher),
}

impl ServedMatcher {
    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here. The matcher is then as it was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        match self {
            ServedMatcher::Linked(matcher) => {
                matcher.accept_token(id)?;
                matcher.parts().hurry(matcher.place());
                Ok(())
            }
            ServedMatcher::Whole(matcher) => matcher.accept_token(id),
            ServedMatcher::Tiered(matcher) => matcher.accept_token(id),
        }
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// If they are not allowed here. The matcher is then as it was.
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        match self {
            ServedMatcher::Linked(matcher) => {
                matcher.accept_bytes(bytes)?;
                matcher.parts().hurry(matcher.place());
                Ok(())
            }
            ServedMatcher::Whole(matcher) => matcher.accept_bytes(bytes),
            ServedMatcher::Tiered(matcher) => matcher.accept_bytes(bytes),
        }
    }

    /// Takes the tokens of a draft up to the first that is refused; returns how many.
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        match self {
            ServedMatcher::Linked(matcher) => {
                let taken = matcher.accept_draft(draft);
                matcher.parts().hurry(matcher.place());
                taken
            }
            ServedMatcher::Whole(matcher) => matcher.accept_draft(draft),
            ServedMatcher::Tiered(matcher) => matcher.accept_draft(draft),
        }
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
    /// As for [`TieredMatcher::fill`].
    pub fn fill(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        match self {
            ServedMatcher::Linked(matcher) => Ok(matcher.mask().fill(row)?),
            ServedMatcher::Whole(matcher) => Ok(matcher.with_mask(|mask| mask.fill(row))?),
            ServedMatcher::Tiered(matcher) => matcher.fill(row),
        }
    }

    /// The row of a pool that holds the mask.
    ///
    /// # Errors
    /// As for [`TieredMatcher::row_of`].
    pub fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, MaskError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        match self {
            ServedMatcher::Linked(matcher) => Ok(pool.row_of_linked(matcher.mask())?),
            ServedMatcher::Whole(matcher) => Ok(matcher.with_mask(|mask| pool.row_of_mask(mask))?),
            ServedMatcher::Tiered(matcher) => matcher.row_of(pool),
        }
    }

    /// Writes the bytes that must come next, as far as the buffer goes; returns how many.
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        match self {
            ServedMatcher::Linked(matcher) => matcher.forced_bytes(buffer),
            ServedMatcher::Whole(matcher) => matcher.forced_bytes(buffer),
            ServedMatcher::Tiered(matcher) => matcher.forced_bytes(buffer),
        }
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        match self {
            ServedMatcher::Linked(matcher) => matcher.is_complete(),
            ServedMatcher::Whole(matcher) => matcher.is_complete(),
            ServedMatcher::Tiered(matcher) => matcher.is_complete(),
        }
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        match self {
            ServedMatcher::Linked(matcher) => matcher.is_finished(),
            ServedMatcher::Whole(matcher) => matcher.is_finished(),
            ServedMatcher::Tiered(matcher) => matcher.is_finished(),
        }
    }
}
