//! Bytes that no terminal tells apart.
//!
//! In: the automata of all terminals. Out: [`ByteClasses`].

use maskwright_regular::{After, TerminalDfa};

use crate::intern::Interner;

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
    pub(super) fn new<'a>(terminals: impl Iterator<Item = &'a TerminalDfa> + Clone) -> Self {
        let mut is_first = [false; 257];
        is_first[0] = true;
        let mut cut = |low: u8, high: u8| {
            is_first[usize::from(low)] = true;
            is_first[usize::from(high) + 1] = true;
        };
        for dfa in terminals.clone() {
            let ranges = dfa.states.iter().flat_map(|state| &state.next);
            ranges.for_each(|&(low, high, _)| cut(low, high));
            let ranges = dfa.conditions.iter().flat_map(|condition| &condition.next);
            ranges.for_each(|&(low, high, _)| cut(low, high));
        }
        let mut signatures: Interner<Vec<u32>> = Interner::new();
        let (mut of_byte, mut example) = ([0; 256], Vec::new());
        let mut class = 0;
        for byte in 0..=255u8 {
            if is_first[usize::from(byte)] {
                class = signatures.intern(signature(terminals.clone(), byte)) as u8;
                if usize::from(class) == example.len() {
                    example.push(byte);
                }
            }
            of_byte[usize::from(byte)] = class;
        }
        ByteClasses { of_byte, example }
    }

    /// The number of classes.
    pub(super) fn count(&self) -> usize {
        self.example.len()
    }
}

/// Where a byte leads, for all states and conditions.
fn signature<'a>(terminals: impl Iterator<Item = &'a TerminalDfa>, byte: u8) -> Vec<u32> {
    let mut out = Vec::new();
    for dfa in terminals {
        let states = 0..dfa.states.len() as u32;
        out.extend(states.map(|state| next(dfa, state, byte).map_or(0, |next| next + 1)));
        let conditions = 0..dfa.conditions.len() as u32;
        out.extend(conditions.map(|id| match after(dfa, id, byte) {
            After::Holds => 0,
            After::Fails => 1,
            After::Depends(next) => next + 2,
        }));
    }
    out
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
