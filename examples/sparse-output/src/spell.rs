//! Texts in the longest tokens: for prompts, and for bytes that must come next.
//!
//! A tokenizer may cut otherwise; with weights made on the spot it does not matter.

use std::collections::HashMap;

use maskwright::Vocabulary;

/// Tokens by their bytes.
pub struct Speller {
    ids: HashMap<&'static [u8], u32>,
    longest: usize,
}

impl Speller {
    pub fn new(vocabulary: &'static Vocabulary<'static>, size: u32) -> Self {
        let tokens = (0..size).map(|id| (vocabulary.bytes(id), id));
        let ids: HashMap<_, _> = tokens.filter(|(bytes, _)| !bytes.is_empty()).collect();
        let longest = ids.keys().map(|bytes| bytes.len()).max().unwrap_or(0);
        Speller { ids, longest }
    }

    /// The longest token that `text` begins with, and its length; `None` at the end.
    pub fn first(&self, text: &[u8]) -> Option<(u32, usize)> {
        let lens = (1..=text.len().min(self.longest)).rev();
        lens.map(|len| (self.ids.get(&text[..len]), len))
            .find_map(|(id, len)| Some((*id?, len)))
    }

    /// `text` in the longest tokens.
    pub fn spell(&self, mut text: &[u8]) -> Vec<u32> {
        let mut ids = Vec::new();
        while let Some((id, len)) = self.first(text) {
            ids.push(id);
            text = &text[len..];
        }
        ids
    }
}
