//! Words of a finite automaton that have at most, or at least, so many characters.
//!
//! In: an automaton over bytes, and which of its states stand between two characters. Out:
//! [`BoundedWords`], an automaton whose states are pairs: a state, and the number of characters
//! before it. What holds: every pair that a word leads to leads to the end of some word. Pairs are
//! made for who asks for them: the first tier asks for those that a text comes to, and only tables
//! need all. Where all words that go on from a state are short enough, the number counts no
//! further, so that there is one such pair.
//!
//! There may be a least number, too. With a least number alone, counting stops where it is reached.
//! An edge to a state that does not stand between two characters counts nothing, so a character
//! that such an edge ends is not counted either.

use std::sync::Arc;

use crate::maps::IdMap;

use super::bounded_core::BoundedCore;
use super::bounded_ends::ExactLengths;
use super::words::{WordState, Words};
use crate::lengths::{Lengths, NEVER};

/// The words of an automaton that have at most, or at least, so many characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoundedWords {
    words: Arc<Words>,
    /// The states below this number stand between two characters.
    boundaries: u32,
    /// The number of characters up to which pairs count.
    max: u32,
    /// Whether any number of characters may follow then.
    is_endless: bool,
    /// The least number of characters, if there is one.
    least: Option<AtLeast>,
    core: Option<Arc<BoundedCore>>,
    lengths: Lengths,
    /// The greatest of the least numbers of characters that end a word behind a state.
    most: u32,
}

/// A bound from below.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AtLeast {
    min: u32,
    ends: ExactLengths,
}

impl BoundedWords {
    /// The words of at most `max` characters. A character ends with each edge to a state below
    /// `boundaries`; the start is such a state. `None` if there
    /// are more pairs than numbers for them, or an edge leads to no state. Linear in the automaton.
    pub fn new(words: Arc<Words>, boundaries: u32, max: u32) -> Option<Self> {
        let states = u32::try_from(words.states.len()).ok()?;
        states.checked_mul(max.checked_add(1)?)?;
        if words.edges().any(|edge| edge.2 >= states) {
            return None;
        }
        let states = words.states.iter();
        let states = states.map(|state| (state.is_final, state.edges.iter().map(|edge| edge.2)));
        let lengths = Lengths::new(states, |to| to < boundaries);
        let ends = lengths.least.iter().filter(|&&least| least != NEVER);
        let most = ends.max().copied().unwrap_or(0);
        Some(BoundedWords {
            words,
            boundaries,
            max,
            is_endless: false,
            least: None,
            core: None,
            lengths,
            most,
        })
    }

    /// Those of them that have at least `min` characters, which tables are to count in blocks of
    /// the characters of `core`. `None` if the numbers of characters that end words are too many to be
    /// told apart.
    pub(crate) fn beside(self, min: u32, core: Arc<BoundedCore>) -> Option<Self> {
        let least = match min {
            0 => None,
            _ => Some(AtLeast {
                min,
                ends: ExactLengths::new(&self.words, self.boundaries)?,
            }),
        };
        Some(BoundedWords {
            least,
            core: Some(core),
            ..self
        })
    }

    /// The words of at least `min` characters, which tables are to count in blocks of the
    /// characters of `core`. `None` as for [`new`](Self::new) and [`beside`](Self::beside).
    pub(crate) fn endless(
        (words, boundaries): (Arc<Words>, u32),
        min: u32,
        core: Arc<BoundedCore>,
    ) -> Option<Self> {
        Some(BoundedWords {
            is_endless: true,
            ..Self::new(words, boundaries, min)?.beside(min, core)?
        })
    }

    /// What tables count in blocks, if that is known.
    pub(crate) fn core(&self) -> Option<&Arc<BoundedCore>> {
        self.core.as_ref()
    }

    /// The least number of characters.
    pub(crate) fn min(&self) -> u32 {
        self.least.as_ref().map_or(0, |least| least.min)
    }

    /// If there is a least number of characters: the number from which on a state ends words behind
    /// any number of them, or behind none.
    pub(crate) fn settled(&self) -> u32 {
        self.least.as_ref().map_or(0, |least| least.ends.settled())
    }

    /// The greatest of the least numbers of characters that end a word behind a state.
    pub(crate) fn most(&self) -> u32 {
        self.most
    }

    /// The words of any number of characters.
    pub fn words(&self) -> &Arc<Words> {
        &self.words
    }

    /// The states below this number stand between two characters.
    pub(crate) fn boundaries(&self) -> u32 {
        self.boundaries
    }

    /// Whether words may have any number of characters, if they have enough.
    pub(crate) fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// The number of characters up to which pairs count: the greatest number of a word, if there is
    /// one.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The least number of characters that end a word behind a state.
    pub(crate) fn least(&self, state: u32) -> u32 {
        self.lengths.least(state)
    }

    /// The number of pairs, those included that no word leads to.
    pub(crate) fn count(&self) -> u64 {
        self.words.states.len() as u64 * (u64::from(self.max) + 1)
    }

    /// Whether no word is short enough.
    pub fn is_empty(&self) -> bool {
        !self.can_end(0, self.max)
    }

    /// Whether a word can end behind a state where this many characters are left.
    fn can_end(&self, state: u32, left: u32) -> bool {
        match &self.least {
            None => self.lengths.least(state) <= left,
            Some(AtLeast { min, ends }) => {
                let fewest = left.saturating_sub(self.max - min);
                let most = if self.is_endless { u32::MAX } else { left };
                ends.has_one(state, fewest, most)
            }
        }
    }

    /// The state of a pair, and the number of characters that may still follow, or that are still
    /// counted. A word begins at pair 0.
    pub(crate) fn parts(&self, pair: u32) -> (u32, u32) {
        let width = self.max + 1;
        (pair / width, self.max - pair % width)
    }

    /// The pair of a state and the number of characters before it.
    pub(crate) fn pair(&self, state: u32, characters: u32) -> u32 {
        state * (self.max + 1) + characters.min(self.max)
    }

    /// Whether a word may end at a pair.
    pub(crate) fn is_final(&self, pair: u32) -> bool {
        let (state, left) = self.parts(pair);
        self.words.is_final(state) && self.max - left >= self.min()
    }

    /// The edges `(low, high, target)` of a pair.
    pub(crate) fn edges(&self, pair: u32) -> impl Iterator<Item = (u8, u8, u32)> + '_ {
        let state = self.words.states.get(self.parts(pair).0 as usize);
        let edges = state.map_or(&[][..], |state| &state.edges);
        let target =
            move |&(low, high, to): &(u8, u8, u32)| Some((low, high, self.behind(pair, to)?));
        edges.iter().filter_map(target)
    }

    /// The pairs that `byte` leads to from a pair.
    pub(crate) fn step(&self, pair: u32, byte: u8) -> impl Iterator<Item = u32> + '_ {
        let taken = move |edge: &(u8, u8, u32)| (edge.0..=edge.1).contains(&byte);
        self.edges(pair).filter(taken).map(|edge| edge.2)
    }

    /// The pair of the state `to` where an edge leads to it from a pair, or a character does.
    /// `None` if too few characters are left to end a word.
    pub(crate) fn behind(&self, pair: u32, to: u32) -> Option<u32> {
        let (_, left) = self.parts(pair);
        let counted = (to < self.boundaries).into();
        let left = match self.is_endless {
            true => left.saturating_sub(counted),
            false => left.checked_sub(counted)?,
        };
        let counted = match self.max - left >= self.min() {
            true => left.min(self.lengths.greatest(to)),
            false => left,
        };
        self.can_end(to, left)
            .then(|| to * (self.max + 1) + (self.max - counted))
    }

    /// The state of a pair; with a number of characters, only if no text of so many tells the state
    /// from the pair. That is so if all words that go on from the state are short enough, or if,
    /// whatever the text leads to, enough characters are left to end a word. Before the least
    /// number of characters no word ends.
    pub(crate) fn unbounded(&self, pair: u32, characters: Option<u32>) -> Option<u32> {
        let (state, left) = self.parts(pair);
        let is_short = self.max - left < self.min();
        let is_apart = |characters: u32| {
            let is_near = left < characters.saturating_add(self.most);
            is_short || !self.is_endless && left < self.lengths.greatest(state) && is_near
        };
        (!characters.is_some_and(is_apart)).then_some(state)
    }

    /// All pairs that words lead to, as an automaton.
    pub(crate) fn to_words(&self) -> Words {
        if self.is_empty() {
            return Words::default();
        }
        let mut pairs = vec![0];
        let mut numbers = IdMap::from_iter([(0, 0)]);
        let mut states = Vec::new();
        while let Some(&pair) = pairs.get(states.len()) {
            let edges = self.edges(pair).map(|(low, high, to)| {
                let number = *numbers.entry(to).or_insert_with(|| {
                    pairs.push(to);
                    pairs.len() as u32 - 1
                });
                (low, high, number)
            });
            states.push(WordState {
                edges: edges.collect(),
                is_final: self.is_final(pair),
            });
        }
        Words { states }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of one or two bytes, `a` and `bb`: states 0 and 1 stand between characters, state
    /// 2 within `bb`. A word ends behind an odd number of characters.
    fn odd(max: u32) -> BoundedWords {
        let state = |is_final, edges: &[(u8, u8, u32)]| WordState {
            is_final,
            edges: edges.to_vec(),
        };
        let states = vec![
            state(false, &[(b'a', b'a', 1), (b'b', b'b', 2)]),
            state(true, &[(b'a', b'a', 0), (b'b', b'b', 3)]),
            state(false, &[(b'b', b'b', 1)]),
            state(false, &[(b'b', b'b', 0)]),
        ];
        BoundedWords::new(Arc::new(Words { states }), 2, max).unwrap()
    }

    fn texts(length: usize) -> Vec<Vec<u8>> {
        let of = |bits: u32| {
            let byte = |at| if bits >> at & 1 == 0 { b'a' } else { b'b' };
            (0..length).map(byte).collect()
        };
        (0..1 << length).map(of).collect()
    }

    /// Characters of a text, if it is made of whole ones.
    fn characters(text: &[u8]) -> Option<u32> {
        match text {
            [] => Some(0),
            [b'a', rest @ ..] | [b'b', b'b', rest @ ..] => characters(rest).map(|n| n + 1),
            _ => None,
        }
    }

    #[test]
    fn words_have_at_most_so_many_characters() {
        for max in 0..6 {
            let bounded = odd(max);
            let all = bounded.to_words();
            assert_eq!(bounded.is_empty(), max == 0);
            for text in (0..10).flat_map(texts) {
                let expected = characters(&text).is_some_and(|n| n <= max && n % 2 == 1);
                let mut pair = (!bounded.is_empty()).then_some(0);
                let mut state = (!all.states.is_empty()).then_some(0);
                for &byte in &text {
                    pair = pair.and_then(|pair| bounded.step(pair, byte).next());
                    state = state.and_then(|state| all.step(state, byte).next());
                }
                let is_word = pair.is_some_and(|pair| bounded.is_final(pair));
                assert_eq!(is_word, expected, "{max} {text:?}");
                let is_word = state.is_some_and(|state| all.is_final(state));
                assert_eq!(is_word, expected, "{max} {text:?}");
            }
        }
    }

    /// Words with a least number of characters: the characters behind it are not counted.
    #[test]
    fn words_have_at_least_so_many_characters() {
        let state = |is_final, edges: &[(u8, u8, u32)]| WordState {
            is_final,
            edges: edges.to_vec(),
        };
        // Characters `a` and `bb`, and then `c`.
        let states = vec![
            state(false, &[(b'a', b'a', 0), (b'b', b'b', 2), (b'c', b'c', 1)]),
            state(true, &[]),
            state(false, &[(b'b', b'b', 0)]),
        ];
        let words = Arc::new(Words { states });
        for min in 1..6 {
            let core = BoundedCore::new(words.clone(), 2, vec![0, 1]);
            let all = BoundedWords::endless((words.clone(), 2), min, Arc::new(core)).unwrap();
            assert!(!all.is_empty());
            for text in (0..10).flat_map(texts) {
                let expected = characters(&text).is_some_and(|n| n + 1 >= min);
                let ended = [&text[..], b"c"].concat();
                let step = |pair: Option<u32>, byte: &u8| all.step(pair?, *byte).next();
                let end = ended.iter().fold(Some(0), step);
                assert_eq!(
                    end.is_some_and(|pair| all.is_final(pair)),
                    expected,
                    "{min} {text:?}"
                );
            }
            // A pair behind enough characters is not told from a state that does not count.
            assert_eq!(all.unbounded(all.pair(0, min), Some(1_000)), Some(0));
            assert_eq!(all.unbounded(all.pair(0, min - 1), Some(0)), None);
        }
    }

    /// Each state of all pairs leads to an end: a step that is not refused can be finished.
    #[test]
    fn no_pair_is_a_dead_end() {
        for max in 1..6 {
            let all = odd(max).to_words();
            for state in &all.states {
                assert!(state.is_final || !state.edges.is_empty(), "{max}");
            }
        }
    }

    /// A state stands for a pair as long as the farthest end can still be reached behind any text
    /// of so many characters.
    #[test]
    fn a_state_stands_for_a_pair_far_from_the_bound() {
        let bounded = odd(9);
        // Within a second character the end is farthest: behind that character and a third one.
        assert_eq!(bounded.unbounded(0, Some(7)), Some(0));
        assert_eq!(bounded.unbounded(0, Some(8)), None);
    }

    /// Behind `b` two characters follow, whatever came before it: only the loop of `a` counts.
    #[test]
    fn characters_are_not_counted_where_all_words_are_short_enough() {
        let state = |is_final, edges: &[(u8, u8, u32)]| WordState {
            is_final,
            edges: edges.to_vec(),
        };
        let states = vec![
            state(false, &[(b'a', b'a', 0), (b'b', b'b', 1)]),
            state(false, &[(b'c', b'c', 2)]),
            state(false, &[(b'd', b'd', 3)]),
            state(true, &[]),
        ];
        let max = 9;
        let bounded = BoundedWords::new(Arc::new(Words { states }), 4, max).unwrap();
        let all = bounded.to_words();
        assert_eq!(all.states.len(), 7 + 3);
        for loops in 0..=max {
            let text = [vec![b'a'; loops as usize], b"bcd".to_vec()].concat();
            let step = |state: Option<u32>, byte: &u8| all.step(state?, *byte).next();
            let end = text.iter().fold(Some(0), step);
            assert_eq!(end.is_some_and(|end| all.is_final(end)), loops + 3 <= max);
        }
        let behind = bounded.step(0, b'b').next().unwrap();
        assert_eq!(bounded.unbounded(behind, Some(100)), Some(1));
    }
}
