//! A vocabulary as the tables that the runtime reads: see [`maskwright_core::layout::vocabulary`].

use maskwright_core as core_tables;
use maskwright_core::layout::{FORMAT_VERSION, VOCABULARY_MAGIC, vocabulary as layout};

use super::{Vocabulary, VocabularyError};

impl Vocabulary {
    /// The vocabulary whose tables these are; the tables do not hold the end tokens.
    ///
    /// # Errors
    /// [`VocabularyError::Tables`] if they are not valid tables, or a limit of
    /// [`Vocabulary::check`].
    pub fn from_tables(tables: &[u8], eos: Vec<u32>) -> Result<Self, VocabularyError> {
        let packed = core_tables::Vocabulary::load(tables)
            .map_err(|error| VocabularyError::Tables { error })?;
        let tokens = (0..packed.size()).map(|id| packed.bytes(id));
        let vocabulary = Vocabulary::from_slices(tokens, eos);
        vocabulary.check()?;
        Ok(vocabulary)
    }

    /// The vocabulary tables: what the runtime needs to accept tokens by their bytes.
    ///
    /// # Errors
    /// A limit of [`Vocabulary::check`].
    pub fn pack(&self) -> Result<Vec<u8>, VocabularyError> {
        self.check()?;
        let (blocks, relative) = self.offsets()?;
        let body = self.bytes.len().next_multiple_of(4);
        let names = self.packed_names();
        let words = layout::HEADER_WORDS + blocks.len() + relative.len().div_ceil(2) + body / 4;
        let words = words + names.len() / 4;
        let hash = self.hash();
        let header: [u32; layout::HEADER_WORDS] = [
            VOCABULARY_MAGIC,
            FORMAT_VERSION,
            words as u32,
            0,
            hash as u32,
            (hash >> 32) as u32,
            self.size(),
            self.bytes.len() as u32,
        ];
        let mut tables = Vec::with_capacity(4 * words);
        for word in header.iter().chain(&blocks) {
            tables.extend_from_slice(&word.to_le_bytes());
        }
        for offset in &relative {
            tables.extend_from_slice(&offset.to_le_bytes());
        }
        tables.resize(tables.len().next_multiple_of(4), 0);
        tables.extend_from_slice(&self.bytes);
        tables.resize(tables.len().next_multiple_of(4), 0);
        tables.extend_from_slice(&names);
        seal(&mut tables);
        Ok(tables)
    }

    /// The section of the names of control tokens, in whole words.
    fn packed_names(&self) -> Vec<u8> {
        let (mut records, mut text) = (Vec::new(), Vec::new());
        for (id, name) in &self.special {
            text.extend_from_slice(name.as_bytes());
            records.extend([*id, text.len() as u32]);
        }
        if records.is_empty() {
            return Vec::new();
        }
        records.insert(0, (records.len() / layout::NAME_WORDS) as u32);
        text.resize(text.len().next_multiple_of(4), 0);
        let words = records.iter().flat_map(|word| word.to_le_bytes());
        words.chain(text).collect()
    }

    /// Fails if tables cannot address the bytes of a block.
    pub(super) fn check_blocks(&self) -> Result<(), VocabularyError> {
        self.offsets().map(drop)
    }

    /// For each block of ids, where its bytes begin; for each id, where its bytes begin from there.
    fn offsets(&self) -> Result<(Vec<u32>, Vec<u16>), VocabularyError> {
        let mut blocks = Vec::with_capacity(self.ends.len() / layout::BLOCK + 1);
        let mut relative = Vec::with_capacity(self.ends.len() + 1);
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        let mut base = 0;
        for (id, start) in starts.enumerate() {
            if id % layout::BLOCK == 0 {
                base = start;
                blocks.push(base as u32);
            }
            let bytes = start - base;
            relative.push(
                u16::try_from(bytes).map_err(|_| VocabularyError::BlockTooLong {
                    first_id: (id - id % layout::BLOCK) as u32,
                    bytes,
                })?,
            );
        }
        Ok((blocks, relative))
    }
}

/// Writes the checksum of everything after it into its place.
fn seal(tables: &mut [u8]) {
    if let Some((head, body)) = tables.split_at_mut_checked(4 * (layout::CHECKSUM + 1))
        && let Some(checksum) = head.last_chunk_mut::<4>()
    {
        *checksum = crc32fast::hash(body).to_le_bytes();
    }
}
