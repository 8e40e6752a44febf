//! Bytes that no terminal tells apart.
//!
//! In: the automata of all terminals. Out: [`ByteClasses`].

use std::ops::Range;

use maskwright_regular::{After, TerminalDfa};

use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};

/// The stage, as a passed limit names it.
const DOING: &str = "finding which bytes terminals tell apart";

/// States that are looked at together.
const AT_ONCE: u32 = 256;

/// Bytes in classes whose members lead each state of each terminal to the same state, and each
/// condition to the same outcome.
pub(super) struct ByteClasses {
    /// The class of each byte.
    pub(super) of_byte: [u8; 256],
    /// A byte of each class.
    pub(super) example: Vec<u8>,
}

impl ByteClasses {
    /// The classes of these automata.
    ///
    /// # Errors
    ///
    /// If the time is over.
    pub(super) fn new<'a>(
        terminals: impl Iterator<Item = &'a TerminalDfa> + Clone,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let is_first = first_of_ranges(terminals.clone(), deadline)?;
        let bytes = (0..=255u8).filter(|&byte| is_first[usize::from(byte)]);
        let mut classes: Vec<(u8, u32)> = bytes.map(|byte| (byte, 0)).collect();
        for dfa in terminals {
            let states = 0..dfa.states.len() as u32;
            let target = |state, byte| next(dfa, state, byte).map_or(0, |next| next + 1);
            refine(&mut classes, states, target, deadline)?;
            let conditions = 0..dfa.conditions.len() as u32;
            let outcome = |condition, byte| match after(dfa, condition, byte) {
                After::Holds => 0,
                After::Fails => 1,
                After::Depends(next) => next + 2,
            };
            refine(&mut classes, conditions, outcome, deadline)?;
        }
        let (mut of_byte, mut example) = ([0; 256], Vec::new());
        for (at, &(byte, class)) in classes.iter().enumerate() {
            if class as usize == example.len() {
                example.push(byte);
            }
            let end = classes.get(at + 1).map_or(256, |next| usize::from(next.0));
            of_byte[usize::from(byte)..end].fill(class as u8);
        }
        Ok(ByteClasses { of_byte, example })
    }

    /// The number of classes.
    pub(super) fn count(&self) -> usize {
        self.example.len()
    }
}

/// The bytes at which some range begins, or the byte after one that ends.
fn first_of_ranges<'a>(
    terminals: impl Iterator<Item = &'a TerminalDfa>,
    deadline: &Deadline,
) -> Result<[bool; 257], LimitExceeded> {
    let mut is_first = [false; 257];
    is_first[0] = true;
    let mut cut = |low: u8, high: u8| {
        is_first[usize::from(low)] = true;
        is_first[usize::from(high) + 1] = true;
    };
    for dfa in terminals {
        for state in &dfa.states {
            deadline.ticks(1 + state.next.len(), DOING)?;
            state.next.iter().for_each(|&(low, high, _)| cut(low, high));
        }
        for condition in &dfa.conditions {
            deadline.ticks(1 + condition.next.len(), DOING)?;
            let ranges = condition.next.iter();
            ranges.for_each(|&(low, high, _)| cut(low, high));
        }
    }
    Ok(is_first)
}

/// Tells apart the bytes that some of these items lead to different targets. Classes stay numbered
/// in the order of their first bytes.
fn refine(
    classes: &mut [(u8, u32)],
    items: Range<u32>,
    target: impl Fn(u32, u8) -> u32,
    deadline: &Deadline,
) -> Result<(), LimitExceeded> {
    for begin in items.clone().step_by(AT_ONCE as usize) {
        // Nothing is left to tell apart once each byte is a class.
        if classes.iter().map(|class| class.1).max() == Some(classes.len() as u32 - 1) {
            return Ok(());
        }
        let end = begin.saturating_add(AT_ONCE).min(items.end);
        deadline.ticks(classes.len() * (end - begin) as usize, DOING)?;
        let mut known: Interner<(u32, Vec<u32>)> = Interner::new();
        for (byte, class) in classes.iter_mut() {
            let targets = (begin..end).map(|item| target(item, *byte)).collect();
            *class = known.intern((*class, targets));
        }
    }
    Ok(())
}

/// Where a byte leads from a state.
pub(super) fn next(dfa: &TerminalDfa, state: u32, byte: u8) -> Option<u32> {
    let edges = &dfa.states[state as usize].next;
    let at = edges.partition_point(|&(_, high, _)| high < byte);
    edges
        .get(at)
        .filter(|edge| edge.0 <= byte)
        .map(|edge| edge.2)
}

/// What is known of a condition after a byte.
pub(super) fn after(dfa: &TerminalDfa, condition: u32, byte: u8) -> After {
    let edges = &dfa.conditions[condition as usize].next;
    let at = edges.partition_point(|&(_, high, _)| high < byte);
    let edge = edges.get(at).filter(|edge| edge.0 <= byte);
    edge.map_or(After::Fails, |edge| edge.2)
}
