//! A vocabulary's file, read but not parsed.
//!
//! In: a path. Out: [`VocabularyFile`]: the kind of the file, the part of it that holds the
//! vocabulary, and its companion files. What holds after: all of them are regular files, unless the
//! caller opened the first one; of a GGUF, at most twice the length of its metadata was read; other
//! files were read as a whole, [`MAX_FILE_BYTES`] at most.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::vocab_json::{self, CompanionFiles};
use super::{FileKind, MAX_FILE_BYTES, Vocabulary, VocabularyError, gguf, recognise};
use crate::file;
use crate::limits::{Deadline, Limits};

/// This much of a file is read first. It is enough to recognise most files that are not
/// vocabularies, however long they are.
const FIRST_BYTES: u64 = 1 << 16;
/// This much of a GGUF is read before its metadata is looked at.
const HEAD_BYTES: u64 = 1 << 22;
/// What merges are called beside a `vocab.json`.
const MERGES: [&str; 2] = ["merges.txt", "vocab.bpe"];

/// A file with a vocabulary, and those beside it that belong to it.
#[derive(Clone, Debug)]
pub struct VocabularyFile {
    kind: FileKind,
    main: ReadFile,
    beside: Vec<(&'static str, ReadFile)>,
    special: Option<ReadFile>,
}

/// A file and what was read of it.
#[derive(Clone, Debug)]
struct ReadFile {
    path: PathBuf,
    /// What errors call it.
    shown: PathBuf,
    content: Vec<u8>,
}

impl VocabularyFile {
    /// Reads a file whose content tells what it is. Time and memory are those of its bytes; of a
    /// GGUF, of its metadata.
    ///
    /// # Errors
    /// [`VocabularyError::File`] with the path: the file cannot be read, is too large, or is
    /// nothing that is known.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        VocabularyFile::read_as(path, path)
    }

    /// The same for a file that was opened, which may be a pipe. Files that lie beside `path` are
    /// read as by [`VocabularyFile::read`].
    ///
    /// # Errors
    /// As for [`VocabularyFile::read`].
    pub fn read_from(path: impl AsRef<Path>, opened: File) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        let deadline = Deadline::of_vocabulary(&Limits::default());
        read_opened(path, opened, &deadline).map_err(|error| error.in_file(path))
    }

    /// As [`VocabularyFile::read_as`], within a time.
    pub(super) fn read_in_time(
        path: &Path,
        shown: &Path,
        deadline: &Deadline,
    ) -> Result<Self, VocabularyError> {
        let mut file = read(path, deadline).map_err(|error| error.in_file(shown))?;
        file.main.shown = shown.to_path_buf();
        Ok(file)
    }

    /// As [`VocabularyFile::read`]; errors call the file `shown`.
    pub(crate) fn read_as(path: &Path, shown: &Path) -> Result<Self, VocabularyError> {
        let deadline = Deadline::of_vocabulary(&Limits::default());
        VocabularyFile::read_in_time(path, shown, &deadline)
    }

    /// The same with a list of special tokens from a file: see [`Vocabulary::with_special_tokens`].
    ///
    /// # Errors
    /// [`VocabularyError::File`] if it cannot be read.
    pub fn with_special_tokens(self, path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        self.with_special_tokens_as(path, path)
    }

    /// As [`VocabularyFile::with_special_tokens`]; errors call the list `shown`.
    pub(crate) fn with_special_tokens_as(
        mut self,
        path: &Path,
        shown: &Path,
    ) -> Result<Self, VocabularyError> {
        self.special = Some(ReadFile::read(path, shown)?);
        Ok(self)
    }

    /// What the file is.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// The files that were read: the file itself, then those that belong to it.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.parts().map(|part| part.path.as_path())
    }

    /// What was read of them, in the same order.
    pub(crate) fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.parts().map(|part| part.content.as_slice())
    }

    fn parts(&self) -> impl Iterator<Item = &ReadFile> {
        let beside = self.beside.iter().map(|(_, part)| part);
        core::iter::once(&self.main)
            .chain(beside)
            .chain(&self.special)
    }

    /// The vocabulary.
    ///
    /// # Errors
    /// [`VocabularyError::File`] with the path and what is wrong.
    pub fn vocabulary(&self) -> Result<Vocabulary, VocabularyError> {
        self.vocabulary_within(&Limits::default())
    }

    /// As [`vocabulary`](Self::vocabulary), within [`Limits::time`] of these limits.
    ///
    /// # Errors
    /// As for [`vocabulary`](Self::vocabulary); [`VocabularyError::TooSlow`] if it takes longer.
    pub fn vocabulary_within(&self, limits: &Limits) -> Result<Vocabulary, VocabularyError> {
        self.vocabulary_in_time(&Deadline::of_vocabulary(limits))
    }

    pub(super) fn vocabulary_in_time(
        &self,
        deadline: &Deadline,
    ) -> Result<Vocabulary, VocabularyError> {
        let vocabulary = self.own_vocabulary(deadline);
        let vocabulary = vocabulary.map_err(|error| error.in_file(&self.main.shown))?;
        match &self.special {
            None => Ok(vocabulary),
            Some(ReadFile { shown, content, .. }) => vocabulary
                .with_special_tokens_in_time(content, deadline)
                .map_err(|error| error.in_file(shown)),
        }
    }

    fn own_vocabulary(&self, deadline: &Deadline) -> Result<Vocabulary, VocabularyError> {
        if self.kind != FileKind::VocabJson {
            return Vocabulary::of_kind(self.kind, &self.main.content, deadline);
        }
        let part = |name: &str| {
            let found = self.beside.iter().find(|(other, _)| *other == name);
            found.map(|(_, part)| part.content.as_slice())
        };
        let beside = CompanionFiles {
            added: part(vocab_json::ADDED),
            special: part(vocab_json::SPECIAL),
            config: part(vocab_json::CONFIG),
        };
        vocab_json::read(
            recognise::without_mark(&self.main.content),
            beside,
            deadline,
        )
    }
}

impl ReadFile {
    fn read(path: &Path, shown: &Path) -> Result<Self, VocabularyError> {
        let content = file::read(path, MAX_FILE_BYTES);
        let content = content.map_err(|error| io(path, &error).in_file(shown))?;
        Ok(ReadFile {
            path: path.to_path_buf(),
            shown: shown.to_path_buf(),
            content,
        })
    }
}

fn read(path: &Path, deadline: &Deadline) -> Result<VocabularyFile, VocabularyError> {
    let opened = match file::open(path) {
        Err(error) if error.kind() == ErrorKind::IsADirectory => {
            return Err(VocabularyError::UnknownFormat {
                looks_like: "a folder".to_owned(),
                way_out: "give the tokenizer's file in it, such as `tokenizer.json`",
            });
        }
        opened => opened.map_err(|error| io(path, &error))?,
    };
    read_opened(path, opened, deadline)
}

fn read_opened(
    path: &Path,
    mut reader: File,
    deadline: &Deadline,
) -> Result<VocabularyFile, VocabularyError> {
    let mut content = Vec::new();
    more(&mut reader, &mut content, FIRST_BYTES).map_err(|error| io(path, &error))?;
    recognise::not_a_vocabulary(&content)?;
    // A pipe has no length that it knows of.
    let length = reader.metadata().map(|data| data.len()).unwrap_or_default();
    if content.starts_with(b"GGUF") {
        let whole = if length == 0 { MAX_FILE_BYTES } else { length };
        read_head((path, &mut reader), &mut content, whole, deadline)?;
    } else if length > MAX_FILE_BYTES {
        return Err(VocabularyError::FileTooLarge { bytes: length });
    } else {
        more(&mut reader, &mut content, MAX_FILE_BYTES).map_err(|error| io(path, &error))?;
        if content.len() as u64 > MAX_FILE_BYTES {
            return Err(too_large(path));
        }
    }
    let kind = recognise::kind(&content, deadline)?;
    let beside = match kind {
        FileKind::VocabJson => beside_vocab_json(path)?,
        _ => Vec::new(),
    };
    Ok(VocabularyFile {
        kind,
        main: ReadFile {
            path: path.to_path_buf(),
            shown: path.to_path_buf(),
            content,
        },
        beside,
        special: None,
    })
}

/// Reads on until `content` has more than `length` bytes, or the file ends.
fn more(reader: &mut File, content: &mut Vec<u8>, length: u64) -> std::io::Result<bool> {
    let wanted = (length + 1).saturating_sub(content.len() as u64);
    let read = reader.take(wanted).read_to_end(content)?;
    Ok(read as u64 == wanted)
}

/// Reads a GGUF on until all its metadata is there, and drops the rest.
fn read_head(
    (path, reader): (&Path, &mut File),
    content: &mut Vec<u8>,
    whole: u64,
    deadline: &Deadline,
) -> Result<(), VocabularyError> {
    let mut length = HEAD_BYTES;
    loop {
        let goes_on = more(reader, content, length).map_err(|error| io(path, &error))?;
        let whole = if goes_on { whole } else { content.len() as u64 };
        if let Some(end) = gguf::head(content, whole, deadline)? {
            content.truncate(usize::try_from(end).unwrap_or(usize::MAX));
            return Ok(());
        }
        if length >= MAX_FILE_BYTES {
            return Err(too_large(path));
        }
        length = (length * 2).min(MAX_FILE_BYTES);
    }
}

/// What lies beside a `vocab.json`; the merges must.
fn beside_vocab_json(path: &Path) -> Result<Vec<(&'static str, ReadFile)>, VocabularyError> {
    // `gpt2-vocab.json` lies beside `gpt2-merges.txt`.
    let name = path.file_name().and_then(|name| name.to_str());
    let prefix = name.and_then(|name| name.strip_suffix("vocab.json"));
    let prefixed = prefix.map(|prefix| format!("{prefix}{}", MERGES[0]));
    let names = MERGES.iter().map(|name| (*name).to_owned()).chain(prefixed);
    if !names
        .into_iter()
        .any(|name| path.with_file_name(name).is_file())
    {
        return Err(VocabularyError::UnknownFormat {
            looks_like: "a map from tokens to ids without a `merges.txt` beside it".to_owned(),
            way_out: "put its `merges.txt` beside it if it is of byte-level BPE, or give the `tokenizer.json`",
        });
    }
    let mut beside = Vec::new();
    for name in [vocab_json::ADDED, vocab_json::SPECIAL, vocab_json::CONFIG] {
        let path = path.with_file_name(name);
        if path.is_file() {
            beside.push((name, ReadFile::read(&path, &path)?));
        }
    }
    Ok(beside)
}

fn too_large(path: &Path) -> VocabularyError {
    // A device says that it has no length.
    let said = std::fs::metadata(path).map_or(0, |data| data.len());
    VocabularyError::FileTooLarge {
        bytes: said.max(MAX_FILE_BYTES + 1),
    }
}

fn io(path: &Path, error: &std::io::Error) -> VocabularyError {
    match error.kind() {
        ErrorKind::FileTooLarge => too_large(path),
        _ => VocabularyError::Io {
            message: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests;
