//! Matchers of linked tools that go over to the whole grammar.
//!
//! In: linked tools, whose pieces may still be to be compiled. Out: [`FallbackMatcher`]. What holds: if a piece turns out to be refused, to be no part, or to need more frames than there are, no mask is handed
//! out that was found without it; the matcher has kept its text, which the whole grammar takes again.

use std::fmt;
use std::sync::{Arc, OnceLock};

use maskwright_core::{AcceptError, OwnedLinkedMatcher, RollbackError};

use super::whole::Whole;
use super::wholes::{WholeMatcher, Wholes};
use crate::error::Error;
use crate::lazy::Taken;
use crate::link::LinkedTools;
use crate::syntax::GrammarText;

/// The grammar of linked tools as a whole, which is read when it is first needed.
pub(super) struct Fallback {
    wholes: Arc<Wholes>,
    request: GrammarText,
    whole: OnceLock<Arc<Whole>>,
}

impl Fallback {
    pub(super) fn new(wholes: &Arc<Wholes>, request: &GrammarText) -> Self {
        Fallback {
            wholes: wholes.clone(),
            request: request.clone(),
            whole: OnceLock::new(),
        }
    }

    /// The grammar, if somebody has needed it.
    pub(super) fn needed(&self) -> Option<&Arc<Whole>> {
        self.whole.get()
    }

    /// The grammar. The registry's threads compile it from now on.
    ///
    /// # Errors
    /// If the request cannot be read any more.
    pub(super) fn whole(&self) -> Result<&Arc<Whole>, Error> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let whole = self.wholes.get(&self.request)?;
        Ok(self.whole.get_or_init(|| whole))
    }

    /// A matcher of the whole grammar that has taken a text.
    ///
    /// # Errors
    /// If the grammar is refused, or does not take the text.
    pub(super) fn matcher(&self, taken: &[Taken]) -> Result<WholeMatcher, Error> {
        self.wholes.matcher_after(self.whole()?, taken)
    }
}

/// A matcher of linked tools, which keeps its text.
#[derive(Clone)]
pub struct FallbackMatcher {
    matcher: OwnedLinkedMatcher<LinkedTools>,
    taken: Vec<Taken>,
    fallback: Arc<Fallback>,
}

impl FallbackMatcher {
    pub(super) fn new(matcher: OwnedLinkedMatcher<LinkedTools>, fallback: &Arc<Fallback>) -> Self {
        FallbackMatcher {
            matcher,
            taken: Vec::new(),
            fallback: fallback.clone(),
        }
    }

    /// The matcher of the linked tools.
    pub fn linked(&self) -> &OwnedLinkedMatcher<LinkedTools> {
        &self.matcher
    }

    pub(super) fn linked_mut(&mut self) -> &mut OwnedLinkedMatcher<LinkedTools> {
        &mut self.matcher
    }

    /// Whether the linked tools cannot stand for the whole any more: what was found out last is not to be used either.
    pub(super) fn has_failed(&self) -> bool {
        self.matcher.parts().has_failed()
    }

    /// A matcher of the whole grammar where this one stands.
    ///
    /// # Errors
    /// If the grammar is refused.
    pub(super) fn go_over(&self) -> Result<WholeMatcher, Error> {
        self.fallback.matcher(&self.taken)
    }

    /// Takes something. `None` if the linked tools have failed: the matcher is then as it was.
    pub(super) fn accept(
        &mut self,
        by: impl FnOnce(&mut OwnedLinkedMatcher<LinkedTools>) -> Result<(), AcceptError>,
        what: impl FnOnce() -> Taken,
    ) -> Option<Result<(), AcceptError>> {
        let result = by(&mut self.matcher);
        if self.has_failed() {
            if result.is_ok() {
                // The state before has been kept a moment ago.
                let _ = self.matcher.rollback(1);
            }
            return None;
        }
        if result.is_ok() {
            self.taken.push(what());
            self.matcher.parts().hurry(self.matcher.place());
        }
        Some(result)
    }

    pub(super) fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        self.matcher.rollback(tokens)?;
        let left = self.taken.len().saturating_sub(tokens);
        self.taken.truncate(left);
        Ok(())
    }
}

impl fmt::Debug for FallbackMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.matcher.fmt(f)
    }
}
