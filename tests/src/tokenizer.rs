//! A small tokenizer of our own making: byte pairs merged over the suite's texts, and oddities.
//!
//! Besides all single bytes and the merges it has what real vocabularies have: tokens that begin or
//! end inside a character, tokens over several symbols of a grammar, two ids with the same bytes,
//! an empty token, holes, two end tokens, and padding ids at the end. It is the same on each run.

use crate::random::Random;
use crate::suite;
use maskwright_compiler::vocabulary::Vocabulary;
use std::collections::{BTreeMap, BTreeSet};

/// Prose, numbers and characters of several lengths, so that merges are not only of the suite's
/// making.
const TEXT: &str = "The quick brown fox jumps over the lazy dog. A grammar names what may come next; a mask keeps \
the rest away. In 1965 nineteen people counted 3.14159, 2.71828 and 1.41421 by hand. naïve café, \
größer, dağ, Ελλάδα, привет, こんにちは世界, 你好, 😀🎉 €100 £20. return value = left + right; \
name: \"value\", true, false, null, [1, 2, 3] {\"key\": \"value\"} SELECT name FROM people WHERE id = 7; ";

const MERGES: usize = 2600;
const SLICES: usize = 1500;

/// The tokens in the order of their ids, and the ids of the end tokens.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    /// The bytes of each id; empty for ids that match no text.
    pub tokens: Vec<Vec<u8>>,
    /// The ids that end a sequence.
    pub eos: Vec<u32>,
}

impl Tokenizer {
    /// Trains the tokenizer on the sentences of the suite.
    pub fn train() -> Self {
        let sentences: Vec<Vec<u8>> = suite::load()
            .into_iter()
            .flat_map(|entry| entry.sentences)
            .collect();
        let mut text = TEXT.as_bytes().to_vec();
        for sentence in &sentences {
            text.extend_from_slice(sentence);
            text.push(b'\n');
        }
        let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
        let mut known: BTreeSet<Vec<u8>> = tokens.iter().cloned().collect();
        let mut add = |token: Vec<u8>, tokens: &mut Vec<Vec<u8>>| {
            if known.insert(token.clone()) {
                tokens.push(token);
            }
        };
        merges(&text, MERGES)
            .into_iter()
            .for_each(|token| add(token, &mut tokens));
        words_over(b"abcx", 4)
            .into_iter()
            .for_each(|token| add(token, &mut tokens));
        words_over(b"()[]{}", 3)
            .into_iter()
            .for_each(|token| add(token, &mut tokens));
        slices(&text, SLICES)
            .into_iter()
            .for_each(|token| add(token, &mut tokens));
        with_oddities(tokens)
    }

    /// The same as the compiler's vocabulary.
    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::from_tokens(self.tokens.clone(), self.eos.clone())
    }

    /// `(id, bytes)` of each id.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..).zip(self.tokens.iter().map(Vec::as_slice))
    }
}

/// Inserts end tokens, an empty token, holes and duplicates among the others, and padding after
/// them.
fn with_oddities(mut tokens: Vec<Vec<u8>>) -> Tokenizer {
    let eos = vec![40, 700];
    for at in [40, 41, 500, 501, 502, 700] {
        tokens.insert(at, Vec::new());
    }
    for duplicated in [60, 300, 301, 900, 2000] {
        let again = tokens[duplicated].clone();
        tokens.push(again);
    }
    tokens.resize(tokens.len().next_multiple_of(64) + 7, Vec::new());
    Tokenizer { tokens, eos }
}

/// The first `count` merges of byte pairs within the words of `text`; a word begins with its blank.
fn merges(text: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut words: BTreeMap<Vec<Vec<u8>>, usize> = BTreeMap::new();
    let mut word: Vec<Vec<u8>> = Vec::new();
    for &byte in text {
        if byte.is_ascii_whitespace() && !word.is_empty() {
            *words.entry(std::mem::take(&mut word)).or_default() += 1;
        }
        word.push(vec![byte]);
    }
    let mut words: Vec<(Vec<Vec<u8>>, usize)> = words.into_iter().collect();
    let mut out = Vec::new();
    while out.len() < count {
        let mut pairs: BTreeMap<(&[u8], &[u8]), usize> = BTreeMap::new();
        for (word, times) in &words {
            for pair in word.windows(2) {
                *pairs.entry((&pair[0], &pair[1])).or_default() += times;
            }
        }
        let best = pairs
            .iter()
            .max_by_key(|(pair, times)| (**times, std::cmp::Reverse(**pair)));
        let Some((&(left, right), _)) = best else {
            break;
        };
        let (left, right) = (left.to_vec(), right.to_vec());
        out.push([left.as_slice(), right.as_slice()].concat());
        words
            .iter_mut()
            .for_each(|(word, _)| merge(word, &left, &right));
    }
    out
}

fn merge(word: &mut Vec<Vec<u8>>, left: &[u8], right: &[u8]) {
    let mut i = 0;
    while i + 1 < word.len() {
        if word[i] == left && word[i + 1] == right {
            let tail = word.remove(i + 1);
            word[i].extend(tail);
        }
        i += 1;
    }
}

/// All words over `letters` of two to `longest` letters.
fn words_over(letters: &[u8], longest: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = letters.iter().map(|&letter| vec![letter]).collect();
    let mut begin = 0;
    for _ in 1..longest {
        let end = all.len();
        for i in begin..end {
            for &letter in letters {
                all.push([all[i].as_slice(), &[letter]].concat());
            }
        }
        begin = end;
    }
    all
}

/// Pieces of the text cut anywhere, also inside characters.
fn slices(text: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(7);
    let mut cut = || {
        let start = random.below(text.len());
        let length = 2 + random.below(9);
        text[start..text.len().min(start + length)].to_vec()
    };
    (0..count).map(|_| cut()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_what_it_should() {
        let tokenizer = Tokenizer::train();
        let tokens = &tokenizer.tokens;
        assert!((3000..6000).contains(&tokens.len()), "{}", tokens.len());
        for byte in 0..=255u8 {
            assert!(tokens.contains(&vec![byte]));
        }
        let nonempty: Vec<&Vec<u8>> = tokens.iter().filter(|token| !token.is_empty()).collect();
        let distinct: BTreeSet<&Vec<u8>> = nonempty.iter().copied().collect();
        assert_eq!(nonempty.len() - distinct.len(), 5);
        assert!(
            tokenizer
                .eos
                .iter()
                .all(|&id| tokens[id as usize].is_empty())
        );
        let begins_inside = nonempty
            .iter()
            .filter(|t| t.len() > 1 && t[0] & 0xC0 == 0x80);
        assert!(begins_inside.count() > 5);
        assert!(tokens.last().is_some_and(Vec::is_empty));
        assert_eq!(Tokenizer::train().tokens, *tokens);
    }
}
