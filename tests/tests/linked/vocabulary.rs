//! Vocabularies with tokens that cross boundaries.
//!
//! In: outputs. Out: a [`Words`]: all bytes, and pieces of the outputs one after another, so that
//! many tokens begin in one part and end in the next or the one after it.

use std::collections::BTreeSet;

use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::random::Random;

/// A vocabulary and what its tokens are called.
pub struct Words {
    pub vocabulary: Vocabulary,
    /// The text of each token, the names of special ones included.
    pub texts: Vec<String>,
}

impl Words {
    /// The same with added tokens in the place of special ones: their names are their bytes.
    pub fn with_added(self) -> Self {
        let special: Vec<(u32, String)> = self
            .vocabulary
            .special()
            .map(|(id, name)| (id, name.to_owned()))
            .collect();
        let mut tokens: Vec<Vec<u8>> = self.vocabulary.iter().map(<[u8]>::to_vec).collect();
        for (id, name) in &special {
            tokens[*id as usize] = name.clone().into_bytes();
        }
        let eos = self.vocabulary.eos().to_vec();
        Words {
            vocabulary: Vocabulary::from_tokens(tokens, eos).with_added(special),
            ..self
        }
    }
}

/// All bytes and `count` pieces of outputs; the names are special tokens.
pub fn of_outputs(
    outputs: &[String],
    names: &[String],
    count: usize,
    random: &mut Random,
) -> Words {
    let mut pieces = BTreeSet::new();
    for _ in 0..count {
        let parts = [random.pick(outputs), random.pick(outputs)]
            .map(|part| part.map_or("", String::as_str));
        let text = parts.concat();
        let length = match random.below(4) {
            0 => 2 + random.below(60),
            _ => 2 + random.below(14),
        };
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let start = random.pick(&starts).copied().unwrap_or(0);
        let piece: String = text[start..].chars().take(length).collect();
        if piece.len() > 1 && !names.iter().any(|name| piece.contains(name.as_str())) {
            pieces.insert(piece.into_bytes());
        }
    }
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.extend(pieces);
    let first = tokens.len() as u32;
    tokens.extend(names.iter().map(|_| Vec::new()));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    let text = |token: &Vec<u8>| String::from_utf8(token.clone()).unwrap_or_default();
    let mut texts: Vec<String> = tokens.iter().map(text).collect();
    for (at, name) in (first as usize..).zip(names) {
        texts[at] = name.clone();
    }
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    Words {
        vocabulary: vocabulary.with_special((first..).zip(names.to_vec())),
        texts,
    }
}

/// What looks like the name of a special token in a format's text.
pub fn names(format: &str) -> Vec<String> {
    let mut names = BTreeSet::new();
    for (at, _) in format.match_indices(['<', '[']) {
        let close = if format[at..].starts_with('<') {
            '>'
        } else {
            ']'
        };
        let Some(length) = format[at..].find(close) else {
            continue;
        };
        let name = &format[at..at + length + 1];
        let is_word = |c: char| !c.is_whitespace() && !"\"{},=:\\".contains(c);
        if name.len() > 4 && name.chars().all(is_word) {
            names.insert(name.to_owned());
        }
    }
    names.into_iter().collect()
}
