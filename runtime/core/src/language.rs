//! What a matcher follows a text through: a whole grammar, or linked parts.
//!
//! [`Language`] has what differs between the two. Matchers and masks are written once, on top of
//! it, so each of their methods is there for both.

use core::fmt;
use core::hash::Hash;

use crate::error::{AcceptError, BufferTooSmall, MatcherError, StateError};
use crate::follow::force;
use crate::id::TablesId;
use crate::mask::Mask;
use crate::row::MaskRow;
use crate::stack::Storage;
use crate::tables::Grammar;
use crate::terminal::Meaning;
use crate::text::Text;

/// What a matcher follows: a [`Grammar`] that was compiled as a whole, or the parts of a linked
/// one. The trait is sealed: everything that has the parts of a linked grammar is a language.
pub trait Language: private::Sealed + Sync + Sized {
    /// Where a text stands besides its stacks: `()` in a whole grammar, a `Place` in a linked one.
    type Place: Copy + Default + Eq + Hash + fmt::Debug + Send + Sync;

    /// The bytes that a saved text takes besides its stacks.
    #[doc(hidden)]
    const MORE_BYTES: usize;

    /// Goes to the beginning of a text.
    ///
    /// # Errors
    /// If there are too few stacks, or too few frames for the shortest text.
    #[doc(hidden)]
    fn begin<S: Storage>(&self, text: &mut Text<S, Self::Place>) -> Result<(), MatcherError>;

    /// Goes to the beginning of a text once more.
    #[doc(hidden)]
    fn restart<S: Storage>(&self, text: &mut Text<S, Self::Place>);

    /// Takes a token, or leaves the text as it was. If the token does not [end](Self::is_end) the
    /// text, scratch holds the stacks before.
    #[doc(hidden)]
    fn accept_token<S: Storage>(
        &self,
        text: &mut Text<S, Self::Place>,
        id: u32,
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError>;

    /// Takes bytes, or leaves the text as it was. Scratch holds the stacks before.
    #[doc(hidden)]
    fn accept_bytes<S: Storage>(
        &self,
        text: &mut Text<S, Self::Place>,
        bytes: &[u8],
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError>;

    /// Takes a token. After an error the text is not fit for use.
    #[doc(hidden)]
    fn take_token<S: Storage>(
        &self,
        text: &mut Text<S, Self::Place>,
        id: u32,
    ) -> Result<(), AcceptError>;

    /// Whether a token is the end of the text, and nothing else, here.
    ///
    /// # Errors
    /// If it is not known here.
    #[doc(hidden)]
    fn is_end<S: Storage>(&self, text: &Text<S, Self::Place>, id: u32)
    -> Result<bool, AcceptError>;

    /// Whether the text may end here, with scratch for what is tried.
    #[doc(hidden)]
    fn could_end<S: Storage>(
        &self,
        text: &Text<S, Self::Place>,
        scratch: Option<&mut S::Scratch>,
    ) -> bool;

    /// Whether the text has ended.
    #[doc(hidden)]
    fn is_finished<S: Storage>(text: &Text<S, Self::Place>) -> bool;

    /// The length of the longest beginning of `bytes` that would be taken. Afterwards the text is
    /// not fit for use.
    #[doc(hidden)]
    fn follow_bytes<S: Storage>(&self, text: &mut Text<S, Self::Place>, bytes: &[u8]) -> usize;

    /// How many tokens would be taken up to the first that is refused. Afterwards the text is not
    /// fit for use.
    #[doc(hidden)]
    fn follow_draft<S: Storage>(&self, text: &mut Text<S, Self::Place>, draft: &[u32]) -> usize {
        draft
            .iter()
            .take_while(|&&id| self.take_token(text, id).is_ok())
            .count()
    }

    /// Takes and writes the bytes that must come next, as far as `buffer` goes; returns how many.
    /// Afterwards the text is not fit for use.
    #[doc(hidden)]
    fn force_bytes<S: Storage>(&self, text: &mut Text<S, Self::Place>, buffer: &mut [u8]) -> usize;

    /// Takes and writes the tokens that come next while the mask holds exactly one, as far as
    /// `buffer` goes; returns how many. Afterwards the text is not fit for use.
    #[doc(hidden)]
    fn force_tokens<S: Storage>(
        &self,
        text: &mut Text<S, Self::Place>,
        buffer: &mut [u32],
    ) -> usize {
        let only = |text: &Text<S, Self::Place>| Mask::of(self, text).only();
        force(text, buffer, only, |text, id| self.take_token(text, id))
    }

    /// Bytes that [`write_to`](Self::write_to) writes.
    #[doc(hidden)]
    fn saved_len<S: Storage>(text: &Text<S, Self::Place>) -> usize;

    /// Writes where the text stands to the beginning of `out`; returns the number of bytes.
    ///
    /// # Errors
    /// If `out` is too short.
    #[doc(hidden)]
    fn write_to<S: Storage>(
        &self,
        text: &Text<S, Self::Place>,
        out: &mut [u8],
    ) -> Result<usize, StateError>;

    /// Reads what [`write_to`](Self::write_to) wrote. After an error the text is not fit for use.
    ///
    /// # Errors
    /// If the bytes are not a text of this language that these stacks have room for.
    #[doc(hidden)]
    fn read_from<S: Storage>(
        &self,
        text: &mut Text<S, Self::Place>,
        bytes: &[u8],
    ) -> Result<(), StateError>;

    /// Number of token ids.
    #[doc(hidden)]
    fn size(&self) -> u32;

    /// Whether a token may come next.
    #[doc(hidden)]
    fn mask_contains(mask: &Mask<'_, Self, Self::Place>, id: u32) -> bool;

    /// Writes a window of a mask that begins at word `first`.
    #[doc(hidden)]
    fn write_mask(mask: &Mask<'_, Self, Self::Place>, window: &mut [u32], first: usize);

    /// The least id from `id` on that may be in a mask.
    #[doc(hidden)]
    fn next_candidate(mask: &Mask<'_, Self, Self::Place>, id: u32) -> Option<u32>;

    /// The token that may come next, if it is the only one.
    #[doc(hidden)]
    fn only(mask: &Mask<'_, Self, Self::Place>) -> Option<u32>;

    /// Describes a mask in a row that described nothing before. Gives what the row has to know its
    /// tables by.
    #[doc(hidden)]
    fn describe(row: &mut MaskRow, mask: &Mask<'_, Self, Self::Place>) -> TablesId;

    /// Makes these words, which are the row's, hold the mask that `next` describes. Returns whether
    /// they may have changed.
    ///
    /// # Errors
    /// If there are too few words.
    #[doc(hidden)]
    fn update(
        row: &mut MaskRow,
        next: (&MaskRow, TablesId),
        words: &mut [u32],
        mask: &Mask<'_, Self, Self::Place>,
    ) -> Result<bool, BufferTooSmall>;
}

mod private {
    pub trait Sealed {}
    impl Sealed for crate::tables::Grammar<'_> {}
    #[cfg(feature = "link")]
    impl<P: crate::link::Parts> Sealed for P {}
}

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
    fn only(mask: &Mask<'_, Self>) -> Option<u32> {
        let mut ids = mask.iter();
        ids.next().filter(|_| ids.next().is_none())
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
