//! The vocabularies that the crate `maskwright-vocabularies` ships.

use super::{Vocabulary, VocabularyError};

/// Loads the vocabulary `name`, which is one of [`super::NAMES`].
pub(super) fn load(name: &str) -> Result<Vocabulary, VocabularyError> {
    let encoding = maskwright_vocabularies::named(name)
        .ok_or_else(|| VocabularyError::UnknownName { name: name.into() })?;
    let vocabulary = Vocabulary::from_slices(encoding.tokens(), encoding.eos().to_vec())
        .with_special(encoding.special());
    vocabulary.check()?;
    Ok(vocabulary)
}
