//! Values numbered in the order in which they are first seen.

use rustc_hash::FxHashMap as HashMap;
use std::hash::Hash;

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
