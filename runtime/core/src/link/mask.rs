//! The mask of a linked text.
//!
//! In: the place of a text and its stack. Out: [`LinkedMask`]: the tokens of the part's own mask, and those that cross its end.

use core::fmt;

use crate::argmax::Best;
use crate::error::BufferTooSmall;
use crate::layout::part::ROOM;
use crate::mask::{Mask, WINDOW, apply_word};
use crate::row::FewIds;
use crate::stack::Head;
use crate::step;

use super::Parts;
use super::part::Part;
use super::place::{Crossing, Place};
use super::stacks::LinkedStacks;

/// Words of the ids behind those of the vocabulary.
const TAIL: usize = ROOM as usize / 32;

/// The tokens that may come next: a view of a [`LinkedMatcher`](crate::LinkedMatcher), worked out by its methods, which are those of [`Mask`](crate::Mask).
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
            self.write(&mut word, at, &self.crossings());
        }
        word[0] >> (id % 32) & 1 == 1
    }

    /// Writes the mask into the first [`words`](Self::words) words of a buffer, and zeros into the others.
    ///
    /// # Errors
    /// If the buffer is too short. Nothing is written then.
    pub fn fill(&self, buffer: &mut [u32]) -> Result<(), BufferTooSmall> {
        let (needed, found) = (self.words(), buffer.len());
        let Some((mask, rest)) = buffer.split_at_mut_checked(needed) else {
            return Err(BufferTooSmall { needed, found });
        };
        self.write(mask, 0, &self.crossings());
        rest.fill(0);
        Ok(())
    }

    /// Sets the logits of all tokens that may not come next to minus infinity, those past the vocabulary's end included.
    pub fn apply(&self, logits: &mut [f32]) {
        let masked = logits.len().min(self.vocab_size());
        let (logits, rest) = logits.split_at_mut(masked);
        rest.fill(f32::NEG_INFINITY);
        self.for_each_word_below(masked, |at, word| {
            if let Some(logits) = logits.get_mut(32 * at..) {
                let len = logits.len().min(32);
                apply_word(word, &mut logits[..len]);
            }
        });
    }

    /// The token of the highest logit among those that may come next; of equal ones the first. `None` if no token that may come next has a logit.
    pub fn argmax(&self, logits: &[f32]) -> Option<u32> {
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

    /// Calls `visit` with each word of the mask, in order: its index, and the bits of tokens `32 * index` to `32 * index + 31`.
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
        let crossings = self.crossings();
        let mut window = [0; WINDOW];
        for first in (0..words).step_by(WINDOW) {
            let Some(window) = window.get_mut(..WINDOW.min(words - first)) else {
                break;
            };
            self.write(window, first, &crossings);
            let words = (first..).zip(window.iter());
            words.for_each(|(at, &word)| visit(at, word));
        }
    }

    /// The mask of the part by itself, of which ids behind those of the vocabulary are endings.
    #[inline]
    pub(crate) fn own<'p>(&'p self, part: &'p Part<'p>) -> Mask<'p> {
        Mask::new(&part.grammar, self.heads, self.frames, self.depth)
    }

    /// What `with` makes of the part; `None` within names.
    pub(crate) fn in_part<R>(&self, with: impl FnOnce(&Part<'_>) -> R) -> Option<R> {
        self.parts.part(self.place, with)
    }

    /// All tokens, if they are few; `None` if they are not, or cannot be told quickly.
    pub(crate) fn few(&self) -> Option<FewIds> {
        let mut few = FewIds::default();
        let size = self.parts.vocabulary().size();
        let mut has_room = true;
        let in_part = self.in_part(|part| {
            for set in self.own(part).set_ids() {
                let list = part.grammar.set(set)?.as_list()?;
                let each = list.try_each(|id| {
                    if id < size {
                        return few.push(id).ok_or(());
                    }
                    if let Some(crossing) = self.crossing(part, id) {
                        let mut push = |id| has_room &= few.push(id).is_some();
                        self.parts.crossing(&crossing, 0, size, &mut push);
                    }
                    Ok(())
                });
                each.ok()?;
            }
            Some(())
        });
        match in_part {
            Some(each) => each?,
            None => {
                let mut push = |id| has_room &= few.push(id).is_some();
                self.parts.crossing(&self.whole(), 0, size, &mut push);
            }
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

    /// The endings that are possible here.
    fn crossings(&self) -> [u32; TAIL] {
        let mut tail = [0; TAIL];
        self.in_part(|part| {
            if part.endings().len() > 0 {
                let first = part.grammar.mask_words() - TAIL;
                self.own(part).write(&mut tail, first);
            }
        });
        tail
    }

    /// Writes a window of the mask that begins at word `first`.
    fn write(&self, window: &mut [u32], first: usize, crossings: &[u32; TAIL]) {
        let written = self.in_part(|part| {
            self.own(part).write(window, first);
            self.add_crossings(part, window, first, crossings);
        });
        if written.is_none() {
            window.fill(0);
            self.add(&self.whole(), window, first);
        }
    }

    fn add_crossings(
        &self,
        part: &Part<'_>,
        window: &mut [u32],
        first: usize,
        crossings: &[u32; TAIL],
    ) {
        for (at, &word) in (0..).zip(crossings) {
            let mut bits = word;
            while bits != 0 {
                let id = part.grammar.vocab_size() - ROOM + 32 * at + bits.trailing_zeros();
                bits &= bits - 1;
                if let Some(crossing) = self.crossing(part, id) {
                    self.add(&crossing, window, first);
                }
            }
        }
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
    pub(crate) fn of<S: crate::storage::Storage>(
        parts: &'a P,
        linked: &'a LinkedStacks<S>,
    ) -> Self {
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
