//! Link tables: header, checksums, names, crossings.
//!
//! ```text
//! header     HEADER_WORDS words
//! checksums  of the tables of the outer part, then of each piece
//! names      for each hole: how many (1 word); where each begins in the bytes, and where the last one ends; the piece of each; the bytes, padded with zero to a whole word
//! crossings  for each a key of 4 words, ascending; where the tokens of each begin, and where the last ones end; the ids of tokens, ascending for each crossing
//! ```

/// `LINK_MAGIC`.
pub const MAGIC: usize = 0;
/// `FORMAT_VERSION`.
pub const VERSION: usize = 1;
/// Length of the whole tables, in words.
pub const WORDS: usize = 2;
/// CRC-32 (as for grammar tables) of all bytes after this word.
pub const CHECKSUM: usize = 3;
/// Hash of the vocabulary, low word then high word.
pub const VOCABULARY_HASH: usize = 4;
/// The frames that a stack may have.
pub const DEPTH: usize = 6;
/// Number of pieces.
pub const PIECES: usize = 7;
/// Number of holes.
pub const HOLES: usize = 8;
/// Number of crossings.
pub const CROSSINGS: usize = 9;
/// Length of the header.
pub const HEADER_WORDS: usize = 10;
