//! The vocabulary of a command: a file or a name, and what a file leaves open.

use super::show_warnings;
use crate::diagnostic::DiagnosticEntry;
use crate::failure::Failure;
use crate::output::{self, Stream};
use crate::progress;
use crate::read::read;
use maskwright_compiler::vocabulary::{
    FileKind, NAMES, Vocabulary, VocabularyError, VocabularyFile,
};
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

/// The vocabulary.
#[derive(clap::Args)]
pub struct VocabularyArgs {
    /// A vocabulary's file: `tokenizer.json`, GGUF, SentencePiece model, `tekken.json`,
    /// `.tiktoken`, or `vocab.json` beside `merges.txt`; or the name of a vocabulary that ships
    /// with the program, such as cl100k_base or o200k_base.
    #[arg(long, value_name = "FILE|NAME")]
    pub vocab: String,
    #[command(flatten)]
    pub change: VocabularyChange,
}

/// As [`VocabularyArgs`], where a vocabulary need not be given.
#[derive(clap::Args)]
pub struct OptionalVocabularyArgs {
    /// A vocabulary's file: `tokenizer.json`, GGUF, SentencePiece model, `tekken.json`,
    /// `.tiktoken`, or `vocab.json` beside `merges.txt`; or the name of a vocabulary that ships
    /// with the program, such as cl100k_base or o200k_base. A grammar that names tokens needs one.
    #[arg(long, value_name = "FILE|NAME")]
    pub vocab: Option<String>,
    #[command(flatten)]
    pub change: VocabularyChange,
}

/// What a file leaves open about a vocabulary.
#[derive(clap::Args)]
pub struct VocabularyChange {
    /// An id that ends a sequence, instead of those that the vocabulary names; may be given several
    /// times.
    #[arg(long, value_name = "ID")]
    eos: Vec<u32>,
    /// The number of ids, those past the vocabulary's last being padding: the length of the model's
    /// logits.
    #[arg(long, value_name = "COUNT")]
    vocab_size: Option<u32>,
    /// A list of special tokens, for a file that leaves them out: JSON with names in the order of
    /// their ids, with names and their ids, or a `tokenizer_config.json`.
    #[arg(long, value_name = "FILE")]
    special: Option<PathBuf>,
}

impl VocabularyArgs {
    /// Loads the vocabulary.
    pub fn load(&self) -> Result<Vocabulary, Failure> {
        load_and_tell(&self.vocab, &self.change)
    }
}

impl OptionalVocabularyArgs {
    /// Loads the vocabulary, if one is given.
    pub fn load(&self) -> Result<Option<Vocabulary>, Failure> {
        self.vocab
            .as_ref()
            .map(|vocab| load_and_tell(vocab, &self.change))
            .transpose()
    }
}

/// Loads a vocabulary; shows warnings about it on standard error.
fn load_and_tell(vocab: &str, change: &VocabularyChange) -> Result<Vocabulary, Failure> {
    let vocabulary = load_vocabulary(vocab, change)?;
    show_warnings(&DiagnosticEntry::all(
        &vocabulary.warnings(),
        None,
        output::colour(Stream::Err),
    ));
    Ok(vocabulary)
}

/// Loads a vocabulary from a file or by its name.
fn load_vocabulary(vocab: &str, change: &VocabularyChange) -> Result<Vocabulary, Failure> {
    load_with_kind(vocab, change).map(|(vocabulary, _)| vocabulary)
}

/// Loads a vocabulary; answers too what its file is, unless it is one by name.
pub fn load_with_kind(
    vocab: &str,
    change: &VocabularyChange,
) -> Result<(Vocabulary, Option<FileKind>), Failure> {
    let failure = |error| Failure::Vocabulary(vocab.to_owned(), error);
    let loaded = progress::during("loading the vocabulary", || {
        // What is no file and looks like none was meant as a name: the error lists those that there
        // are.
        let is_file = vocab.contains(['/', '\\', '.']) || Path::new(vocab).exists();
        if NAMES.contains(&vocab) || !is_file {
            return Ok((Vocabulary::named(vocab)?, None));
        }
        let file = read_file(vocab.as_ref())?;
        Ok((file.vocabulary()?, Some(file.kind())))
    });
    let (mut vocabulary, kind) = loaded.map_err(failure)?;
    if let Some(path) = &change.special {
        let list = read(path)?;
        vocabulary = vocabulary
            .with_special_tokens(&list)
            .map_err(|error| Failure::Vocabulary(path.display().to_string(), error))?;
    }
    if let Some(size) = change.vocab_size {
        vocabulary = vocabulary.with_size(size).map_err(failure)?;
    }
    if !change.eos.is_empty() {
        vocabulary = vocabulary
            .with_eos(change.eos.iter().copied())
            .map_err(failure)?;
    }
    Ok((vocabulary, kind))
}

/// Reads a vocabulary's file. A pipe on the command line, such as that of `<(…)`, is meant.
fn read_file(path: &Path) -> Result<VocabularyFile, VocabularyError> {
    let is_pipe = |file: Metadata| !file.is_file() && !file.is_dir();
    if !path.metadata().is_ok_and(is_pipe) {
        return VocabularyFile::read(path);
    }
    let opened = File::open(path).map_err(|error| VocabularyError::Io {
        message: error.to_string(),
    });
    VocabularyFile::read_from(path, opened?)
}

/// A vocabulary of all single bytes and an end token: for what is about text, not about tokens.
pub fn byte_vocabulary() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![256])
}
