//! Texts spelled by tokens.
//!
//! In: a vocabulary. Out: [`Tokens`], sorted by their bytes: which tokens are a text, which begin
//! with it, and the fewest that spell it.

use maskwright_compiler::vocabulary::Vocabulary;
use std::collections::BTreeSet;

/// The tokens of a vocabulary by their bytes.
pub struct Tokens<'v> {
    /// Bytes and id of each token with bytes, ascending.
    sorted: Vec<(&'v [u8], u32)>,
    ids: Vec<u32>,
    /// The lengths that tokens have.
    lengths: BTreeSet<usize>,
}

/// How tokens spell a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Spelling {
    /// By these, of which there are as few as possible.
    Tokens(Vec<u32>),
    /// Not at all: they can spell so many of its bytes, and then none goes on.
    Stops(usize),
}

impl<'v> Tokens<'v> {
    /// Sorts the tokens.
    pub fn new(vocabulary: &'v Vocabulary) -> Self {
        let tokens = vocabulary.iter().zip(0..);
        let mut sorted: Vec<_> = tokens.filter(|token| !token.0.is_empty()).collect();
        sorted.sort_unstable();
        Tokens {
            ids: sorted.iter().map(|token| token.1).collect(),
            lengths: sorted.iter().map(|token| token.0.len()).collect(),
            sorted,
        }
    }

    /// The tokens that are `text`, ascending.
    pub fn equal(&self, text: &[u8]) -> &[u32] {
        let from = self.sorted.partition_point(|token| token.0 < text);
        let behind = &self.sorted[from..];
        let count = behind.partition_point(|token| token.0 == text);
        &self.ids[from..from + count]
    }

    /// The tokens that begin with `text` and go on, ascending.
    pub fn longer(&self, text: &[u8]) -> Vec<u32> {
        let from = self.sorted.partition_point(|token| token.0 <= text);
        let behind = self.sorted[from..].iter();
        let longer = behind.take_while(|token| token.0.starts_with(text));
        let mut ids: Vec<u32> = longer.map(|token| token.1).collect();
        ids.sort_unstable();
        ids
    }

    /// The fewest tokens that spell `text`; of several such spellings the one whose last tokens are
    /// longest.
    pub fn spell(&self, text: &[u8]) -> Spelling {
        // For each number of bytes that tokens can spell: how many it takes, and the last of them.
        let mut best: Vec<Option<(usize, u32)>> = vec![None; text.len() + 1];
        best[0] = Some((0, 0));
        let mut reached = 0;
        for from in 0..text.len() {
            let Some((count, _)) = best[from] else {
                continue;
            };
            reached = from;
            for &length in self.lengths.iter().take_while(|&&l| l <= text.len() - from) {
                let Some(&id) = self.equal(&text[from..from + length]).first() else {
                    continue;
                };
                let to = &mut best[from + length];
                if to.is_none_or(|known| known.0 > count + 1) {
                    *to = Some((count + 1, id));
                }
            }
        }
        let mut ids = Vec::new();
        let mut end = text.len();
        while let Some((count, id)) = best[end] {
            if count == 0 {
                ids.reverse();
                return Spelling::Tokens(ids);
            }
            ids.push(id);
            let bytes = self.length(id, text, end);
            end -= bytes;
        }
        Spelling::Stops(reached)
    }

    /// The length of the token `id`, which ends at the byte `end` of `text`.
    fn length(&self, id: u32, text: &[u8], end: usize) -> usize {
        let lengths = self.lengths.iter().rev().filter(|&&l| l <= end);
        let mut ending = lengths.copied();
        let is = |length: &usize| self.equal(&text[end - length..end]).first() == Some(&id);
        ending.find(is).unwrap_or(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Spelling {
        let tokens = ["a", "b", "ab", "abc", "cd", "", "ab"];
        let tokens = tokens.map(|token| token.as_bytes().to_vec());
        let vocabulary = Vocabulary::from_tokens(tokens.to_vec(), vec![]);
        Tokens::new(&vocabulary).spell(text.as_bytes())
    }

    #[test]
    fn a_text_is_spelled_by_the_fewest_tokens() {
        assert_eq!(spelled(""), Spelling::Tokens(vec![]));
        assert_eq!(spelled("ab"), Spelling::Tokens(vec![2]));
        // Not `abc` and then nothing.
        assert_eq!(spelled("abcd"), Spelling::Tokens(vec![2, 4]));
        assert_eq!(spelled("abcab"), Spelling::Tokens(vec![3, 2]));
        assert_eq!(spelled("abx"), Spelling::Stops(2));
        assert_eq!(spelled("x"), Spelling::Stops(0));
    }

    #[test]
    fn tokens_are_found_by_text() {
        let tokens = ["a", "ab", "b", "ab", "abc", ""].map(|token| token.as_bytes().to_vec());
        let vocabulary = Vocabulary::from_tokens(tokens.to_vec(), vec![5]);
        let tokens = Tokens::new(&vocabulary);
        assert_eq!(tokens.equal(b"ab"), [1, 3]);
        assert_eq!(tokens.longer(b"a"), [1, 3, 4]);
        assert_eq!(tokens.longer(b"ab"), [4]);
        assert!(tokens.equal(b"").is_empty() && tokens.equal(b"c").is_empty());
    }
}
