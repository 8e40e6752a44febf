//! The names of control tokens, a section of [vocabulary tables](crate::layout::vocabulary).
//!
//! In: the words behind the token bytes. Out: a name by its id. Every read is checked, so that a
//! section which was not validated answers wrongly at worst.

use crate::layout::vocabulary::NAME_WORDS;
use crate::words::Words;

/// The section; without names it has no words.
#[derive(Clone, Copy)]
pub(crate) struct TokenNames<'t> {
    /// An id and the end of its name, for each.
    records: &'t [[[u8; 4]; NAME_WORDS]],
    text: &'t [u8],
}

impl<'t> TokenNames<'t> {
    /// Reads the section; none if it is shorter than it says.
    pub(crate) fn new(words: Words<'t>) -> Option<Self> {
        let (count, rest) = words.split_first().unwrap_or((0, Words::EMPTY));
        let (records, text) = rest.split_at((count as usize).checked_mul(NAME_WORDS)?)?;
        Some(TokenNames {
            records: records.raw().as_chunks().0,
            text: text.raw().as_flattened(),
        })
    }

    /// Whether ids ascend below `size`, and names follow one another up to the padding.
    pub(crate) fn are_valid(&self, size: u32) -> bool {
        let (mut first_id, mut start) = (0, 0);
        for record in self.records {
            let (id, end) = fields(record);
            if id < first_id || id >= size || end < start || end > self.text.len() {
                return false;
            }
            (first_id, start) = (id + 1, end);
        }
        self.text.len() == start.next_multiple_of(4)
    }

    /// The bytes of a name.
    pub(crate) fn get(&self, id: u32) -> Option<&'t [u8]> {
        let at = self
            .records
            .binary_search_by_key(&id, |record| fields(record).0);
        let at = at.ok()?;
        let before = at
            .checked_sub(1)
            .and_then(|before| self.records.get(before));
        let start = before.map_or(0, |record| fields(record).1);
        self.text.get(start..fields(self.records.get(at)?).1)
    }
}

/// An id, and where its name ends.
fn fields(record: &[[u8; 4]; NAME_WORDS]) -> (u32, usize) {
    let [id, end] = record.map(u32::from_le_bytes);
    (id, end as usize)
}
