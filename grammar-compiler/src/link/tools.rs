//! The parts of a request, linked.
//!
//! In: the parts of a request. Out: [`LinkedTools`], from which matchers are made. What holds: masks are those of the whole grammar. The tokens that cross a boundary are found when a mask first needs
//! them, and kept.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use maskwright_core::{
    Crossing, LinkedMatcher, MatcherError, Names, OwnedPart, OwnedVocabulary, PartSets, PartView,
    Parts, Place, TablesId, Vocabulary,
};

use super::cell::PartCell;
use super::outer::OuterPart;
use super::slots::{Behind, Hole, Slot, into_names};
use super::tables::{self, LinkTables};
use super::texts::Texts;
use super::{BaseCell, NotLinked, PartVocabulary, crossings, known};
use crate::syntax::tools::ToolCalls;

/// A text that may still have at most so many names is about to need their pieces.
const FEW: u32 = 4;

/// The tools or the tags of a request, ready for matchers: [`Parts`] that are kept in memory.
pub struct LinkedTools {
    pub(super) id: TablesId,
    pub(super) vocabulary: OwnedVocabulary,
    pub(super) tokens: Arc<PartVocabulary>,
    pub(super) depth: usize,
    pub(super) outer: Arc<OuterPart>,
    /// The base that pieces stand beside, if there is one. It is there once a piece has been compiled.
    pub(super) base: Arc<BaseCell>,
    pub(super) pieces: Vec<Arc<PartCell>>,
    /// The names of each hole.
    pub(super) holes: Vec<Hole>,
    pub(super) calls: Option<ToolCalls>,
    pub(super) behind: Behind,
    /// What pieces are read from.
    pub(super) texts: Texts,
    /// Why the pieces cannot stand for the whole, once that is known.
    pub(super) failed: OnceLock<NotLinked>,
    /// The failures that were counted when the pieces were looked at.
    pub(super) failures: AtomicU64,
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

    /// Compiles all pieces that have not been; each thread takes the next one.
    ///
    /// # Errors
    /// The first piece that is refused, or cannot be a part.
    pub fn compile(&self, threads: usize) -> Result<(), NotLinked> {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(piece) = self.pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                let _ = piece.get();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.clamp(1, 64).min(self.pieces.len().max(1)) {
                scope.spawn(work);
            }
            work();
        });
        self.check()
    }

    /// Whether the pieces that have been compiled fit.
    ///
    /// # Errors
    /// The first piece that is refused, cannot be a part, or needs more frames than there are.
    pub fn check(&self) -> Result<(), NotLinked> {
        if let Some(known) = self.failed.get() {
            return Err(known.clone());
        }
        let mut ready = self.pieces.iter().filter(|piece| piece.ready().is_some());
        ready.try_for_each(|piece| piece.for_depth(self.depth).map(drop))
    }

    /// Whether a piece of this request has been compiled and does not fit. Masks of the parts are no longer those of the whole then. This includes masks that were made since the last call, as the
    /// piece may have failed meanwhile.
    pub fn has_failed(&self) -> bool {
        if self.failed.get().is_some() {
            return true;
        }
        let failures = (self.pieces.first()).map_or(0, |piece| piece.compiles().unusable());
        if failures == self.failures.load(Ordering::Acquire) {
            return false;
        }
        match self.check() {
            Ok(()) => {
                self.failures.store(failures, Ordering::Release);
                false
            }
            Err(why) => {
                let _ = self.failed.set(why);
                true
            }
        }
    }

    /// The parts as bytes, for a program that has them built in. Compiles the pieces that have not been, and finds all tokens that cross boundaries.
    ///
    /// # Errors
    /// If a piece is refused or cannot be linked.
    pub fn to_tables(&self) -> Result<LinkTables, NotLinked> {
        tables::tables(self)
    }

    /// Whether all pieces have been compiled.
    pub fn is_ready(&self) -> bool {
        self.pieces.iter().all(|piece| piece.ready().is_some())
    }

    /// The pieces, in the order of [`Names::piece`].
    #[doc(hidden)]
    pub fn pieces(&self) -> &[Arc<PartCell>] {
        &self.pieces
    }

    /// If the text stands in a name and few names are left, asks for their pieces to be compiled before others. Does not wait.
    pub(super) fn hurry(&self, place: Place) {
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
        pieces.for_each(PartCell::hurry);
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

    /// Finds the tokens that lead from the outer part into names, and from places within names at which many are left, so that no text waits there. Those that depend on a piece that has not been
    /// compiled are left out.
    pub(super) fn find_ahead(&self) {
        let find = |crossing: &Crossing, slot: &Slot| {
            if let Some(tokens) = self.known_tokens(Some(self), crossing) {
                let _ = slot.set(tokens);
            }
        };
        let from_outer = self.behind.outer.values();
        from_outer.for_each(|(crossing, slot)| find(crossing, slot));
        for &(hole, after) in &self.outer.exits {
            let places = self.names(hole).map(|names| crossings::crowded(&names));
            for place in places.into_iter().flatten() {
                let crossing = into_names(0, hole, place, after);
                if let Some(slot) = self.slot(&crossing) {
                    find(&crossing, slot);
                }
            }
        }
    }

    /// The tokens of a crossing, as far as they depend on the outer part and these tools, compiled as they are.
    fn known_tokens(&self, tools: Option<&Self>, crossing: &Crossing) -> Option<Box<[u32]>> {
        let tokens = (&self.vocabulary, &*self.tokens);
        known::tokens(&self.outer, tokens, tools, crossing)
    }

    /// The place of a state among those behind holes.
    fn state(&self, state: u32) -> Option<usize> {
        self.outer.states().binary_search(&state).ok()
    }

    /// A piece, if it has been compiled.
    pub(super) fn compiled(&self, piece: u32) -> Option<&OwnedPart> {
        self.pieces.get(piece as usize)?.ready()?.as_ref().ok()
    }

    /// The piece of a crossing that comes out of one, if it has been compiled.
    fn piece_of(&self, crossing: &Crossing) -> Option<(u32, &OwnedPart)> {
        let (Place::Outer, Some(piece)) = (crossing.place, crossing.piece) else {
            return None;
        };
        Some((piece, self.compiled(piece)?))
    }

    /// The tokens of a crossing that all requests with this outer part share.
    fn shared(&self, crossing: &Crossing) -> Option<&[u32]> {
        let (piece, part) = self.piece_of(crossing)?;
        let slots = self.behind.of_piece(piece, part, &self.outer)?;
        let state = self.state(crossing.state)?;
        let slot = slots.shared.get(state, crossing.ending)?;
        slot.get_or_init(|| self.known_tokens(None, crossing))
            .as_deref()
    }

    /// The slot of a crossing of this request; `None` if it is not one of these parts.
    fn slot(&self, crossing: &Crossing) -> Option<&Slot> {
        match crossing.place {
            Place::Outer => {
                let (piece, part) = self.piece_of(crossing)?;
                let slots = self.behind.of_piece(piece, part, &self.outer)?;
                let states = self.outer.states().len();
                let own = self.behind.own(slots, part, states);
                own.get(self.state(crossing.state)?, crossing.ending)
            }
            Place::Names { .. } if crossing.ending != 0 => {
                let (_, slot) = self.behind.outer.get(&crossing.key())?;
                Some(slot)
            }
            Place::Names {
                hole,
                read,
                first,
                after,
            } => {
                let hole = self.holes.get(usize::from(hole))?;
                hole.slot(self.state(after)?, first, read)
            }
            _ => None,
        }
    }
}

impl LinkedTools {
    /// A piece, compiled now if it has not been; `None` if it cannot be used, which [`has_failed`](Self::has_failed) then tells.
    #[inline]
    pub(super) fn usable(&self, piece: u32) -> Option<&OwnedPart> {
        let cell = self.pieces.get(piece as usize)?;
        match cell.ready() {
            Some(Ok(part)) if part.least_depth() <= self.depth => Some(part),
            _ => self.now_usable(cell),
        }
    }

    /// Calls `visit` with the tokens of a crossing in a range. `find` finds all of them, and says whether they are kept. Two threads that need them at the same time both find them.
    pub(super) fn crossing_by(
        &self,
        crossing: &Crossing,
        (from, to): (u32, u32),
        find: impl FnOnce() -> (Box<[u32]>, bool),
        visit: &mut dyn FnMut(u32),
    ) {
        let shared = self.shared(crossing);
        let slot = || self.slot(crossing);
        let (known, slot) = match shared {
            Some(_) => (shared, None),
            None => slot().map_or((None, None), |slot| {
                (slot.get().map(|ids| &**ids), Some(slot))
            }),
        };
        let found;
        let ids: &[u32] = match known {
            Some(known) => known,
            None => match (find(), slot) {
                ((ids, true), Some(slot)) => slot.get_or_init(|| ids),
                ((ids, _), _) => {
                    found = ids;
                    &found
                }
            },
        };
        let start = ids.partition_point(|&id| id < from);
        let ids = ids.iter().skip(start).copied();
        ids.take_while(|&id| id < to).for_each(visit);
    }

    #[cold]
    fn now_usable<'a>(&self, cell: &'a PartCell) -> Option<&'a OwnedPart> {
        match cell.for_depth(self.depth) {
            Ok(part) => Some(part),
            Err(why) => {
                if self.failed.set(why).is_ok() {
                    // Other requests may be given a row of a pool that has been found without this piece.
                    cell.fail();
                }
                None
            }
        }
    }
}

impl Parts for LinkedTools {
    type View<'p> = PartView<'p>;

    #[inline]
    fn id(&self) -> TablesId {
        self.id
    }

    fn depth(&self) -> usize {
        self.depth
    }

    #[inline]
    fn vocabulary(&self) -> Vocabulary<'_> {
        self.vocabulary.view()
    }

    fn outer(&self) -> PartView<'_> {
        PartView::from(&self.outer.part)
    }

    fn piece(&self, piece: u32) -> Option<PartView<'_>> {
        self.usable(piece).map(PartView::from)
    }

    #[inline]
    fn sets<R>(&self, place: Place, with: impl FnOnce(&PartSets<'_>) -> R) -> Option<R> {
        let part = match place {
            Place::Outer => &self.outer.part,
            Place::Piece { piece, .. } => self.usable(piece)?,
            _ => return None,
        };
        Some(with(&part.sets()))
    }

    fn names(&self, hole: u16) -> Option<Names<'_>> {
        Names::view(&self.holes.get(usize::from(hole))?.words)
    }

    fn crossing(&self, crossing: &Crossing, from: u32, to: u32, visit: &mut dyn FnMut(u32)) {
        let trie = self.tokens.whole().trie();
        let find = || {
            let found = crossings::tokens(self, trie, &self.outer.reserved, crossing);
            (found, true)
        };
        self.crossing_by(crossing, (from, to), find, visit);
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
