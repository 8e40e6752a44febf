//! The parts of a request that have been compiled so far.
//!
//! In: linked tools, some of whose pieces may not be compiled yet. Out: [`ReadyParts`], whose
//! matchers neither wait nor compile. What holds: if [`misses`](Parts::misses) did not change while
//! a matcher made a mask or refused a token, the answer is that of all parts.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use maskwright_core::link::{Crossing, Names, OwnedPart, PartSets, PartView, Parts, Place};
use maskwright_core::{TablesId, Vocabulary};

use super::LinkedTools;

/// The parts of a request that have been compiled so far: [`Parts`] without the pieces that have
/// not been.
pub struct ReadyParts {
    tools: Arc<LinkedTools>,
    /// How often a piece was left out. It only grows, so a thread that finds it unchanged has come
    /// by no such piece.
    misses: AtomicU64,
    /// The piece that was left out last.
    missed: AtomicU32,
}

impl ReadyParts {
    pub(super) fn new(tools: &Arc<LinkedTools>) -> Self {
        ReadyParts {
            tools: tools.clone(),
            misses: AtomicU64::new(0),
            missed: AtomicU32::new(0),
        }
    }

    /// All parts, of which those that have not been compiled are compiled when they are asked for.
    #[inline]
    pub fn tools(&self) -> &Arc<LinkedTools> {
        &self.tools
    }

    /// The piece that was left out last.
    pub(super) fn missed(&self) -> u32 {
        self.missed.load(Ordering::Relaxed)
    }

    /// A piece; `None` if it cannot be used or is not there yet.
    #[inline]
    fn usable(&self, piece: u32) -> Option<&OwnedPart> {
        match self.tools.pieces.get(piece as usize)?.ready() {
            Some(Ok(part)) if part.least_depth() <= self.tools.depth => Some(part),
            // The tools note that the piece has failed.
            Some(_) => self.tools.usable(piece),
            None => {
                self.missed.store(piece, Ordering::Relaxed);
                self.misses.fetch_add(1, Ordering::Relaxed);
                None
            }
        }
    }
}

impl Parts for ReadyParts {
    type View<'p> = PartView<'p>;

    #[inline]
    fn id(&self) -> TablesId {
        self.tools.id()
    }

    fn depth(&self) -> usize {
        self.tools.depth()
    }

    #[inline]
    fn vocabulary(&self) -> Vocabulary<'_> {
        self.tools.vocabulary()
    }

    fn outer(&self) -> PartView<'_> {
        self.tools.outer()
    }

    fn piece(&self, piece: u32) -> Option<PartView<'_>> {
        self.usable(piece).map(PartView::from)
    }

    #[inline]
    fn sets<R>(&self, place: Place, with: impl FnOnce(&PartSets<'_>) -> R) -> Option<R> {
        let part = match place {
            Place::Outer => self.tools.outer_part(),
            Place::Piece { piece, .. } => self.usable(piece)?,
            _ => return None,
        };
        Some(with(&part.sets()))
    }

    fn names(&self, hole: u16) -> Option<Names<'_>> {
        self.tools.names(hole)
    }

    #[inline]
    fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    fn crossing(&self, crossing: &Crossing, from: u32, to: u32, visit: &mut dyn FnMut(u32)) {
        let find = || {
            let misses = self.misses();
            let found = self.tools.walk(self, crossing);
            (found, misses == self.misses())
        };
        self.tools.crossing_by(crossing, (from, to), find, visit);
    }
}

impl fmt::Debug for ReadyParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReadyParts").field(&self.tools).finish()
    }
}
