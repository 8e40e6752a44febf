//! Bytes to tokens, for what is forced.
//!
//! In: a vocabulary and bytes. Out: tokens that spell the bytes, each the longest that begins
//! there.

use std::collections::HashMap;

use maskwright::Vocabulary;

/// The tokens of a vocabulary, by their bytes.
#[derive(Debug)]
pub struct Retokeniser {
    ids: HashMap<Vec<u8>, u32>,
    longest: usize,
}

impl Retokeniser {
    /// Reads a vocabulary. Of tokens with the same bytes the first counts.
    pub fn new(vocabulary: &Vocabulary<'_>) -> Self {
        let mut ids = HashMap::new();
        for id in 0..vocabulary.size() {
            let bytes = vocabulary.bytes(id);
            if !bytes.is_empty() {
                ids.entry(bytes.to_vec()).or_insert(id);
            }
        }
        let longest = ids.keys().map(Vec::len).max().unwrap_or(0);
        Retokeniser { ids, longest }
    }

    /// Tokens that spell the beginning of `bytes`, but not the last one: a model might have chosen
    /// a longer one in its place.
    pub fn tokens(&self, bytes: &[u8]) -> Vec<u32> {
        let (mut tokens, mut rest) = (Vec::new(), bytes);
        while let Some((id, after)) = self.first(rest) {
            tokens.push(id);
            rest = after;
        }
        tokens.pop();
        tokens
    }

    /// The longest token that begins the bytes, and what is left.
    fn first<'b>(&self, bytes: &'b [u8]) -> Option<(u32, &'b [u8])> {
        let lens = (1..=bytes.len().min(self.longest)).rev();
        lens.into_iter().find_map(|len| {
            let (token, rest) = bytes.split_at_checked(len)?;
            Some((*self.ids.get(token)?, rest))
        })
    }
}
