//! Values, and sequences of values, numbered in the order in which they are first seen.

use rustc_hash::{FxHashMap as HashMap, FxHasher};
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Distinct values and their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    /// The values, by number.
    pub(crate) values: Vec<T>,
    ids: HashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner {
            values: Vec::new(),
            ids: HashMap::default(),
        }
    }

    /// The number of a value.
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        if let Some(&id) = self.ids.get(&value) {
            return id;
        }
        let id = self.values.len() as u32;
        self.ids.insert(value.clone(), id);
        self.values.push(value);
        id
    }
}

/// What ends a chain of sequences with one hash.
const NONE: u32 = u32::MAX;

/// Distinct sequences and their numbers, in one allocation.
#[derive(Clone, Debug)]
pub(crate) struct Sequences<T> {
    items: Vec<T>,
    /// Where each sequence ends.
    ends: Vec<u32>,
    /// The first sequence of each hash, and for each sequence the next with the same.
    first: HashMap<u64, u32>,
    next: Vec<u32>,
}

impl<T: Copy + Eq + Hash> Sequences<T> {
    pub(crate) fn new() -> Self {
        Sequences {
            items: Vec::new(),
            ends: Vec::new(),
            first: HashMap::default(),
            next: Vec::new(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a sequence.
    pub(crate) fn intern(&mut self, sequence: &[T]) -> u32 {
        let mut hasher = FxHasher::default();
        sequence.hash(&mut hasher);
        let new = self.ends.len() as u32;
        let mut at = match self.first.entry(hasher.finish()) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(free) => {
                free.insert(new);
                return self.push(sequence);
            }
        };
        while self.get(at) != sequence {
            if self.next[at as usize] == NONE {
                self.next[at as usize] = new;
                return self.push(sequence);
            }
            at = self.next[at as usize];
        }
        at
    }

    fn push(&mut self, sequence: &[T]) -> u32 {
        self.items.extend_from_slice(sequence);
        self.ends.push(self.items.len() as u32);
        self.next.push(NONE);
        self.ends.len() as u32 - 1
    }

    /// The sequence with a number.
    pub(crate) fn get(&self, number: u32) -> &[T] {
        let number = number as usize;
        let first = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[first as usize..self.ends[number] as usize]
    }
}
