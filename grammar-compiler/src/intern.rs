//! Values, and sequences of values, numbered in the order in which they are first seen.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::maps::{IdMap, KeyedHasher, OwnHasher, OwnItem, OwnKey};

/// For each value its number: values are numbered in the order in which they are first seen.
pub(crate) fn number<T: OwnKey>(values: impl Iterator<Item = T>) -> Vec<u32> {
    let mut ids: IdMap<T, u32> = IdMap::default();
    let number = |value| {
        let next = ids.len() as u32;
        *ids.entry(value).or_insert(next)
    };
    values.map(number).collect()
}

/// Distinct values that the compiler made, and their numbers.
pub(crate) type Interner<T> = HashInterner<T, OwnHasher<T>>;

/// Distinct values that a text brings, and their numbers.
pub(crate) type KeyedInterner<T> = HashInterner<T, KeyedHasher>;

/// Distinct values and their numbers, which do not depend on the hash.
#[derive(Clone, Debug)]
pub(crate) struct HashInterner<T, H> {
    /// The values, by number.
    pub(crate) values: Vec<T>,
    /// Hashes and numbers.
    ids: HashTable<(u64, u32)>,
    hasher: H,
}

impl<T, H: Default> Default for HashInterner<T, H> {
    fn default() -> Self {
        HashInterner {
            values: Vec::new(),
            ids: HashTable::new(),
            hasher: H::default(),
        }
    }
}

impl<T: Eq + Hash, H: BuildHasher + Default> HashInterner<T, H> {
    pub(crate) fn new() -> Self {
        HashInterner::default()
    }

    /// The number of the value that has the hash of `key` and for which `is` holds, if there is
    /// one.
    pub(crate) fn find(&self, key: &impl Hash, is: impl Fn(&T) -> bool) -> Option<u32> {
        let hash = self.hasher.hash_one(key);
        let is_known = |&(known, id): &(u64, u32)| known == hash && is(&self.values[id as usize]);
        self.ids.find(hash, is_known).map(|known| known.1)
    }

    /// The number of a value.
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        let hash = self.hasher.hash_one(&value);
        let is_known =
            |&(known, id): &(u64, u32)| known == hash && self.values[id as usize] == value;
        match self.ids.entry(hash, is_known, |of| of.0) {
            Entry::Occupied(known) => known.get().1,
            Entry::Vacant(free) => {
                let id = self.values.len() as u32;
                free.insert((hash, id));
                self.values.push(value);
                id
            }
        }
    }
}

impl<T: Eq + Hash, H: BuildHasher + Default> FromIterator<T> for HashInterner<T, H> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values = values.into_iter();
        let count = values.size_hint().0;
        let mut interner = HashInterner {
            values: Vec::with_capacity(count),
            ids: HashTable::with_capacity(count),
            hasher: H::default(),
        };
        values.for_each(|value| {
            interner.intern(value);
        });
        interner
    }
}

/// Distinct sequences and their numbers, in one allocation.
#[derive(Clone, Debug)]
pub(crate) struct Sequences<T> {
    items: Vec<T>,
    /// Where each sequence ends.
    ends: Vec<u32>,
    /// Hashes and numbers.
    ids: HashTable<(u64, u32)>,
}

impl<T: Copy + OwnItem> Sequences<T> {
    pub(crate) fn new() -> Self {
        Sequences {
            items: Vec::new(),
            ends: Vec::new(),
            ids: HashTable::new(),
        }
    }

    /// None, with room for some.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Sequences {
            items: Vec::new(),
            ends: Vec::with_capacity(count),
            ids: HashTable::with_capacity(count),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many items all of them have together.
    pub(crate) fn items(&self) -> usize {
        self.items.len()
    }

    /// About how many bytes of memory they take.
    pub(crate) fn memory(&self) -> usize {
        let ends = size_of::<u32>() * self.ends.capacity();
        let ids = size_of::<(u64, u32)>() * self.ids.capacity();
        size_of::<T>() * self.items.capacity() + ends + ids
    }

    /// The number of a sequence.
    pub(crate) fn intern(&mut self, sequence: &[T]) -> u32 {
        let hash = OwnHasher::<[T]>::default().hash_one(sequence);
        let is_known = |&(known, id): &(u64, u32)| known == hash && self.get(id) == sequence;
        if let Some(&(_, id)) = self.ids.find(hash, is_known) {
            return id;
        }
        let id = self.ends.len() as u32;
        self.ids.insert_unique(hash, (hash, id), |of| of.0);
        self.items.extend_from_slice(sequence);
        self.ends.push(self.items.len() as u32);
        id
    }

    /// The sequence with a number.
    pub(crate) fn get(&self, number: u32) -> &[T] {
        let number = number as usize;
        let first = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[first as usize..self.ends[number] as usize]
    }

    /// All sequences, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.ends.len() as u32).map(|number| self.get(number))
    }
}
