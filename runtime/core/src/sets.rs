//! Where the token sets of tables lie.
//!
//! In: two sections of tables. Out: [`Sets`], which finds the words of a set.

use crate::words::Words;

/// The sets of tables.
#[derive(Clone, Copy)]
pub(crate) struct Sets<'t> {
    /// Their offsets.
    pub(crate) index: Words<'t>,
    /// Their words.
    pub(crate) words: Words<'t>,
}

impl<'t> Sets<'t> {
    /// No sets.
    pub(crate) const NONE: Self = Sets {
        index: Words::EMPTY,
        words: Words::EMPTY,
    };

    /// The first word of a set, and the words after it to the end of the section.
    pub(crate) fn record(&self, id: u32) -> Option<(u32, Words<'t>)> {
        let offset = self.index.get(id as usize)?;
        self.words.tail(offset as usize)?.split_first()
    }
}
