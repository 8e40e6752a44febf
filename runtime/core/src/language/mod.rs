//! What a matcher follows a text through: a whole grammar, or linked parts.
//!
//! [`Language`] has what differs between the two. Matchers and masks are written once, on top of
//! it, so each of their methods is there for both.

mod ids;
mod mask;

pub use ids::Ids;
pub use mask::Mask;
pub(crate) use mask::apply_word;

use core::fmt;
use core::hash::Hash;

use crate::error::{AcceptError, BufferTooSmall, MatcherError, StateError};
use crate::id::TablesId;
use crate::row::MaskRow;
use crate::stack::{Storage, Text};

/// What a matcher follows: a [`Grammar`](crate::Grammar) that was compiled as a whole, or the parts
/// of a linked one. The trait is sealed: everything that has the parts of a linked grammar is a
/// language.
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

    /// Whether the text may end here, with scratch for trying.
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

/// Takes and writes tokens while `only` says one, as far as `buffer` goes; returns how many.
#[inline]
pub(crate) fn force<T>(
    next: &mut T,
    buffer: &mut [u32],
    only: impl Fn(&T) -> Option<u32>,
    mut take: impl FnMut(&mut T, u32) -> Result<(), AcceptError>,
) -> usize {
    let mut len = 0;
    for slot in buffer {
        let Some(id) = only(next) else {
            break;
        };
        *slot = id;
        len += 1;
        if take(next, id).is_err() {
            break;
        }
    }
    len
}

pub(crate) mod private {
    /// No other crate can name it, so none has another language.
    pub trait Sealed {}
}
