//! From the first tier to the tables.
//!
//! In: a grammar, and tables that another thread compiles. Out: [`TieredMatcher`], which can be
//! used before there are tables. What holds: once there are tables, it goes over to their matcher
//! between two tokens, which takes the text again. Masks before and after are equal.

use std::fmt;
use std::sync::Arc;

use maskwright_core::{
    AcceptError, BufferTooSmall, MaskPool, MatcherError, OwnedGrammar, OwnedMatcher, PoolSlot,
    PooledRow, RollbackError, StateError,
};

use super::mask_error::MaskError;
use super::state::{self, Taken};
use super::{AcceptFailure, GaveUp, LazyMatcher, OrRefused};
use crate::error::Error;

/// Tables that are compiled elsewhere.
pub trait Tables: Send + Sync {
    /// The tables, or why there are none; `None` while that is not known.
    fn ready(&self) -> Option<&Result<OwnedGrammar, Error>>;

    /// Waits for the tables.
    ///
    /// # Errors
    /// Why there are none; or that they did not come in the time that one caller waits.
    fn wait(&self) -> Result<&OwnedGrammar, Error>;
}

/// A matcher that begins in the first tier, and goes over to the tables when they are there.
///
/// Only tables have a depth: stacks of the first tier grow as they need to. A text that nests
/// deeper than `depth` when the tables come stays in the first tier. So does a text whose tables
/// are refused.
#[derive(Clone)]
pub(crate) struct TieredMatcher {
    tables: Arc<dyn Tables>,
    depth: usize,
    tier: Tier,
}

#[derive(Clone)]
enum Tier {
    First {
        matcher: Box<LazyMatcher>,
        /// The tokens and bytes that the tables' matcher has to take.
        taken: Vec<Taken>,
        /// Whether the tables have come and cannot be used for this text.
        stays: bool,
    },
    Tables(Box<OwnedMatcher>),
}

impl TieredMatcher {
    /// A matcher at the beginning of a text, in the first tier.
    pub fn new(matcher: LazyMatcher, tables: Arc<dyn Tables>, depth: usize) -> Self {
        TieredMatcher {
            tables,
            depth,
            tier: Tier::First {
                matcher: Box::new(matcher),
                taken: Vec::new(),
                stays: false,
            },
        }
    }

    /// The state as bytes: the text itself, or a state of the tables' matcher if the text has gone
    /// over to it (see [`OwnedMatcher::to_bytes`]).
    pub fn to_bytes(&self) -> Vec<u8> {
        match &self.tier {
            Tier::First { matcher, taken, .. } => state::write(matcher.vocabulary_hash(), taken),
            Tier::Tables(matcher) => matcher.to_bytes(),
        }
    }

    /// The matcher whose state [`to_bytes`](Self::to_bytes) wrote. `matcher` stands at the
    /// beginning of a text, and takes the text of the state again in the tier that it is in. If the
    /// state is one of the tables' matcher, this waits for the tables. The bytes are not trusted.
    ///
    /// # Errors
    /// If the bytes are no state, or one of another grammar or vocabulary, or the tables are
    /// refused.
    pub fn from_bytes(
        matcher: LazyMatcher,
        tables: Arc<dyn Tables>,
        depth: usize,
        bytes: &[u8],
    ) -> Result<Self, StateError> {
        if !state::is_text(bytes) {
            if !state::is_of_tables(bytes) {
                return Err(StateError::Foreign);
            }
            let grammar = tables.wait();
            let grammar = grammar.map_err(|_| StateError::OtherGrammar)?;
            let matcher = OwnedMatcher::from_bytes(bytes, grammar, depth)?;
            let tier = Tier::Tables(Box::new(matcher));
            return Ok(TieredMatcher {
                tables,
                depth,
                tier,
            });
        }
        let taken = state::read(matcher.vocabulary_hash(), bytes)?;
        match Self::after(matcher, &taken, tables.clone(), depth) {
            Ok(tiered) => Ok(tiered),
            Err(AcceptFailure::Refused(_)) => Err(StateError::OtherGrammar),
            Err(AcceptFailure::GaveUp) => {
                let grammar = tables.wait().map_err(|_| StateError::OtherGrammar)?;
                let matcher = follow(grammar, depth, &taken);
                let matcher = matcher.map_err(|_| StateError::OtherGrammar)?;
                let tier = Tier::Tables(Box::new(matcher));
                Ok(TieredMatcher {
                    tables,
                    depth,
                    tier,
                })
            }
        }
    }

    /// A matcher that has taken these.
    ///
    /// # Errors
    /// If the first tier does not follow them.
    pub(crate) fn after(
        mut matcher: LazyMatcher,
        taken: &[Taken],
        tables: Arc<dyn Tables>,
        depth: usize,
    ) -> Result<Self, AcceptFailure> {
        for taken in taken {
            taken.take_by(&mut matcher)?;
        }
        let tier = Tier::First {
            matcher: Box::new(matcher),
            taken: taken.to_vec(),
            stays: false,
        };
        Ok(TieredMatcher {
            tables,
            depth,
            tier,
        })
    }

    /// Whether masks come from tables.
    pub fn has_tables(&self) -> bool {
        matches!(self.tier, Tier::Tables(_))
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here, or the grammar is refused and the first tier does not follow the
    /// text. The matcher is then as it was.
    pub fn accept_token(&mut self, id: u32) -> Result<(), OrRefused<AcceptError>> {
        self.accept(
            |first| first.accept_token(id),
            |tables| tables.accept_token(id),
            || Taken::Token(id),
        )
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// As for [`accept_token`](Self::accept_token).
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), OrRefused<AcceptError>> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.accept(
            |first| first.accept_bytes(bytes),
            |tables| tables.accept_bytes(bytes),
            || Taken::Bytes(bytes.into()),
        )
    }

    fn accept(
        &mut self,
        by_first: impl FnOnce(&mut LazyMatcher) -> Result<(), AcceptFailure>,
        by_tables: impl FnOnce(&mut OwnedMatcher) -> Result<(), AcceptError>,
        what: impl FnOnce() -> Taken,
    ) -> Result<(), OrRefused<AcceptError>> {
        self.switch_to_tables();
        if let Tier::First { matcher, taken, .. } = &mut self.tier {
            match by_first(matcher) {
                Ok(()) => {
                    taken.push(what());
                    return Ok(());
                }
                Err(AcceptFailure::Refused(error)) => return Err(error.into()),
                // The text is more ambiguous than the first tier follows.
                Err(AcceptFailure::GaveUp) => self.wait().map_err(OrRefused::Refused)?,
            }
        }
        match &mut self.tier {
            Tier::Tables(matcher) => Ok(by_tables(matcher)?),
            Tier::First { .. } => Err(OrRefused::Refused(self.refused())),
        }
    }

    /// Goes back by so many tokens: the states before the last 256 are kept.
    ///
    /// # Errors
    /// If fewer are kept.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        match &mut self.tier {
            Tier::First { matcher, taken, .. } => {
                matcher.rollback(tokens)?;
                taken.truncate(taken.len().saturating_sub(tokens));
                Ok(())
            }
            Tier::Tables(matcher) => matcher.rollback(tokens),
        }
    }

    /// Writes the mask into the first words of a row, and zeros behind.
    ///
    /// # Errors
    /// If the row is too short; if the grammar is refused and the text has come to where the first
    /// tier does not follow.
    pub fn fill(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        if let Some(mask) = self.first_mask()? {
            return Ok(write_mask(&mask, row)?);
        }
        match &self.tier {
            Tier::Tables(matcher) => Ok(matcher.with_mask(|mask| mask.fill(row))?),
            Tier::First { .. } => Err(MaskError::Refused(self.refused())),
        }
    }

    /// The row of a pool that holds the mask. Rows are shared once there are tables.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill) and [`MaskPool::row_of`].
    pub fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, MaskError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        if let Some(mask) = self.first_mask()? {
            return Ok(pool.row_of_words(&mask)?);
        }
        match &self.tier {
            Tier::Tables(matcher) => Ok(matcher.with_mask(|mask| pool.row_of_mask(mask))?),
            Tier::First { .. } => Err(MaskError::Refused(self.refused())),
        }
    }

    /// The mask, if it comes from the first tier.
    fn first_mask(&mut self) -> Result<Option<Arc<[u32]>>, MaskError> {
        self.switch_to_tables();
        let Tier::First { matcher, .. } = &mut self.tier else {
            return Ok(None);
        };
        match matcher.mask() {
            Ok(mask) => Ok(Some(mask)),
            Err(GaveUp) => {
                self.wait().map_err(MaskError::Refused)?;
                Ok(None)
            }
        }
    }

    /// Writes the bytes that must come next, as far as the buffer goes; returns how many.
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        self.switch_to_tables();
        match &mut self.tier {
            Tier::First { matcher, .. } => matcher.forced_bytes(buffer),
            Tier::Tables(matcher) => matcher.forced_bytes(buffer),
        }
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as the buffer
    /// goes; returns how many. In the first tier they may be fewer, where it cannot follow.
    pub fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        self.switch_to_tables();
        match &mut self.tier {
            Tier::First { matcher, .. } => matcher.forced_tokens(buffer),
            Tier::Tables(matcher) => matcher.forced_tokens(buffer),
        }
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        match &self.tier {
            Tier::First { matcher, .. } => matcher.is_complete(),
            Tier::Tables(matcher) => matcher.is_complete(),
        }
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        match &self.tier {
            Tier::First { matcher, .. } => matcher.is_finished(),
            Tier::Tables(matcher) => matcher.is_finished(),
        }
    }

    /// Goes over to the tables if they are there.
    fn switch_to_tables(&mut self) {
        let Tier::First { taken, stays, .. } = &mut self.tier else {
            return;
        };
        if *stays {
            return;
        }
        let Some(tables) = self.tables.ready() else {
            return;
        };
        let matcher = tables.as_ref().ok();
        match matcher.and_then(|tables| follow(tables, self.depth, taken).ok()) {
            Some(matcher) => self.tier = Tier::Tables(Box::new(matcher)),
            None => *stays = true,
        }
    }

    /// Waits for the tables and goes over to them.
    fn wait(&mut self) -> Result<(), Box<Error>> {
        self.tables.wait().map_err(Box::new)?;
        if let Tier::First { stays, .. } = &mut self.tier {
            *stays = false;
        }
        self.switch_to_tables();
        match self.tier {
            Tier::Tables(_) => Ok(()),
            Tier::First { .. } => Err(self.refused()),
        }
    }

    /// Why the tables cannot be used.
    fn refused(&self) -> Box<Error> {
        let error = match self.tables.wait() {
            Err(error) => error,
            Ok(_) => super::too_ambiguous(),
        };
        Box::new(error)
    }
}

/// Takes the tokens of a draft one by one, up to the first that is not allowed; how many.
///
/// # Errors
/// If the grammar is refused and no token was taken. Where some were, the next call says so.
pub(crate) fn take_draft(
    draft: &[u32],
    mut take: impl FnMut(u32) -> Result<(), OrRefused<AcceptError>>,
) -> Result<usize, Error> {
    for (taken, &id) in draft.iter().enumerate() {
        match take(id) {
            Ok(()) => {}
            Err(OrRefused::Refused(error)) if taken == 0 => return Err(*error),
            Err(_) => return Ok(taken),
        }
    }
    Ok(draft.len())
}

/// Writes a mask into the first words of a row, and zeros behind.
///
/// # Errors
/// If the row is too short. Nothing is written then.
pub(crate) fn write_mask(mask: &[u32], row: &mut [u32]) -> Result<(), BufferTooSmall> {
    let (needed, found) = (mask.len(), row.len());
    let (words, rest) = row
        .split_at_mut_checked(needed)
        .ok_or(BufferTooSmall::new(needed, found))?;
    words.copy_from_slice(mask);
    rest.fill(0);
    Ok(())
}

/// A matcher that has taken a text.
pub(crate) fn follow(
    tables: &OwnedGrammar,
    depth: usize,
    taken: &[Taken],
) -> Result<OwnedMatcher, Option<MatcherError>> {
    let mut matcher = OwnedMatcher::new(tables, depth).map_err(Some)?;
    for taken in taken {
        taken.take_by(&mut matcher).map_err(|_| None)?;
    }
    Ok(matcher)
}

impl fmt::Debug for TieredMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TieredMatcher")
            .field("has_tables", &self.has_tables())
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
