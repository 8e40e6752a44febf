//! A growing set of small numbers.

use std::ops::RangeInclusive;

/// A set of small numbers as a bitmap. Most have none beyond the first word, and need no
/// allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    first: u64,
    rest: Vec<u64>,
}

impl Bits {
    /// The set of one number.
    pub fn of(value: usize) -> Self {
        let mut bits = Bits::default();
        bits.insert(value);
        bits
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }

    /// The word with the bits from `64 * at`.
    fn word(&mut self, at: usize) -> &mut u64 {
        let Some(at) = at.checked_sub(1) else {
            return &mut self.first;
        };
        if at >= self.rest.len() {
            self.rest.resize(at + 1, 0);
        }
        &mut self.rest[at]
    }

    /// Adds a number; returns whether it is new.
    pub fn insert(&mut self, value: usize) -> bool {
        let word = self.word(value / 64);
        let bit = 1 << (value % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Adds consecutive numbers.
    pub fn insert_all(&mut self, values: RangeInclusive<usize>) {
        let (first, last) = values.into_inner();
        for at in first / 64..=last / 64 {
            let from = first.saturating_sub(at * 64);
            let past = (last + 1 - at * 64).min(64);
            *self.word(at) |= u64::MAX << from & u64::MAX >> (64 - past);
        }
    }

    /// Adds all of `other`; returns whether any is new.
    pub fn union(&mut self, other: &Bits) -> bool {
        if other.rest.len() > self.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        let mut changed = other.first & !self.first != 0;
        self.first |= other.first;
        for (mine, &theirs) in self.rest.iter_mut().zip(&other.rest) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Whether the number is in the set.
    pub fn contains(&self, value: usize) -> bool {
        let word = match (value / 64).checked_sub(1) {
            None => self.first,
            Some(at) => self.rest.get(at).copied().unwrap_or_default(),
        };
        word >> (value % 64) & 1 == 1
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.words().all(|word| word == 0)
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().enumerate().flat_map(|(at, word)| {
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
        for (at, word) in self.words().enumerate() {
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

impl Extend<usize> for Bits {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, numbers: I) {
        for number in numbers {
            self.insert(number);
        }
    }
}
