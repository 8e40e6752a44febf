//! Rows of words, each with a note of the mask that it holds.
//!
//! In: words, and a mask. Out: [`Rows`], the words in rows; and [`MaskRow`], the sets whose union a
//! row holds. What holds after [`MaskRow::update`]: the words of the row are those of the mask,
//! then zeros.

use core::ops::Range;

use crate::id::TablesId;
use crate::list::List;
use crate::tables::Grammar;

/// A mask made of more sets is written anew each time: where any value may begin there are about
/// twenty.
pub(crate) const MAX_SETS: usize = 24;
/// The most tokens of a mask that are cleared one by one: clearing more takes longer than writing
/// zeros over all.
const FEW: usize = 256;

/// An odd number whose bits are mixed: 2⁶⁴ divided by the golden ratio.
pub(crate) const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a row of a [`MaskBuffer`](crate::MaskBuffer) or a [`MaskPool`](crate::MaskPool) holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaskRow {
    /// The tables of the sets; `None` if the row must be written anew.
    pub(crate) tables: Option<TablesId>,
    pub(crate) sets: [u32; MAX_SETS],
    /// Number of sets.
    pub(crate) count: usize,
    pub(crate) hash: u64,
    /// Whether the mask in the words has few tokens.
    pub(crate) is_few: bool,
    /// Whether the sets and the hash identify the mask: they are not too many.
    pub(crate) is_known: bool,
    /// All tokens in the words, if they are few and the mask is of a linked grammar.
    #[cfg(feature = "link")]
    pub(crate) only: Option<FewIds>,
}

/// The most tokens of a mask of a linked grammar that are put into a row one by one.
#[cfg(feature = "link")]
const MAX_IDS: usize = 16;

/// Ids of a few tokens, in any order.
#[cfg(feature = "link")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FewIds {
    ids: [u32; MAX_IDS],
    count: usize,
}

#[cfg(feature = "link")]
impl FewIds {
    /// Adds an id; `None` if there are too many.
    pub(crate) fn push(&mut self, id: u32) -> Option<()> {
        *self.ids.get_mut(self.count)? = id;
        self.count += 1;
        Some(())
    }

    /// Calls `visit` with the word of each id and its bit.
    pub(crate) fn each(&self, mut visit: impl FnMut(usize, u32)) {
        let ids = self.ids.iter().take(self.count);
        ids.for_each(|&id| visit(id as usize / 32, 1 << (id % 32)));
    }
}

impl MaskRow {
    /// Whether the sets identify the mask.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known
    }

    /// The same for a row that was written whole, with the mask of this owner.
    pub(crate) fn of(&self, owner: TablesId) -> Self {
        MaskRow {
            tables: self.is_known.then_some(owner),
            ..*self
        }
    }

    /// A hash of the mask: the same for equal masks of one grammar.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether little is lost if the row is overwritten: a mask of few tokens is soon written
    /// again, and one that is not identified is never found.
    pub(crate) fn is_cheap(&self) -> bool {
        self.is_few || self.tables.is_none()
    }

    pub(crate) fn sets(&self) -> &[u32] {
        self.sets.get(..self.count).unwrap_or(&[])
    }

    /// Whether it holds the mask that another row describes, of sets of these tables.
    #[inline]
    pub(crate) fn holds(&self, other: &Self, tables: TablesId) -> bool {
        self.hash == other.hash
            && other.is_known
            && self.tables == Some(tables)
            && self.sets().iter().eq(other.sets())
    }

    /// The lists whose union the mask is, if it has few tokens; `grammar` is that of the sets.
    pub(crate) fn few<'t>(
        &self,
        grammar: &'t Grammar<'t>,
    ) -> Option<impl Iterator<Item = List<'t>>> {
        let lists = self.sets().iter();
        let lists = lists.map(|&id| grammar.set(id)?.as_list());
        let count = lists.clone().map(|list| Some(list?.len()));
        let is_few = self.is_known && count.sum::<Option<usize>>()? <= FEW;
        is_few.then_some(lists.flatten())
    }
}

/// Words in rows of equal length.
#[derive(Debug)]
pub(crate) struct Rows<W> {
    words: W,
    /// Words of a row.
    pub(crate) len: usize,
}

impl<W: AsRef<[u32]> + AsMut<[u32]>> Rows<W> {
    pub(crate) fn new(words: W, len: usize) -> Self {
        Rows { words, len }
    }

    /// Number of whole rows.
    pub(crate) fn count(&self) -> usize {
        self.all().len() / self.len.max(1)
    }

    /// The words of all rows.
    pub(crate) fn all(&self) -> &[u32] {
        self.words.as_ref()
    }

    /// The words of a row; none if there is no such row.
    pub(crate) fn row(&self, row: usize) -> &[u32] {
        let words = self.place(row).and_then(|place| self.all().get(place));
        words.unwrap_or(&[])
    }

    /// The words of a row, to be written.
    pub(crate) fn row_mut(&mut self, row: usize) -> Option<&mut [u32]> {
        let place = self.place(row)?;
        self.words.as_mut().get_mut(place)
    }

    /// Where the words of a row are.
    fn place(&self, row: usize) -> Option<Range<usize>> {
        let start = row.checked_mul(self.len)?;
        Some(start..start.checked_add(self.len)?)
    }
}
