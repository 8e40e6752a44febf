//! Texts of linked tools in the first tier.
//!
//! In: a text that has reached a piece which is not compiled. Out: [`First`], which follows the
//! text by the grammar of the whole request. What holds: a piece's grammar is read only when a text
//! or a token enters the piece, so no step takes longer for a request with many tools.

use std::fmt;
use std::sync::Arc;

use maskwright_core::link::Parts;
use maskwright_core::{AcceptError, OwnedMatcher};

use crate::lazy::{AcceptFailure, GaveUp, LazyMatcher, LazyVocabulary, Taken};
use crate::limits::Limits;
use crate::link::composed::Composed;
use crate::link::{LinkedTools, ReadyParts};

/// A text in the first tier.
#[derive(Clone)]
pub(super) struct First {
    pub(super) matcher: Box<LazyMatcher>,
    composed: Arc<Composed>,
    /// The pieces that were needed and were not there.
    pub(super) needed: Vec<u32>,
    /// The last tokens of the text, which the linked tables' matcher has not taken.
    pub(super) behind: usize,
    /// All pieces are there, and their matcher does not take the text.
    pub(super) stays: bool,
}

impl First {
    /// The first tier at the end of a text. It reads the pieces that are `needed`, and those that
    /// the text needs besides, within the time of the request that has begun with these limits.
    /// `None` if the first tier does not follow.
    pub(super) fn new(
        tools: &LinkedTools,
        vocabulary: &Arc<LazyVocabulary>,
        (mut needed, text): (Vec<u32>, &[Taken]),
        limits: &Limits,
    ) -> Option<Self> {
        loop {
            for &piece in &needed {
                tools.read(piece, limits).ok()?;
                tools.pieces().get(piece as usize)?.prioritize();
            }
            let composed = tools.composed()?;
            let (grammar, unread) = (composed.grammar.clone(), composed.unread.clone());
            let matcher = LazyMatcher::with_unread(grammar, unread, vocabulary.clone()).ok()?;
            let mut first = First {
                matcher: Box::new(matcher),
                composed: Arc::new(composed),
                needed: Vec::new(),
                behind: 0,
                stays: false,
            };
            let mut takes = |taken: &Taken| taken.take_by(&mut *first.matcher).is_ok();
            if text.iter().all(&mut takes) {
                return Some(First { needed, ..first });
            }
            needed.push(first.missing()?);
        }
    }

    /// The piece that has not been read and that a text or a token went into.
    pub(super) fn missing(&self) -> Option<u32> {
        self.composed.piece(self.matcher.needed()?)
    }

    /// Whether all pieces that were needed are there.
    pub(super) fn is_ready(&self, tools: &LinkedTools) -> bool {
        let mut cells = self.needed.iter();
        cells.all(|&piece| {
            let cell = tools.pieces().get(piece as usize);
            cell.is_some_and(|cell| cell.ready().is_some())
        })
    }
}

/// What follows a text.
pub(super) enum Tier<'m> {
    Linked(&'m mut OwnedMatcher<Arc<ReadyParts>>),
    First(&'m mut LazyMatcher),
}

impl Tier<'_> {
    /// Takes something; the inner error says that it is not allowed.
    ///
    /// # Errors
    /// If a piece is needed that the tier does not have, or the first tier does not follow. The
    /// matcher is then as it was.
    pub(super) fn take(&mut self, what: &Taken) -> Result<Result<(), AcceptError>, GaveUp> {
        match self {
            Tier::Linked(matcher) => {
                let misses = matcher.grammar().misses();
                let result = what.take_by(*matcher);
                match result.is_ok() || misses == matcher.grammar().misses() {
                    true => Ok(result),
                    false => Err(GaveUp),
                }
            }
            Tier::First(matcher) => match what.take_by(*matcher) {
                Ok(()) => Ok(Ok(())),
                Err(AcceptFailure::Refused(error)) => Ok(Err(error)),
                Err(AcceptFailure::GaveUp) => Err(GaveUp),
            },
        }
    }
}

/// What `look` makes of a matcher of linked tables.
///
/// # Errors
/// If a piece is needed that is not there.
pub(super) fn known<R>(
    matcher: &mut OwnedMatcher<Arc<ReadyParts>>,
    look: impl FnOnce(&mut OwnedMatcher<Arc<ReadyParts>>) -> R,
) -> Result<R, GaveUp> {
    let misses = matcher.grammar().misses();
    let found = look(matcher);
    match misses == matcher.grammar().misses() {
        true => Ok(found),
        false => Err(GaveUp),
    }
}

impl fmt::Debug for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("First")
            .field("needed", &self.needed)
            .field("behind", &self.behind)
            .finish_non_exhaustive()
    }
}
