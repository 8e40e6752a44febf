//! Matchers of linked tools that can be used before the pieces are compiled.
//!
//! In: linked tools, some of whose pieces may not be compiled yet. Out: [`FallbackMatcher`]. What
//! holds: decoding does not wait for a piece that the first tier can follow. If a piece turns out
//! to be refused, not linkable, or too deep, no mask that was made without it is returned. The
//! matcher has kept its text, and replays it: without the tools that are refused, or else in the
//! whole grammar.
//!
//! A matcher follows its text in the linked tables as far as they exist. Where the text needs a
//! piece that is not compiled, the matcher continues in the [first tier](super::first), and returns
//! to the tables between two tokens.

mod narrowed;

use std::fmt;
use std::sync::{Arc, OnceLock};

use maskwright_core::{
    AcceptError, MaskPool, OwnedMatcher, Parts, PoolSlot, PooledRow, RollbackError,
};

use super::first::{First, Tier, known};
use super::whole::LentWhole;
use super::wholes::{WholeMatcher, Wholes};
use crate::error::Error;
use crate::lazy::{Beyond, LazyMatcher, LazyVocabulary, MaskError, Taken, write_mask};
use crate::limits::Limits;
use crate::link::{LinkTarget, LinkedTools, NotLinked, ReadyParts};
use crate::syntax::GrammarText;
pub(super) use narrowed::Narrowed;

/// The grammar of linked tools as a whole, which is read when it is first needed.
pub(super) struct Fallback {
    wholes: Arc<Wholes>,
    /// What the tools are linked for.
    target: Arc<LinkTarget>,
    request: GrammarText,
    whole: OnceLock<Arc<LentWhole>>,
}

impl Fallback {
    pub(super) fn new(
        wholes: &Arc<Wholes>,
        target: &Arc<LinkTarget>,
        request: &GrammarText,
    ) -> Self {
        Fallback {
            wholes: wholes.clone(),
            target: target.clone(),
            request: request.clone(),
            whole: OnceLock::new(),
        }
    }

    /// The grammar, if somebody has needed it.
    pub(super) fn needed(&self) -> Option<&Arc<LentWhole>> {
        self.whole.get()
    }

    /// What makes whole grammars.
    pub(super) fn wholes(&self) -> &Arc<Wholes> {
        &self.wholes
    }

    /// The grammar, now that these tools cannot stand for it. The registry's threads compile it
    /// from now on. If the tables of a tool are refused, then so are those of the whole, which has
    /// more of everything: they are not compiled.
    ///
    /// # Errors
    /// If the request cannot be read any more.
    pub(super) fn whole(&self, tools: &LinkedTools) -> Result<&Arc<LentWhole>, Error> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let whole = self.wholes.begin(&self.request)?;
        if let Err(NotLinked::Refused(error)) = tools.check()
            && error.is_of_tables()
        {
            whole.whole().refuse(*error);
        }
        Ok(self.whole.get_or_init(|| whole))
    }

    /// What the first tier knows of the vocabulary.
    fn vocabulary(&self) -> &Arc<LazyVocabulary> {
        &self.wholes.lazy
    }

    /// A matcher of the whole grammar that has taken a text.
    ///
    /// # Errors
    /// If the grammar is refused, or does not take the text.
    pub(super) fn matcher(
        &self,
        tools: &LinkedTools,
        taken: &[Taken],
    ) -> Result<WholeMatcher, Error> {
        self.wholes.matcher_after(self.whole(tools)?, taken)
    }
}

/// Why neither linked tables nor the first tier follow a text.
#[derive(Clone)]
enum Lost {
    /// The whole grammar does.
    ToWhole,
    /// The time of the step is over. Others may have more.
    OutOfTime(Box<Error>),
}

/// A matcher of linked tools, which keeps its text.
#[derive(Clone)]
pub(super) struct FallbackMatcher {
    /// Stands at the end of the text, or before its last tokens if the first tier follows those.
    matcher: OwnedMatcher<Arc<ReadyParts>>,
    first: Option<First>,
    taken: Vec<Taken>,
    /// Why neither linked tables nor the first tier follow the text, and whether it was complete
    /// and finished then.
    lost: Option<(Lost, [bool; 2])>,
    fallback: Arc<Fallback>,
}

impl FallbackMatcher {
    pub(super) fn new(matcher: OwnedMatcher<Arc<ReadyParts>>, fallback: &Arc<Fallback>) -> Self {
        FallbackMatcher {
            matcher,
            first: None,
            taken: Vec::new(),
            lost: None,
            fallback: fallback.clone(),
        }
    }

    /// Whether the text is followed in linked tables: it has not come to a piece that is not
    /// compiled yet.
    pub(super) fn has_tables(&self) -> bool {
        self.first.is_none()
    }

    /// The text.
    pub(super) fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// The hash of the vocabulary.
    pub(super) fn vocabulary_hash(&self) -> u64 {
        self.fallback.vocabulary().prepared().vocabulary_hash()
    }

    #[inline]
    fn tools(&self) -> &Arc<LinkedTools> {
        self.matcher.grammar().tools()
    }

    /// Whether the linked tools cannot stand for the whole any more: what was found out last is not
    /// to be used either.
    #[inline]
    pub(super) fn has_failed(&self) -> bool {
        self.lost.is_some() || self.tools().has_failed()
    }

    /// A matcher of the whole grammar where this one stands.
    ///
    /// # Errors
    /// If the grammar is refused, or the time of a step was over.
    pub(super) fn whole_matcher(&self) -> Result<WholeMatcher, Error> {
        match &self.lost {
            Some((Lost::OutOfTime(error), _)) => Err(Error::clone(error)),
            Some((Lost::ToWhole, _)) | None => self.fallback.matcher(self.tools(), &self.taken),
        }
    }

    /// What `look` makes of linked tables, if the text is followed in them and they have all that
    /// is needed: the usual case, which costs nothing besides.
    #[inline]
    fn in_tables<R>(
        &mut self,
        look: impl FnOnce(&mut OwnedMatcher<Arc<ReadyParts>>) -> R,
    ) -> Option<R> {
        match self.first {
            None => known(&mut self.matcher, look).ok(),
            Some(_) => None,
        }
    }

    /// What `by` makes of the tier that follows the text. Where `by` needs a piece that this tier
    /// does not have, it is asked again. `None` if the linked tools have failed: the matcher is
    /// then as it was.
    #[cold]
    fn with<R>(&mut self, mut by: impl FnMut(Tier<'_>) -> Result<R, Beyond>) -> Option<R> {
        self.come_back();
        loop {
            let done = match &mut self.first {
                None => by(Tier::Linked(&mut self.matcher)),
                Some(first) => by(Tier::First(&mut first.matcher)),
            };
            match done {
                Ok(done) => return Some(done),
                Err(Beyond) => self.go_on()?,
            }
        }
    }

    /// The same where `by` makes a mask, which is counted if it comes from the first tier.
    fn mask<R>(&mut self, by: impl FnMut(Tier<'_>) -> Result<R, Beyond>) -> Option<R> {
        let mask = self.with(by)?;
        if self.first.is_some()
            && let Some(piece) = self.tools().pieces().first()
        {
            piece.compiles().first_tier_mask();
        }
        Some(mask)
    }

    /// Goes on in the first tier with one more piece, or compiles what is needed if the first tier
    /// does not follow, both within the time of one request. `None` if neither can be done.
    fn go_on(&mut self) -> Option<()> {
        let tools = self.tools().clone();
        let limits = tools.limits().begun();
        let ends = [self.is_complete(), self.is_finished()];
        let (mut needed, missing, behind) = match self.first.take() {
            None => (Vec::new(), Some(self.matcher.grammar().missed()), 0),
            Some(first) => {
                let missing = first.missing();
                (first.needed, missing, first.behind)
            }
        };
        if let Some(piece) = missing {
            needed.push(piece);
            let vocabulary = self.fallback.vocabulary();
            self.first = First::new(&tools, vocabulary, (needed.clone(), &self.taken), &limits);
            if let Some(first) = &mut self.first {
                first.behind = behind;
                return Some(());
            }
        }
        let left = self.taken.len() - behind;
        let followed = compile(&tools, &needed, &limits).and_then(|()| self.follow(left, &limits));
        self.lost = followed.err().map(|lost| (lost, ends));
        self.lost.is_none().then_some(())
    }

    /// Takes the text from this token on in linked tables, and compiles what it needs.
    ///
    /// # Errors
    /// If it needs more frames than there are, something is refused, or the time is over.
    fn follow(&mut self, from: usize, limits: &Limits) -> Result<(), Lost> {
        for taken in self.taken.get(from..).ok_or(Lost::ToWhole)? {
            loop {
                match Tier::Linked(&mut self.matcher).take(taken) {
                    Ok(result) => break result.map_err(|_| Lost::ToWhole)?,
                    Err(Beyond) => {
                        let parts = self.matcher.grammar();
                        compile(parts.tools(), &[parts.missed()], limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes back to linked tables if all that the text needs is there.
    fn come_back(&mut self) {
        let Some(first) = &mut self.first else { return };
        if first.stays || !first.is_ready(self.matcher.grammar().tools()) {
            return;
        }
        while let Some(at) =
            (self.taken.len().checked_sub(first.behind)).filter(|_| first.behind > 0)
        {
            let Some(taken) = self.taken.get(at) else {
                return;
            };
            match Tier::Linked(&mut self.matcher).take(taken) {
                Ok(Ok(())) => first.behind -= 1,
                // It is nested deeper than matchers of tables go.
                Ok(Err(_)) => return first.stays = true,
                Err(Beyond) => return first.needed.push(self.matcher.grammar().missed()),
            }
        }
        self.first = None;
    }

    /// Takes something. `None` if the linked tools have failed: the matcher is then as it was.
    #[inline]
    pub(super) fn accept(&mut self, what: Taken) -> Option<Result<(), AcceptError>> {
        let result = match &self.first {
            None => Tier::Linked(&mut self.matcher).take(&what).ok(),
            Some(_) => None,
        };
        let result = match result {
            Some(result) => result,
            None => self.with(|mut tier| tier.take(&what))?,
        };
        if self.has_failed() {
            if result.is_ok() {
                // The state before has been kept a moment ago.
                let _ = match &mut self.first {
                    None => self.matcher.rollback(1),
                    Some(first) => first.matcher.rollback(1),
                };
            }
            return None;
        }
        if result.is_ok() {
            self.taken.push(what);
            match &mut self.first {
                None => self.tools().hurry(self.matcher.place()),
                Some(first) => first.behind += 1,
            }
        }
        Some(result)
    }

    pub(super) fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        match &mut self.first {
            None => self.matcher.rollback(tokens)?,
            Some(first) => {
                first.matcher.rollback(tokens)?;
                let further = tokens.saturating_sub(first.behind);
                self.matcher.rollback(further)?;
                first.behind -= tokens - further;
            }
        }
        let left = self.taken.len().saturating_sub(tokens);
        self.taken.truncate(left);
        Ok(())
    }

    /// Writes the mask. `None` if the linked tools have failed, as for all that follow.
    #[inline]
    pub(super) fn fill(&mut self, row: &mut [u32]) -> Option<Result<(), MaskError>> {
        let filled = match self.in_tables(|matcher| matcher.mask().fill(row)) {
            Some(filled) => filled.map_err(MaskError::from),
            None => self.mask(|tier| match tier {
                Tier::Linked(matcher) => known(matcher, |matcher| Ok(matcher.mask().fill(row)?)),
                Tier::First(matcher) => {
                    let mask = matcher.mask()?;
                    Ok(write_mask(&mask, row).map_err(MaskError::from))
                }
            })?,
        };
        (!self.has_failed()).then_some(filled)
    }

    /// The row of a pool that holds the mask.
    #[inline]
    pub(super) fn row_of<W, S>(
        &mut self,
        pool: &mut MaskPool<W, S>,
    ) -> Option<Result<PooledRow, MaskError>>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        let row = match self.in_tables(|matcher| pool.row_of_mask(matcher.mask())) {
            Some(row) => row.map_err(MaskError::from),
            None => self.mask(|tier| match tier {
                Tier::Linked(matcher) => {
                    known(matcher, |matcher| Ok(pool.row_of_mask(matcher.mask())?))
                }
                Tier::First(matcher) => {
                    let mask = matcher.mask()?;
                    Ok(pool.row_of_words(&mask).map_err(MaskError::from))
                }
            })?,
        };
        (!self.has_failed()).then_some(row)
    }

    /// Writes the bytes that must come next.
    pub(super) fn forced_bytes(&mut self, buffer: &mut [u8]) -> Option<usize> {
        let linked = OwnedMatcher::<Arc<ReadyParts>>::forced_bytes;
        self.forced(buffer, linked, LazyMatcher::forced_bytes)
    }

    /// Writes the tokens that must come next, each as the only one of its mask.
    pub(super) fn forced_tokens(&mut self, buffer: &mut [u32]) -> Option<usize> {
        let linked = OwnedMatcher::<Arc<ReadyParts>>::forced_tokens;
        self.forced(buffer, linked, LazyMatcher::forced_tokens)
    }

    /// Writes what must come next, by the tier that follows the text.
    fn forced<T>(
        &mut self,
        buffer: &mut [T],
        linked: fn(&OwnedMatcher<Arc<ReadyParts>>, &mut [T]) -> usize,
        first: fn(&mut LazyMatcher, &mut [T]) -> usize,
    ) -> Option<usize> {
        let forced = match self.in_tables(|matcher| linked(matcher, buffer)) {
            Some(forced) => forced,
            None => self.with(|tier| match tier {
                Tier::Linked(matcher) => known(matcher, |matcher| linked(matcher, buffer)),
                Tier::First(matcher) => {
                    let forced = first(matcher, buffer);
                    match matcher.needed() {
                        Some(_) => Err(Beyond),
                        None => Ok(forced),
                    }
                }
            })?,
        };
        (!self.has_failed()).then_some(forced)
    }

    pub(super) fn is_complete(&self) -> bool {
        match (&self.lost, &self.first) {
            (Some((_, [is_complete, _])), _) => *is_complete,
            (None, None) => self.matcher.is_complete(),
            (None, Some(first)) => first.matcher.is_complete(),
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        match (&self.lost, &self.first) {
            (Some((_, [_, is_finished])), _) => *is_finished,
            (None, None) => self.matcher.is_finished(),
            (None, Some(first)) => first.matcher.is_finished(),
        }
    }
}

/// Compiles pieces here and now, within the time of the request that has begun with these limits.
///
/// # Errors
/// If one cannot be used, which [`LinkedTools::has_failed`] then tells; if the time is over.
fn compile(tools: &LinkedTools, pieces: &[u32], limits: &Limits) -> Result<(), Lost> {
    for &piece in pieces {
        if let Err(late) = tools.compile_piece(piece, limits) {
            return Err(Lost::OutOfTime(late));
        }
        tools.piece(piece).ok_or(Lost::ToWhole)?;
    }
    Ok(())
}

impl fmt::Debug for FallbackMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FallbackMatcher")
            .field("linked", &self.matcher)
            .field("first", &self.first)
            .finish_non_exhaustive()
    }
}
