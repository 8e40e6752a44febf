//! Numbers for texts of words: equal texts, equal numbers.

use rustc_hash::{FxHashMap as HashMap, FxHasher};
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// What ends a chain of texts with one hash.
const NONE: u32 = u32::MAX;

/// The texts so far, numbered by first occurrence, in one allocation.
#[derive(Default)]
pub(super) struct Interner {
    words: Vec<u32>,
    /// Where each text ends.
    ends: Vec<u32>,
    /// The first text of each hash, and for each text the next with the same.
    first: HashMap<u64, u32>,
    next: Vec<u32>,
}

impl Interner {
    /// The number of `text`.
    pub fn intern(&mut self, text: &[u32]) -> u32 {
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        let new = self.ends.len() as u32;
        let mut at = match self.first.entry(hasher.finish()) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(free) => {
                free.insert(new);
                return self.push(text);
            }
        };
        while self.text(at) != text {
            if self.next[at as usize] == NONE {
                self.next[at as usize] = new;
                return self.push(text);
            }
            at = self.next[at as usize];
        }
        at
    }

    fn push(&mut self, text: &[u32]) -> u32 {
        self.words.extend_from_slice(text);
        self.ends.push(self.words.len() as u32);
        self.next.push(NONE);
        self.ends.len() as u32 - 1
    }

    /// The text with a number.
    pub fn text(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let first = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[first as usize..self.ends[number] as usize]
    }
}
