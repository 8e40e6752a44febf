//! Vocabulary tables: header, block offsets, then relative offsets, then token bytes, then names.
//!
//! ```text
//! header     HEADER_WORDS words
//! blocks     one word for each block of 64 ids: offset of its first byte in `bytes`
//! relative   (vocab_size + 1) u16s, two a word, low half first: offset of the id's first byte from its block's;
//!            id's bytes end where those of id + 1 begin
//! bytes      token bytes, padded with zero to a whole word
//! names      nothing, or the names of control tokens: their number; for each, ascending, its id and where its name
//!            ends in what follows; the names, padded with zero to a whole word
//! ```
//! `blocks` covers ids 0 to vocab_size inclusive. Special tokens, holes and padding have no bytes.

/// `VOCABULARY_MAGIC`.
pub const MAGIC: usize = 0;
/// `FORMAT_VERSION`.
pub const VERSION: usize = 1;
/// Length of the whole tables, in words.
pub const WORDS: usize = 2;
/// CRC-32 (as for grammar tables) of all bytes after this word.
pub const CHECKSUM: usize = 3;
/// Hash of the vocabulary, low word then high word.
pub const HASH: usize = 4;
/// Number of token ids.
pub const VOCAB_SIZE: usize = 6;
/// Number of token bytes.
pub const BYTES: usize = 7;
/// Length of the header.
pub const HEADER_WORDS: usize = 8;
/// Words of a name's record.
pub const NAME_WORDS: usize = 2;
/// Ids in a block.
pub const BLOCK: usize = 64;
