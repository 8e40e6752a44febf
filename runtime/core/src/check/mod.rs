//! Validation of tables that come from anywhere.
//!
//! In: a [`Grammar`] whose sections lie inside of its tables. What holds after [`validate`]: every
//! word keeps to the [layout](crate::layout), so that every row, state, program, node or set that a
//! matcher can reach lies in range, decision trees and loops end, and sets hold ids below
//! `vocab_size` only. It takes one pass over each section and no memory: the word at an offset
//! tells whether a record begins there, since only heads have the bit `HEAD`.

mod load;
mod sets;
mod trees;

use crate::crc::crc32;
use crate::error::LoadError;
use crate::layout::{
    END_OF_TEXT, HEAD, TableSection, edge, header, program,
    state::{BASE, MAP_SHIFT, MASK, ROW_OFFSET, STATE_WORDS},
    token,
};
use crate::tables::{CLASSES_WORDS, Grammar};
use crate::words::Words;
use sets::validate_sets;
use trees::{validate_masks, validate_programs};

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
    validate_tokens(grammar)?;
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
    let check = |holds, word, problem| ensure(holds, "header", word, problem);
    check(
        grammar.parents.len() <= fields.states as usize,
        header::STATES,
        "fewer states than have parent rows",
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
    let maps = grammar.class_maps;
    let rest = maps.len() - meta_class_maps(grammar) * grammar.header.classes as usize;
    let is_padding = rest < 4 && maps.iter().rev().take(rest).all(|&byte| byte == 0);
    let words = grammar.section(TableSection::Classes).len();
    ensure(
        is_padding,
        "classes",
        words,
        "more than the classes of all bytes and whole maps of classes",
    )?;
    let wrong = (maps.iter()).position(|&class| u32::from(class) >= grammar.header.classes);
    let word = CLASSES_WORDS + wrong.unwrap_or(0) / 4;
    ensure(
        wrong.is_none(),
        "classes",
        word,
        "a class is taken as one that does not exist",
    )
}

/// How many meta-class maps there are.
fn meta_class_maps(grammar: &Grammar<'_>) -> usize {
    grammar.class_maps.len() / (grammar.header.classes as usize).max(1)
}

fn validate_states(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let maps = meta_class_maps(grammar);
    let is_row = |row: u32| {
        (row & ROW_OFFSET) as usize <= grammar.edges.len() && (row >> MAP_SHIFT) as usize <= maps
    };
    for id in 0..grammar.header.states {
        let at = id as usize * STATE_WORDS;
        let check = |holds, field, problem| ensure(holds, "states", at + field, problem);
        let Some(state) = grammar.state(id) else {
            return check(false, BASE, "the record is missing");
        };
        check(is_row(state.base), BASE, "the row does not lie in `edges`")?;
        check(
            is_record(grammar.masks, state.mask),
            MASK,
            "no mask tree begins at this offset",
        )?;
    }
    let first = grammar.header.states as usize * STATE_WORDS;
    for (parent, at) in grammar.parents.iter().zip(first..) {
        let problem = "the parent row does not lie in `edges`";
        ensure(is_row(parent), "states", at, problem)?;
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

/// The classes of terminals and of limits are classes, limits are of one stack, the ids ascend and
/// are in the vocabulary.
fn validate_tokens(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let Some((classes, rest)) = grammar.tokens.split_first() else {
        return Ok(());
    };
    let limits = classes >> token::LIMITS_SHIFT & token::LIMITS;
    let parts = rest.split_at(limits as usize);
    ensure(parts.is_some(), "tokens", 0, "more limits than words")?;
    let (limits, entries) = parts.unwrap_or((Words::EMPTY, Words::EMPTY));
    let is_class = |class: u32| class < grammar.header.classes;
    let is_symbol = |class: u32| class == token::NO_CLASS || is_class(class);
    ensure(
        is_class(classes & token::LEAD) && is_symbol(classes >> token::OTHERS_SHIFT),
        "tokens",
        0,
        "no such class",
    )?;
    let is_one_stack = grammar.max_stacks() == 1 && grammar.stacks_are_proved();
    for (at, limit) in (1..).zip(limits.iter()) {
        let is_limit = is_class(limit & token::NO_CLASS) && limit >> token::LIMIT_SHIFT > 0;
        ensure(is_limit && is_one_stack, "tokens", at, "no such limit")?;
    }
    let mut last = None;
    for (at, entry) in (1 + limits.len()..).zip(entries.iter()) {
        let id = entry >> token::ID_SHIFT;
        ensure(
            is_symbol(entry & token::NO_CLASS),
            "tokens",
            at,
            "no such class",
        )?;
        ensure(
            id < grammar.vocab_size(),
            "tokens",
            at,
            "a token id is past the end of the vocabulary",
        )?;
        ensure(last < Some(id), "tokens", at, "the ids do not ascend")?;
        last = Some(id);
    }
    Ok(())
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
