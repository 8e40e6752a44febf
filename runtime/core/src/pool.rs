//! Masks that a whole batch shares.
//!
//! In: matchers, step by step. Out: [`MaskPool`], rows of words, and for each matcher the row that
//! holds its mask. What holds throughout: a row that was handed out holds its mask until the next
//! step, at least. Texts of one grammar meet few masks, again and again. Once all of these are in
//! rows, nothing is written.

use core::ops::Range;

use crate::error::{BufferTooSmall, PoolError};
use crate::id::TablesId;
use crate::language::{Language, Mask};
use crate::matcher::Matcher;
use crate::row::{MaskRow, Rows};

/// Rows of a group: a mask is looked for in two groups.
const WAYS: usize = 8;

/// Steps that a mask of many tokens is kept longer than one of few.
const KEPT: u64 = 1_024;

/// What a row of a [`MaskPool`] holds, and when it was last handed out.
#[derive(Clone, Copy, Debug, Default)]
pub struct PoolSlot {
    holds: MaskRow,
    /// The last step at which it was handed out; 0 for none.
    step: u64,
}

impl PoolSlot {
    /// How much its mask is worth keeping: the later it was handed out, the more.
    fn worth(&self) -> u64 {
        self.step + if self.holds.is_cheap() { 0 } else { KEPT }
    }
}

/// The row that holds a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PooledRow {
    /// Its number.
    pub row: usize,
    /// Whether it was written for this mask; otherwise it held the mask already.
    pub is_new: bool,
}

/// Rows of words for masks that all sequences of a batch share: sequences whose masks are equal are
/// given the same row, and a mask that was met some steps ago is mostly still there.
///
/// Whoever applies the masks takes the number of a row for each sequence; only rows that [are
/// new](PooledRow::is_new) have to be copied to a device again. As many rows as there are sequences
/// suffice at any step; for one sequence, 32 to 64 rows keep nearly all masks of a text. A mask of
/// more than 24 sets is written anew each time; hardly any has so many.
///
/// The words may lie in an array, a slice or a vector, and so may the slots. Sequences may be of
/// different grammars. The mask of a row is identified by the [id of the
/// tables](crate::Grammar::id) and its sets, not by the address of a grammar: copies of one grammar
/// share rows, and grammars may be dropped while the pool is used. A row of a dropped grammar is
/// found again if the same tables are loaded again, and never for other tables. Grammars of clients
/// that do not trust one another need a digest each, which the compiler's registry gives them: see
/// `with_digest` of [`Grammar`](crate::Grammar) and of `OwnedGrammar`.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// use maskwright_core::{Grammar, MaskPool, Matcher, PoolSlot, Vocabulary};
///
/// let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
/// let mut batch = vec![Matcher::<8>::new(&grammar)?; 4];
/// let row_words = grammar.mask_words();
/// let mut masks = MaskPool::new(vec![0; 4 * row_words], vec![PoolSlot::default(); 4], row_words);
/// batch[2].accept_token(b'[' as u32)?;
///
/// masks.begin_step();
/// let rows = batch.iter().map(|matcher| masks.row_of(matcher));
/// let rows = rows.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(rows.iter().filter(|row| row.is_new).count(), 2); // one for `batch[2]`, one for all others
/// let is_allowed = |row: usize, id: u32| masks.row(row)[id as usize / 32] >> (id % 32) & 1 == 1;
/// assert!(is_allowed(rows[2].row, b'1' as u32) && !is_allowed(rows[3].row, b'1' as u32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaskPool<W, S> {
    words: Rows<W>,
    slots: S,
    /// Number of rows that there are slots for.
    rows: usize,
    step: u64,
}

impl<W: AsRef<[u32]> + AsMut<[u32]>, S> MaskPool<W, S> {
    /// Rows of `row_words` words each: [`Grammar::mask_words`](crate::Grammar::mask_words), or
    /// more. There are as many rows as both `words` and `slots` have room for; their old content
    /// does not matter.
    pub fn new(words: W, mut slots: S, row_words: usize) -> Self
    where
        S: AsMut<[PoolSlot]>,
    {
        slots.as_mut().fill(PoolSlot::default());
        let words = Rows::new(words, row_words);
        MaskPool {
            rows: words.count().min(slots.as_mut().len()),
            words,
            slots,
            step: 1,
        }
    }

    /// Begins a step: rows that were handed out before may be written again.
    pub fn begin_step(&mut self) {
        self.step += 1;
    }

    /// The row that holds the mask of a matcher, and zeros after it: one that already does, or one
    /// that is written now. It stays as it is until the next step.
    ///
    /// Costs a walk of the mask tree and a look at sixteen rows; what
    /// [`Mask::fill`](crate::Mask::fill) costs where the mask is written.
    ///
    /// # Errors
    ///
    /// If all rows are handed out at this step, or rows are too short for the mask.
    pub fn row_of<G: Language, const DEPTH: usize, const STACKS: usize>(
        &mut self,
        matcher: &Matcher<'_, DEPTH, STACKS, G, G::Place>,
    ) -> Result<PooledRow, PoolError>
    where
        S: AsMut<[PoolSlot]>,
    {
        self.row_of_mask(matcher.mask())
    }

    /// [`row_of`](Self::row_of) for a mask, wherever it comes from: a [`State`](crate::State), or a
    /// matcher that owns its grammar.
    ///
    /// # Errors
    ///
    /// As for [`row_of`](Self::row_of).
    pub fn row_of_mask<G: Language>(
        &mut self,
        mask: Mask<'_, G, G::Place>,
    ) -> Result<PooledRow, PoolError>
    where
        S: AsMut<[PoolSlot]>,
    {
        let mut next = MaskRow::default();
        let tables = G::describe(&mut next, &mask);
        let update = |row: &mut MaskRow, next: &MaskRow, words: &mut [u32]| {
            G::update(row, (next, tables), words, &mask)
        };
        self.row_for(mask.words(), &next, tables, update)
    }

    /// A row that holds a mask given as words, and zeros after them. Nothing is known of where such
    /// a mask comes from, so it is written anew each time.
    ///
    /// # Errors
    ///
    /// As for [`row_of`](Self::row_of).
    pub fn row_of_words(&mut self, mask: &[u32]) -> Result<PooledRow, PoolError>
    where
        S: AsMut<[PoolSlot]>,
    {
        let unknown = TablesId {
            grammar: 0,
            vocabulary: 0,
            beside: 0,
            checksum: 0,
            words: 0,
        };
        let update = |row: &mut MaskRow, next: &MaskRow, words: &mut [u32]| {
            *row = *next;
            let (needed, found) = (mask.len(), words.len());
            let (head, rest) = words
                .split_at_mut_checked(needed)
                .ok_or(BufferTooSmall { needed, found })?;
            head.copy_from_slice(mask);
            rest.fill(0);
            Ok(true)
        };
        self.row_for(mask.len(), &MaskRow::default(), unknown, update)
    }

    /// Writes a mask into `row`, a row of the caller's, and zeros after it: a copy of the pool's
    /// row that holds the mask, which is written first if none does.
    ///
    /// All of `row` is written, whatever it held before. What the pool has kept is only used for a
    /// mask with the same `owner`, which has to be a number that the caller gives to one grammar,
    /// and to no other for as long as the pool lives: sets of tokens are compared, hashes decide
    /// nothing. A call is a step: the pool is never full, and fewer rows than there are masks only
    /// cost time. A mask of more than 24 sets is written without being
    /// kept.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// use maskwright_core::{Grammar, MaskPool, Matcher, PoolSlot, Vocabulary};
    ///
    /// let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// let matcher = Matcher::<8>::new(&grammar)?;
    /// let row_words = grammar.mask_words();
    /// let mut masks = MaskPool::new(vec![0; 16 * row_words], vec![PoolSlot::default(); 16], row_words);
    ///
    /// let mut row = vec![u32::MAX; row_words];
    /// masks.copy_to(matcher.mask(), 1, &mut row)?;
    /// assert!(row[b'[' as usize / 32] >> (b'[' % 32) & 1 == 1 && row[b']' as usize / 32] >> (b']' % 32) & 1 == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `row` is too short for the mask. Nothing is written to it then.
    pub fn copy_to(
        &mut self,
        mask: Mask<'_>,
        owner: u64,
        row: &mut [u32],
    ) -> Result<(), BufferTooSmall>
    where
        S: AsMut<[PoolSlot]>,
    {
        let mut next = MaskRow::default();
        next.describe(mask);
        if !next.is_known() || row.len() < mask.words() {
            return mask.fill(row);
        }
        self.begin_step();
        let owner = TablesId::of_owner(owner);
        let update = |row: &mut MaskRow, next: &MaskRow, words: &mut [u32]| {
            mask.fill(words)?;
            *row = next.of(owner);
            Ok(true)
        };
        // Rows that are too short, or none, keep nothing.
        let Ok(found) = self.row_for(mask.words(), &next, owner, update) else {
            return mask.fill(row);
        };
        let kept = self.words.row(found.row).get(..mask.words());
        let (Some(kept), Some((head, rest))) = (kept, row.split_at_mut_checked(mask.words()))
        else {
            return mask.fill(row);
        };
        head.copy_from_slice(kept);
        rest.fill(0);
        Ok(())
    }

    /// The row that holds the mask that `next` describes, written by `update` if none does.
    #[inline]
    pub(crate) fn row_for(
        &mut self,
        needed: usize,
        next: &MaskRow,
        tables: TablesId,
        update: impl FnOnce(&mut MaskRow, &MaskRow, &mut [u32]) -> Result<bool, BufferTooSmall>,
    ) -> Result<PooledRow, PoolError>
    where
        S: AsMut<[PoolSlot]>,
    {
        let found = self.words.len;
        if found < needed {
            return Err(PoolError::RowTooShort(BufferTooSmall { needed, found }));
        }
        let slots = self.slots.as_mut();
        let slots = slots.get_mut(..self.rows).unwrap_or(&mut []);
        let homes = homes(slots.len(), next.hash());
        if let Some((row, slot)) = find(slots, &homes, next, tables) {
            slot.step = self.step;
            return Ok(PooledRow { row, is_new: false });
        }
        let full = PoolError::Full { rows: self.rows };
        let row = choose(slots, &homes, self.step).ok_or(full)?;
        let (Some(words), Some(slot)) = (self.words.row_mut(row), slots.get_mut(row)) else {
            return Err(full);
        };
        slot.step = self.step;
        let is_new = update(&mut slot.holds, next, words);
        let is_new = is_new.map_err(PoolError::RowTooShort)?;
        Ok(PooledRow { row, is_new })
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

/// The slot of these groups that holds a mask.
fn find<'s>(
    slots: &'s mut [PoolSlot],
    homes: &[Range<usize>; 2],
    next: &MaskRow,
    tables: TablesId,
) -> Option<(usize, &'s mut PoolSlot)> {
    let holds = |slot: &PoolSlot| slot.holds.holds(next, tables);
    let row = homes.iter().find_map(|home| {
        let group = slots.get(home.clone())?;
        Some(home.start + group.iter().position(holds)?)
    })?;
    Some((row, slots.get_mut(row)?))
}

/// The slot for a mask that no slot holds: the one of these groups that is least worth keeping, or
/// the next one that has not been handed out at this step. `None` if all have been.
fn choose(slots: &[PoolSlot], homes: &[Range<usize>; 2], step: u64) -> Option<usize> {
    let free = |at: usize| Some((slots.get(at).filter(|slot| slot.step != step)?.worth(), at));
    let near = homes.iter().cloned().flatten().filter_map(free);
    if let Some((_, at)) = near.min() {
        return Some(at);
    }
    let [home, _] = homes;
    let mut others = (home.end..slots.len()).chain(0..home.start);
    others.find(|&at| free(at).is_some())
}

/// The two groups of slots where a mask with this hash is looked for. With two groups to choose
/// from, one is mostly not full.
fn homes(slots: usize, hash: u64) -> [Range<usize>; 2] {
    let groups = (slots / WAYS).max(1);
    [hash >> 32, hash & 0xffff_ffff].map(|half| {
        // `half` is below 2³², so this maps it to a group without a division.
        let group = (half.wrapping_mul(groups as u64) >> 32) as usize;
        let start = group * WAYS;
        let end = if group + 1 == groups {
            slots
        } else {
            start + WAYS
        };
        start..end
    })
}
