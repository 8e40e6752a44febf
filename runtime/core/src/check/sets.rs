//! Validation of token sets: each begins where the last one ends, and holds ids below `vocab_size` only.

use super::{ensure, word};
use crate::error::LoadError;
use crate::layout::set::{ACCEPT, BITMAP, BLOCK, DELTA, REJECT};
use crate::set::List;
use crate::tables::Grammar;
use crate::words::Words;

pub(super) fn validate_sets(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let mut at = 0;
    for (id, offset) in grammar.set_index.iter().enumerate() {
        ensure(
            offset as usize == at,
            "set_index",
            id,
            "the set does not begin where the last one ends",
        )?;
        at = validate_set(grammar, at)?;
    }
    ensure(
        at == grammar.sets.len(),
        "sets",
        at,
        "words are left over after the last set",
    )
}

/// Checks a set; where the next one begins.
fn validate_set(grammar: &Grammar<'_>, at: usize) -> Result<usize, LoadError> {
    let nothing = Contents {
        vocab_size: grammar.vocab_size(),
        bitmap: None,
    };
    match word(grammar.sets, "sets", at)? {
        BITMAP => validate_bitmap(grammar, at + 1),
        ACCEPT | REJECT => nothing.validate_list(grammar.sets, at + 1, false),
        DELTA => {
            let base = word(grammar.sets, "sets", at + 1)?;
            let bitmap = bitmap_of(grammar, base);
            ensure(
                bitmap.is_some(),
                "sets",
                at + 1,
                "the set to change is not a bitmap",
            )?;
            let base = Contents { bitmap, ..nothing };
            let removed = base.validate_list(grammar.sets, at + 2, false)?;
            base.validate_list(grammar.sets, removed, true)
        }
        _ => ensure(false, "sets", at, "no such kind of set").map(|()| at),
    }
}

/// Checks that a bitmap ends with its vocabulary; where the next set begins.
fn validate_bitmap(grammar: &Grammar<'_>, at: usize) -> Result<usize, LoadError> {
    let end = at + grammar.mask_words();
    ensure(
        end <= grammar.sets.len(),
        "sets",
        at,
        "the section ends inside of a record",
    )?;
    let used = grammar.vocab_size() % 32;
    let last = grammar.sets.get(end - 1).unwrap_or(0);
    ensure(
        used == 0 || last >> used == 0,
        "sets",
        end - 1,
        "a token id is past the end of the vocabulary",
    )?;
    Ok(end)
}

/// The words of a set that is a bitmap.
fn bitmap_of<'t>(grammar: &Grammar<'t>, id: u32) -> Option<Words<'t>> {
    let at = grammar.set_index.get(id as usize)? as usize;
    if grammar.sets.get(at)? != BITMAP {
        return None;
    }
    grammar.sets.slice(at.checked_add(1)?, grammar.mask_words())
}

/// What a list may hold.
#[derive(Clone, Copy)]
struct Contents<'t> {
    vocab_size: u32,
    /// If the list changes a bitmap: that one.
    bitmap: Option<Words<'t>>,
}

impl Contents<'_> {
    /// Checks a list, whose ids must be in the bitmap or absent there; where the words after it begin.
    fn validate_list(self, sets: Words<'_>, at: usize, present: bool) -> Result<usize, LoadError> {
        let split = sets
            .tail(at)
            .and_then(|words| List::split(words, self.vocab_size));
        let Some((list, rest)) = split else {
            return ensure(false, "sets", at, "the section ends inside of a list").map(|()| at);
        };
        let end = sets.len() - rest.len();
        for (block, ids) in list.blocks().enumerate() {
            let mut last = None;
            for id in ids
                .iter()
                .map(|half| block as u32 * BLOCK + u16::from_le_bytes(*half) as u32)
            {
                ensure(
                    last < Some(id),
                    "sets",
                    at,
                    "the ids of a list do not ascend",
                )?;
                ensure(
                    id < self.vocab_size,
                    "sets",
                    at,
                    "a token id is past the end of the vocabulary",
                )?;
                let is_in = |words: Words<'_>| {
                    words.get(id as usize / 32).unwrap_or(0) >> (id % 32) & 1 == 1
                };
                let as_expected = self.bitmap.is_none_or(|words| is_in(words) == present);
                ensure(
                    as_expected,
                    "sets",
                    at,
                    "an id is added that is there, or removed that is not",
                )?;
                last = Some(id);
            }
        }
        Ok(end)
    }
}
