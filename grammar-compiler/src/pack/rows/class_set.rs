//! Sets of classes.

use crate::pda::Class;

/// A set of classes below 257.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassSet([u64; 5]);

impl ClassSet {
    pub fn insert(&mut self, class: Class) {
        self.0[class as usize / 64] |= 1 << (class % 64);
    }

    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn and(self, other: Self) -> Self {
        ClassSet(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub fn meets(self, other: Self) -> bool {
        self.and(other) != ClassSet::default()
    }

    pub fn is_within(self, other: Self) -> bool {
        self.and(other) == self
    }

    /// The classes, ascending.
    pub fn iter(self) -> impl Iterator<Item = Class> {
        (0..).zip(self.0).flat_map(|(at, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.checked_sub(1)?;
                Some(64 * at + bit as Class)
            })
        })
    }
}
