//! A whole grammar as what a matcher follows.
//!
//! In: a [`Grammar`]. Out: [`Language`], and the rows that hold masks of a whole grammar.

use crate::error::{AcceptError, BufferTooSmall, MatcherError, StateError};
use crate::id::TablesId;
use crate::language::private::Sealed;
use crate::language::{Language, Mask};
use crate::row::{MAX_SETS, MIX, MaskRow};
use crate::stack::{Storage, Text};
use crate::tables::Grammar;
use crate::terminal::Meaning;

impl Sealed for Grammar<'_> {}

impl Language for Grammar<'_> {
    type Place = ();
    const MORE_BYTES: usize = 0;

    #[inline]
    fn begin<S: Storage>(&self, text: &mut Text<S, ()>) -> Result<(), MatcherError> {
        text.stacks.begin(self)
    }

    #[inline]
    fn restart<S: Storage>(&self, text: &mut Text<S, ()>) {
        text.stacks.start_text(self);
    }

    #[inline]
    fn accept_token<S: Storage>(
        &self,
        text: &mut Text<S, ()>,
        id: u32,
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError> {
        text.stacks.accept_token(self, id, scratch)
    }

    #[inline]
    fn accept_bytes<S: Storage>(
        &self,
        text: &mut Text<S, ()>,
        bytes: &[u8],
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError> {
        text.stacks.accept_bytes(self, bytes, scratch)
    }

    #[inline]
    fn take_token<S: Storage>(&self, text: &mut Text<S, ()>, id: u32) -> Result<(), AcceptError> {
        text.stacks.take_token(self, id)
    }

    #[inline]
    fn is_end<S: Storage>(&self, text: &Text<S, ()>, id: u32) -> Result<bool, AcceptError> {
        let meaning = text.stacks.meaning(self, id, None)?;
        Ok(matches!(meaning, Meaning::End))
    }

    #[inline]
    fn could_end<S: Storage>(&self, text: &Text<S, ()>, scratch: Option<&mut S::Scratch>) -> bool {
        text.stacks.could_end(self, scratch)
    }

    #[inline]
    fn is_finished<S: Storage>(text: &Text<S, ()>) -> bool {
        text.stacks.is_empty()
    }

    fn follow_bytes<S: Storage>(&self, text: &mut Text<S, ()>, bytes: &[u8]) -> usize {
        text.stacks.follow_bytes(self, bytes)
    }

    fn force_bytes<S: Storage>(&self, text: &mut Text<S, ()>, buffer: &mut [u8]) -> usize {
        text.stacks.force_bytes(self, buffer)
    }

    fn saved_len<S: Storage>(text: &Text<S, ()>) -> usize {
        text.stacks.saved_len()
    }

    fn write_to<S: Storage>(
        &self,
        text: &Text<S, ()>,
        out: &mut [u8],
    ) -> Result<usize, StateError> {
        text.stacks.write_to(self.id(), out)
    }

    fn read_from<S: Storage>(
        &self,
        text: &mut Text<S, ()>,
        bytes: &[u8],
    ) -> Result<(), StateError> {
        text.stacks
            .check_stacks(self)
            .map_err(StateError::NoMatcher)?;
        text.stacks.read_from(self, bytes)
    }

    #[inline]
    fn size(&self) -> u32 {
        self.vocab_size()
    }

    fn mask_contains(mask: &Mask<'_, Self>, id: u32) -> bool {
        mask.has(id)
    }

    #[inline]
    fn write_mask(mask: &Mask<'_, Self>, window: &mut [u32], first: usize) {
        mask.write_own(window, first);
    }

    fn next_candidate(mask: &Mask<'_, Self>, id: u32) -> Option<u32> {
        mask.next_own(id)
    }

    #[inline]
    fn describe(row: &mut MaskRow, mask: &Mask<'_, Self>) -> TablesId {
        row.describe(*mask);
        mask.language.rows_id()
    }

    #[inline]
    fn update(
        row: &mut MaskRow,
        (next, _): (&MaskRow, TablesId),
        words: &mut [u32],
        mask: &Mask<'_, Self>,
    ) -> Result<bool, BufferTooSmall> {
        row.update(next, words, *mask)
    }
}

impl MaskRow {
    /// Describes a mask, in place: `self` must describe nothing before.
    #[inline]
    pub(crate) fn describe(&mut self, mask: Mask<'_>) {
        let grammar = mask.language;
        let sets = &mut self.sets;
        let mut add = |(at, sum): (usize, u64), id: u32| {
            if let Some(to) = sets.get_mut(at) {
                *to = id;
            }
            // A sum, since a chain of products would have to wait for one another.
            let factor = MIX.rotate_left(at as u32);
            (
                at + 1,
                sum.wrapping_add((u64::from(id) + 1).wrapping_mul(factor)),
            )
        };
        let none = (0, grammar.hash());
        #[cfg(feature = "graph")]
        let (count, sum) = match mask.is_graph() {
            true => {
                let mut described = none;
                mask.each_set_id(&mut |id| described = add(described, id));
                described
            }
            false => mask.set_ids().fold(none, &mut add),
        };
        #[cfg(not(feature = "graph"))]
        let (count, sum) = mask.set_ids().fold(none, &mut add);
        self.is_known = count <= MAX_SETS;
        self.count = count;
        self.hash = (sum ^ sum >> 32).wrapping_mul(MIX);
    }

    /// Makes these words, which are the row's, hold the mask that `next` describes. Returns whether
    /// they may have changed.
    pub(crate) fn update(
        &mut self,
        next: &Self,
        words: &mut [u32],
        mask: Mask<'_>,
    ) -> Result<bool, BufferTooSmall> {
        if self.holds(next, mask.language.rows_id()) {
            return Ok(false);
        }
        let tables = next.is_known.then(|| mask.language.rows_id());
        let after = next.few(mask.language);
        let is_of_these = self.tables.is_some() && self.tables == tables;
        let before = is_of_these.then(|| self.few(mask.language)).flatten();
        let is_few = after.is_some();
        match before.zip(after) {
            Some((before, after)) => {
                before.for_each(|list| list.remove_from(words, 0));
                after.for_each(|list| list.add_to(words));
            }
            None => mask.fill(words)?,
        }
        *self = MaskRow {
            tables,
            is_few,
            ..*next
        };
        Ok(true)
    }
}
