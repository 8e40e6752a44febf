//! Linked tools as the parts that a matcher walks: [`Parts`] that are kept in memory.
//!
//! In: [`LinkedTools`]. Out: its parts, and the tokens of each crossing between them. What holds:
//! the tokens of a crossing are found when a mask first needs them, or ahead, and then kept: with
//! the outer part if they depend on nothing else, and otherwise with the request.

use maskwright_core::link::{Crossing, Names, OwnedPart, PartSets, PartView, Parts, Place};
use maskwright_core::{TablesId, Vocabulary};

use super::slots::{Slot, into_names};
use super::tools::LinkedTools;
use super::{crossings, known};

impl LinkedTools {
    /// Finds the tokens that lead from the outer part into names, and from places within names at
    /// which many are left, so that no text waits there. Those that depend on a piece that has not
    /// been compiled are left out.
    pub(super) fn find_ahead(&self) {
        let find = |crossing: &Crossing, slot: &Slot| {
            if let Some(tokens) = self.known_tokens(Some(self), crossing) {
                let _ = slot.set(tokens);
            }
        };
        let from_outer = self.slots.outer.values();
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

    /// The tokens of a crossing, as far as they depend on the outer part and these tools, compiled
    /// as they are.
    fn known_tokens(&self, tools: Option<&Self>, crossing: &Crossing) -> Option<Box<[u32]>> {
        let tokens = (&self.vocabulary, &*self.tokens);
        known::tokens(&self.outer, tokens, tools, crossing)
    }

    /// The tokens of a crossing by walking through `parts`: these tools, or those of their parts
    /// that are there.
    pub(super) fn walk(&self, parts: &impl Parts, crossing: &Crossing) -> Box<[u32]> {
        let trie = self.tokens.whole().trie();
        let behind_name = |piece, byte| self.behind_name(piece, byte);
        crossings::tokens(parts, &behind_name, trie, &self.outer.reserved, crossing)
    }

    /// The place of a state among those behind holes.
    fn state(&self, state: u32) -> Option<usize> {
        self.outer.states().binary_search(&state).ok()
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
        let slots = self.slots.of_piece(piece, part, &self.outer.slots)?;
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
                let slots = self.slots.of_piece(piece, part, &self.outer.slots)?;
                let states = self.outer.states().len();
                let own = self.slots.own(slots, part, states);
                own.get(self.state(crossing.state)?, crossing.ending)
            }
            Place::Names { .. } if crossing.ending != 0 => {
                let (_, slot) = self.slots.outer.get(&crossing.key())?;
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

    /// Calls `visit` with the tokens of a crossing in a range. `find` finds all of them, and says
    /// whether they are kept. Two threads that need them at the same time both find them.
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
        let find = || (self.walk(self, crossing), true);
        self.crossing_by(crossing, (from, to), find, visit);
    }
}
