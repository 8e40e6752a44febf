//! A growing set of small numbers.

use std::ops::RangeInclusive;

/// A set of small numbers as a bitmap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The set of one number.
    pub fn of(value: usize) -> Self {
        let mut bits = Bits::default();
        bits.insert(value);
        bits
    }

    /// Adds a number; returns whether it is new.
    pub fn insert(&mut self, value: usize) -> bool {
        let word = value / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (value % 64);
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Adds consecutive numbers.
    pub fn insert_all(&mut self, values: RangeInclusive<usize>) {
        let (first, last) = values.into_inner();
        if last / 64 >= self.words.len() {
            self.words.resize(last / 64 + 1, 0);
        }
        for word in first / 64..=last / 64 {
            let from = first.saturating_sub(word * 64);
            let past = (last + 1 - word * 64).min(64);
            self.words[word] |= u64::MAX << from & u64::MAX >> (64 - past);
        }
    }

    /// Adds all of `other`; returns whether any is new.
    pub fn union(&mut self, other: &Bits) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (mine, &theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Whether the number is in the set.
    pub fn contains(&self, value: usize) -> bool {
        self.words
            .get(value / 64)
            .is_some_and(|w| w >> (value % 64) & 1 == 1)
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        let words = self.words.iter();
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    at * 64 + bit
                })
            })
        })
    }

    /// Calls `visit` with the numbers, ascending.
    pub fn each(&self, mut visit: impl FnMut(usize)) {
        for (at, &word) in self.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(at * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// The first and the last number of each run of consecutive ones, ascending.
    pub fn runs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut all = self.iter().peekable();
        std::iter::from_fn(move || {
            let first = all.next()?;
            let mut last = first;
            while let Some(next) = all.next_if_eq(&(last + 1)) {
                last = next;
            }
            Some((first, last))
        })
    }
}
