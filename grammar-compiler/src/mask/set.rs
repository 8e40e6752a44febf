//! Token sets as intervals of ranks.

use std::hash::{Hash, Hasher};

/// Index of a token set in [`super::Masks::sets`].
pub type SetId = u32;

/// A set of ranks (places of tokens in trie order): disjoint half-open intervals, ascending, none adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ranks {
    intervals: Vec<(u32, u32)>,
}

impl Hash for Ranks {
    /// One word for all intervals: there may be tens of thousands.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mix = |hash: u64, &(from, to): &(u32, u32)| {
            let word = (from as u64) << 32 | to as u64;
            (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        state.write_u64(self.intervals.iter().fold(0, mix));
    }
}

impl Ranks {
    /// Adds an interval; cheap if it lies behind all others.
    pub fn add(&mut self, from: u32, to: u32) {
        if from >= to {
            return;
        }
        match self.intervals.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            Some(last) if last.1 > from => {
                self.intervals.push((from, to));
                *self = Ranks::from_unsorted(std::mem::take(&mut self.intervals));
            }
            _ => self.intervals.push((from, to)),
        }
    }

    /// The union of sets.
    pub fn union<'a>(sets: impl Iterator<Item = &'a Ranks>) -> Self {
        let mut intervals = Vec::new();
        sets.for_each(|set| intervals.extend_from_slice(&set.intervals));
        Ranks::from_unsorted(intervals)
    }

    /// The union of intervals in any order.
    pub fn from_unsorted(mut intervals: Vec<(u32, u32)>) -> Self {
        // Mostly sorted runs one after the other, which a stable sort merges.
        intervals.sort();
        let mut out: Vec<(u32, u32)> = Vec::with_capacity(intervals.len());
        for (from, to) in intervals {
            match out.last_mut() {
                Some(last) if last.1 >= from => last.1 = last.1.max(to),
                _ => out.push((from, to)),
            }
        }
        Ranks { intervals: out }
    }

    /// The intervals.
    pub fn intervals(&self) -> &[(u32, u32)] {
        &self.intervals
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Number of ranks.
    pub fn len(&self) -> usize {
        self.intervals.iter().map(|i| (i.1 - i.0) as usize).sum()
    }

    /// The ranks of this set that are not in `other`.
    pub fn minus(&self, other: &Ranks) -> Ranks {
        let mut out = Ranks::default();
        let mut cut = other.intervals.iter().copied().peekable();
        for &(mut from, to) in &self.intervals {
            while let Some(&(low, high)) = cut.peek() {
                if low >= to {
                    break;
                }
                if high > from {
                    out.add(from, low.max(from));
                    from = high;
                }
                if high > to {
                    break;
                }
                cut.next();
            }
            out.add(from, to);
        }
        out
    }
}
