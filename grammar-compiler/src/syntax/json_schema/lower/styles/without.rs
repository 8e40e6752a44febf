//! Texts that do not contain a delimiter.

use crate::grammar::Words;
use crate::grammar::words::WordState;
use crate::intern::Interner;

/// The words in which `needle` does not occur, and whether there are others. Every state of `words` must lead to a word; states of the
/// result need not.
pub(in super::super) fn without(words: &Words, needle: &[u8]) -> (Words, bool) {
    if words.states.is_empty() || needle.is_empty() {
        return (words.clone(), false);
    }
    let search = NeedleSearch::new(needle);
    let mut pairs = Interner::new();
    pairs.intern((0u32, 0usize));
    let mut states = Vec::new();
    let mut is_cut = false;
    while let Some(&(state, read)) = pairs.values.get(states.len()) {
        let mut edges: Vec<(u8, u8, u32)> = Vec::new();
        let from = words.states.get(state as usize);
        for &(low, high, to) in from.map_or(&[][..], |from| &from.edges) {
            for &(first, last, next) in search.steps(read) {
                let (first, last) = (first.max(low), last.min(high));
                if first > last {
                    continue;
                }
                match next == needle.len() {
                    true => is_cut = true,
                    false => edges.push((first, last, pairs.intern((to, next)))),
                }
            }
        }
        states.push(WordState {
            is_final: words.is_final(state),
            edges,
        });
    }
    (Words { states }, is_cut)
}

/// The automaton that finds a needle, as Knuth, Morris and Pratt have it.
struct NeedleSearch {
    /// For each number of bytes of the needle that have been read: ranges of bytes, and how many have been read behind them.
    steps: Vec<Vec<(u8, u8, usize)>>,
}

impl NeedleSearch {
    fn new(needle: &[u8]) -> Self {
        let mut table: Vec<[usize; 256]> = Vec::new();
        // Where the automaton would be, had it begun one byte later.
        let mut later = 0;
        for (read, &byte) in needle.iter().enumerate() {
            let mut row = table.get(later).copied().unwrap_or([0; 256]);
            row[usize::from(byte)] = read + 1;
            if let Some(row) = table.get(later) {
                later = row[usize::from(byte)];
            }
            table.push(row);
        }
        NeedleSearch {
            steps: table.iter().map(ranges).collect(),
        }
    }

    fn steps(&self, read: usize) -> &[(u8, u8, usize)] {
        self.steps.get(read).map_or(&[], Vec::as_slice)
    }
}

/// The bytes of a row as ranges that lead to one place.
fn ranges(row: &[usize; 256]) -> Vec<(u8, u8, usize)> {
    let mut ranges: Vec<(u8, u8, usize)> = Vec::new();
    for (byte, &to) in (0..=u8::MAX).zip(row) {
        match ranges.last_mut() {
            Some(last) if last.2 == to => last.1 = byte,
            _ => ranges.push((byte, byte, to)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json_schema::strings::{Language, raw_text};

    fn contains(words: &Words, text: &[u8]) -> bool {
        let mut states = vec![0];
        for &byte in text {
            states = (states.iter())
                .flat_map(|&state| words.step(state, byte))
                .collect();
        }
        states.iter().any(|&state| words.is_final(state))
    }

    #[test]
    fn texts_without_a_needle_are_those_that_do_not_contain_it() {
        for needle in ["a", "aa", "ab", "aba", "aabaa", "abab"] {
            let (words, is_cut) = without(&raw_text(&Language::any()), needle.as_bytes());
            assert!(is_cut);
            // All texts of up to eight letters.
            for code in 0..3u32.pow(8) {
                let letters = (0..8).map(|at| code / 3u32.pow(at) % 3);
                let text: String = letters.map(|l| ['a', 'b', 'c'][l as usize]).collect();
                for text in [&text[..], &text[..3]] {
                    let expected = !text.contains(needle);
                    assert_eq!(
                        contains(&words, text.as_bytes()),
                        expected,
                        "{needle}: {text}"
                    );
                }
            }
        }
        let (words, is_cut) = without(&raw_text(&Language::literal("ab")), b"ba");
        assert!(!is_cut && contains(&words, b"ab") && !contains(&words, b"a"));
    }
}
