//! Texts that do not contain delimiters.

use crate::grammar::Words;
use crate::grammar::words::WordState;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::syntax::trie::{PrefixId, Symbol, Trie, too_many};

/// What is being done.
const DOING: &str = "leaving out texts with a delimiter";

/// A range of bytes, and the place that it leads to.
type Step = (u8, u8, PrefixId);

/// Delimiters, and the automaton that finds them in bytes.
#[derive(Debug)]
pub(in super::super) struct Needles {
    /// Each byte stands as the character of its number.
    trie: Trie,
}

impl Needles {
    /// The automaton of these delimiters; empty ones say nothing.
    ///
    /// # Errors
    /// If it would be larger than `limits` allow, or the deadline passes.
    pub(in super::super) fn new<'n>(
        needles: impl IntoIterator<Item = &'n [u8]>,
        limits: &Limits,
    ) -> Result<Self, LimitExceeded> {
        let needles = needles.into_iter().filter(|needle| !needle.is_empty());
        let symbols = |needle: &[u8]| -> Vec<Symbol> {
            let bytes = needle.iter().copied();
            bytes.map(|byte| Symbol::Char(byte.into())).collect()
        };
        let words: Vec<Vec<Symbol>> = needles.map(symbols).collect();
        let trie = Trie::new(words.iter().map(Vec::as_slice), limits)?;
        match trie.count() > limits.automaton_states.saturating_add(1) {
            true => Err(too_many(limits)),
            false => Ok(Needles { trie }),
        }
    }

    /// The words that contain none of them, and whether there are others. Every state of `words`
    /// must lead to a word; states of the result need not.
    pub(in super::super) fn cut_from(
        &self,
        words: Words,
        deadline: &Deadline,
    ) -> Result<(Words, bool), LimitExceeded> {
        if words.states.is_empty() || self.trie.count() == 1 {
            return Ok((words, false));
        }
        let mut pairs = Interner::new();
        pairs.intern((0u32, Trie::ROOT));
        let mut states = Vec::new();
        let mut is_cut = false;
        while let Some(&(state, place)) = pairs.values.get(states.len()) {
            let mut edges: Vec<(u8, u8, u32)> = Vec::new();
            let steps = self.steps(place);
            let from = words.states.get(state as usize);
            for &(low, high, to) in from.map_or(&[][..], |from| &from.edges) {
                deadline.ticks(steps.len(), DOING)?;
                for &(first, last, next) in &steps {
                    let (first, last) = (first.max(low), last.min(high));
                    if first > last {
                        continue;
                    }
                    match self.trie.out(next) {
                        Some(_) => is_cut = true,
                        None => edges.push((first, last, pairs.intern((to, next)))),
                    }
                }
            }
            states.push(WordState {
                is_final: words.is_final(state),
                edges,
            });
        }
        Ok((Words { states }, is_cut))
    }

    /// Where each byte leads from a place, in order and without gaps.
    fn steps(&self, place: PrefixId) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut from = Some(0u8);
        for (c, to) in self.trie.next(place) {
            let (Some(first), Ok(byte)) = (from, u8::try_from(c)) else {
                break;
            };
            if first < byte {
                steps.push((first, byte - 1, Trie::ROOT));
            }
            steps.push((byte, byte, to));
            from = byte.checked_add(1);
        }
        steps.extend(from.map(|first| (first, u8::MAX, Trie::ROOT)));
        steps
    }
}

/// The words in which `needle` does not occur, and whether there are others, as
/// [`Needles::cut_from`].
pub(in super::super) fn without(
    words: Words,
    needle: &str,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<(Words, bool), LimitExceeded> {
    Needles::new([needle.as_bytes()], limits)?.cut_from(words, deadline)
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

    fn cut(language: &Language, needles: &[&str]) -> (Words, bool) {
        let deadline = Deadline::never();
        let needles = needles.iter().map(|needle| needle.as_bytes());
        let needles = Needles::new(needles, &Limits::default()).unwrap();
        needles
            .cut_from(raw_text(language, &deadline).unwrap(), &deadline)
            .unwrap()
    }

    #[test]
    fn texts_without_several_needles_contain_none_of_them() {
        for needles in [
            &["ab", "b"][..],
            &["abab", "ba", "cc"],
            &["aab", "ab", "aabb"],
            &["caac", "aa", "aca", "acaac"],
            &["", "a"],
            &["abc", "bc\0", "c\u{7f}"],
            &[],
        ] {
            let (words, is_cut) = cut(&Language::any(), needles);
            assert_eq!(is_cut, !needles.is_empty());
            for code in 0..4u32.pow(6) {
                let letters = (0..6).map(|at| code / 4u32.pow(at) % 4);
                let text: String = letters.map(|l| ['a', 'b', 'c', '\0'][l as usize]).collect();
                let is_one = |needle: &&&str| !needle.is_empty() && text.contains(**needle);
                let expected = !needles.iter().any(|needle| is_one(&needle));
                let found = contains(&words, text.as_bytes());
                assert_eq!(found, expected, "{needles:?}: {text:?}");
            }
        }
    }

    #[test]
    fn delimiters_beyond_the_limit_are_refused() {
        let limits = Limits::default().automaton_states(100);
        let new = |needles: &[String]| {
            let needles = needles.iter().map(String::as_bytes);
            Needles::new(needles, &limits).map(drop)
        };
        let long = |length| "a".repeat(length);
        assert_eq!(new(&[long(100)]), Ok(()));
        let refused = new(&[long(101)]).unwrap_err();
        assert_eq!((refused.limit, refused.value), ("automaton_states", 100));
        // Places that each tell many bytes apart.
        let letters = (b'a'..=b'z').map(|byte| char::from(byte).to_string() + "!");
        let many: Vec<String> = letters.chain([long(40)]).collect();
        assert_eq!(new(&many[..26]).map_err(|error| error.limit), Ok(()));
        assert_eq!(new(&many), Err(refused));
    }

    #[test]
    fn texts_without_a_needle_are_those_that_do_not_contain_it() {
        for needle in ["a", "aa", "ab", "aba", "aabaa", "abab"] {
            let (words, is_cut) = cut(&Language::any(), &[needle]);
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
        let (words, is_cut) = cut(&Language::literal("ab"), &["ba"]);
        assert!(!is_cut && contains(&words, b"ab") && !contains(&words, b"a"));
    }
}
