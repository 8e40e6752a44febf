//! The vocabularies that are known by a name, which the crate `maskwright-vocabularies` ships.

use super::{Vocabulary, VocabularyError};

impl Vocabulary {
    /// One of the vocabularies of [`NAMES`](super::NAMES), with its special tokens and ids as
    /// published; `<|endoftext|>` ends a sequence, in o200k_harmony also `<|return|>` and
    /// `<|call|>`.
    ///
    /// # Errors
    /// [`VocabularyError::UnknownName`], also for a known name without the cargo feature
    /// `tiktoken`.
    pub fn named(name: &str) -> Result<Self, VocabularyError> {
        #[cfg(feature = "tiktoken")]
        if super::NAMES.contains(&name) {
            return load(name);
        }
        Err(VocabularyError::UnknownName { name: name.into() })
    }
}

/// Loads the vocabulary `name`, which is one of [`super::NAMES`].
#[cfg(feature = "tiktoken")]
fn load(name: &str) -> Result<Vocabulary, VocabularyError> {
    let encoding = maskwright_vocabularies::named(name)
        .ok_or_else(|| VocabularyError::UnknownName { name: name.into() })?;
    let vocabulary = Vocabulary::from_slices(encoding.tokens(), encoding.eos().to_vec())
        .with_special(encoding.special());
    vocabulary.check()?;
    Ok(vocabulary)
}
