//! A text that goes on when a tool of its request turns out to be refused.
//!
//! In: a matcher of linked tools of which some are refused. Out: [`Narrowed`], a matcher of the
//! other tools that stands at the end of the same text. What holds: the refused tools can no longer
//! be called, and a text that is in the call of one of them ends with the refusal, which names the
//! tool.

use std::sync::Arc;

use maskwright_core::OwnedMatcher;

use super::super::refusal::refused;
use super::super::wholes::WholeMatcher;
use super::{Fallback, FallbackMatcher};
use crate::error::Error;
use crate::lazy::Taken;
use crate::link::{NotLinked, ReadyParts};
use crate::syntax::GrammarText;

/// A matcher of the tools that are not refused.
pub(in super::super) enum Narrowed {
    /// Of linked tools.
    Linked(FallbackMatcher),
    /// Of their grammar as a whole.
    Whole(WholeMatcher),
}

impl FallbackMatcher {
    /// The same text with the tools that have not been refused. `None` if none is refused, or no
    /// other tool can be called.
    ///
    /// # Errors
    /// The refusal, if the text is in a call of a tool that is refused.
    pub(in super::super) fn without_refused(&self) -> Option<Result<Narrowed, Error>> {
        if self.late().is_some() {
            return None;
        }
        let choice = self.tools().choice_without_refused()?;
        let request = self.fallback.request.clone();
        let request = request.map_tool_options(|options| options.choice(Some(choice)));
        let narrowed = self.fallback.narrowed(&request, &self.taken);
        Some(narrowed.map_err(|other| match self.tools().check() {
            Err(NotLinked::Refused(error)) => *error,
            Ok(()) | Err(_) => other,
        }))
    }
}

impl Fallback {
    /// A matcher of a request with fewer tools that has taken a text.
    ///
    /// # Errors
    /// If the text cannot be followed, or something is refused.
    fn narrowed(&self, request: &GrammarText, taken: &[Taken]) -> Result<Narrowed, Error> {
        let wholes = &self.wholes;
        let limits = wholes.compiler.options().limits.begun();
        let (source, options) = request.source_and_options(&limits)?;
        let linked = (self.target).link(&source, &options, &*wholes.store, wholes.depth);
        let linked = match linked {
            Ok(linked) => Arc::new(linked),
            Err(NotLinked::Refused(error)) if !error.is_of_tables() => return Err(*error),
            Err(_) => {
                let whole = wholes.get(request, &limits)?;
                return wholes.matcher_after(&whole, taken).map(Narrowed::Whole);
            }
        };
        let fallback = Arc::new(Fallback::new(wholes, &self.target, request));
        let matcher = OwnedMatcher::linked(Arc::new(ReadyParts::new(&linked)));
        let matcher = matcher.map_err(|error| refused(&error.to_string()))?;
        let mut matcher = FallbackMatcher::new(matcher, &fallback);
        for step in taken {
            match matcher.accept(step.clone()) {
                Some(accepted) => accepted.map_err(|error| refused(&error.to_string()))?,
                // Another tool has been refused meanwhile.
                None => {
                    matcher.taken = taken.to_vec();
                    return match matcher.without_refused() {
                        Some(narrowed) => narrowed,
                        None => matcher.whole_matcher().map(Narrowed::Whole),
                    };
                }
            }
        }
        Ok(Narrowed::Linked(matcher))
    }
}
