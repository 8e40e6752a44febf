//! The mask of a linked text.
//!
//! In: the place of a text and its stack. Out: [`LinkedMask`]: the tokens of the part's own mask,
//! and those that cross its end.

use core::fmt;

use crate::argmax::Best;
use crate::error::BufferTooSmall;
use crate::head::Head;
use crate::layout::part::ROOM;
use crate::logit::Logit;
use crate::mask::{Mask, WINDOW, apply_word};
use crate::row::FewIds;
use crate::set::TokenSet;
use crate::step;

use super::Parts;
use super::part::Part;
use super::place::{Crossing, Place};
use super::stacks::LinkedStacks;

/// Words of the ids behind those of the vocabulary.
const TAIL: usize = ROOM as usize / 32;

/// The tokens that may come next: a view of a [`LinkedMatcher`](crate::LinkedMatcher), worked out
/// by its methods, which are those of [`Mask`](crate::Mask).
pub struct LinkedMask<'a, P> {
    pub(crate) parts: &'a P,
    pub(crate) place: Place,
    pub(crate) heads: &'a [Head],
    pub(crate) frames: &'a [u16],
    pub(crate) depth: usize,
}

impl<P> Clone for LinkedMask<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for LinkedMask<'_, P> {}

impl<P: Parts> LinkedMask<'_, P> {
    /// Number of `u32` words that the mask takes.
    pub fn words(&self) -> usize {
        self.vocab_size().div_ceil(32)
    }

    fn vocab_size(&self) -> usize {
        self.parts.vocabulary().size() as usize
    }

    /// Whether a token may come next.
    pub fn contains(&self, id: u32) -> bool {
        let mut word = [0];
        let at = id as usize / 32;
        if at < self.words() {
            self.write(&mut word, at);
        }
        word[0] >> (id % 32) & 1 == 1
    }

    /// Writes the mask into the first [`words`](Self::words) words of a buffer, and zeros into the
    /// others.
    ///
    /// # Errors
    /// If the buffer is too short. Nothing is written then.
    pub fn fill(&self, buffer: &mut [u32]) -> Result<(), BufferTooSmall> {
        let (needed, found) = (self.words(), buffer.len());
        let Some((mask, rest)) = buffer.split_at_mut_checked(needed) else {
            return Err(BufferTooSmall { needed, found });
        };
        self.write(mask, 0);
        rest.fill(0);
        Ok(())
    }

    /// Sets the logits of all tokens that may not come next to minus infinity, those past the
    /// vocabulary's end included.
    pub fn apply<L: Logit>(&self, logits: &mut [L]) {
        let masked = logits.len().min(self.vocab_size());
        let (logits, rest) = logits.split_at_mut(masked);
        rest.fill(L::NEG_INFINITY);
        self.for_each_word_below(masked, |at, word| {
            if let Some(logits) = logits.get_mut(32 * at..) {
                let len = logits.len().min(32);
                apply_word(word, &mut logits[..len]);
            }
        });
    }

    /// The token of the highest logit among those that may come next; of equal ones the first.
    /// `None` if no token that may come next has a logit.
    pub fn argmax<L: Logit>(&self, logits: &[L]) -> Option<u32> {
        let mut best = Best::default();
        self.for_each_word_below(logits.len(), |at, word| {
            if let Some(logits) = logits.get(32 * at..) {
                best.update(32 * at as u32, word, logits);
            }
        });
        best.found.map(|(id, _)| id)
    }

    /// Number of tokens that may come next.
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.for_each_word(|_, word| count += word.count_ones() as usize);
        count
    }

    /// Whether no token may come next: the text is finished.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Calls `visit` with each word of the mask, in order: its index, and the bits of tokens
    /// `32 * index` to `32 * index + 31`.
    pub fn for_each_word(&self, visit: impl FnMut(usize, u32)) {
        self.for_each_word_below(self.vocab_size(), visit);
    }

    /// The only token that may come next, if there is just one.
    pub(crate) fn only(&self) -> Option<u32> {
        let (mut count, mut only) = (0, 0);
        self.for_each_word(|at, word| {
            count += word.count_ones();
            if word != 0 {
                only = 32 * at as u32 + word.trailing_zeros();
            }
        });
        (count == 1).then_some(only)
    }

    fn for_each_word_below(&self, end: usize, mut visit: impl FnMut(usize, u32)) {
        let words = self.words().min(end.div_ceil(32));
        let mut window = [0; WINDOW];
        for first in (0..words).step_by(WINDOW) {
            let Some(window) = window.get_mut(..WINDOW.min(words - first)) else {
                break;
            };
            self.write(window, first);
            let words = (first..).zip(window.iter());
            words.for_each(|(at, &word)| visit(at, word));
        }
    }

    /// The mask of the part by itself, of which ids behind those of the vocabulary are endings.
    #[inline]
    pub(crate) fn own<'p>(&'p self, part: &'p Part<'p>) -> Mask<'p> {
        Mask::new(&part.grammar, self.heads, self.frames, self.depth)
    }

    /// All tokens, if they are few; `None` if they are not, or cannot be told quickly.
    pub(crate) fn few(&self) -> Option<FewIds> {
        let mut few = FewIds::default();
        let size = self.parts.vocabulary().size();
        let mut has_room = true;
        let mut add = |few: &mut FewIds, crossing: &Crossing| {
            let mut push = |id| has_room &= few.push(id).is_some();
            self.parts.crossing(crossing, 0, size, &mut push);
        };
        let Some(part) = self.parts.part(self.place) else {
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
    fn write(&self, window: &mut [u32], first: usize) {
        let Some(part) = self.parts.part(self.place) else {
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
        let bytes = self.parts.vocabulary().bytes(prefix.0).get(..prefix.1)?;
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
        self.parts.crossing(crossing, start, end, &mut |id| {
            let at = (id / 32) as usize;
            if let Some(word) = at.checked_sub(first).and_then(|at| window.get_mut(at)) {
                *word |= 1 << (id % 32);
            }
        });
    }
}

impl<P: Parts> fmt::Debug for LinkedMask<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkedMask")
            .field("place", &self.place)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

impl<'a, P> LinkedMask<'a, P> {
    pub(crate) fn of<S: crate::stack::Storage>(parts: &'a P, linked: &'a LinkedStacks<S>) -> Self {
        let storage = &linked.stacks.storage;
        LinkedMask {
            parts,
            place: linked.place,
            heads: linked.stacks.heads(),
            frames: storage.frames(),
            depth: storage.depth(),
        }
    }
}
