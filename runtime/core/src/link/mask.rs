//! The mask of a linked text.
//!
//! In: the place of a text and its stack. Out: [`LinkedMask`]: the tokens of the part's own mask,
//! and those that cross its end.

use crate::head::Head;
use crate::language::Mask;
use crate::layout::part::ROOM;
use crate::row::FewIds;
use crate::set::TokenSet;
use crate::step;

use super::Parts;
use super::part::Part;
use super::place::{Crossing, Place};

/// Words of the ids behind those of the vocabulary.
const TAIL: usize = ROOM as usize / 32;

/// The tokens that may come next in a linked grammar.
pub type LinkedMask<'a, P> = Mask<'a, P, Place>;

impl<P: Parts> LinkedMask<'_, P> {
    /// The mask of the part by itself, of which ids behind those of the vocabulary are endings.
    #[inline]
    pub(crate) fn own<'p>(&'p self, part: &'p Part<'p>) -> Mask<'p> {
        Mask::new(&part.grammar, self.heads, self.frames, self.depth)
    }

    /// All tokens, if they are few; `None` if they are not, or cannot be told quickly.
    pub(crate) fn few(&self) -> Option<FewIds> {
        let mut few = FewIds::default();
        let size = self.language.vocabulary().size();
        let mut has_room = true;
        let mut add = |few: &mut FewIds, crossing: &Crossing| {
            let mut push = |id| has_room &= few.push(id).is_some();
            self.language.crossing(crossing, 0, size, &mut push);
        };
        let Some(part) = self.language.part(self.place) else {
            add(&mut few, &self.whole());
            return has_room.then_some(few);
        };
        for set in self.own(&part).set_ids() {
            let set = part.grammar.set(set)?;
            let own = set.as_list()?.try_each(|id| match id < size {
                true => few.push(id).ok_or(()),
                false => Ok(()),
            });
            own.ok()?;
            self.each_crossing(&part, &set, |crossing| add(&mut few, crossing));
        }
        has_room.then_some(few)
    }

    /// What stands for the whole mask within names.
    fn whole(&self) -> Crossing {
        Crossing {
            ending: 0,
            place: self.place,
            state: 0,
            piece: None,
        }
    }

    /// Writes a window of the mask that begins at word `first`.
    pub(super) fn write_linked(&self, window: &mut [u32], first: usize) {
        let Some(part) = self.language.part(self.place) else {
            window.fill(0);
            return self.add(&self.whole(), window, first);
        };
        self.own(&part).write_sets(window, first, |set, window| {
            self.each_crossing(&part, set, |crossing| self.add(crossing, window, first));
        });
    }

    /// Calls `visit` with the crossing of each ending in a set of the mask.
    #[inline]
    fn each_crossing(&self, part: &Part<'_>, set: &TokenSet<'_>, mut visit: impl FnMut(&Crossing)) {
        let Some(list) = set.as_list() else { return };
        let first = part.first_exit() as usize / 32;
        list.each_in(first, TAIL, |at, bit| {
            let id = (32 * (first + at)) as u32 + bit.trailing_zeros();
            if let Some(crossing) = self.crossing(part, id) {
                visit(&crossing);
            }
        });
    }

    /// Where tokens go on behind the ending of an id.
    pub(crate) fn crossing(&self, part: &Part<'_>, id: u32) -> Option<Crossing> {
        let ending = part.ending(id)?;
        let behind = |state, piece| Crossing {
            ending,
            place: Place::Outer,
            state,
            piece,
        };
        if let Place::Piece { piece, after } = self.place {
            return Some(behind(after, Some(piece)));
        }
        // Which hole it is, and what comes behind, the ending says from this state only.
        let prefix = behind(0, None).prefix();
        let bytes = self.language.vocabulary().bytes(prefix.0).get(..prefix.1)?;
        // The outer part has no frames.
        let mut state = self.heads.first()?.state;
        for &byte in bytes {
            state = step::on_empty(&part.grammar, state, part.grammar.class(byte))?;
        }
        let (hole, after) = part.exit(Head {
            state,
            ..Head::NONE
        })?;
        Some(Crossing {
            place: Place::Names {
                hole,
                read: 0,
                first: 0,
                after,
            },
            ..behind(0, None)
        })
    }

    /// Adds the tokens of a crossing.
    fn add(&self, crossing: &Crossing, window: &mut [u32], first: usize) {
        let start = 32 * first as u32;
        let end = start + 32 * window.len() as u32;
        self.language.crossing(crossing, start, end, &mut |id| {
            let at = (id / 32) as usize;
            if let Some(word) = at.checked_sub(first).and_then(|at| window.get_mut(at)) {
                *word |= 1 << (id % 32);
            }
        });
    }
}
