//! Validation of tables that come from anywhere.
//!
//! In: a [`Grammar`] whose sections lie inside of its tables. What holds after [`validate`]: every word keeps to the
//! [layout](crate::layout), so that no row, state, program, node or set that a matcher can come to lies out of range,
//! decision trees and loops end, and sets hold ids below `vocab_size` only. One pass over each section, without memory:
//! whether an offset names a record is told by the word there, since only heads have the bit `HEAD`.

use crate::crc::crc32;
use crate::error::LoadError;
use crate::layout::{
    END_OF_TEXT, HEAD, Section, edge, header, mask, program,
    set::{ACCEPT, BITMAP, BLOCK, DELTA, REJECT},
    state::{NO_PARENT, STATE_WORDS},
};
use crate::set::List;
use crate::tables::Grammar;
use crate::words::Words;

/// A need or headroom is one byte.
const MAX_NEED: u32 = 255;

/// Checks everything that [`Grammar::load`] promises.
pub(crate) fn validate(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    validate_checksum(grammar)?;
    validate_header(grammar)?;
    validate_classes(grammar)?;
    validate_states(grammar)?;
    validate_edges(grammar)?;
    validate_programs(grammar)?;
    validate_masks(grammar)?;
    validate_sets(grammar)?;
    validate_eos(grammar)
}

/// Names a word of a section, if it is wrong.
fn ensure(
    holds: bool,
    section: &'static str,
    word: usize,
    problem: &'static str,
) -> Result<(), LoadError> {
    if holds {
        Ok(())
    } else {
        Err(LoadError::Corrupt {
            section,
            word,
            problem,
        })
    }
}

/// A word, or an error where the section ends before it.
fn word(words: Words<'_>, section: &'static str, at: usize) -> Result<u32, LoadError> {
    words.get(at).ok_or(LoadError::Corrupt {
        section,
        word: at,
        problem: "the section ends inside of a record",
    })
}

fn validate_checksum(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let (words, _) = Words::split(grammar.as_bytes());
    let expected = words.get(header::CHECKSUM).unwrap_or(0);
    let found = crc32(
        grammar
            .as_bytes()
            .get(4 * (header::CHECKSUM + 1)..)
            .unwrap_or(&[]),
    );
    if expected == found {
        Ok(())
    } else {
        Err(LoadError::Checksum { expected, found })
    }
}

fn validate_header(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let fields = grammar.header;
    let states = grammar.section(Section::States).len();
    let check = |holds, word, problem| ensure(holds, "header", word, problem);
    check(
        fields.states as usize * STATE_WORDS == states,
        header::STATES,
        "not the length of `states`",
    )?;
    check(
        fields.states <= program::NEXT + 1,
        header::STATES,
        "more states than an edge can name",
    )?;
    check(
        (1..=1 << 16).contains(&fields.frames),
        header::FRAMES,
        "not a number of frames",
    )?;
    check(
        (1..=1 << 16).contains(&fields.max_stacks),
        header::MAX_STACKS,
        "not a number of stacks",
    )?;
    check(fields.start < fields.states, header::START, "no such state")?;
    check(
        (1..=END_OF_TEXT as u32 + 1).contains(&fields.classes),
        header::CLASSES,
        "not a number of classes",
    )?;
    check(
        fields.end_class < fields.classes,
        header::END_CLASS,
        "no such class",
    )?;
    check(
        fields.stacks_proved <= 1,
        header::STACKS_PROVED,
        "neither 0 nor 1",
    )
}

fn validate_classes(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    for byte in 0..=u8::MAX {
        let (class, word) = (grammar.class(byte), byte as usize / 4);
        ensure(
            class < grammar.header.classes,
            "classes",
            word,
            "a byte has a class that does not exist",
        )?;
        ensure(
            class != grammar.header.end_class,
            "classes",
            word,
            "a byte has the class of the end of the text",
        )?;
    }
    let words = grammar.section(Section::Classes).len();
    ensure(
        words == grammar.classes.len(),
        "classes",
        words,
        "more than the classes of all bytes",
    )
}

fn validate_states(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let is_row = |row: u32| row as usize <= grammar.edges.len();
    for id in 0..grammar.header.states {
        let at = id as usize * STATE_WORDS;
        let check = |holds, field, problem| ensure(holds, "states", at + field, problem);
        let Some(state) = grammar.state(id) else {
            return check(false, 0, "the record is missing");
        };
        check(is_row(state.base), 0, "the row does not lie in `edges`")?;
        check(
            state.parent == NO_PARENT || is_row(state.parent),
            1,
            "the parent row does not lie in `edges`",
        )?;
        check(
            is_record(grammar.masks, state.mask),
            2,
            "no mask tree begins at this offset",
        )?;
        check(
            state.need <= MAX_NEED,
            3,
            "the headroom does not fit a byte",
        )?;
    }
    Ok(())
}

fn validate_edges(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    for (at, entry) in grammar
        .edges
        .iter()
        .enumerate()
        .filter(|(_, entry)| *entry != edge::EMPTY)
    {
        let check = |holds, problem| ensure(holds, "edges", at, problem);
        let payload = entry & edge::PAYLOAD;
        check(
            entry >> edge::CLASS_SHIFT < grammar.header.classes,
            "no such class",
        )?;
        if entry & edge::PROGRAM != 0 {
            check(
                is_record(grammar.programs, payload),
                "no program begins at this offset",
            )?;
        } else {
            check(
                payload == edge::REFUSE || payload < grammar.header.states,
                "no such state",
            )?;
        }
    }
    Ok(())
}

/// Whether a record begins at this offset.
fn is_record(words: Words<'_>, offset: u32) -> bool {
    words
        .get(offset as usize)
        .is_some_and(|head| head & HEAD != 0)
}

fn validate_programs(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let mut at = 0;
    while at < grammar.programs.len() {
        let head = word(grammar.programs, "programs", at)?;
        ensure(
            head & HEAD != 0,
            "programs",
            at,
            "the head of a record is not marked",
        )?;
        at = if head & program::LOOK == 0 {
            validate_leaf(grammar, at, head)?
        } else {
            validate_look(grammar, at, head)?
        };
    }
    Ok(())
}

/// Checks a leaf; where the next record begins.
fn validate_leaf(grammar: &Grammar<'_>, at: usize, head: u32) -> Result<usize, LoadError> {
    ensure(
        head == program::leaf(head as u16),
        "programs",
        at,
        "unused bits are set",
    )?;
    let end = at + 1 + 2 * (head & program::COUNT) as usize;
    for at in (at + 1..end).step_by(2) {
        let check = |holds, problem| ensure(holds, "programs", at, problem);
        let (first, frame) = (
            word(grammar.programs, "programs", at)?,
            word(grammar.programs, "programs", at + 1)?,
        );
        let (again, pop) = (first & program::AGAIN != 0, first >> program::POP_SHIFT);
        check(
            first & HEAD == 0,
            "a word inside of a record is marked as a head",
        )?;
        check(
            first & program::NEXT < grammar.header.states,
            "no such state",
        )?;
        check(frame < grammar.header.frames, "no such frame")?;
        check(
            !again || pop > 0 && frame == 0,
            "a symbol is taken again without only popping",
        )?;
    }
    Ok(end)
}

/// Checks a look; where the next record begins.
fn validate_look(grammar: &Grammar<'_>, at: usize, head: u32) -> Result<usize, LoadError> {
    let (depth, count) = (head >> program::DEPTH_SHIFT, head & program::COUNT);
    ensure(
        head == program::look(depth as u8, count as u16),
        "programs",
        at,
        "unused bits are set",
    )?;
    let is_lower =
        |to: u32| to & HEAD == 0 && (to as usize) < at && is_record(grammar.programs, to);
    let default = word(grammar.programs, "programs", at + 1)?;
    ensure(
        is_lower(default),
        "programs",
        at + 1,
        "the default is not a program at a lower offset",
    )?;
    let end = at + 2 + 2 * count as usize;
    let mut last = None;
    for at in (at + 2..end).step_by(2) {
        let (frame, to) = (
            word(grammar.programs, "programs", at)?,
            word(grammar.programs, "programs", at + 1)?,
        );
        ensure(
            frame < grammar.header.frames,
            "programs",
            at,
            "no such frame",
        )?;
        ensure(last < Some(frame), "programs", at, "frames do not ascend")?;
        ensure(
            is_lower(to),
            "programs",
            at + 1,
            "the branch is not a program at a lower offset",
        )?;
        last = Some(frame);
    }
    Ok(end)
}

fn validate_masks(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let mut at = 0;
    while at < grammar.masks.len() {
        at = validate_node(grammar, at)?;
    }
    Ok(())
}

/// Checks a node of a mask tree; where the next one begins.
fn validate_node(grammar: &Grammar<'_>, start: usize) -> Result<usize, LoadError> {
    let read = |at| word(grammar.masks, "masks", at);
    let head = read(start)?;
    let (sets, children) = (
        head & mask::SETS,
        head >> mask::CHILDREN_SHIFT & mask::MAX_CHILDREN,
    );
    let looks = head & mask::LOOK != 0;
    let made = if looks {
        mask::look(sets as u8, children as u16)
    } else {
        mask::leaf(sets as u8)
    };
    ensure(
        head == made,
        "masks",
        start,
        "the head of a record is not marked, or unused bits are set",
    )?;
    let sets_end = start + 1 + sets as usize;
    for at in start + 1..sets_end {
        let set = read(at)?;
        ensure(
            set & HEAD == 0,
            "masks",
            at,
            "a word inside of a record is marked as a head",
        )?;
        ensure(
            ((set & mask::SET) as usize) < grammar.set_index.len(),
            "masks",
            at,
            "no such set",
        )?;
    }
    if !looks {
        return Ok(sets_end);
    }
    let default = read(sets_end)?;
    let is_child = default == mask::NO_NODE || is_record(grammar.masks, default);
    ensure(
        is_child && default & HEAD == 0,
        "masks",
        sets_end,
        "no mask tree begins at this offset",
    )?;
    let end = sets_end + 1 + 2 * children as usize;
    let mut last = None;
    for at in (sets_end + 1..end).step_by(2) {
        let (frame, child) = (read(at)?, read(at + 1)?);
        ensure(frame < grammar.header.frames, "masks", at, "no such frame")?;
        ensure(last < Some(frame), "masks", at, "frames do not ascend")?;
        let is_child = child == mask::NO_NODE || is_record(grammar.masks, child);
        ensure(
            is_child && child & HEAD == 0,
            "masks",
            at + 1,
            "no mask tree begins at this offset",
        )?;
        last = Some(frame);
    }
    Ok(end)
}

fn validate_sets(grammar: &Grammar<'_>) -> Result<(), LoadError> {
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

fn validate_eos(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let mut last = None;
    for (at, id) in grammar.eos.iter().enumerate() {
        ensure(
            id < grammar.vocab_size(),
            "eos",
            at,
            "a token id is past the end of the vocabulary",
        )?;
        ensure(last < Some(id), "eos", at, "the ids do not ascend")?;
        last = Some(id);
    }
    Ok(())
}
