//! The parts of a request, linked.
//!
//! In: the parts of a request. Out: [`LinkedTools`], from which matchers are made. What holds: masks are those of the whole grammar. The tokens that cross a boundary are found when a mask first needs
//! them, and kept.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use maskwright_core::{
    Crossing, LinkedMatcher, MatcherError, Names, OwnedPart, OwnedVocabulary, PartSets, PartView,
    Parts, Place, TablesId, Vocabulary,
};

use super::cell::PartCell;
use super::outer::OuterPart;
use super::tables::{self, LinkTables};
use super::{BaseCell, NotLinked, PartVocabulary, crossings};
use crate::syntax::tools::ToolCalls;

/// Tokens that cross a boundary, once they are known.
type Slot = OnceLock<Box<[u32]>>;

/// A text that may still have at most so many names is about to need their pieces.
const FEW: u32 = 4;

/// A slot for each state behind a hole and each of some endings.
struct Slots {
    endings: Vec<u32>,
    slots: Vec<Slot>,
}

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
    /// Why the pieces cannot stand for the whole, once that is known.
    pub(super) failed: OnceLock<NotLinked>,
    /// The failures that were counted when the pieces were looked at.
    pub(super) failures: AtomicU64,
}

/// The names of a hole.
pub(super) struct Hole {
    /// [`Names`] as bytes.
    pub(super) words: Box<[u8]>,
    /// For each state behind the hole and each name, the crossings at its bytes.
    slots: Vec<OnceLock<Box<[Slot]>>>,
}

impl Hole {
    /// Names, and room for crossings for so many states behind holes.
    pub(super) fn new(words: Box<[u8]>, states: usize) -> Self {
        let names = Names::view(&words).map_or(0, |names| names.len() as usize);
        let slots = (0..states * names).map(|_| OnceLock::new()).collect();
        Hole { words, slots }
    }
}

/// Crossings from an ending.
pub(super) struct Behind {
    /// The states behind holes, ascending.
    states: Vec<u32>,
    /// A slot for each ending of the outer part, and each hole with a state behind it.
    outer: HashMap<[u32; 4], Slot>,
    /// For each piece, once one of its endings is met, slots.
    pieces: Vec<OnceLock<Arc<Slots>>>,
    /// The slots of pieces: those that have the same endings share them.
    shared: Mutex<Vec<Arc<Slots>>>,
}

impl Behind {
    pub(super) fn new(outer: &OuterPart, pieces: usize) -> Self {
        let part = outer.part.view();
        let crossings = part.endings().flat_map(|ending| {
            let exits = outer.exits.iter();
            exits.map(move |&(hole, after)| Crossing {
                ending,
                place: Place::Names {
                    hole,
                    read: 0,
                    first: 0,
                    after,
                },
                state: 0,
                piece: None,
            })
        });
        Behind {
            states: outer.states(),
            outer: crossings
                .map(|crossing| (crossing.key(), Slot::new()))
                .collect(),
            pieces: (0..pieces).map(|_| OnceLock::new()).collect(),
            shared: Mutex::default(),
        }
    }

    /// The slots of a piece that has these endings.
    fn slots(&self, endings: Vec<u32>) -> Arc<Slots> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shared.iter().find(|slots| slots.endings == endings) {
            return known.clone();
        }
        let count = endings.len() * self.states.len();
        let slots = Arc::new(Slots {
            endings,
            slots: (0..count).map(|_| Slot::new()).collect(),
        });
        shared.push(slots.clone());
        slots
    }
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
    pub fn outer_part(&self) -> &OwnedPart {
        &self.outer.part
    }

    /// What a reader of outputs has to know, if the parts are those of tools.
    pub fn calls(&self) -> Option<&ToolCalls> {
        self.calls.as_ref()
    }

    /// The slot of a crossing; `None` if it is not one of these parts.
    fn slot(&self, crossing: &Crossing) -> Option<&Slot> {
        let state = |state: u32| self.behind.states.binary_search(&state).ok();
        match (crossing.place, crossing.piece) {
            (Place::Outer, Some(piece)) => {
                let part = self.pieces.get(piece as usize)?.ready()?.as_ref().ok()?;
                let slots = self.behind.pieces.get(piece as usize)?;
                let slots =
                    slots.get_or_init(|| self.behind.slots(part.view().endings().collect()));
                let mut endings = slots.endings.iter();
                let ending = endings.position(|&ending| ending == crossing.ending)?;
                let before = state(crossing.state)? * slots.endings.len();
                slots.slots.get(before + ending)
            }
            (Place::Names { .. }, _) if crossing.ending != 0 => {
                self.behind.outer.get(&crossing.key())
            }
            (
                Place::Names {
                    hole,
                    read,
                    first,
                    after,
                },
                _,
            ) => {
                let hole = self.holes.get(usize::from(hole))?;
                let names = Names::view(&hole.words)?;
                let at = state(after)? * names.len() as usize + first as usize;
                let slots = hole.slots.get(at)?.get_or_init(|| {
                    let length = names.name(first).len() + 1;
                    (0..length).map(|_| Slot::new()).collect()
                });
                slots.get(usize::from(read))
            }
            _ => None,
        }
    }
}

impl LinkedTools {
    /// A piece, compiled now if it has not been; `None` if it cannot be used, which [`has_failed`](Self::has_failed) then tells.
    #[inline]
    fn usable(&self, piece: u32) -> Option<&OwnedPart> {
        let cell = self.pieces.get(piece as usize)?;
        match cell.ready() {
            Some(Ok(part)) if part.least_depth() <= self.depth => Some(part),
            _ => self.now_usable(cell),
        }
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
        let find = || crossings::tokens(self, trie, &self.outer.reserved, crossing);
        let found;
        let ids: &[u32] = match self.slot(crossing) {
            Some(slot) => slot.get_or_init(find),
            None => {
                found = find();
                &found
            }
        };
        let start = ids.partition_point(|&id| id < from);
        let ids = ids.iter().skip(start).copied();
        ids.take_while(|&id| id < to).for_each(visit);
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
