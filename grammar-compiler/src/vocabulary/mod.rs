//! Vocabularies: which bytes each token id stands for.
//!
//! In: a tokenizer's file, or tokens made by the caller. Out: [`Vocabulary`]: the bytes of each id,
//! empty for special tokens, holes and padding, which never match text; and the ids that end a sequence.

/// A vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    tokens: Vec<Vec<u8>>,
    eos: Vec<u32>,
}

impl Vocabulary {
    /// A vocabulary of these tokens: `tokens[id]` are the bytes of `id`, empty if it never matches text.
    /// `eos` are the ids that end a sequence.
    pub fn from_tokens(tokens: Vec<Vec<u8>>, eos: Vec<u32>) -> Self {
        Vocabulary { tokens, eos }
    }
    /// Number of ids: the length of a row of logits.
    pub fn size(&self) -> u32 {
        self.tokens.len() as u32
    }
    /// The bytes of `id`; empty for special tokens, holes and ids past the end.
    pub fn bytes(&self, id: u32) -> &[u8] {
        self.tokens.get(id as usize).map_or(&[], Vec::as_slice)
    }
    /// The ids that end a sequence, ascending.
    pub fn eos(&self) -> &[u32] {
        &self.eos
    }
}
