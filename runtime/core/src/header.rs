//! The header that tables begin with.
//!
//! In: bytes. Out: their words, if they begin with the right magic and version and are as long as
//! they say; and [`Header`], the fields of grammar tables.

use crate::error::LoadError;
use crate::id::TablesId;
use crate::layout::{FORMAT_VERSION, header};
use crate::words::Words;

/// The fields of the header that are not about the tables' own shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) grammar_hash: u64,
    pub(crate) vocabulary_hash: u64,
    pub(crate) vocab_size: u32,
    pub(crate) states: u32,
    pub(crate) frames: u32,
    pub(crate) max_stacks: u32,
    pub(crate) start: u32,
    pub(crate) classes: u32,
    pub(crate) end_class: u32,
    pub(crate) stacks_proved: u32,
    pub(crate) beside_sets: u32,
    pub(crate) beside_checksum: u32,
    pub(crate) checksum: u32,
    pub(crate) words: u32,
}

impl Header {
    /// The identity of the tables, which stand beside those of this hashed id.
    pub(crate) const fn id(&self, beside: u64) -> TablesId {
        TablesId {
            grammar: self.grammar_hash,
            vocabulary: self.vocabulary_hash,
            beside,
            checksum: self.checksum,
            words: self.words,
        }
    }

    pub(crate) const fn read(words: Words<'_>) -> Self {
        Header {
            grammar_hash: wide_field(words, header::GRAMMAR_HASH),
            vocabulary_hash: wide_field(words, header::VOCABULARY_HASH),
            vocab_size: field(words, header::VOCAB_SIZE),
            states: field(words, header::STATES),
            frames: field(words, header::FRAMES),
            max_stacks: field(words, header::MAX_STACKS),
            start: field(words, header::START),
            classes: field(words, header::CLASSES),
            end_class: field(words, header::END_CLASS),
            stacks_proved: field(words, header::STACKS_PROVED),
            beside_sets: field(words, header::BESIDE_SETS),
            beside_checksum: field(words, header::BESIDE_CHECKSUM),
            checksum: field(words, header::CHECKSUM),
            words: field(words, header::WORDS),
        }
    }
}

/// The words of tables that have the right magic and version, a whole header and the length it
/// states. Both kinds of tables begin with magic, version and length.
pub(crate) const fn whole<'t>(
    bytes: &'t [u8],
    magic: u32,
    header_words: usize,
    expected: &'static str,
) -> Result<Words<'t>, LoadError> {
    let (words, rest) = Words::split(bytes);
    if field(words, header::MAGIC) != magic {
        return Err(LoadError::Foreign { expected });
    }
    if field(words, header::VERSION) != FORMAT_VERSION {
        return Err(LoadError::Version {
            found: field(words, header::VERSION),
        });
    }
    let stated = field(words, header::WORDS) as usize;
    if stated != words.len() || !rest.is_empty() || stated < header_words {
        return Err(LoadError::Length {
            expected: stated as u64 * 4,
            found: bytes.len() as u64,
        });
    }
    Ok(words)
}

/// The first words of `bytes`, as many as they state, which have the right magic and version and a
/// whole header.
#[cfg(feature = "link")]
pub(crate) const fn checked_prefix<'t>(
    bytes: &'t [u8],
    magic: u32,
    header_words: usize,
    expected: &'static str,
) -> Result<Words<'t>, LoadError> {
    let (words, _) = Words::split(bytes);
    let stated = field(words, header::WORDS) as usize;
    let own = match bytes.split_at_checked(stated.saturating_mul(4)) {
        Some((own, _)) => own,
        None => bytes,
    };
    whole(own, magic, header_words, expected)
}

/// A field of the header; 0 where the tables end before it.
pub(crate) const fn field(words: Words<'_>, at: usize) -> u32 {
    match words.get(at) {
        Some(word) => word,
        None => 0,
    }
}

/// A field of two words, the low one first.
pub(crate) const fn wide_field(words: Words<'_>, at: usize) -> u64 {
    field(words, at) as u64 | (field(words, at + 1) as u64) << 32
}
