//! Validation of the records of decision trees and mask trees.

use super::{ensure, is_record, word};
use crate::error::LoadError;
use crate::layout::{HEAD, mask, program};
use crate::tables::Grammar;

pub(super) fn validate_programs(grammar: &Grammar<'_>) -> Result<(), LoadError> {
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

/// Checks a leaf; returns where the next record begins.
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
        let (first, second) = (
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
        let (frame, reserve) = (second & program::FRAME, second >> program::RESERVE_SHIFT);
        check(
            second == program::push(frame as u16, reserve as u8) && (frame != 0 || reserve == 0),
            "unused bits are set",
        )?;
        check(frame < grammar.header.frames, "no such frame")?;
        check(
            !again || pop > 0 && frame == 0,
            "a symbol is taken again without only popping",
        )?;
    }
    Ok(end)
}

/// Checks a look; returns where the next record begins.
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
    let first = word(grammar.programs, "programs", at + 1)?;
    ensure(
        is_lower(first),
        "programs",
        at + 1,
        "the first branch is not a program at a lower offset",
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

pub(super) fn validate_masks(grammar: &Grammar<'_>) -> Result<(), LoadError> {
    let mut at = 0;
    while at < grammar.masks.len() {
        at = validate_node(grammar, at)?;
    }
    Ok(())
}

/// Checks a node of a mask tree; returns where the next one begins.
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
            ((set & mask::SET) as usize) < grammar.sets.index.len(),
            "masks",
            at,
            "no such set",
        )?;
    }
    if !looks {
        return Ok(sets_end);
    }
    validate_children(grammar, sets_end, children)
}

/// Checks the children of a node that looks at a frame, from the word behind its sets on; returns
/// where it ends.
fn validate_children(
    grammar: &Grammar<'_>,
    sets_end: usize,
    children: u32,
) -> Result<usize, LoadError> {
    let read = |at| word(grammar.masks, "masks", at);
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
