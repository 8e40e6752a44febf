//! A vocabulary as tables, and as an entry of the cache.
//!
//! In: a vocabulary, or an entry. Out: [`PackedVocabulary`]. What holds: an entry is checked before
//! anything of it is used.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use maskwright_core as core_tables;

use crate::bytes::{ByteReader, ByteWriter};
use crate::cache::{Cache, Key};
use crate::vocabulary::{MAX_TOTAL_BYTES, TokenNames, Vocabulary, VocabularyError};

/// The most bytes of an entry: what the tokens and their names may take, and the tables around
/// them.
const MOST_BYTES: u64 = 4 * MAX_TOTAL_BYTES as u64;

/// Tokens and their names.
type NamedTokens = Vec<(u32, String)>;

fn owned<'v>(names: impl Iterator<Item = (u32, &'v str)>) -> NamedTokens {
    names.map(|(id, name)| (id, name.to_owned())).collect()
}

/// A vocabulary as tables, with a key of everything that they were made from.
#[derive(Clone, Debug)]
pub struct PackedVocabulary {
    key: Key,
    tables: Arc<[u8]>,
    eos: Vec<u32>,
    /// The tokens that a grammar can name.
    special: NamedTokens,
    added: NamedTokens,
    /// A warning about tokens that its size leaves out.
    left_out: Option<String>,
    /// The files that it was read from.
    files: Vec<PathBuf>,
    hash: u64,
    size: u32,
}

impl PackedVocabulary {
    /// The tables of a vocabulary.
    pub(crate) fn of(key: Key, vocabulary: &Vocabulary) -> Result<Self, VocabularyError> {
        Ok(PackedVocabulary {
            special: owned(vocabulary.special()),
            added: owned(vocabulary.added()),
            left_out: vocabulary
                .left_out()
                .map(|warning| warning.message().to_owned()),
            files: Vec::new(),
            hash: vocabulary.hash(),
            size: vocabulary.size(),
            tables: vocabulary.pack()?.into(),
            eos: vocabulary.eos().to_vec(),
            key,
        })
    }

    /// What the cache has for this key.
    pub(crate) fn kept(cache: &Cache, key: Key) -> Option<Self> {
        let kept = PackedVocabulary::from_entry(key, &cache.get(key, MOST_BYTES)?);
        if kept.is_none() {
            cache.refuse(key, "it holds no vocabulary");
        }
        kept
    }

    /// Puts it into the cache.
    pub(crate) fn keep(&self, cache: &Cache) {
        cache.put(self.key, &self.to_entry(), MOST_BYTES);
    }

    /// The same, with the files that it was read from.
    pub(crate) fn read_from(self, files: Vec<PathBuf>) -> Self {
        PackedVocabulary { files, ..self }
    }

    /// The tables that the runtime reads.
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The files that the vocabulary was read from, with those that lie beside it and belong to it.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// A warning about tokens that its size leaves out.
    pub(crate) fn left_out(&self) -> Option<&str> {
        self.left_out.as_deref()
    }

    /// The ids that end a sequence, ascending.
    pub fn eos(&self) -> &[u32] {
        &self.eos
    }

    /// The vocabulary as the compiler takes it.
    ///
    /// # Errors
    /// If the tables are not what this compiler packs.
    pub fn unpack(&self) -> Result<Vocabulary, VocabularyError> {
        unpack(&self.tables, &self.eos, (&self.special, &self.added))
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

    /// Hash and number of ids.
    pub(super) fn hash_and_size(&self) -> (u64, u32) {
        (self.hash, self.size)
    }

    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// Number of end tokens, the end tokens; of the special and the added tokens their number, and
    /// of each the id, the length of the name and the name; the length of the warning and the
    /// warning; the tables.
    fn to_entry(&self) -> Vec<u8> {
        let mut entry = ByteWriter::default();
        entry.short(self.eos.len() as u32);
        self.eos.iter().for_each(|&id| entry.short(id));
        for names in [&self.special, &self.added] {
            entry.short(names.len() as u32);
            for (id, name) in names {
                entry.short(*id);
                entry.short(name.len() as u32);
                entry.0.extend_from_slice(name.as_bytes());
            }
        }
        let left_out = self.left_out.as_deref().unwrap_or_default();
        entry.short(left_out.len() as u32);
        entry.0.extend_from_slice(left_out.as_bytes());
        entry.0.extend_from_slice(&self.tables);
        entry.0
    }

    /// Reads an entry back; nothing in it is trusted.
    fn from_entry(key: Key, entry: &[u8]) -> Option<Self> {
        let mut entry = ByteReader(entry);
        let count = entry.short()?;
        let eos = entry.items(count.into(), ByteReader::short)?;
        let special = read_names(&mut entry)?;
        let added = read_names(&mut entry)?;
        let left_out = read_text(&mut entry)?;
        let tables = entry.0;
        let vocabulary = core_tables::Vocabulary::load(tables).ok()?;
        let right = eos.is_sorted() && eos.iter().all(|&id| id < vocabulary.size());
        right.then(|| PackedVocabulary {
            special,
            added,
            left_out: Some(left_out).filter(|text| !text.is_empty()),
            files: Vec::new(),
            hash: vocabulary.hash(),
            size: vocabulary.size(),
            tables: tables.into(),
            eos,
            key,
        })
    }
}

/// Names from an entry.
fn read_names(entry: &mut ByteReader<'_>) -> Option<NamedTokens> {
    let count = entry.short()?;
    entry.items(count.into(), |entry| {
        Some((entry.short()?, read_text(entry)?))
    })
}

/// A text with its length from an entry.
fn read_text(entry: &mut ByteReader<'_>) -> Option<String> {
    let length = usize::try_from(entry.short()?).ok()?;
    let text = entry.take(length)?;
    String::from_utf8(text.to_vec()).ok()
}

fn unpack(
    tables: &[u8],
    eos: &[u32],
    (special, added): (&NamedTokens, &NamedTokens),
) -> Result<Vocabulary, VocabularyError> {
    let vocabulary = Vocabulary::from_tables(tables, eos.to_vec())?;
    Ok(vocabulary
        .with_special(special.clone())
        .with_added(added.clone()))
}
