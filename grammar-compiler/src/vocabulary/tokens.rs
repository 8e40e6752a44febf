//! Tokens as a reader of a format finds them.
//!
//! In: bytes by id, in any order. Out: a [`Vocabulary`]. What holds after: it has passed
//! [`Vocabulary::check`], and some token has bytes.

use super::{MAX_IDS, Vocabulary, VocabularyError};

/// The ids that a file names beside the bytes of its tokens.
#[derive(Default)]
pub(super) struct NamedIds {
    /// The ids that end a sequence.
    pub(super) eos: Vec<u32>,
    /// The tokens that are never text, with their names.
    pub(super) special: Vec<(u32, String)>,
    /// The tokens that were added to the tokenizer's own and are text, with their names.
    pub(super) added: Vec<(u32, String)>,
}

/// Tokens as a loader finds them, in any order of ids.
#[derive(Default)]
pub(super) struct Tokens {
    by_id: Vec<Option<Vec<u8>>>,
}

impl Tokens {
    /// Gives `id` its bytes, unless it has some already: then answers false.
    pub(super) fn insert(&mut self, id: u32, bytes: Vec<u8>) -> Result<bool, VocabularyError> {
        let slot = self.slot(id)?;
        let free = slot.is_none();
        if free {
            *slot = Some(bytes);
        }
        Ok(free)
    }

    /// Gives `id` these bytes, whatever it had.
    pub(super) fn replace(&mut self, id: u32, bytes: Vec<u8>) -> Result<(), VocabularyError> {
        *self.slot(id)? = Some(bytes);
        Ok(())
    }

    fn slot(&mut self, id: u32) -> Result<&mut Option<Vec<u8>>, VocabularyError> {
        let ids = u64::from(id) + 1;
        let index = id as usize;
        if index >= MAX_IDS {
            return Err(VocabularyError::TooManyIds { ids });
        }
        if index >= self.by_id.len() {
            self.by_id.resize(index + 1, None);
        }
        self.by_id
            .get_mut(index)
            .ok_or(VocabularyError::TooManyIds { ids })
    }

    /// The vocabulary, checked; ids that got no bytes are holes.
    pub(super) fn finish(self, named: NamedIds) -> Result<Vocabulary, VocabularyError> {
        let NamedIds {
            eos,
            special,
            added,
        } = named;
        let tokens: Vec<Vec<u8>> = self
            .by_id
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        let vocabulary = Vocabulary::from_tokens(tokens, eos).with_special(special);
        vocabulary.check()?;
        if vocabulary.iter().all(<[u8]>::is_empty) {
            return Err(VocabularyError::NoTokens);
        }
        Ok(vocabulary.with_added(added))
    }
}
