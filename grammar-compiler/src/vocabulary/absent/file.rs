//! What stands for `file` in a compiler without the feature `files`.

use std::path::Path;

use super::{Vocabulary, VocabularyError};

/// A file with a vocabulary: there is none.
#[derive(Clone, Debug)]
pub enum VocabularyFile {}

impl VocabularyFile {
    pub(crate) fn read_as(_: &Path, shown: &Path) -> Result<Self, VocabularyError> {
        Err(absent().in_file(shown))
    }

    pub(crate) fn with_special_tokens_as(
        self,
        _: &Path,
        _: &Path,
    ) -> Result<Self, VocabularyError> {
        match self {}
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        std::iter::empty()
    }

    pub(crate) fn contents(&self) -> impl Iterator<Item = &[u8]> {
        std::iter::empty()
    }

    pub(crate) fn vocabulary(&self) -> Result<Vocabulary, VocabularyError> {
        match *self {}
    }
}

impl Vocabulary {
    pub(crate) fn with_special_tokens(self, _: &[u8]) -> Result<Self, VocabularyError> {
        Err(absent())
    }
}

fn absent() -> VocabularyError {
    VocabularyError::Io {
        message: "files of tokenizers need the cargo feature `files` of `maskwright` or \
                  `maskwright-compiler`"
            .to_owned(),
    }
}
