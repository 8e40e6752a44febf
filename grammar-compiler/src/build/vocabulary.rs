//! Vocabularies by name or file, read only when the cache does not know them.
//!
//! In: [`VocabularySpec`]. Out: [`PackedVocabulary`]: the tables for the runtime and a key that
//! stands for their content. On a hit the file is hashed but not parsed.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use maskwright_core as core_tables;

use super::cache::Cache;
use super::key::{Key, KeyBuilder};
use crate::PreparedVocabulary;
use crate::error::Error;
use crate::vocabulary::{TokenNames, Vocabulary, VocabularyError, read_file};

/// Which vocabulary to compile for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VocabularySpec {
    source: VocabularySource,
    size: Option<u32>,
    eos: Option<Vec<u32>>,
}

#[derive(Clone, Debug)]
enum VocabularySource {
    Named(String),
    File { path: PathBuf, shown: PathBuf },
    Made(Vocabulary),
}

impl VocabularySpec {
    /// A vocabulary of [`NAMES`](crate::vocabulary::NAMES): needs the cargo feature `tiktoken`.
    pub fn named(name: impl Into<String>) -> Self {
        VocabularySpec::of(VocabularySource::Named(name.into()))
    }

    /// A `tokenizer.json` or a `.tiktoken` file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        VocabularySpec::of(VocabularySource::File {
            shown: path.clone(),
            path,
        })
    }

    /// A `tokenizer.json` or a `.tiktoken` file, which documentation and errors call by `path`
    /// without the folder.
    pub fn file_in(folder: impl AsRef<Path>, path: impl Into<PathBuf>) -> Self {
        let shown = path.into();
        VocabularySpec::of(VocabularySource::File {
            path: folder.as_ref().join(&shown),
            shown,
        })
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

    /// The file that the vocabulary is read from.
    pub fn path(&self) -> Option<&Path> {
        match &self.source {
            VocabularySource::File { path, .. } => Some(path),
            _ => None,
        }
    }

    /// What documentation calls it: "`cl100k_base`", "`data/tokenizer.json`".
    pub fn description(&self) -> String {
        match &self.source {
            VocabularySource::Named(name) => format!("`{name}`"),
            VocabularySource::File { shown, .. } => format!("`{}`", shown.display()),
            VocabularySource::Made(_) => "made by the caller".to_owned(),
        }
    }

    /// The vocabulary's tables, from the cache where it has them.
    ///
    /// # Errors
    /// If the vocabulary cannot be read, or size or end tokens do not fit it.
    pub fn pack(&self, cache: &Cache) -> Result<PackedVocabulary, Error> {
        let content = match &self.source {
            VocabularySource::File { path, shown } => {
                read_file(path).map_err(|error| error.in_file(shown))?
            }
            _ => Vec::new(),
        };
        let key = self.key(&content);
        if let Some(packed) = cache
            .get(key)
            .and_then(|entry| PackedVocabulary::from_entry(key, &entry))
        {
            return Ok(packed);
        }
        let vocabulary = self.adjust(self.read(&content)?)?;
        let packed = PackedVocabulary {
            special: owned(vocabulary.special()),
            added: owned(vocabulary.added()),
            ..PackedVocabulary::new(key, vocabulary.pack()?, vocabulary.eos().to_vec())
        };
        cache.put(key, &packed.to_entry());
        Ok(packed)
    }

    fn key(&self, content: &[u8]) -> Key {
        let VocabularySpec { source, size, eos } = self;
        let mut key = KeyBuilder::new("vocabulary");
        match source {
            VocabularySource::Named(name) => {
                key.number(0);
                key.bytes(name.as_bytes());
            }
            VocabularySource::File { .. } => {
                key.number(1);
                key.bytes(content);
            }
            VocabularySource::Made(vocabulary) => {
                key.number(2);
                key.number(vocabulary.hash());
            }
        }
        key.number(size.map_or(u64::MAX, u64::from));
        key.number(eos.as_ref().map_or(u64::MAX, |eos| eos.len() as u64));
        for &id in eos.iter().flatten() {
            key.number(u64::from(id));
        }
        key.finish()
    }

    fn read(&self, content: &[u8]) -> Result<Vocabulary, VocabularyError> {
        match &self.source {
            VocabularySource::Named(name) => Vocabulary::named(name),
            VocabularySource::File { shown, .. } => {
                Vocabulary::from_bytes(content).map_err(|error| error.in_file(shown))
            }
            VocabularySource::Made(vocabulary) => Ok(vocabulary.clone()),
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

/// Tokens and their names.
type Names = Vec<(u32, String)>;

fn owned<'v>(names: impl Iterator<Item = (u32, &'v str)>) -> Names {
    names.map(|(id, name)| (id, name.to_owned())).collect()
}

/// A vocabulary as tables, with a key that stands for all that they were made from.
#[derive(Clone, Debug)]
pub struct PackedVocabulary {
    key: Key,
    tables: Arc<[u8]>,
    eos: Vec<u32>,
    /// The tokens that a grammar can name.
    special: Names,
    added: Names,
    /// Made when the first grammar is compiled.
    prepared: OnceCell<PreparedVocabulary>,
}

impl PackedVocabulary {
    fn new(key: Key, tables: Vec<u8>, eos: Vec<u32>) -> Self {
        PackedVocabulary {
            key,
            tables: tables.into(),
            eos,
            special: Vec::new(),
            added: Vec::new(),
            prepared: OnceCell::new(),
        }
    }

    /// The tables that the runtime reads.
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The ids that end a sequence, ascending.
    pub fn eos(&self) -> &[u32] {
        &self.eos
    }

    /// The vocabulary as the compiler takes it.
    ///
    /// # Errors
    /// If the tables are not what this compiler packs.
    pub fn unpack(&self) -> Result<Vocabulary, Error> {
        Ok(unpack(
            &self.tables,
            &self.eos,
            (&self.special, &self.added),
        )?)
    }

    /// The tokens that a grammar can name; the vocabulary is unpacked when the first is asked for.
    pub fn names(&self) -> TokenNames {
        let (tables, eos) = (self.tables.clone(), self.eos.clone());
        let (special, added) = (self.special.clone(), self.added.clone());
        let unpacked: OnceLock<Option<Arc<Vocabulary>>> = OnceLock::new();
        TokenNames::when_asked(move || {
            let unpack = || unpack(&tables, &eos, (&special, &added)).ok().map(Arc::new);
            unpacked.get_or_init(unpack).clone()
        })
    }

    /// The vocabulary made ready for compiling: once for all grammars.
    pub(super) fn prepared(&self) -> Result<&PreparedVocabulary, Error> {
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        let prepared = PreparedVocabulary::new(&self.unpack()?)?;
        Ok(self.prepared.get_or_init(|| prepared))
    }

    pub(super) fn key(&self) -> Key {
        self.key
    }

    /// Number of end tokens, the end tokens; of the special and the added tokens their number, and of each the id, the length of the name and the name; the
    /// tables.
    fn to_entry(&self) -> Vec<u8> {
        let mut entry = (self.eos.len() as u32).to_le_bytes().to_vec();
        for id in &self.eos {
            entry.extend_from_slice(&id.to_le_bytes());
        }
        for names in [&self.special, &self.added] {
            entry.extend_from_slice(&(names.len() as u32).to_le_bytes());
            for (id, name) in names {
                entry.extend_from_slice(&id.to_le_bytes());
                entry.extend_from_slice(&(name.len() as u32).to_le_bytes());
                entry.extend_from_slice(name.as_bytes());
            }
        }
        entry.extend_from_slice(&self.tables);
        entry
    }

    /// Reads an entry back; nothing in it is trusted.
    fn from_entry(key: Key, entry: &[u8]) -> Option<Self> {
        let (count, rest) = entry.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*count))
            .ok()?
            .checked_mul(4)?;
        let (eos, rest) = rest.split_at_checked(length)?;
        let (special, rest) = read_names(rest)?;
        let (added, tables) = read_names(rest)?;
        let (ids, _) = eos.as_chunks::<4>();
        let vocabulary = core_tables::Vocabulary::load(tables).ok()?;
        let eos: Vec<u32> = ids.iter().map(|id| u32::from_le_bytes(*id)).collect();
        let right = eos.is_sorted() && eos.iter().all(|&id| id < vocabulary.size());
        right.then(|| PackedVocabulary {
            special,
            added,
            ..PackedVocabulary::new(key, tables.to_vec(), eos)
        })
    }
}

/// Names from an entry, and what is left of it.
fn read_names(entry: &[u8]) -> Option<(Names, &[u8])> {
    fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
        let (number, rest) = bytes.split_first_chunk::<4>()?;
        Some((u32::from_le_bytes(*number), rest))
    }
    let (count, mut rest) = number(entry)?;
    let mut names = Vec::new();
    for _ in 0..count {
        let (id, after) = number(rest)?;
        let (length, after) = number(after)?;
        let (name, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
        names.push((id, String::from_utf8(name.to_vec()).ok()?));
        rest = after;
    }
    Some((names, rest))
}

fn unpack(
    tables: &[u8],
    eos: &[u32],
    (special, added): (&Names, &Names),
) -> Result<Vocabulary, VocabularyError> {
    let vocabulary = Vocabulary::from_tables(tables, eos.to_vec())?;
    Ok(vocabulary
        .with_special(special.clone())
        .with_added(added.clone()))
}
