//! Vocabulary tables: the bytes of each token.
//!
//! In: bytes that the compiler packed. Out: [`Vocabulary`], a view that borrows them. What holds
//! after
//! [`Vocabulary::load`]: the offsets ascend and end at the last byte.

use core::fmt;

use crate::crc::crc32;
use crate::error::LoadError;
use crate::header::{field, whole, wide_field};
use crate::layout::{
    VOCABULARY_MAGIC,
    vocabulary::{BLOCK, BYTES, CHECKSUM, HASH, HEADER_WORDS, VOCAB_SIZE},
};
use crate::names::TokenNames;
use crate::words::Words;

/// The bytes of each token id: a view of tables that all grammars of one vocabulary share.
#[derive(Clone, Copy)]
pub struct Vocabulary<'t> {
    pub(crate) tables: &'t [u8],
    pub(crate) blocks: Words<'t>,
    pub(crate) relative: &'t [[u8; 2]],
    pub(crate) bytes: &'t [u8],
    pub(crate) size: u32,
    pub(crate) hash: u64,
}

impl<'t> Vocabulary<'t> {
    /// Loads tables from anywhere. Nothing in them is trusted.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// use maskwright_core::Vocabulary;
    ///
    /// let vocabulary = Vocabulary::load(&vocabulary)?;
    /// assert_eq!(vocabulary.bytes(256), b"true");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the bytes are not complete, unchanged vocabulary tables of this version, or violate the
    /// [layout](crate::layout::vocabulary).
    pub fn load(tables: &'t [u8]) -> Result<Self, LoadError> {
        let vocabulary = Self::view(tables)?;
        let (words, _) = Words::split(tables);
        let expected = field(words, CHECKSUM);
        let found = crc32(tables.get(4 * (CHECKSUM + 1)..).unwrap_or(&[]));
        if expected != found {
            return Err(LoadError::Checksum { expected, found });
        }
        vocabulary.validate_offsets()?;
        match vocabulary.names() {
            Some(names) if names.are_valid(vocabulary.size) => Ok(vocabulary),
            _ => Err(corrupt(
                "names",
                0,
                "the names of control tokens do not fill the rest of the tables",
            )),
        }
    }

    const fn view(tables: &'t [u8]) -> Result<Self, LoadError> {
        let words = match whole(tables, VOCABULARY_MAGIC, HEADER_WORDS, "vocabulary") {
            Ok(words) => words,
            Err(error) => return Err(error),
        };
        let (size, len) = (field(words, VOCAB_SIZE), field(words, BYTES) as usize);
        let (ids, halves) = Self::shape(size);
        let (Some(blocks), Some(relative), Some(rest)) = (
            words.slice(HEADER_WORDS, ids),
            words.slice(HEADER_WORDS + ids, halves),
            words.tail(HEADER_WORDS + ids + halves),
        ) else {
            return Err(corrupt(
                "header",
                VOCAB_SIZE,
                "more ids than the tables have room for",
            ));
        };
        if rest.len() < len.div_ceil(4) {
            return Err(corrupt(
                "header",
                BYTES,
                "the token bytes are not as long as stated",
            ));
        }
        let Some((bytes, _)) = rest.raw().as_flattened().split_at_checked(len) else {
            return Err(corrupt(
                "header",
                BYTES,
                "the token bytes are not as long as stated",
            ));
        };
        Ok(Vocabulary {
            tables,
            blocks,
            relative: relative.halves(),
            bytes,
            size,
            hash: wide_field(words, HASH),
        })
    }

    /// Words of the offsets of blocks, and of the relative offsets, for so many ids.
    pub(crate) const fn shape(size: u32) -> (usize, usize) {
        (size as usize / BLOCK + 1, size as usize / 2 + 1)
    }

    /// Offsets must ascend from 0 to the number of bytes.
    fn validate_offsets(&self) -> Result<(), LoadError> {
        let mut last = 0;
        for id in 0..=self.size as usize {
            let offset = self.offset(id).unwrap_or(usize::MAX);
            if offset < last || offset > self.bytes.len() || id == 0 && offset != 0 {
                return Err(corrupt(
                    "relative",
                    id / 2,
                    "the token's bytes do not begin where the last one's end",
                ));
            }
            last = offset;
        }
        if last != self.bytes.len() {
            return Err(corrupt(
                "relative",
                self.size as usize / 2,
                "bytes are left over after the last token",
            ));
        }
        Ok(())
    }

    /// Where the bytes of an id begin.
    #[inline]
    fn offset(&self, id: usize) -> Option<usize> {
        let block = self.blocks.get(id / BLOCK)? as usize;
        block.checked_add(u16::from_le_bytes(*self.relative.get(id)?) as usize)
    }

    /// The bytes of a token; empty for special tokens, holes and ids past the end, which never
    /// match text.
    #[cfg_attr(not(target_os = "none"), inline)]
    #[cfg_attr(target_os = "none", inline(never))]
    pub fn bytes(&self, id: u32) -> &'t [u8] {
        let id = id as usize;
        let (Some(start), Some(end)) = (self.offset(id), self.offset(id.saturating_add(1))) else {
            return &[];
        };
        self.bytes.get(start..end).unwrap_or(&[])
    }

    /// The name of a control token, such as `<|channel|>`, which has no bytes. None for tokens that
    /// are text, and where the tokenizer's file does not tell the name.
    ///
    /// A program that shows or parses an output needs these names where it wants to see such
    /// tokens: [`bytes`](Self::bytes) leaves them out.
    pub fn token_name(&self, id: u32) -> Option<&'t str> {
        core::str::from_utf8(self.names()?.get(id)?).ok()
    }

    /// The section of names.
    fn names(&self) -> Option<TokenNames<'t>> {
        let (ids, halves) = Self::shape(self.size);
        let start = HEADER_WORDS + ids + halves + self.bytes.len().div_ceil(4);
        TokenNames::new(Words::split(self.tables).0.tail(start)?)
    }

    /// Number of token ids.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The hash of the vocabulary, as in the tables of its grammars.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The tables themselves, to be saved.
    pub const fn as_bytes(&self) -> &'t [u8] {
        self.tables
    }
}

impl Vocabulary<'static> {
    /// Tables that the compiler emitted into this program, for a `const` or a `static`.
    ///
    /// # Panics
    ///
    /// If these are not whole tables of this version of the format. In a `const` or a `static` that
    /// is a compile error; for tables that are read at run time use [`Vocabulary::load`].
    pub const fn from_static(tables: &'static [u8]) -> Self {
        match Vocabulary::view(tables) {
            Ok(vocabulary) => vocabulary,
            Err(LoadError::Foreign { .. }) => {
                panic!("these are not vocabulary tables of maskwright")
            }
            Err(LoadError::Version { .. }) => panic!(
                "the vocabulary was packed for another version of the maskwright runtime: \
                 pack it again with the version of maskwright-compiler that matches the runtime"
            ),
            Err(_) => panic!("the vocabulary tables are not whole"),
        }
    }
}

impl fmt::Debug for Vocabulary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabulary")
            .field("size", &self.size)
            .field("hash", &self.hash)
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

const fn corrupt(section: &'static str, word: usize, problem: &'static str) -> LoadError {
    LoadError::Corrupt {
        section,
        word,
        problem,
    }
}
