//! The linked parts of a request.
//!
//! In: the parts of a request. Out: [`LinkedTools`], from which matchers are made. What holds:
//! masks are those of the whole grammar, as long as no piece that was compiled has failed
//! ([`LinkedTools::has_failed`]).

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use maskwright_core::link::{LinkedMatcher, OwnedPart, Parts, Place};
use maskwright_core::{MatcherError, OwnedVocabulary, TablesId};

use super::NotLinked;
use super::base::BaseCell;
use super::cell::PartCell;
use super::composed::Composed;
use super::outer::OuterPart;
use super::part::PartVocabulary;
use super::slots::{HoleNames, RequestSlots};
use super::target::Lease;
use super::texts::Texts;
use crate::error::Error;
use crate::limits::{Deadline, Limits};
use crate::syntax::tools::{ToolCalls, ToolChoice};
use crate::threads::Threads;

/// The most bytes of schemas that are read when a request is linked, so that what is wrong with
/// them is known before the first mask.
const READ_AHEAD: usize = 16 << 10;
/// A text that may still have at most so many names is about to need their pieces.
const FEW: u32 = 4;

/// The tools or the tags of a request, ready for matchers: [`Parts`] that are kept in memory.
pub struct LinkedTools {
    pub(super) id: TablesId,
    pub(super) vocabulary: OwnedVocabulary,
    pub(super) tokens: Arc<PartVocabulary>,
    pub(super) depth: usize,
    pub(super) outer: Arc<OuterPart>,
    /// The base that pieces stand beside, if there is one. It is there once a piece has been
    /// compiled.
    pub(super) base: Arc<BaseCell>,
    pub(super) pieces: Vec<Arc<PartCell>>,
    /// The names of each hole.
    pub(super) holes: Vec<HoleNames>,
    pub(super) calls: Option<ToolCalls>,
    pub(super) slots: RequestSlots,
    /// What pieces are read from.
    pub(super) texts: Texts,
    /// The piece for which the pieces cannot stand for the whole, and why, once that is known.
    pub(super) failed: OnceLock<(u32, NotLinked)>,
    /// The failures that were counted when the pieces were looked at.
    pub(super) failures: AtomicU64,
    /// The use of the pieces and of the outer part, which ends after they are dropped here. That of
    /// the outer part ends last: more requests need it than a piece.
    pub(super) _leases: [Lease; 2],
}

impl LinkedTools {
    /// A matcher at the beginning of a text. `DEPTH` is the depth for which the tools were linked.
    ///
    /// # Errors
    /// If `DEPTH` is another one.
    pub fn matcher<const DEPTH: usize>(
        &self,
    ) -> Result<LinkedMatcher<'_, Self, DEPTH>, MatcherError> {
        LinkedMatcher::new(self)
    }

    /// Compiles all pieces that have not been, on at most so many threads, within the time of one
    /// request.
    ///
    /// # Errors
    /// The first piece that is refused, or cannot be a part; that the time is over.
    pub fn compile(&self, threads: usize) -> Result<(), NotLinked> {
        self.compile_within(threads, &self.limits().begun())
    }

    /// The same within the time of the request that has begun with these limits.
    pub(crate) fn compile_within(&self, threads: usize, limits: &Limits) -> Result<(), NotLinked> {
        let deadline = Deadline::start(limits);
        let mut all = Threads::up_to(threads);
        all.prepare(self.pieces.len());
        all.share(self.pieces.len(), threads, |share| {
            for at in share {
                // `check` finds the errors.
                drop(self.pieces[at].get_within(limits));
                if deadline.is_over() {
                    break;
                }
            }
        });
        self.check()?;
        let in_time = deadline.confirm("compiling the parts of the request");
        in_time.map_err(|limit| Error::from(limit).into())
    }

    /// Compiles a piece, unless it has been, within the time of the request that has begun with
    /// these limits.
    ///
    /// # Errors
    /// If the time is over and the piece is not there. What else is wrong with it is kept with the
    /// piece.
    pub(super) fn compile_piece(&self, piece: u32, limits: &Limits) -> Result<(), Box<Error>> {
        let Some(cell) = self.pieces.get(piece as usize) else {
            return Ok(());
        };
        match cell.get_within(limits) {
            Err(NotLinked::Refused(error)) if cell.ready().is_none() => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// What reading and compiling a piece may cost.
    pub(super) fn limits(&self) -> &Limits {
        self.texts.limits()
    }

    /// Whether the pieces that have been compiled fit.
    ///
    /// # Errors
    /// The first piece that is refused, cannot be a part, or needs more frames than there are.
    pub fn check(&self) -> Result<(), NotLinked> {
        match self.first_failure() {
            Some((piece, why)) => Err(self.own_refusal(piece, why)),
            None => Ok(()),
        }
    }

    /// The first piece that has been compiled and does not fit, and why.
    fn first_failure(&self) -> Option<(u32, NotLinked)> {
        if let Some(known) = self.failed.get() {
            return Some(known.clone());
        }
        let ready = (0..).zip(&self.pieces).filter(|of| of.1.ready().is_some());
        let mut failures = ready.filter_map(|(at, piece)| {
            let why = piece.for_depth(self.depth).err()?;
            Some((at, why))
        });
        failures.next()
    }

    /// The refusal of a piece in the words of this request: another request may have been the first
    /// to have it, and its text is not shown here.
    fn own_refusal(&self, piece: u32, why: NotLinked) -> NotLinked {
        match why {
            NotLinked::Refused(error) if error.sources().is_some() => {
                match self.texts.read(piece, &self.outer, &self.limits().begun()) {
                    Err(own) => own,
                    Ok(()) => self.texts.blame(piece, error.without_sources().into()),
                }
            }
            other => self.texts.blame(piece, other),
        }
    }

    /// Whether a piece of this request has been compiled and does not fit. Masks of the parts are
    /// no longer those of the whole then. This includes masks that were made since the last call,
    /// as the piece may have failed meanwhile.
    pub fn has_failed(&self) -> bool {
        if self.failed.get().is_some() {
            return true;
        }
        let failures = (self.pieces.first()).map_or(0, |piece| piece.compiles().unusable());
        if failures == self.failures.load(Ordering::Acquire) {
            return false;
        }
        match self.first_failure() {
            None => {
                self.failures.store(failures, Ordering::Release);
                false
            }
            Some(failure) => {
                let _ = self.failed.set(failure);
                true
            }
        }
    }

    /// Whether all pieces have been compiled.
    pub fn is_ready(&self) -> bool {
        self.pieces.iter().all(|piece| piece.ready().is_some())
    }

    /// The pieces, in the order of [`Names::piece`](maskwright_core::link::Names::piece).
    #[doc(hidden)]
    pub fn pieces(&self) -> &[Arc<PartCell>] {
        &self.pieces
    }

    /// If the text stands in a name and few names are left, asks for their pieces to be compiled
    /// before others. Does not wait.
    pub(super) fn prioritize(&self, place: Place) {
        let Place::Names {
            hole, read, first, ..
        } = place
        else {
            return;
        };
        let Some(names) = self.names(hole) else {
            return;
        };
        let prefix = names.name(first).get(..usize::from(read));
        let Some(prefix) = prefix.filter(|_| first < names.len()) else {
            return;
        };
        let is_left = |at: u32| at < names.len() && names.name(at).starts_with(prefix);
        if is_left(first + FEW) {
            return;
        }
        let left = (first..first + FEW).take_while(|&at| is_left(at));
        let pieces = left.filter_map(|at| self.pieces.get(names.piece(at)? as usize));
        pieces.for_each(PartCell::prioritize);
    }

    /// The outer part.
    #[doc(hidden)]
    #[inline]
    pub fn outer_part(&self) -> &OwnedPart {
        &self.outer.part
    }

    /// What a reader of outputs has to know, if the parts are those of tools.
    pub fn calls(&self) -> Option<&ToolCalls> {
        self.calls.as_ref()
    }

    /// A piece, if it has been compiled.
    pub(super) fn compiled(&self, piece: u32) -> Option<&OwnedPart> {
        self.pieces.get(piece as usize)?.ready()?.as_ref().ok()
    }

    /// The tokens that begin with the last byte of a name and go on in this piece behind it, if
    /// they are known. Then the piece can be used.
    pub(super) fn behind_name(&self, piece: u32, byte: u8) -> Option<&[u32]> {
        let known = self.pieces.get(piece as usize)?.behind_name()?;
        known.tokens(byte, self.depth)
    }

    /// Reads a piece within the time of the request that has begun with these limits, so that
    /// [`composed`](Self::composed) has its grammar.
    ///
    /// # Errors
    /// If it is refused, or cannot be a part.
    pub(super) fn read(&self, piece: u32, limits: &Limits) -> Result<(), NotLinked> {
        self.texts.read(piece, &self.outer, limits)
    }

    /// Reads pieces that nobody has compiled yet, as far as that is quick.
    ///
    /// # Errors
    /// If one is refused, or cannot be a part.
    pub(super) fn read_ahead(&self, limits: &Limits) -> Result<(), NotLinked> {
        let is_new = |at: usize| self.pieces[at].ready().is_none();
        self.texts
            .read_ahead(is_new, READ_AHEAD, &self.outer, limits)
    }

    /// The choice of the tools that have not been refused; `None` if none has been, or no other can
    /// be called. A tool of which only the tables are refused counts as one that has not: the first
    /// tier follows it.
    pub(super) fn choice_without_refused(&self) -> Option<ToolChoice> {
        let is_refused = |cell: &PartCell| {
            let why = cell.ready().and_then(|ready| ready.as_ref().err());
            matches!(why, Some(NotLinked::Refused(error)) if !error.is_of_tables())
        };
        let cells = (0..).zip(&self.pieces);
        let refused: Vec<u32> = cells
            .filter(|(_, cell)| is_refused(cell))
            .map(|(at, _)| at)
            .collect();
        let choice = self.texts.choice_without(&refused)?;
        (!refused.is_empty()).then_some(choice)
    }

    /// The grammar of the whole request. The pieces that nobody has read are unread in it. `None`
    /// if a name is not UTF-8, which cannot happen.
    pub(super) fn composed(&self) -> Option<Composed> {
        self.texts.composed(&self.outer, &self.holes)
    }

    /// A piece, compiled now if it has not been; `None` if it cannot be used, which
    /// [`has_failed`](Self::has_failed) then tells.
    #[inline]
    pub(super) fn usable(&self, piece: u32) -> Option<&OwnedPart> {
        let cell = self.pieces.get(piece as usize)?;
        match cell.ready() {
            Some(Ok(part)) if part.least_depth() <= self.depth => Some(part),
            _ => self.now_usable(piece, cell),
        }
    }

    #[cold]
    fn now_usable<'a>(&self, piece: u32, cell: &'a PartCell) -> Option<&'a OwnedPart> {
        match cell.for_depth(self.depth) {
            Ok(part) => Some(part),
            Err(why) => {
                if self.failed.set((piece, why)).is_ok() {
                    // Other requests may be given a row of a pool that has been found without this
                    // piece.
                    cell.fail();
                }
                None
            }
        }
    }
}

impl fmt::Debug for LinkedTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkedTools")
            .field("depth", &self.depth)
            .field("pieces", &self.pieces.len())
            .finish_non_exhaustive()
    }
}
