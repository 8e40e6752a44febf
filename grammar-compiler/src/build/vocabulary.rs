//! Vocabularies by name or file, read only when the cache does not know them.
//!
//! In: [`VocabularySpec`]. Out: [`PackedVocabulary`]: the tables for the runtime and a key that
//! stands for their content. On a hit the files are hashed but not parsed.

use std::path::{Path, PathBuf};

use crate::cache::{Cache, EntryKind, Key, KeyBuilder};
use crate::compile::PackedVocabulary;
use crate::digest::Digest;
use crate::error::Error;
use crate::vocabulary::{MAX_FILE_BYTES, Vocabulary, VocabularyError, VocabularyFile};

/// Which vocabulary to compile for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VocabularySpec {
    source: VocabularySource,
    size: Option<u32>,
    eos: Option<Vec<u32>>,
    /// A list of special tokens.
    special: Option<Shown>,
}

#[derive(Clone, Debug)]
enum VocabularySource {
    Named(String),
    File(Shown),
    Made(Vocabulary),
}

/// A file, and what documentation and errors call it.
#[derive(Clone, Debug)]
struct Shown {
    path: PathBuf,
    shown: PathBuf,
}

impl Shown {
    fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Shown {
            shown: path.clone(),
            path,
        }
    }

    fn in_folder(folder: &Path, path: impl Into<PathBuf>) -> Self {
        let shown = path.into();
        Shown {
            path: folder.join(&shown),
            shown,
        }
    }
}

impl VocabularySpec {
    /// A vocabulary of [`NAMES`](crate::vocabulary::NAMES): needs the cargo feature `tiktoken`.
    pub fn named(name: impl Into<String>) -> Self {
        VocabularySpec::of(VocabularySource::Named(name.into()))
    }

    /// A file of any [kind](crate::vocabulary::FileKind), which its content tells; of a GGUF only
    /// the metadata is read.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        VocabularySpec::of(VocabularySource::File(Shown::new(path)))
    }

    /// As [`VocabularySpec::file`]; documentation and errors call the file by `path` without the
    /// folder.
    pub fn file_in(folder: impl AsRef<Path>, path: impl Into<PathBuf>) -> Self {
        let file = Shown::in_folder(folder.as_ref(), path);
        VocabularySpec::of(VocabularySource::File(file))
    }

    /// A vocabulary that the caller made.
    pub fn made(vocabulary: Vocabulary) -> Self {
        VocabularySpec::of(VocabularySource::Made(vocabulary))
    }

    fn of(source: VocabularySource) -> Self {
        VocabularySpec {
            source,
            size: None,
            eos: None,
            special: None,
        }
    }

    /// The same with this many ids: see [`Vocabulary::with_size`].
    #[must_use]
    pub fn size(mut self, size: u32) -> Self {
        self.size = Some(size);
        self
    }

    /// The same with these end tokens: see [`Vocabulary::with_eos`].
    #[must_use]
    pub fn eos(mut self, eos: impl IntoIterator<Item = u32>) -> Self {
        self.eos = Some(eos.into_iter().collect());
        self
    }

    /// The same with the special tokens of a list, for a file that leaves them out: see
    /// [`Vocabulary::with_special_tokens`].
    #[must_use]
    pub fn special_tokens_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.special = Some(Shown::new(path));
        self
    }

    /// As [`VocabularySpec::special_tokens_file`]; errors call the list by `path` without the
    /// folder.
    #[must_use]
    pub fn special_tokens_file_in(
        mut self,
        folder: impl AsRef<Path>,
        path: impl Into<PathBuf>,
    ) -> Self {
        self.special = Some(Shown::in_folder(folder.as_ref(), path));
        self
    }

    /// The files that are named: the vocabulary's and the list of special tokens.
    /// [`PackedVocabulary::files`] has all files that were read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let file = match &self.source {
            VocabularySource::File(file) => Some(file),
            _ => None,
        };
        let files = file.into_iter().chain(&self.special);
        files.map(|file| file.path.as_path())
    }

    /// What documentation calls it: "`cl100k_base`", "`data/tokenizer.json`".
    pub fn description(&self) -> String {
        match &self.source {
            VocabularySource::Named(name) => format!("`{name}`"),
            VocabularySource::File(file) => format!("`{}`", file.shown.display()),
            VocabularySource::Made(_) => "made by the caller".to_owned(),
        }
    }

    /// The vocabulary's tables, from the cache where it has them.
    ///
    /// # Errors
    /// If the vocabulary cannot be read, or size or end tokens do not fit it.
    #[doc(hidden)]
    pub fn pack(&self, cache: &Cache) -> Result<PackedVocabulary, Error> {
        let read = self.read()?;
        let key = self.key(&read);
        if let Some(packed) = PackedVocabulary::kept(cache, key) {
            return Ok(packed.read_from(read.files));
        }
        let vocabulary = self.adjust(self.load(&read)?)?;
        let packed = PackedVocabulary::of(key, &vocabulary)?;
        packed.keep(cache);
        Ok(packed.read_from(read.files))
    }

    /// Reads the files without parsing them.
    fn read(&self) -> Result<ReadVocabulary, VocabularyError> {
        let mut read = ReadVocabulary::default();
        match (&self.source, &self.special) {
            (VocabularySource::File(Shown { path, shown }), list) => {
                let mut file = VocabularyFile::read_as(path, shown)?;
                if let Some(Shown { path, shown }) = list {
                    file = file.with_special_tokens_as(path, shown)?;
                }
                read.files = file.paths().map(Path::to_path_buf).collect();
                read.file = Some(file);
            }
            (_, Some(Shown { path, shown })) => {
                read.list = Some(read_list(path).map_err(|error| error.in_file(shown))?);
                read.files.push(path.clone());
            }
            (_, None) => {}
        }
        Ok(read)
    }

    fn key(&self, read: &ReadVocabulary) -> Key {
        let VocabularySpec {
            source,
            size,
            eos,
            special,
        } = self;
        let mut key = KeyBuilder::new(EntryKind::Vocabulary);
        key.number(ENTRY_LAYOUT);
        match source {
            VocabularySource::Named(name) => {
                key.number(0);
                key.bytes(name.as_bytes());
            }
            VocabularySource::File(_) => {
                key.number(1);
            }
            VocabularySource::Made(vocabulary) => {
                key.number(2);
                key.vocabulary(vocabulary);
            }
        }
        // The number of files does not show whether one of them is a list, so the key says it.
        key.number(u64::from(special.is_some()));
        let contents = read.file.iter().flat_map(VocabularyFile::contents);
        for content in contents.chain(read.list.as_deref()) {
            key.digest(Digest::of("file of a vocabulary", content));
        }
        key.number(size.map_or(u64::MAX, u64::from));
        key.number(eos.as_ref().map_or(u64::MAX, |eos| eos.len() as u64));
        for &id in eos.iter().flatten() {
            key.number(u64::from(id));
        }
        key.finish()
    }

    fn load(&self, read: &ReadVocabulary) -> Result<Vocabulary, VocabularyError> {
        let vocabulary = match (&self.source, &read.file) {
            (_, Some(file)) => file.vocabulary(),
            (VocabularySource::Named(name), _) => Vocabulary::named(name),
            (VocabularySource::Made(vocabulary), _) => Ok(vocabulary.clone()),
            // `read` has read it.
            (VocabularySource::File(_), None) => Err(VocabularyError::NoTokens),
        }?;
        match (&read.list, &self.special) {
            (Some(list), Some(Shown { shown, .. })) => vocabulary
                .with_special_tokens(list)
                .map_err(|error| error.in_file(shown)),
            _ => Ok(vocabulary),
        }
    }

    fn adjust(&self, mut vocabulary: Vocabulary) -> Result<Vocabulary, VocabularyError> {
        if let Some(size) = self.size {
            vocabulary = vocabulary.with_size(size)?;
        }
        if let Some(eos) = &self.eos {
            vocabulary = vocabulary.with_eos(eos.iter().copied())?;
        }
        Ok(vocabulary)
    }
}

/// The layout of entries: entries of other layouts are not looked at.
const ENTRY_LAYOUT: u64 = 2;

/// The files of a vocabulary, read but not parsed.
#[derive(Default)]
struct ReadVocabulary {
    file: Option<VocabularyFile>,
    /// The list of special tokens, if the vocabulary is no file.
    list: Option<Vec<u8>>,
    files: Vec<PathBuf>,
}

fn read_list(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    crate::file::read(path, MAX_FILE_BYTES).map_err(|error| VocabularyError::Io {
        message: error.to_string(),
    })
}
