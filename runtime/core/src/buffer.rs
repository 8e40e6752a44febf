//! Masks that are kept from one token to the next.
//!
//! In: matchers, one for each row. Out: [`MaskBuffer`], the words of their masks. What holds throughout: a row that was updated holds the
//! mask of the matcher it was updated for, at that time, and zeros after it. Most tokens of a string leave the mask as it was, and most
//! other masks are a few tokens: then there is little to write.

use core::{ops::Range, ptr};

use crate::error::BufferTooSmall;
use crate::list::List;
use crate::mask::Mask;
use crate::matcher::Matcher;
use crate::tables::Grammar;

/// A mask made of more sets is written anew each time.
const MAX_SETS: usize = 12;
/// The most tokens of a mask that is taken out token by token: more take longer than to write zeros over them.
const FEW: usize = 256;

/// What a row of a [`MaskBuffer`] holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaskRow<'t> {
    /// Whose sets; `None` if the row must be written anew.
    grammar: Option<&'t Grammar<'t>>,
    sets: [u32; MAX_SETS],
    /// Number of sets.
    count: usize,
}

/// Rows of words for masks, one for each sequence of a batch, that know which mask they hold.
///
/// The words may lie in an array, a slice or a vector, and so may the state of the rows. Rows may be of different grammars. Only what
/// differs from the row's last mask is written; whether anything does is what [`update`](Self::update) returns, so that a row that has not
/// changed need not be copied to another device again.
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
    words: W,
    rows: R,
    row_words: usize,
}

impl<W: AsRef<[u32]> + AsMut<[u32]>, R> MaskBuffer<W, R> {
    /// Rows of `row_words` words each: [`Grammar::mask_words`], or more. There are as many as both `words` and `rows` suffice for; what either
    /// held before does not matter.
    pub fn new<'t>(words: W, mut rows: R, row_words: usize) -> Self
    where
        R: AsMut<[MaskRow<'t>]>,
    {
        rows.as_mut().fill(MaskRow::default());
        MaskBuffer {
            words,
            rows,
            row_words,
        }
    }

    /// Makes a row hold the mask of a matcher, and zeros after it. Returns whether the row may have changed.
    ///
    /// # Errors
    ///
    /// If there is no such row (then `found` is 0), or rows are too short. Nothing is written then.
    pub fn update<'t, const DEPTH: usize, const STACKS: usize>(
        &mut self,
        row: usize,
        matcher: &Matcher<'t, DEPTH, STACKS>,
    ) -> Result<bool, BufferTooSmall>
    where
        R: AsMut<[MaskRow<'t>]>,
    {
        let (mask, grammar) = (matcher.mask(), matcher.grammar());
        let place = self.place(row);
        let words = place.and_then(|place| self.words.as_mut().get_mut(place));
        let (Some(words), Some(row)) = (words, self.rows.as_mut().get_mut(row)) else {
            return Err(BufferTooSmall {
                needed: mask.words(),
                found: 0,
            });
        };
        let next = MaskRow::of(grammar, mask);
        if row.holds(&next) {
            return Ok(false);
        }
        match row.few(grammar).zip(next.few(grammar)) {
            Some((before, after)) => {
                before.for_each(|list| list.remove_from(words, 0));
                after.for_each(|list| list.add_to(words));
            }
            None => mask.fill(words)?,
        }
        *row = next;
        Ok(true)
    }

    /// A row: bit `id % 32` of word `id / 32` is token `id`. Empty if there is no such row.
    pub fn row(&self, row: usize) -> &[u32] {
        let place = self.place(row);
        let words = place.and_then(|place| self.words.as_ref().get(place));
        words.unwrap_or(&[])
    }

    /// The words of all rows, one after the other.
    pub fn words(&self) -> &[u32] {
        self.words.as_ref()
    }

    /// Where the words of a row are.
    fn place(&self, row: usize) -> Option<Range<usize>> {
        let start = row.checked_mul(self.row_words)?;
        Some(start..start.checked_add(self.row_words)?)
    }
}

impl<'t> MaskRow<'t> {
    /// What a row holds that a mask of a grammar is written to.
    fn of(grammar: &'t Grammar<'t>, mask: Mask<'_>) -> Self {
        let mut row = MaskRow::default();
        let mut ids = mask.set_ids();
        // No id is taken that there is no room for.
        for (to, id) in row.sets.iter_mut().zip(ids.by_ref()) {
            *to = id;
            row.count += 1;
        }
        row.grammar = ids.next().is_none().then_some(grammar);
        row
    }

    fn sets(&self) -> &[u32] {
        self.sets.get(..self.count).unwrap_or(&[])
    }

    /// Whether it holds a mask of a grammar.
    fn is_of(&self, grammar: &Grammar<'t>) -> bool {
        self.grammar.is_some_and(|of| ptr::eq(of, grammar))
    }

    /// Whether it holds the mask that another row does.
    fn holds(&self, other: &Self) -> bool {
        other.grammar.is_some_and(|of| self.is_of(of)) && self.sets() == other.sets()
    }

    /// The lists that make the mask, if it is one of a grammar and of few tokens.
    fn few(&self, grammar: &'t Grammar<'t>) -> Option<impl Iterator<Item = List<'t>>> {
        let lists = self.sets().iter();
        let lists = lists.map(|&id| grammar.set(id)?.as_list());
        let count = lists.clone().map(|list| Some(list?.len()));
        let is_few = self.is_of(grammar) && count.sum::<Option<usize>>()? <= FEW;
        is_few.then_some(lists.flatten())
    }
}
