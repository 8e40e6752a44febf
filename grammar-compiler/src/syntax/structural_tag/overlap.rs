//! Whether ends of tags overlap.
//!
//! In: the texts of ends. Out: whether a text, shorter than some end, ends that end and begins one
//! of them, or is all of one. What holds: it takes time linear in the length of all ends.

use crate::limits::{Deadline, LimitExceeded};
use crate::maps::KeyedMap;

/// The empty beginning.
const NOTHING: u32 = 0;

/// Whether the last bytes of an end, but not all of them, are the first bytes of one of the ends.
///
/// # Errors
/// If the time is over.
pub(super) fn overlap(
    ends: &[&str],
    deadline: &Deadline,
    doing: &str,
) -> Result<bool, LimitExceeded> {
    let mut ends: Vec<&[u8]> = ends.iter().map(|end| end.as_bytes()).collect();
    ends.sort_by_key(|end| std::cmp::Reverse(end.len()));
    let longest = ends.first().map_or(0, |end| end.len());
    let mut beginnings = Beginnings::default();
    let mut at = vec![NOTHING; ends.len()];
    // All beginnings of one length before longer ones, so that what those end with is there.
    for length in 0..longest {
        let longer = ends.partition_point(|end| end.len() > length);
        for (at, end) in at.iter_mut().zip(&ends).take(longer) {
            let (next, steps) = beginnings.next(*at, end[length]);
            deadline.ticks(steps, doing)?;
            *at = next;
        }
    }
    Ok(at.into_iter().any(|end| beginnings.shorter(end) != NOTHING))
}

/// The beginnings of texts, each with the longest shorter one that it ends with (Aho and Corasick,
/// "Efficient string matching", 1975).
#[derive(Default)]
struct Beginnings {
    longer: KeyedMap<(u32, u8), u32>,
    /// For each but the empty one.
    shorter: Vec<u32>,
}

impl Beginnings {
    /// The longest shorter one that this one ends with.
    fn shorter(&self, beginning: u32) -> u32 {
        let before = (beginning as usize).checked_sub(1);
        before.map_or(NOTHING, |at| self.shorter[at])
    }

    /// A beginning with one more byte, and the steps that this has taken.
    fn next(&mut self, beginning: u32, byte: u8) -> (u32, usize) {
        if let Some(&known) = self.longer.get(&(beginning, byte)) {
            return (known, 1);
        }
        let mut steps = 2;
        let mut from = beginning;
        let shorter = loop {
            if from == NOTHING {
                break NOTHING;
            }
            from = self.shorter(from);
            steps += 1;
            if let Some(&known) = self.longer.get(&(from, byte)) {
                break known;
            }
        };
        self.shorter.push(shorter);
        let new = self.shorter.len() as u32;
        self.longer.insert((beginning, byte), new);
        (new, steps)
    }
}

#[cfg(test)]
mod tests {
    use super::overlap;
    use crate::limits::{Deadline, Limits};
    use std::time::Duration;

    /// The definition, by all lengths of all pairs.
    fn by_pairs(ends: &[&str]) -> bool {
        let is_before = |end: &str, other: &str| {
            let mut lengths = 1..end.len().min(other.len() + 1);
            lengths.any(|length| end.as_bytes().ends_with(&other.as_bytes()[..length]))
        };
        ends.iter()
            .any(|other| ends.iter().any(|end| is_before(end, other)))
    }

    fn overlaps(ends: &[&str]) -> bool {
        overlap(ends, &Deadline::never(), "testing").unwrap()
    }

    #[test]
    fn all_short_ends_overlap_as_their_pairs_do() {
        let mut words = vec![String::new()];
        for length in 0..4 {
            let longest = words.iter().filter(|word| word.len() == length);
            let longer: Vec<String> = longest
                .flat_map(|word| ["a", "b"].map(|letter| format!("{word}{letter}")))
                .collect();
            words.extend(longer);
        }
        assert!(!overlaps(&[]));
        for one in &words {
            assert_eq!(overlaps(&[one]), by_pairs(&[one]), "{one}");
            for other in &words {
                for third in &words {
                    let ends = [one.as_str(), other, third];
                    assert_eq!(overlaps(&ends), by_pairs(&ends), "{ends:?}");
                }
            }
        }
    }

    #[test]
    fn random_ends_overlap_as_their_pairs_do() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let mut found = [0; 2];
        for _ in 0..20_000 {
            let letters = ["a", "b", "c", "é", "ê", "</", ">"];
            let mut word = || -> String {
                let length = 1 + random(9);
                (0..length)
                    .map(|_| letters[random(letters.len() as u64) as usize])
                    .collect()
            };
            let words = [word(), word(), word()];
            let ends: Vec<&str> = words.iter().map(String::as_str).collect();
            let (one, two) = (&ends[..1], &ends[..2]);
            for ends in [one, two, &ends] {
                let expected = by_pairs(ends);
                assert_eq!(overlaps(ends), expected, "{ends:?}");
                found[usize::from(expected)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
    }

    #[test]
    fn it_stops_when_the_time_is_over() {
        let limits = Limits::default().time(Duration::MAX).with_clock(|_| true);
        let long = "ab".repeat(10_000);
        let result = overlap(&[&long], &Deadline::start(&limits), "testing");
        assert_eq!(result.unwrap_err().limit, "time");
    }
}
