//! Validation of token sets: each begins where the last one ends, and holds ids below `vocab_size`
//! only.

use super::{ensure, word};
use crate::error::LoadError;
use crate::layout::set::{ACCEPT, BITMAP, KIND, REJECT, SHARED};
use crate::levels::Levels;
use crate::list::List;
use crate::tables::Grammar;
use crate::words::Words;

pub(super) fn validate_sets(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let sets = grammar.sets.words;
    let mut at = 0;
    for (id, offset) in grammar.sets.index.iter().enumerate() {
        ensure(
            offset as usize == at,
            "set_index",
            id,
            "the set does not begin where the last one ends",
        )?;
        at = validate_set(grammar, id as u32, at)?;
    }
    ensure(
        at == sets.len(),
        "sets",
        at,
        "words are left over after the last set",
    )
}

/// Checks a set; returns where the next one begins.
fn validate_set(grammar: &Grammar<'_>, id: u32, at: usize) -> Result<usize, LoadError> {
    let sets = grammar.sets.words;
    let mut contents = Contents {
        vocab_size: grammar.vocab_size(),
        changed: None,
    };
    match word(sets, "sets", at)? {
        BITMAP => validate_bitmap(grammar, at + 1),
        ACCEPT | REJECT => contents.validate_list(sets, at + 1, false),
        head if head & KIND == SHARED => {
            ensure(
                grammar.set(id).is_some(),
                "sets",
                at,
                "there is no such set to share",
            )?;
            Ok(at + 1)
        }
        head => {
            let words = sets.tail(at + 1).unwrap_or(Words::EMPTY);
            let levels = grammar.levels(head, words, &grammar.sets);
            ensure(
                levels.is_some(),
                "sets",
                at,
                "no such kind of set, or its planes are not bitmaps",
            )?;
            let (levels, lists) = levels.unzip();
            contents.changed = levels;
            let rest = lists.map_or(0, Words::len);
            contents.validate_lists(sets, sets.len() - rest)
        }
    }
}

/// Checks that a bitmap ends with its vocabulary; returns where the next set begins.
fn validate_bitmap(grammar: &Grammar<'_>, at: usize) -> Result<usize, LoadError> {
    let sets = grammar.sets.words;
    let end = at + grammar.mask_words();
    ensure(
        end <= sets.len(),
        "sets",
        at,
        "the section ends inside of a record",
    )?;
    let used = grammar.vocab_size() % 32;
    let last = sets.get(end - 1).unwrap_or(0);
    ensure(
        used == 0 || last >> used == 0,
        "sets",
        end - 1,
        "a token id is past the end of the vocabulary",
    )?;
    Ok(end)
}

/// What a list may hold.
#[derive(Clone, Copy)]
struct Contents<'t> {
    vocab_size: u32,
    /// The base that lists change.
    changed: Option<Levels<'t>>,
}

impl Contents<'_> {
    /// Checks a list of what is added and one of what is removed.
    fn validate_lists(self, sets: Words<'_>, at: usize) -> Result<usize, LoadError> {
        let removed = self.validate_list(sets, at, false)?;
        self.validate_list(sets, removed, true)
    }

    /// Checks a list, whose ids must all be in the base or all be absent there; returns where the
    /// words after it begin.
    fn validate_list(self, sets: Words<'_>, at: usize, present: bool) -> Result<usize, LoadError> {
        let split = sets
            .tail(at)
            .and_then(|words| List::split(words, self.vocab_size))
            .filter(|(list, _)| list.is_whole());
        let Some((list, rest)) = split else {
            return ensure(false, "sets", at, "the section ends inside of a list").map(|()| at);
        };
        let mut last = None;
        list.try_each(|id| {
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
            ensure(
                self.is_in(id).is_none_or(|is_in| is_in == present),
                "sets",
                at,
                "an id is added that is there, or removed that is not",
            )?;
            last = Some(id);
            Ok(())
        })?;
        Ok(sets.len() - rest.len())
    }

    fn is_in(self, id: u32) -> Option<bool> {
        self.changed.map(|levels| levels.contains(id))
    }
}
