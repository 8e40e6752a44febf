//! The automata over bytes that the nodes of a program read with: of single characters, and of
//! parts that have been compiled before.

use crate::budget::Budget;
use crate::dfa::TerminalDfa;
use crate::error::Error;
use regex_syntax::utf8::{Utf8Range, Utf8Sequences};
use std::collections::HashMap;
use std::rc::Rc;

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LeafState {
    /// Where bytes lead: ranges, ascending and disjoint.
    pub(crate) next: Vec<(u8, u8, u32)>,
    /// Whether what has been read may be all.
    pub(crate) is_final: bool,
}

impl LeafState {
    /// Where the byte leads.
    pub(crate) fn target(&self, byte: u8) -> Option<u32> {
        let after = self.next.partition_point(|&(low, ..)| low <= byte);
        let &(_, high, to) = self.next.get(after.checked_sub(1)?)?;
        (byte <= high).then_some(to)
    }
}

/// The states of all automata.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    pub(crate) states: Vec<LeafState>,
    /// The states of characters, which are shared.
    known: HashMap<LeafState, u32>,
    classes: HashMap<Rc<[(char, char)]>, u32>,
    /// By address.
    dfas: HashMap<*const TerminalDfa, u32>,
}

impl Leaves {
    fn share(&mut self, state: LeafState) -> u32 {
        if let Some(&id) = self.known.get(&state) {
            return id;
        }
        let id = self.states.len() as u32;
        self.states.push(state.clone());
        self.known.insert(state, id);
        id
    }

    fn end(&mut self) -> u32 {
        self.share(LeafState {
            next: Vec::new(),
            is_final: true,
        })
    }

    /// Where to start to read one byte of these.
    pub(crate) fn byte(&mut self, ranges: &[(u8, u8)]) -> u32 {
        let end = self.end();
        let next = ranges.iter().map(|&(low, high)| (low, high, end)).collect();
        self.share(LeafState {
            next,
            is_final: false,
        })
    }

    /// Where to start to read one character of the set.
    pub(crate) fn class(
        &mut self,
        ranges: &Rc<[(char, char)]>,
        budget: &mut Budget<'_>,
    ) -> Result<u32, Error> {
        if let Some(&id) = self.classes.get(ranges) {
            return Ok(id);
        }
        let mut sequences: Vec<Vec<Utf8Range>> = Vec::new();
        for &(first, last) in ranges.iter() {
            budget.work(4)?;
            sequences
                .extend(Utf8Sequences::new(first, last).map(|bytes| bytes.as_slice().to_vec()));
        }
        sequences.sort();
        let id = self.tree(&sequences, 0);
        self.classes.insert(ranges.clone(), id);
        Ok(id)
    }

    /// The state behind the first `depth` bytes, in which these sequences agree. What they have
    /// next is equal or disjoint, for they come from disjoint ranges of characters.
    fn tree(&mut self, sequences: &[Vec<Utf8Range>], depth: usize) -> u32 {
        let mut state = LeafState::default();
        let head = |sequence: &Vec<Utf8Range>| sequence.get(depth).copied();
        for group in sequences.chunk_by(|a, b| head(a) == head(b)) {
            match group.first().and_then(head) {
                None => state.is_final = true,
                Some(range) => {
                    let to = self.tree(group, depth + 1);
                    match state.next.last_mut() {
                        Some((_, high, target))
                            if *target == to && high.checked_add(1) == Some(range.start) =>
                        {
                            *high = range.end;
                        }
                        _ => state.next.push((range.start, range.end, to)),
                    }
                }
            }
        }
        self.share(state)
    }

    /// Where to start to read a text of the automaton; `None` if it has none.
    pub(crate) fn dfa(&mut self, dfa: &Rc<TerminalDfa>) -> Option<u32> {
        if let Some(&id) = self.dfas.get(&Rc::as_ptr(dfa)) {
            return Some(id);
        }
        let base = self.states.len() as u32;
        for state in &dfa.states {
            self.states.push(LeafState {
                next: state
                    .next
                    .iter()
                    .map(|&(low, high, to)| (low, high, base + to))
                    .collect(),
                is_final: state.accept.is_always(),
            });
        }
        let start = (!dfa.states.is_empty()).then_some(base);
        self.dfas.extend(start.map(|id| (Rc::as_ptr(dfa), id)));
        start
    }
}
