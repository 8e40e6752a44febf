//! Sequences, each kept once and numbered in the order of arrival.

use crate::maps::KeyedMap;
use std::hash::Hash;
use std::rc::Rc;

/// The sequences met so far.
#[derive(Debug)]
pub(super) struct SequenceInterner<T> {
    list: Vec<Rc<[T]>>,
    ids: KeyedMap<Rc<[T]>, u32>,
}

impl<T: Clone + Eq + Hash> SequenceInterner<T> {
    pub(super) fn new() -> SequenceInterner<T> {
        SequenceInterner {
            list: Vec::new(),
            ids: KeyedMap::default(),
        }
    }

    /// The number of a sequence, and whether it is new.
    pub(super) fn number(&mut self, sequence: Vec<T>) -> (u32, bool) {
        if let Some(&id) = self.ids.get(sequence.as_slice()) {
            return (id, false);
        }
        let id = self.list.len() as u32;
        let sequence: Rc<[T]> = sequence.into();
        self.ids.insert(sequence.clone(), id);
        self.list.push(sequence);
        (id, true)
    }

    /// The sequence of that number, if there is one yet.
    pub(super) fn get(&self, id: u32) -> Option<Rc<[T]>> {
        self.list.get(id as usize).cloned()
    }
}
