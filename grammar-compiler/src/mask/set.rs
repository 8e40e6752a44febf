//! Token sets as intervals of ranks, or as bits where the intervals are many.

use std::hash::{Hash, Hasher};

/// Index of a token set in [`super::Masks::sets`].
pub type SetId = u32;

/// A set of more intervals is kept as bits: it is joined with others a word at a time.
const MANY: usize = 512;

/// A set of ranks (places of tokens in trie order). Equal sets have the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// Disjoint half-open intervals, ascending, none adjacent: at most [`MANY`].
    Few(Vec<(u32, u32)>),
    /// A bit a rank; the last word is not 0.
    Many(Vec<u64>),
}

impl Default for Ranks {
    fn default() -> Self {
        Ranks(Form::Few(Vec::new()))
    }
}

impl Hash for Ranks {
    /// One word for everything: there may be thousands.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mix = |hash: u64, word: u64| {
            (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        state.write_u64(match &self.0 {
            Form::Few(intervals) => intervals.iter().fold(0, |hash, &(from, to)| {
                mix(hash, (from as u64) << 32 | to as u64)
            }),
            Form::Many(words) => words.iter().fold(1, |hash, &word| mix(hash, word)),
        });
    }
}

impl Ranks {
    /// The union of sets.
    pub fn union<'a>(sets: impl Iterator<Item = &'a Ranks> + Clone) -> Self {
        let mut intervals = Vec::new();
        let mut many = false;
        for set in sets.clone() {
            match &set.0 {
                Form::Few(few) => intervals.extend_from_slice(few),
                Form::Many(_) => many = true,
            }
        }
        if !many {
            return Ranks::from_unsorted(intervals);
        }
        let mut words = Vec::new();
        for set in sets {
            if let Form::Many(bits) = &set.0 {
                widen(&mut words, bits.len());
                words.iter_mut().zip(bits).for_each(|(a, b)| *a |= b);
            }
        }
        intervals
            .iter()
            .for_each(|&(from, to)| fill(&mut words, from, to));
        Ranks::from_words(words)
    }

    /// The union of intervals in any order; those without ranks add nothing.
    pub fn from_unsorted(mut intervals: Vec<(u32, u32)>) -> Self {
        if intervals.len() > 2 * MANY {
            let mut words = Vec::new();
            intervals
                .iter()
                .for_each(|&(from, to)| fill(&mut words, from, to));
            return Ranks::from_words(words);
        }
        // Mostly sorted runs one after the other, which a stable sort merges.
        intervals.sort();
        let mut out: Vec<(u32, u32)> = Vec::with_capacity(intervals.len());
        for (from, to) in intervals {
            match out.last_mut() {
                _ if from >= to => {}
                Some(last) if last.1 >= from => last.1 = last.1.max(to),
                _ => out.push((from, to)),
            }
        }
        if out.len() > MANY {
            return Ranks(Form::Many(words_of(&out)));
        }
        Ranks(Form::Few(out))
    }

    /// The form that a set of bits has.
    fn from_words(mut words: Vec<u64>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        let mut before = 0;
        let begins = words.iter().map(|&word| {
            let begins = word & !(word << 1 | before);
            before = word >> 63;
            begins.count_ones() as usize
        });
        if begins.sum::<usize>() > MANY {
            return Ranks(Form::Many(words));
        }
        let mut intervals = Vec::new();
        runs(&words, &mut |from, to| intervals.push((from, to)));
        Ranks(Form::Few(intervals))
    }

    /// Calls `visit` with the intervals, ascending, none adjacent.
    pub fn each_interval(&self, visit: &mut impl FnMut(u32, u32)) {
        match &self.0 {
            Form::Few(intervals) => intervals.iter().for_each(|&(from, to)| visit(from, to)),
            Form::Many(words) => runs(words, visit),
        }
    }

    /// Whether all ranks of `part` are in the set.
    pub fn holds(&self, part: &Ranks) -> bool {
        part.first().is_none_or(|rank| self.contains(rank)) && part.count_outside(self) == 0
    }

    /// How many ranks only one of two sets has.
    pub fn distance(&self, other: &Ranks) -> usize {
        let outside = self.count_outside(other);
        other.len() + 2 * outside - self.len()
    }

    /// How many ranks of this set are not in `other`.
    pub fn count_outside(&self, other: &Ranks) -> usize {
        match (&self.0, &other.0) {
            (Form::Few(few), Form::Few(other)) => {
                let mut count = 0;
                outside(few, other, &mut |from, to| count += (to - from) as usize);
                count
            }
            (Form::Few(few), Form::Many(words)) => {
                few.iter().map(|&(from, to)| zeros(words, from, to)).sum()
            }
            (Form::Many(words), Form::Many(other)) => {
                let shared = words.iter().zip(other);
                let shared: u32 = shared.map(|(a, b)| (a & b).count_ones()).sum();
                self.len() - shared as usize
            }
            (Form::Many(words), Form::Few(other)) => {
                let past = words.len() as u32 * 64;
                let inside = other.iter().map(|&(from, to)| {
                    let (from, to) = (from.min(past), to.min(past));
                    (to - from) as usize - zeros(words, from, to)
                });
                self.len() - inside.sum::<usize>()
            }
        }
    }

    fn first(&self) -> Option<u32> {
        match &self.0 {
            Form::Few(intervals) => intervals.first().map(|i| i.0),
            Form::Many(words) => {
                let at = words.iter().position(|&word| word != 0)?;
                Some(at as u32 * 64 + words[at].trailing_zeros())
            }
        }
    }

    /// Whether a rank is in the set.
    pub fn contains(&self, rank: u32) -> bool {
        match &self.0 {
            Form::Few(intervals) => {
                let at = intervals.partition_point(|i| i.1 <= rank);
                intervals.get(at).is_some_and(|i| i.0 <= rank)
            }
            Form::Many(words) => {
                let word = words.get(rank as usize / 64);
                word.is_some_and(|word| word >> (rank % 64) & 1 == 1)
            }
        }
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Form::Few(intervals) if intervals.is_empty())
    }

    /// Number of ranks.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Few(intervals) => intervals.iter().map(|i| (i.1 - i.0) as usize).sum(),
            Form::Many(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    /// The ranks of this set that are not in `other`.
    pub fn minus(&self, other: &Ranks) -> Ranks {
        if self.is_empty() || other.is_empty() {
            return self.clone();
        }
        if let (Form::Few(few), Form::Few(other)) = (&self.0, &other.0) {
            let mut left = Vec::with_capacity(few.len());
            outside(few, other, &mut |from, to| left.push((from, to)));
            return Ranks(match left.len() > MANY {
                true => Form::Many(words_of(&left)),
                false => Form::Few(left),
            });
        }
        let mut words = self.to_words();
        match &other.0 {
            Form::Few(intervals) => intervals
                .iter()
                .for_each(|&(from, to)| clear(&mut words, from, to)),
            Form::Many(bits) => words.iter_mut().zip(bits).for_each(|(a, b)| *a &= !b),
        }
        Ranks::from_words(words)
    }

    fn to_words(&self) -> Vec<u64> {
        match &self.0 {
            Form::Few(intervals) => words_of(intervals),
            Form::Many(words) => words.clone(),
        }
    }
}

fn words_of(ascending: &[(u32, u32)]) -> Vec<u64> {
    let mut words = vec![
        0;
        ascending
            .last()
            .map_or(0, |last| last.1.div_ceil(64) as usize)
    ];
    ascending
        .iter()
        .for_each(|&(from, to)| fill(&mut words, from, to));
    words
}

/// Calls `visit` with what ascending intervals have outside of others.
fn outside(few: &[(u32, u32)], others: &[(u32, u32)], visit: &mut impl FnMut(u32, u32)) {
    let mut at = 0;
    for &(mut from, to) in few {
        at += others[at..].partition_point(|other| other.1 <= from);
        for other in others[at..].iter().take_while(|other| other.0 < to) {
            if from < other.0 {
                visit(from, other.0);
            }
            from = other.1;
        }
        if from < to {
            visit(from, to);
        }
    }
}

/// How many bits of an interval are not set.
fn zeros(words: &[u64], from: u32, to: u32) -> usize {
    let past = words.len() as u32 * 64;
    let mut count = to.saturating_sub(from.max(past));
    each_word(from, to.min(past), |at, bits| {
        count += (bits & !words[at]).count_ones();
    });
    count as usize
}

fn widen(words: &mut Vec<u64>, count: usize) {
    if words.len() < count {
        words.resize(count, 0);
    }
}

fn fill(words: &mut Vec<u64>, from: u32, to: u32) {
    if from < to {
        widen(words, to.div_ceil(64) as usize);
        each_word(from, to, |at, bits| words[at] |= bits);
    }
}

fn clear(words: &mut [u64], from: u32, to: u32) {
    let to = to.min(words.len() as u32 * 64);
    each_word(from, to, |at, bits| words[at] &= !bits);
}

/// The words that an interval of bits touches, and which of their bits.
fn each_word(from: u32, to: u32, mut visit: impl FnMut(usize, u64)) {
    let mut from = from;
    while from < to {
        let end = to.min((from / 64 + 1) * 64);
        let bits = (u64::MAX >> (64 - (end - from))) << (from % 64);
        visit(from as usize / 64, bits);
        from = end;
    }
}

/// The runs of bits.
fn runs(words: &[u64], visit: &mut impl FnMut(u32, u32)) {
    let mut open = None;
    for (at, &word) in (0u32..).zip(words) {
        // A bit for each place where the bits change.
        let mut changes = word ^ (word << 1 | u64::from(open.is_some()));
        while changes != 0 {
            let bit = at * 64 + changes.trailing_zeros();
            match open.take() {
                Some(from) => visit(from, bit),
                None => open = Some(bit),
            }
            changes &= changes - 1;
        }
    }
    if let Some(from) = open {
        visit(from, words.len() as u32 * 64);
    }
}

#[cfg(test)]
mod tests {
    use super::Ranks;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Intervals of few ranks or of many, so that both forms meet.
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
            prop_assert_eq!(x.holds(&y), a.is_superset(&b));
            prop_assert!(x.holds(&x.minus(&y)));
            prop_assert_eq!(x.count_outside(&y), (&a - &b).len());
            prop_assert_eq!(x.distance(&y), (&a ^ &b).len());
        }
    }
}
