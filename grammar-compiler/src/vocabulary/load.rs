//! From a file, its content or a name to a [`Vocabulary`].

use std::path::Path;

use crate::limits::{Deadline, Limits};

use super::tokens::{NamedIds, Tokens};
use super::{
    FileKind, Vocabulary, VocabularyError, VocabularyFile, gguf, hugging_face, recognise,
    sentencepiece, tekken, tiktoken,
};

impl Vocabulary {
    /// Reads a vocabulary from a file, whose content shows its kind: see [`FileKind`]. Of a GGUF
    /// only the metadata is read.
    ///
    /// # Errors
    /// [`VocabularyError::File`] with the path and what is wrong.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        Vocabulary::open_within(path, &Limits::default())
    }

    /// As [`open`](Self::open), within [`Limits::time`] of these limits. All that reads
    /// vocabularies has a limit of time: where none is given, that of [`Limits::default`].
    ///
    /// # Errors
    /// As for [`open`](Self::open); [`VocabularyError::TooSlow`] if reading takes longer.
    pub fn open_within(path: impl AsRef<Path>, limits: &Limits) -> Result<Self, VocabularyError> {
        let deadline = Deadline::of_vocabulary(limits);
        let path = path.as_ref();
        VocabularyFile::read_in_time(path, path, &deadline)?.vocabulary_in_time(&deadline)
    }

    /// Reads a vocabulary from the content of a file, which shows its kind. A `vocab.json` is
    /// refused, since its companion files are needed.
    ///
    /// # Errors
    /// What is wrong with a file of this kind, a limit, or [`VocabularyError::UnknownFormat`].
    pub fn from_bytes(content: &[u8]) -> Result<Self, VocabularyError> {
        Vocabulary::from_bytes_within(content, &Limits::default())
    }

    /// As [`from_bytes`](Self::from_bytes), within [`Limits::time`] of these limits.
    ///
    /// # Errors
    /// As for [`from_bytes`](Self::from_bytes); [`VocabularyError::TooSlow`] if reading takes
    /// longer.
    pub fn from_bytes_within(content: &[u8], limits: &Limits) -> Result<Self, VocabularyError> {
        let deadline = Deadline::of_vocabulary(limits);
        Vocabulary::of_kind(recognise::kind(content, &deadline)?, content, &deadline)
    }

    /// Reads the content of a file of this kind.
    pub(super) fn of_kind(
        kind: FileKind,
        content: &[u8],
        deadline: &Deadline,
    ) -> Result<Self, VocabularyError> {
        let text = recognise::without_mark(content);
        let mut tokens = Tokens::default();
        let named = match kind {
            FileKind::TokenizerJson => hugging_face::read(text, &mut tokens, deadline)?,
            FileKind::Tiktoken => {
                tiktoken::read(text, &mut tokens, deadline)?;
                NamedIds::default()
            }
            FileKind::Gguf => gguf::read(content, &mut tokens, deadline)?,
            FileKind::SentencePiece => sentencepiece::read(content, &mut tokens, deadline)?,
            FileKind::Tekken => tekken::read(text, &mut tokens, deadline)?,
            FileKind::VocabJson => {
                return Err(VocabularyError::UnknownFormat {
                    looks_like: "a map from tokens to ids".to_owned(),
                    way_out: "open the file by its path, with its `merges.txt` beside it, or give the `tokenizer.json`",
                });
            }
        };
        deadline.check("reading tokens")?;
        tokens.finish(named)
    }

    /// Reads the content of a file of this kind, which has no mark before it.
    fn plain(kind: FileKind, content: &[u8]) -> Result<Self, VocabularyError> {
        let deadline = Deadline::of_vocabulary(&Limits::default());
        Vocabulary::of_kind(kind, content, &deadline)
    }

    /// Reads the content of a GGUF, or its beginning up to the end of the metadata.
    ///
    /// The tensors behind the metadata are not looked at, and nothing is borrowed: a program that
    /// has mapped the file into memory for its model gives the whole map, of which only the pages
    /// of the metadata are touched.
    ///
    /// Tokens of the type *control* are special, as are those that llama.cpp takes for control
    /// tokens by their text; *user-defined* ones are added tokens; *unknown* and *unused* ones
    /// never match text. The ends are those of llama.cpp: what the metadata names, and tokens of
    /// well-known texts.
    ///
    /// # Errors
    /// [`VocabularyError::Malformed`], [`VocabularyError::Unsupported`] with the tokenizer's model,
    /// such as WordPiece, or a limit.
    pub fn from_gguf(content: &[u8]) -> Result<Self, VocabularyError> {
        Vocabulary::plain(FileKind::Gguf, content)
    }

    /// Reads the content of a SentencePiece model.
    ///
    /// Control pieces are special, user-defined ones are added tokens, and unknown and unused ones
    /// never match text. The piece that the trainer calls the end of a sequence is one, and control
    /// pieces with a well-known name.
    ///
    /// # Errors
    /// [`VocabularyError::Malformed`], [`VocabularyError::Unsupported`] if the decoder changes
    /// texts, or a limit.
    pub fn from_sentencepiece(content: &[u8]) -> Result<Self, VocabularyError> {
        Vocabulary::plain(FileKind::SentencePiece, content)
    }

    /// Reads the content of Mistral's `tekken.json`.
    ///
    /// The special tokens have the first ids; ranks past the file's `default_vocab_size` are left
    /// out. `</s>` ends a sequence.
    ///
    /// # Errors
    /// [`VocabularyError::Malformed`], [`VocabularyError::DuplicateId`], or a limit.
    pub fn from_tekken(content: &[u8]) -> Result<Self, VocabularyError> {
        Vocabulary::plain(FileKind::Tekken, content)
    }

    /// Reads the content of a `.tiktoken` file: a line for each token, its bytes in base64, a
    /// space and its rank, which is its id.
    ///
    /// The format leaves special tokens out: list them with [`Vocabulary::with_special_tokens`], or
    /// add room for them with [`Vocabulary::with_size`] and name the end tokens with
    /// [`Vocabulary::with_eos`].
    ///
    /// # Errors
    /// [`VocabularyError::Line`] or [`VocabularyError::DuplicateId`] with the line, or a limit.
    pub fn from_tiktoken(content: &[u8]) -> Result<Self, VocabularyError> {
        Vocabulary::plain(FileKind::Tiktoken, content)
    }

    /// Reads the content of a `tokenizer.json` of Hugging Face tokenizers.
    ///
    /// The file's decoder determines the bytes of tokens: byte-level BPE, or pieces with `▁` for a
    /// space and `<0xHH>` for bytes (BPE or Unigram). Tokens marked special never match text, and
    /// those of them with a well-known name (`</s>`, `<|endoftext|>`, `<|eot_id|>`, `<|im_end|>`,
    /// …) end a sequence: [`Vocabulary::with_eos`] overrules the guess. Text that a decoder strips
    /// from the start of a text is part of the tokens here.
    ///
    /// # Errors
    /// [`VocabularyError::Json`], [`VocabularyError::Unsupported`] with the name of what cannot be
    /// turned into bytes (such as WordPiece), [`VocabularyError::DuplicateId`], or a limit.
    pub fn from_hugging_face(content: &[u8]) -> Result<Self, VocabularyError> {
        Vocabulary::plain(FileKind::TokenizerJson, content)
    }
}
