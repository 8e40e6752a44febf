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

use maskwright_core::link::Parts;
use maskwright_core::{AcceptError, MaskPool, OwnedMatcher, PoolSlot, PooledRow, RollbackError};

use super::first::{First, Tier, known};
use super::whole::LentWhole;
use super::wholes::{WholeMatcher, Wholes};
use crate::error::Error;
use crate::lazy::{GaveUp, LazyMatcher, LazyVocabulary, MaskError, Taken, write_mask};
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
#[derive(Clone, Debug)]
enum Lost {
    /// The whole grammar does.
    ToWhole,
    /// The time of the step is over. Others may have more.
    OutOfTime(Box<Error>),
}

/// What follows a text.
#[derive(Clone, Debug)]
enum Standing {
    /// Linked tables.
    Tables,
    /// The first tier; the matcher of the linked tables stands before the last tokens.
    First(First),
    /// Nothing any more.
    Lost {
        why: Lost,
        /// Whether the text was complete then.
        is_complete: bool,
        /// Whether it had ended.
        is_finished: bool,
    },
}

/// A matcher of linked tools, which keeps its text.
#[derive(Clone)]
pub(super) struct FallbackMatcher {
    /// Stands at the end of the text, or before its last tokens if the first tier follows those.
    matcher: OwnedMatcher<Arc<ReadyParts>>,
    standing: Standing,
    taken: Vec<Taken>,
    fallback: Arc<Fallback>,
}

impl FallbackMatcher {
    pub(super) fn new(matcher: OwnedMatcher<Arc<ReadyParts>>, fallback: &Arc<Fallback>) -> Self {
        FallbackMatcher {
            matcher,
            standing: Standing::Tables,
            taken: Vec::new(),
            fallback: fallback.clone(),
        }
    }

    /// Whether the text is followed in linked tables: it has not come to a piece that is not
    /// compiled yet.
    pub(super) fn has_tables(&self) -> bool {
        matches!(self.standing, Standing::Tables)
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
        matches!(self.standing, Standing::Lost { .. }) || self.tools().has_failed()
    }

    /// A matcher of the whole grammar where this one stands.
    ///
    /// # Errors
    /// If the grammar is refused, or the time of a step was over.
    pub(super) fn whole_matcher(&self) -> Result<WholeMatcher, Error> {
        match self.late() {
            Some(error) => Err(error.clone()),
            None => self.fallback.matcher(self.tools(), &self.taken),
        }
    }

    /// The error of a step whose time was over.
    fn late(&self) -> Option<&Error> {
        match &self.standing {
            Standing::Lost {
                why: Lost::OutOfTime(error),
                ..
            } => Some(error),
            Standing::Tables | Standing::First(_) | Standing::Lost { .. } => None,
        }
    }

    /// What `look` makes of linked tables, if the text is followed in them and they have all that
    /// is needed: the usual case, which costs nothing besides.
    #[inline]
    fn in_tables<R>(
        &mut self,
        look: impl FnOnce(&mut OwnedMatcher<Arc<ReadyParts>>) -> R,
    ) -> Option<R> {
        match self.standing {
            Standing::Tables => known(&mut self.matcher, look).ok(),
            Standing::First(_) | Standing::Lost { .. } => None,
        }
    }

    /// What `by` makes of the tier that follows the text. Where `by` needs a piece that this tier
    /// does not have, it is asked again. `None` if the linked tools have failed: the matcher is
    /// then as it was.
    #[cold]
    fn with<R>(&mut self, mut by: impl FnMut(Tier<'_>) -> Result<R, GaveUp>) -> Option<R> {
        self.return_to_tables();
        loop {
            let done = match &mut self.standing {
                Standing::Tables => by(Tier::Linked(&mut self.matcher)),
                Standing::First(first) => by(Tier::First(&mut first.matcher)),
                Standing::Lost { .. } => return None,
            };
            match done {
                Ok(done) => return Some(done),
                Err(GaveUp) => self.fall_back()?,
            }
        }
    }

    /// The same where `by` makes a mask, which is counted if it comes from the first tier.
    fn mask<R>(&mut self, by: impl FnMut(Tier<'_>) -> Result<R, GaveUp>) -> Option<R> {
        let mask = self.with(by)?;
        if matches!(self.standing, Standing::First(_))
            && let Some(piece) = self.tools().pieces().first()
        {
            piece.compiles().first_tier_mask();
        }
        Some(mask)
    }

    /// Goes on in the first tier with one more piece, or compiles what is needed if the first tier
    /// does not follow, both within the time of one request. `None` if neither can be done.
    fn fall_back(&mut self) -> Option<()> {
        let tools = self.tools().clone();
        let limits = tools.limits().begun();
        let (is_complete, is_finished) = (self.is_complete(), self.is_finished());
        let standing = std::mem::replace(&mut self.standing, Standing::Tables);
        let (mut needed, missing, behind) = match standing {
            Standing::Tables => (Vec::new(), Some(self.matcher.grammar().missed()), 0),
            Standing::First(first) => {
                let missing = first.missing();
                (first.needed, missing, first.behind)
            }
            lost @ Standing::Lost { .. } => {
                self.standing = lost;
                return None;
            }
        };
        if let Some(piece) = missing {
            needed.push(piece);
            let vocabulary = self.fallback.vocabulary();
            let text = (needed.clone(), &self.taken[..]);
            if let Some(mut first) = First::new(&tools, vocabulary, text, &limits) {
                first.behind = behind;
                self.standing = Standing::First(first);
                return Some(());
            }
        }
        let left = self.taken.len() - behind;
        let followed = compile(&tools, &needed, &limits).and_then(|()| self.follow(left, &limits));
        let why = match followed {
            Ok(()) => return Some(()),
            Err(why) => why,
        };
        self.standing = Standing::Lost {
            why,
            is_complete,
            is_finished,
        };
        None
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
                    Err(GaveUp) => {
                        let parts = self.matcher.grammar();
                        compile(parts.tools(), &[parts.missed()], limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes back to linked tables if all that the text needs is there.
    fn return_to_tables(&mut self) {
        let Standing::First(first) = &mut self.standing else {
            return;
        };
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
                Err(GaveUp) => return first.needed.push(self.matcher.grammar().missed()),
            }
        }
        self.standing = Standing::Tables;
    }

    /// Takes something. `None` if the linked tools have failed: the matcher is then as it was.
    #[inline]
    pub(super) fn accept(&mut self, what: Taken) -> Option<Result<(), AcceptError>> {
        let result = match self.standing {
            Standing::Tables => Tier::Linked(&mut self.matcher).take(&what).ok(),
            Standing::First(_) | Standing::Lost { .. } => None,
        };
        let result = match result {
            Some(result) => result,
            None => self.with(|mut tier| tier.take(&what))?,
        };
        if self.has_failed() {
            if result.is_ok() {
                // The state before has been kept a moment ago.
                let _ = match &mut self.standing {
                    Standing::First(first) => first.matcher.rollback(1),
                    Standing::Tables | Standing::Lost { .. } => self.matcher.rollback(1),
                };
            }
            return None;
        }
        if result.is_ok() {
            self.taken.push(what);
            match &mut self.standing {
                Standing::First(first) => first.behind += 1,
                Standing::Tables | Standing::Lost { .. } => {
                    self.tools().prioritize(self.matcher.place());
                }
            }
        }
        Some(result)
    }

    pub(super) fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        match &mut self.standing {
            Standing::Tables | Standing::Lost { .. } => self.matcher.rollback(tokens)?,
            Standing::First(first) => {
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
                        Some(_) => Err(GaveUp),
                        None => Ok(forced),
                    }
                }
            })?,
        };
        (!self.has_failed()).then_some(forced)
    }

    pub(super) fn is_complete(&self) -> bool {
        match &self.standing {
            Standing::Tables => self.matcher.is_complete(),
            Standing::First(first) => first.matcher.is_complete(),
            Standing::Lost { is_complete, .. } => *is_complete,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        match &self.standing {
            Standing::Tables => self.matcher.is_finished(),
            Standing::First(first) => first.matcher.is_finished(),
            Standing::Lost { is_finished, .. } => *is_finished,
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
            .field("standing", &self.standing)
            .finish_non_exhaustive()
    }
}
