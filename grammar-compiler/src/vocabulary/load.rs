//! From a file, its content or a name to a [`Vocabulary`].

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::file;

use super::{MAX_IDS, Vocabulary, VocabularyError, hugging_face, tiktoken};

/// The largest file that is read as a vocabulary: 256 MiB.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// The names that [`Vocabulary::named`] knows, with the cargo feature `tiktoken`.
pub const NAMES: &[&str] = &[
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "p50k_base",
    "p50k_edit",
    "r50k_base",
];

impl Vocabulary {
    /// Reads a vocabulary from a file, whose format is told by its content: a `tokenizer.json`
    /// or a `.tiktoken` file.
    ///
    /// # Errors
    /// [`VocabularyError::File`] with the path and what is wrong.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        read_file(path)
            .and_then(|content| Vocabulary::from_bytes(&content))
            .map_err(|error| error.in_file(path))
    }

    /// Reads a vocabulary from the content of a file, which tells its format.
    ///
    /// # Errors
    /// What [`Vocabulary::from_hugging_face`] or [`Vocabulary::from_tiktoken`] says, or
    /// [`VocabularyError::UnknownFormat`].
    pub fn from_bytes(content: &[u8]) -> Result<Self, VocabularyError> {
        let text = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
        match text.trim_ascii_start().first() {
            None => Err(VocabularyError::NoTokens),
            Some(b'{') => Vocabulary::from_hugging_face(text),
            Some(b'[') => unknown("a JSON array"),
            Some(b'<') => unknown("HTML or XML"),
            Some(_) if text.starts_with(b"version https://git-lfs") => {
                unknown("a Git LFS pointer in the place of the file")
            }
            Some(_) if text.contains(&0) => unknown("a binary file"),
            Some(_) => Vocabulary::from_tiktoken(text),
        }
    }

    /// Reads the content of a `.tiktoken` file: a line for each token, its bytes in base64, a
    /// space and its rank, which is its id.
    ///
    /// The format leaves special tokens out: add room for them with [`Vocabulary::with_size`] and
    /// name the end tokens with [`Vocabulary::with_eos`].
    ///
    /// # Errors
    /// [`VocabularyError::Line`] or [`VocabularyError::DuplicateId`] with the line, or a limit.
    pub fn from_tiktoken(content: &[u8]) -> Result<Self, VocabularyError> {
        let mut tokens = Tokens::default();
        tiktoken::read(content, &mut tokens)?;
        tokens.finish(Vec::new(), Vec::new())
    }

    /// Reads the content of a `tokenizer.json` of Hugging Face tokenizers.
    ///
    /// What the tokens stand for follows from the file's decoder: byte-level BPE, or pieces with
    /// `▁` for a space and `<0xHH>` for bytes (BPE or Unigram). Tokens marked special never
    /// match text, and those of them with a well-known name (`</s>`, `<|endoftext|>`,
    /// `<|eot_id|>`, `<|im_end|>`, …) end a sequence: [`Vocabulary::with_eos`] overrules the guess.
    /// What a decoder strips from the start of a text is part of the tokens here.
    ///
    /// # Errors
    /// [`VocabularyError::Json`], [`VocabularyError::Unsupported`] with the name of what cannot be
    /// turned into bytes (such as WordPiece), [`VocabularyError::DuplicateId`], or a limit.
    pub fn from_hugging_face(content: &[u8]) -> Result<Self, VocabularyError> {
        let mut tokens = Tokens::default();
        let named = hugging_face::read(content, &mut tokens)?;
        let ends = (named.special.iter()).filter(|token| hugging_face::ends(&token.1));
        let eos = ends.map(|token| token.0).collect();
        Ok(tokens.finish(eos, named.special)?.with_added(named.added))
    }

    /// One of the vocabularies of [`NAMES`], with its special tokens and ids as published;
    /// `<|endoftext|>` ends a sequence, in o200k_harmony also `<|return|>` and `<|call|>`.
    ///
    /// # Errors
    /// [`VocabularyError::UnknownName`], also for a known name without the cargo feature `tiktoken`.
    pub fn named(name: &str) -> Result<Self, VocabularyError> {
        #[cfg(feature = "tiktoken")]
        if NAMES.contains(&name) {
            return super::named::load(name);
        }
        Err(VocabularyError::UnknownName { name: name.into() })
    }
}

fn unknown(looks_like: &'static str) -> Result<Vocabulary, VocabularyError> {
    Err(VocabularyError::UnknownFormat { looks_like })
}

/// Reads a file of at most [`MAX_FILE_BYTES`].
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    file::read(path, MAX_FILE_BYTES).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            // A device says that it has none.
            let said = fs::metadata(path).map_or(0, |m| m.len());
            let bytes = said.max(MAX_FILE_BYTES + 1);
            VocabularyError::FileTooLarge { bytes }
        }
        _ => VocabularyError::Io {
            message: error.to_string(),
        },
    })
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
    fn finish(
        self,
        eos: Vec<u32>,
        special: Vec<(u32, String)>,
    ) -> Result<Vocabulary, VocabularyError> {
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
        Ok(vocabulary)
    }
}
