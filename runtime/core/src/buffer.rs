//! Masks that are kept from one token to the next.
//!
//! In: matchers, one for each row. Out: [`MaskBuffer`], the words of their masks. What holds
//! throughout: a row that was updated holds the mask of the matcher it was updated for, at that
//! time, and zeros after it. Most tokens of a string leave the mask as it was, and most other masks
//! hold a few tokens. In either case there is little to write.

use crate::error::BufferTooSmall;
use crate::language::{Language, Mask};
use crate::matcher::Matcher;
use crate::row::{MaskRow, Rows};

/// Rows of words for masks, one for each sequence of a batch, that know which mask they hold.
///
/// The words may lie in an array, a slice or a vector, and so may the state of the rows. Rows may
/// be of different grammars, which may be dropped meanwhile: see [`MaskPool`](crate::MaskPool).
/// Only the words that differ from the row's last mask are written. [`update`](Self::update)
/// returns whether there are any, so a row that has not changed need not be copied to another
/// device again.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// use maskwright_core::{Grammar, MaskBuffer, MaskRow, Matcher, Vocabulary};
///
/// let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
/// let mut batch = vec![Matcher::<8>::new(&grammar)?; 4];
/// let row_words = grammar.mask_words();
/// let mut masks = MaskBuffer::new(vec![0; 4 * row_words], vec![MaskRow::default(); 4], row_words);
/// for (row, matcher) in batch.iter().enumerate() {
///     masks.update(row, matcher)?;
/// }
/// batch[2].accept_token(b'[' as u32)?;
/// let changed: Vec<bool> = (0..4).map(|row| masks.update(row, &batch[row])).collect::<Result<_, _>>()?;
/// assert_eq!(changed, [false, false, true, false]);
/// let is_allowed = |row: usize, id: u32| masks.row(row)[id as usize / 32] >> (id % 32) & 1 == 1;
/// assert!(is_allowed(2, b'1' as u32) && !is_allowed(3, b'1' as u32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaskBuffer<W, R> {
    words: Rows<W>,
    rows: R,
}

impl<W: AsRef<[u32]> + AsMut<[u32]>, R> MaskBuffer<W, R> {
    /// Rows of `row_words` words each: [`Grammar::mask_words`](crate::Grammar::mask_words), or
    /// more. There are as many rows as both `words` and `rows` have room for; their old content
    /// does not matter.
    pub fn new(words: W, mut rows: R, row_words: usize) -> Self
    where
        R: AsMut<[MaskRow]>,
    {
        rows.as_mut().fill(MaskRow::default());
        let words = Rows::new(words, row_words);
        MaskBuffer { words, rows }
    }

    /// Makes a row hold the mask of a matcher, and zeros after it. Returns whether the row may have
    /// changed.
    ///
    /// # Errors
    ///
    /// If there is no such row (then `found` is 0), or rows are too short. Nothing is written then.
    pub fn update<G: Language, const DEPTH: usize, const STACKS: usize>(
        &mut self,
        row: usize,
        matcher: &Matcher<'_, DEPTH, STACKS, G, G::Place>,
    ) -> Result<bool, BufferTooSmall>
    where
        R: AsMut<[MaskRow]>,
    {
        self.update_with(row, matcher.mask())
    }

    /// [`update`](Self::update) with a mask, wherever it comes from: a [`State`](crate::State), or
    /// a matcher that owns its grammar.
    ///
    /// # Errors
    ///
    /// As for [`update`](Self::update).
    pub fn update_with<G: Language>(
        &mut self,
        row: usize,
        mask: Mask<'_, G, G::Place>,
    ) -> Result<bool, BufferTooSmall>
    where
        R: AsMut<[MaskRow]>,
    {
        let words = self.words.row_mut(row);
        let (Some(words), Some(row)) = (words, self.rows.as_mut().get_mut(row)) else {
            return Err(BufferTooSmall {
                needed: mask.words(),
                found: 0,
            });
        };
        let mut next = MaskRow::default();
        let tables = G::describe(&mut next, &mask);
        G::update(row, (&next, tables), words, &mask)
    }

    /// A row: bit `id % 32` of word `id / 32` is token `id`. Empty if there is no such row.
    pub fn row(&self, row: usize) -> &[u32] {
        self.words.row(row)
    }

    /// The words of all rows, one after the other.
    pub fn words(&self) -> &[u32] {
        self.words.all()
    }
}
