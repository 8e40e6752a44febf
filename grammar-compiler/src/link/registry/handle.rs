//! The answer to a request.

use std::fmt;
use std::sync::Arc;

use maskwright_core::{AcceptError, OwnedMatcher, StateError};

use super::fallback::{Fallback, FallbackMatcher};
use super::refusal::refused;
use super::served::ServedMatcher;
use super::whole::LentWhole;
use super::wholes::Wholes;
use crate::error::Error;
use crate::lazy::{OrRefused, Tables, Taken, is_of_tables, is_text, read_text};
use crate::limits::Deadline;
use crate::link::{LinkedTools, NotLinked, ReadyParts};

/// What a look at the clock is told.
const DOING: &str = "following the text of a saved state";
/// Units of work for each token of such a text.
const UNITS_PER_TOKEN: usize = 64;

/// Tools that are linked, or a grammar as a whole.
pub(super) enum Served {
    /// Linked tools, and what is done if they turn out not to be parts.
    Linked(Arc<LinkedTools>, Arc<Fallback>),
    Whole(Arc<LentWhole>, Arc<Wholes>),
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
                true => match fallback.needed() {
                    Some(whole) => whole.ready().is_some(),
                    None => self.error().is_some(),
                },
            },
            Served::Whole(whole, _) => whole.ready().is_some(),
        }
    }

    /// Compiles here what the registry's threads have not begun, and waits for the rest. Tools that
    /// turn out not to be linkable are compiled as a whole. A grammar of which only the tables are
    /// refused, for a limit or for its stacks, is served by the [first tier](crate::lazy) and is no
    /// error.
    ///
    /// # Errors
    /// If something is refused: a schema of a tool, or a grammar.
    pub fn wait(&self) -> Result<(), Error> {
        let (whole, wholes) = match &*self.served {
            Served::Linked(tools, fallback) => match tools.compile(1) {
                Ok(()) => return Ok(()),
                Err(NotLinked::Refused(error)) if !error.is_of_tables() => return Err(*error),
                Err(_) => (fallback.whole(tools)?, fallback.wholes()),
            },
            Served::Whole(whole, wholes) => (whole, wholes),
        };
        wholes.wait(whole)
    }

    /// Why the request is refused, as far as that is known by now: nothing is waited for.
    pub fn error(&self) -> Option<Error> {
        let (whole, wholes) = match &*self.served {
            Served::Linked(tools, fallback) => match tools.check() {
                Err(NotLinked::Refused(error)) if !error.is_of_tables() => return Some(*error),
                Ok(()) | Err(_) => (fallback.needed()?, fallback.wholes()),
            },
            Served::Whole(whole, wholes) => (whole, wholes),
        };
        wholes.refusal(whole)
    }

    /// The linked tools, if the request has tools that can be linked.
    pub fn linked(&self) -> Option<&Arc<LinkedTools>> {
        match &*self.served {
            Served::Linked(tools, _) => Some(tools),
            Served::Whole(..) => None,
        }
    }

    /// A matcher at the beginning of a text. It is there as soon as the request has been read:
    /// linked tools are not waited for, and a grammar that has no tables yet is followed [in the
    /// first tier](crate::lazy) until they come. Only a grammar that the first tier does not follow
    /// is waited for.
    ///
    /// # Errors
    /// If the grammar is refused, or the shortest text needs more frames than the registry gives.
    pub fn matcher(&self) -> Result<ServedMatcher, Error> {
        match &*self.served {
            Served::Linked(tools, fallback) => {
                if tools.has_failed() {
                    return Ok(ServedMatcher::of_whole(fallback.matcher(tools, &[])?));
                }
                let matcher = OwnedMatcher::linked(Arc::new(ReadyParts::new(tools)));
                let matcher = matcher.map_err(|error| refused(&error.to_string()))?;
                let matcher = FallbackMatcher::new(matcher, fallback);
                Ok(ServedMatcher::of_linked(matcher))
            }
            Served::Whole(whole, wholes) => Ok(ServedMatcher::of_whole(wholes.matcher(whole)?)),
        }
    }

    /// The matcher whose state [`ServedMatcher::to_bytes`] wrote for this request, in this process
    /// or another one, with nothing to go back to but the text that is taken again. A state that is
    /// a text is followed as a new one is; for one of tables, this waits for the tables. The bytes
    /// are not trusted.
    ///
    /// # Errors
    /// If the bytes are no state, one of another vocabulary, or one that this request does not lead
    /// to; if the request is refused, or following the text takes longer than a request may.
    pub fn matcher_from_bytes(&self, bytes: &[u8]) -> Result<ServedMatcher, OrRefused<StateError>> {
        if is_text(bytes) {
            return self.follow(bytes);
        }
        if !is_of_tables(bytes) {
            return Err(OrRefused::Matcher(StateError::Foreign));
        }
        let (whole, wholes) = self.whole().map_err(refused_for)?;
        let grammar = whole.wait().map_err(refused_for)?;
        let matcher = OwnedMatcher::from_bytes(bytes, grammar, wholes.depth)?;
        Ok(ServedMatcher::of_tables(matcher))
    }

    /// The grammar of the request as a whole.
    ///
    /// # Errors
    /// If the request cannot be read any more.
    fn whole(&self) -> Result<(&Arc<LentWhole>, &Arc<Wholes>), Error> {
        Ok(match &*self.served {
            Served::Linked(tools, fallback) => (fallback.whole(tools)?, fallback.wholes()),
            Served::Whole(whole, wholes) => (whole, wholes),
        })
    }

    /// The matcher of a state that is a text.
    fn follow(&self, bytes: &[u8]) -> Result<ServedMatcher, OrRefused<StateError>> {
        let wholes = match &*self.served {
            Served::Linked(_, fallback) => fallback.wholes(),
            Served::Whole(_, wholes) => wholes,
        };
        let deadline = Deadline::start(&wholes.compiler.options().limits.begun());
        let vocabulary = wholes.lazy.prepared().vocabulary_hash();
        let taken = read_text(vocabulary, bytes)?;
        let mut matcher = self.matcher().map_err(refused_for)?;
        for step in &taken {
            match step.take_by(&mut matcher) {
                Ok(()) => {}
                // It came to this depth in the first tier, before there were tables.
                Err(OrRefused::Matcher(AcceptError::TooDeep)) => {
                    let (whole, wholes) = self.whole().map_err(refused_for)?;
                    let deep = wholes.matcher_after(whole, &taken);
                    return deep.map(ServedMatcher::of_whole).map_err(refused_for);
                }
                Err(OrRefused::Matcher(_)) => {
                    return Err(OrRefused::Matcher(StateError::OtherGrammar));
                }
                Err(OrRefused::Refused(error)) => return Err(OrRefused::Refused(error)),
            }
            let bytes = match step {
                Taken::Token(_) => 0,
                Taken::Bytes(bytes) => bytes.len(),
            };
            let in_time = deadline.ticks(UNITS_PER_TOKEN + bytes, DOING);
            in_time.map_err(|late| refused_for(late.into()))?;
        }
        Ok(matcher)
    }
}

/// Why there is no matcher of a state: its request is refused.
fn refused_for(error: Error) -> OrRefused<StateError> {
    OrRefused::Refused(Box::new(error))
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("is_linked", &self.linked().is_some())
            .field("is_ready", &self.is_ready())
            .finish()
    }
}
