//! Token sets: intervals of ranks, or a bitmap where there are many intervals.
//!
//! A rank is the position of a token in the order of the trie. The tokens below a trie node have
//! consecutive ranks, so that most sets are a few intervals. What holds: equal sets have the same
//! representation, however they were made.

use crate::maps::own_keys;
use std::hash::{Hash, Hasher};

use super::bits::{
    are_many, clear, count_outside, fill, gaps, ones, runs, runs_within, widen, words_of, zeros,
};

/// A set of more intervals than this is a bitmap, so that a union takes a word at a time. Without,
/// a compile takes 26 % longer at the 99th percentile (`docs/ablation.md`).
const MANY: usize = 512;
/// The number of intervals that a search looks at one by one before it goes on by bisection.
const SCANNED: usize = 8;

/// A set of ranks. Equal sets have the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    len: usize,
    /// A hash of the form. A set is interned several times on its way into tables.
    hash: u64,
    form: RanksForm,
}

own_keys!(Ranks);

#[derive(Clone, Debug, PartialEq, Eq)]
enum RanksForm {
    /// Disjoint half-open intervals, ascending, none adjacent: at most [`MANY`].
    Few(Vec<(u32, u32)>),
    /// A bit for each rank; the last word is not 0.
    Many(Vec<u64>),
}

impl Default for Ranks {
    fn default() -> Self {
        Ranks::few(Vec::new())
    }
}

impl Hash for Ranks {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Intervals that borrow a scratch buffer: an interner can look for the set that they make without
/// allocating one.
pub struct SortedIntervals<'a> {
    /// As in [`RanksForm::Few`], but of any number.
    intervals: &'a [(u32, u32)],
}

impl<'a> SortedIntervals<'a> {
    /// Sorts `intervals`, which may overlap or be empty.
    pub fn new(intervals: &'a mut Vec<(u32, u32)>) -> Self {
        tidy(intervals);
        SortedIntervals { intervals }
    }

    /// Whether they make the set `ranks`.
    pub fn is(&self, ranks: &Ranks) -> bool {
        matches!(&ranks.form, RanksForm::Few(few) if few == self.intervals)
    }
}

impl Hash for SortedIntervals<'_> {
    /// Hashes as the set does that they make, unless that is a bitmap.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_of(self.intervals));
    }
}

impl From<SortedIntervals<'_>> for Ranks {
    fn from(sorted: SortedIntervals<'_>) -> Ranks {
        Ranks::from_intervals(sorted.intervals.to_vec())
    }
}

/// Sorts intervals, unites those that overlap or touch, and drops empty ones.
fn tidy(intervals: &mut Vec<(u32, u32)>) {
    // The input is mostly a few sorted runs, which the stable sort merges.
    intervals.sort();
    intervals.retain(|interval| interval.0 < interval.1);
    intervals.dedup_by(|next, last| {
        let meets = next.0 <= last.1;
        if meets {
            last.1 = last.1.max(next.1);
        }
        meets
    });
}

fn hash_of(intervals: &[(u32, u32)]) -> u64 {
    mixed(intervals, |(from, to)| {
        u64::from(from) << 32 | u64::from(to)
    })
}

/// One word for all items. There may be thousands, so four lanes are mixed side by side.
fn mixed<T: Copy>(items: &[T], word: impl Fn(T) -> u64) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (fours, rest) = items.as_chunks();
    let lanes = fours.iter().fold([0; 4], |[a, b, c, d], &[i, j, k, l]| {
        [
            mix(a, word(i)),
            mix(b, word(j)),
            mix(c, word(k)),
            mix(d, word(l)),
        ]
    });
    let rest = rest.iter().map(|&item| word(item));
    lanes.into_iter().chain(rest).fold(0, mix)
}

impl Ranks {
    /// The union of sets.
    pub fn union<'a>(sets: impl Iterator<Item = &'a Ranks> + Clone) -> Self {
        if sets.clone().any(Ranks::is_bitmap) {
            return Ranks::with_words(Vec::new(), sets);
        }
        let few = sets.map(|set| match &set.form {
            RanksForm::Few(few) => few.as_slice(),
            RanksForm::Many(_) => &[],
        });
        let mut intervals = Vec::with_capacity(few.clone().map(<[_]>::len).sum());
        few.for_each(|few| intervals.extend_from_slice(few));
        Ranks::from_unsorted(intervals)
    }

    /// The union of sets, and of the ranks of one more set that are not in `other`.
    pub fn union_with_rest<'a>(
        set: &Ranks,
        other: &Ranks,
        sets: impl Iterator<Item = &'a Ranks>,
    ) -> Self {
        let mut words = set.to_words();
        other.clear_in(&mut words);
        Ranks::with_words(words, sets)
    }

    /// The union of a bitmap and of sets.
    fn with_words<'a>(mut words: Vec<u64>, sets: impl Iterator<Item = &'a Ranks>) -> Self {
        for set in sets {
            match &set.form {
                RanksForm::Many(bits) if words.is_empty() => words.clone_from(bits),
                RanksForm::Many(bits) => {
                    widen(&mut words, bits.len());
                    words.iter_mut().zip(bits).for_each(|(a, b)| *a |= b);
                }
                RanksForm::Few(few) => few
                    .iter()
                    .for_each(|&(from, to)| fill(&mut words, from, to)),
            }
        }
        Ranks::from_words(words)
    }

    /// Clears the bits of the set's ranks in a bitmap.
    fn clear_in(&self, words: &mut [u64]) {
        match &self.form {
            RanksForm::Few(few) => few.iter().for_each(|&(from, to)| clear(words, from, to)),
            RanksForm::Many(bits) => words.iter_mut().zip(bits).for_each(|(a, b)| *a &= !b),
        }
    }

    /// Whether the set is stored as a bitmap: to make one from it takes a word at a time.
    pub fn is_bitmap(&self) -> bool {
        matches!(self.form, RanksForm::Many(_))
    }

    /// The union of intervals, which may overlap, be empty and come in any order.
    pub fn from_unsorted(mut intervals: Vec<(u32, u32)>) -> Self {
        if intervals.len() > 2 * MANY {
            let mut words = Vec::new();
            intervals
                .iter()
                .for_each(|&(from, to)| fill(&mut words, from, to));
            return Ranks::from_words(words);
        }
        tidy(&mut intervals);
        Ranks::from_intervals(intervals)
    }

    /// The set of ascending intervals, none empty and none adjacent.
    fn from_intervals(intervals: Vec<(u32, u32)>) -> Self {
        match intervals.len() {
            ..=MANY => Ranks::few(intervals),
            _ => Ranks::many(words_of(&intervals)),
        }
    }

    fn few(intervals: Vec<(u32, u32)>) -> Self {
        Ranks {
            len: count(&intervals),
            hash: hash_of(&intervals),
            form: RanksForm::Few(intervals),
        }
    }

    fn many(words: Vec<u64>) -> Self {
        Ranks {
            len: ones(words.iter().copied()),
            hash: mixed(&words, |word| word),
            form: RanksForm::Many(words),
        }
    }

    /// The set of a bitmap, in the form that its number of intervals asks for.
    fn from_words(mut words: Vec<u64>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        if are_many(&words, MANY) {
            return Ranks::many(words);
        }
        let mut intervals = Vec::new();
        runs(&words, &mut |from, to| intervals.push((from, to)));
        Ranks::few(intervals)
    }

    /// Calls `visit` with the intervals, ascending, none adjacent.
    pub fn each_interval(&self, visit: &mut impl FnMut(u32, u32)) {
        match &self.form {
            RanksForm::Few(intervals) => intervals.iter().for_each(|&(from, to)| visit(from, to)),
            RanksForm::Many(words) => runs(words, visit),
        }
    }

    /// The number of ranks that only one of the two sets has, if it is at most `most`.
    pub fn distance(&self, other: &Ranks, most: usize) -> Option<usize> {
        // The sizes and what one set has outside of the other give what the other has outside of
        // it.
        let outside = (most + self.len).checked_sub(other.len)? / 2;
        let outside = self.outside(other, outside)?;
        Some(other.len + 2 * outside - self.len)
    }

    /// The number of ranks of this set that are not in `other`, if it is at most `most`.
    pub fn outside(&self, other: &Ranks, most: usize) -> Option<usize> {
        if self.len > other.len + most {
            return None;
        }
        let count = match (&self.form, &other.form) {
            (RanksForm::Few(few), RanksForm::Few(other)) => {
                let mut count = 0;
                outside(few, other, &mut |from, to| {
                    count += (to - from) as usize;
                    count <= most
                });
                count
            }
            (RanksForm::Few(few), RanksForm::Many(words)) => {
                few.iter().map(|&(from, to)| zeros(words, from, to)).sum()
            }
            (RanksForm::Many(words), RanksForm::Many(other)) => count_outside(words, other, most),
            (RanksForm::Many(words), RanksForm::Few(other)) => {
                let past = words.len() as u32 * 64;
                let inside = other.iter().map(|&(from, to)| {
                    let (from, to) = (from.min(past), to.min(past));
                    (to - from) as usize - zeros(words, from, to)
                });
                self.len - inside.sum::<usize>()
            }
        };
        (count <= most).then_some(count)
    }

    /// Whether a rank is in the set.
    pub fn contains(&self, rank: u32) -> bool {
        match &self.form {
            RanksForm::Few(intervals) => {
                let at = intervals.partition_point(|i| i.1 <= rank);
                intervals.get(at).is_some_and(|i| i.0 <= rank)
            }
            RanksForm::Many(words) => {
                let word = words.get(rank as usize / 64);
                word.is_some_and(|word| word >> (rank % 64) & 1 == 1)
            }
        }
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of ranks.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The ranks of this set that are not in `other`.
    pub fn minus(&self, other: &Ranks) -> Ranks {
        if self.is_empty() || other.is_empty() {
            return self.clone();
        }
        if let (RanksForm::Few(few), RanksForm::Few(other)) = (&self.form, &other.form) {
            let mut left = Vec::with_capacity(few.len());
            outside(few, other, &mut |from, to| {
                left.push((from, to));
                true
            });
            return Ranks::from_intervals(left);
        }
        if let (RanksForm::Few(few), RanksForm::Many(words)) = (&self.form, &other.form) {
            let mut left = Vec::new();
            for &interval in few {
                gaps(words, interval, &mut |from, to| left.push((from, to)));
            }
            return Ranks::from_intervals(left);
        }
        let mut words = self.to_words();
        other.clear_in(&mut words);
        Ranks::from_words(words)
    }

    /// The ranks of both sets.
    pub fn common(&self, other: &Ranks) -> Ranks {
        if let (RanksForm::Few(_), RanksForm::Few(_)) = (&self.form, &other.form) {
            return self.minus(&self.minus(other));
        }
        if let (RanksForm::Few(few), RanksForm::Many(words))
        | (RanksForm::Many(words), RanksForm::Few(few)) = (&self.form, &other.form)
        {
            let mut both = Vec::new();
            for &interval in few {
                runs_within(words, interval, &mut |from, to| both.push((from, to)));
            }
            return Ranks::from_intervals(both);
        }
        let mut words = self.to_words();
        let others = other.to_words();
        words.truncate(others.len());
        words.iter_mut().zip(&others).for_each(|(a, b)| *a &= b);
        Ranks::from_words(words)
    }

    fn to_words(&self) -> Vec<u64> {
        match &self.form {
            RanksForm::Few(intervals) => words_of(intervals),
            RanksForm::Many(words) => words.clone(),
        }
    }
}

/// Calls `visit` with the parts of ascending intervals that lie outside of others, until it returns
/// false.
fn outside(few: &[(u32, u32)], others: &[(u32, u32)], visit: &mut impl FnMut(u32, u32) -> bool) {
    let mut others = others;
    for &(mut from, to) in few {
        others = &others[ending_by(others, from)..];
        for other in others.iter().take_while(|other| other.0 < to) {
            if from < other.0 && !visit(from, other.0) {
                return;
            }
            from = other.1;
        }
        if from < to && !visit(from, to) {
            return;
        }
    }
}

/// The number of ascending intervals that end at `rank` or before.
fn ending_by(intervals: &[(u32, u32)], rank: u32) -> usize {
    let ends = |interval: &&(u32, u32)| interval.1 <= rank;
    let scanned = intervals.iter().take(SCANNED).take_while(ends).count();
    if scanned < SCANNED {
        return scanned;
    }
    scanned + intervals[scanned..].partition_point(|interval| interval.1 <= rank)
}

/// The number of ranks in disjoint intervals.
fn count(intervals: &[(u32, u32)]) -> usize {
    let lengths = intervals.iter().map(|&(from, to)| to - from);
    lengths.sum::<u32>() as usize
}

#[cfg(test)]
mod tests {
    use super::Ranks;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Few intervals or many, so that both forms occur.
    fn intervals() -> impl Strategy<Value = Vec<(u32, u32)>> {
        let few = proptest::collection::vec((0u32..9_000, 0u32..90), 0..12);
        let many = proptest::collection::vec((0u32..9_000, 0u32..3), 400..2_500);
        prop_oneof![few, many].prop_map(|spans| {
            spans
                .iter()
                .map(|&(from, length)| (from, from + length))
                .collect()
        })
    }

    fn members(intervals: &[(u32, u32)]) -> BTreeSet<u32> {
        intervals.iter().flat_map(|&(from, to)| from..to).collect()
    }

    fn check(ranks: &Ranks, expected: &BTreeSet<u32>) {
        let mut found = Vec::new();
        ranks.each_interval(&mut |from, to| found.push((from, to)));
        assert!(found.iter().all(|i| i.0 < i.1) && found.windows(2).all(|w| w[0].1 < w[1].0));
        assert_eq!(&members(&found), expected);
        assert_eq!(
            (ranks.len(), ranks.is_empty()),
            (expected.len(), expected.is_empty())
        );
        assert_eq!(
            ranks,
            &Ranks::from_unsorted(found),
            "the form does not depend on the way"
        );
    }

    proptest! {
        #[test]
        fn sets_are_sets(a in intervals(), b in intervals()) {
            let (x, y) = (Ranks::from_unsorted(a.clone()), Ranks::from_unsorted(b.clone()));
            let (a, b) = (members(&a), members(&b));
            check(&x, &a);
            check(&Ranks::union([&x, &y].into_iter()), &(&a | &b));
            check(&x.minus(&y), &(&a - &b));
            check(&x.common(&y), &(&a & &b));
            let (outside, distance) = ((&a - &b).len(), (&a ^ &b).len());
            for most in [0, distance / 2, outside, distance, 20_000] {
                prop_assert_eq!(x.outside(&y, most), Some(outside).filter(|&n| n <= most));
                prop_assert_eq!(x.distance(&y, most), Some(distance).filter(|&n| n <= most));
            }
            prop_assert_eq!(x.contains(4_000), a.contains(&4_000));
        }
    }
}
