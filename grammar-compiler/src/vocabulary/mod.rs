//! Vocabularies: which bytes each token id stands for.
//!
//! In: a tokenizer's file, a well-known name, or tokens made by the caller. Out: [`Vocabulary`]:
//! the bytes of each id and the ids that end a sequence. What holds after:
//!
//! - An id without bytes never matches text: special tokens, holes between ids, padding above
//!   the tokenizer's last id, and the ids that end a sequence.
//! - Two ids may stand for the same bytes.
//! - [`Vocabulary::check`] has passed for whatever a loader returned: at most [`MAX_IDS`] ids,
//!   [`MAX_TOKEN_BYTES`] bytes a token and [`MAX_TOTAL_BYTES`] bytes together, no more bytes in a
//!   block of 64 ids than tables can address, and every end token below the size.

mod error;
#[cfg(feature = "files")]
mod file;
#[cfg(not(feature = "files"))]
#[path = "absent/file.rs"]
mod file;
#[cfg(feature = "files")]
mod gguf;
#[cfg(feature = "files")]
mod hugging_face;
mod kind;
#[cfg(feature = "files")]
mod load;
mod named;
mod names;
mod no_end;
#[cfg(feature = "files")]
mod pieces;
#[cfg(feature = "files")]
mod recognise;
#[cfg(feature = "files")]
mod sentencepiece;
mod size;
#[cfg(feature = "files")]
mod special_tokens;
mod tables;
#[cfg(feature = "files")]
mod tekken;
#[cfg(feature = "files")]
mod tiktoken;
#[cfg(feature = "files")]
mod tokens;
#[cfg(feature = "files")]
mod vocab_json;
#[cfg(feature = "files")]
mod watched;

pub use error::VocabularyError;
pub use file::VocabularyFile;
pub use kind::FileKind;
pub use names::{TokenNameError, TokenNames};

use self::size::LeftOut;
use xxhash_rust::xxh3::Xxh3;

/// The largest file that is read as a vocabulary: 256 MiB. Of a GGUF, the most metadata.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Whether vocabularies are read from files: the cargo feature `files`.
#[doc(hidden)]
pub const HAS_FILES: bool = cfg!(feature = "files");

/// The names that [`Vocabulary::named`] knows, with the cargo feature `tiktoken`.
pub const NAMES: &[&str] = &[
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "p50k_base",
    "p50k_edit",
    "r50k_base",
];

/// The most ids that a vocabulary may have: 2²².
pub const MAX_IDS: usize = 1 << 22;
/// The most bytes that one token may stand for: 32 KiB.
pub const MAX_TOKEN_BYTES: usize = 1 << 15;
/// The most bytes that all tokens together may stand for: 256 MiB.
pub const MAX_TOTAL_BYTES: usize = 1 << 28;

/// A vocabulary: the bytes of each token id, and the ids that end a sequence.
#[derive(Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// The bytes of all tokens, in the order of their ids.
    bytes: Vec<u8>,
    /// For each id, where its bytes end; they begin where those of the id before end.
    ends: Vec<usize>,
    /// The ids that end a sequence: ascending, each once.
    eos: Vec<u32>,
    /// The special tokens whose names a file tells, by id.
    special: Vec<(u32, String)>,
    /// The tokens that were added to the tokenizer's own and are text too, by id.
    added: Vec<(u32, String)>,
    /// What a smaller size has left out.
    left_out: LeftOut,
}

impl Vocabulary {
    /// A vocabulary of these tokens: `tokens[id]` are the bytes of `id`, empty if it never matches
    /// text. `eos` are the ids that end a sequence, in any order; they never match text, so bytes
    /// given for them are dropped.
    ///
    /// The limits of the module are not checked here but by [`Vocabulary::check`], which
    /// compiling and [`Vocabulary::pack`] call.
    pub fn from_tokens(tokens: Vec<Vec<u8>>, eos: Vec<u32>) -> Self {
        Vocabulary::from_slices(tokens.iter().map(Vec::as_slice), eos)
    }

    /// As [`Vocabulary::from_tokens`], of tokens that lie elsewhere.
    fn from_slices<'a>(tokens: impl Iterator<Item = &'a [u8]>, mut eos: Vec<u32>) -> Self {
        eos.sort_unstable();
        eos.dedup();
        let mut vocabulary = Vocabulary {
            bytes: Vec::new(),
            ends: Vec::new(),
            eos: Vec::new(),
            special: Vec::new(),
            added: Vec::new(),
            left_out: LeftOut::default(),
        };
        for token in tokens {
            vocabulary.bytes.extend_from_slice(token);
            vocabulary.ends.push(vocabulary.bytes.len());
        }
        vocabulary.clear_and_set_eos(eos);
        vocabulary
    }

    /// The same vocabulary with these ids, and no others, ending a sequence.
    ///
    /// # Errors
    /// [`VocabularyError::EosOutOfRange`] if an id is not below [`Vocabulary::size`]: make room
    /// with [`Vocabulary::with_size`] first where a file leaves special tokens out.
    pub fn with_eos(mut self, eos: impl IntoIterator<Item = u32>) -> Result<Self, VocabularyError> {
        let mut eos: Vec<u32> = eos.into_iter().collect();
        eos.sort_unstable();
        eos.dedup();
        self.check_eos(&eos)?;
        self.clear_and_set_eos(eos);
        Ok(self)
    }

    /// Number of ids: the length of a row of logits.
    pub fn size(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    /// The bytes of `id`; empty for special tokens, holes, end tokens and ids past the end.
    pub fn bytes(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = match id.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
            None => 0,
        };
        let end = self.ends.get(id).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or(&[])
    }

    /// The ids that end a sequence, ascending.
    pub fn eos(&self) -> &[u32] {
        &self.eos
    }

    /// The special tokens whose names the tokenizer's file tells, by id: those that end a sequence
    /// are mostly among them. None for vocabularies that the caller made, and for `.tiktoken`
    /// files, which leave them out.
    pub fn special(&self) -> impl ExactSizeIterator<Item = (u32, &str)> {
        self.special.iter().map(|(id, name)| (*id, name.as_str()))
    }

    /// The name of a special token, which has no bytes: see [`Vocabulary::special`].
    pub fn token_name(&self, id: u32) -> Option<&str> {
        let at = self.special.binary_search_by_key(&id, |named| named.0);
        Some(self.special.get(at.ok()?)?.1.as_str())
    }

    /// The tokens that the tokenizer's file adds to those of its model and that are text too, such
    /// as `<tool_call>` in some vocabularies, by id. A grammar may name them as tokens.
    pub fn added(&self) -> impl ExactSizeIterator<Item = (u32, &str)> {
        self.added.iter().map(|(id, name)| (*id, name.as_str()))
    }

    /// The same vocabulary with these special tokens and their names, in any order, instead of
    /// those that a file tells. They never match text, so bytes that they have are dropped; a
    /// grammar can name them as tokens. Ids past the end are left out.
    #[must_use]
    pub fn with_special(mut self, special: impl IntoIterator<Item = (u32, String)>) -> Self {
        self.special = self.in_order(special);
        let ids: Vec<u32> = self.special.iter().map(|(id, _)| *id).collect();
        self.clear(&ids);
        self.added.retain(|(id, _)| ids.binary_search(id).is_err());
        self
    }

    /// The same vocabulary with these tokens that were added to the tokenizer's own, in any order,
    /// instead of those that a file tells: they are text too, and a grammar can name them as
    /// tokens. Ids without bytes are left out.
    #[must_use]
    pub fn with_added(mut self, added: impl IntoIterator<Item = (u32, String)>) -> Self {
        self.added = self.in_order(added);
        let mut added = std::mem::take(&mut self.added);
        added.retain(|(id, _)| !self.bytes(*id).is_empty());
        self.added = added;
        self
    }

    /// Names by id, each id once.
    fn in_order(&self, names: impl IntoIterator<Item = (u32, String)>) -> Vec<(u32, String)> {
        let within = |token: &(u32, String)| token.0 < self.size();
        let mut names: Vec<(u32, String)> = names.into_iter().filter(within).collect();
        names.sort_unstable();
        names.dedup_by_key(|token| token.0);
        names
    }

    /// The bytes of every id, in order: the empty slice for an id that never matches text.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let token = self.bytes.get(start..end).unwrap_or(&[]);
            start = end;
            token
        })
    }

    /// A hash of everything that a mask depends on: the size, the bytes of each id and the end
    /// tokens. The same on all machines and in all versions with the same
    /// [`FORMAT_VERSION`](maskwright_core::layout::FORMAT_VERSION). It is part of the tables'
    /// layout, and tells vocabularies of operators apart; no client gives one. Keys of caches have
    /// the tokens themselves.
    pub fn hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&u64::from(self.size()).to_le_bytes());
        for &end in &self.ends {
            hash.update(&(end as u64).to_le_bytes());
        }
        hash.update(&self.bytes);
        for id in &self.eos {
            hash.update(&id.to_le_bytes());
        }
        hash.digest()
    }

    /// Checks that the vocabulary is within the limits of this module.
    ///
    /// # Errors
    /// The first limit that is passed: [`VocabularyError::TooManyIds`],
    /// [`VocabularyError::TokenTooLong`], [`VocabularyError::TooManyBytes`],
    /// [`VocabularyError::BlockTooLong`] or [`VocabularyError::EosOutOfRange`]. A vocabulary that
    /// passes can be packed.
    pub fn check(&self) -> Result<(), VocabularyError> {
        if self.ends.len() > MAX_IDS {
            return Err(VocabularyError::TooManyIds {
                ids: self.ends.len() as u64,
            });
        }
        if self.bytes.len() > MAX_TOTAL_BYTES {
            return Err(VocabularyError::TooManyBytes {
                bytes: self.bytes.len() as u64,
            });
        }
        for (id, token) in (0..).zip(self.iter()) {
            if token.len() > MAX_TOKEN_BYTES {
                return Err(VocabularyError::TokenTooLong {
                    id,
                    bytes: token.len(),
                });
            }
        }
        self.check_blocks()?;
        self.check_eos(&self.eos)
    }

    fn check_eos(&self, eos: &[u32]) -> Result<(), VocabularyError> {
        match eos.last() {
            Some(&id) if id >= self.size() => Err(VocabularyError::EosOutOfRange {
                id,
                size: self.size(),
            }),
            _ => Ok(()),
        }
    }

    /// Makes `eos` (ascending) the end tokens, and drops the bytes that they stood for.
    fn clear_and_set_eos(&mut self, eos: Vec<u32>) {
        self.clear(&eos);
        self.eos = eos;
    }

    /// Drops the bytes of tokens, whose ids ascend.
    fn clear(&mut self, ids: &[u32]) {
        if ids.iter().all(|&id| self.bytes(id).is_empty()) {
            return;
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut ends = Vec::with_capacity(self.ends.len());
        for (id, token) in (0..).zip(self.iter()) {
            if ids.binary_search(&id).is_err() {
                bytes.extend_from_slice(token);
            }
            ends.push(bytes.len());
        }
        self.bytes = bytes;
        self.ends = ends;
    }
}

impl core::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Vocabulary")
            .field("size", &self.size())
            .field("bytes", &self.bytes.len())
            .field("eos", &self.eos)
            .field("hash", &format_args!("{:016x}", self.hash()))
            .finish()
    }
}

#[cfg(test)]
mod tests;
