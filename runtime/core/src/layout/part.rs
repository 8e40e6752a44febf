//! A part of a linked grammar: header, exits, endings, then grammar tables.
//!
//! ```text
//! header     HEADER_WORDS words
//! exits      for each exit the class of its second symbol; its first one is LEAD
//! endings    for each the id of a token (22 bits) | the length of the prefix that is meant (10 bits)
//! tables     grammar tables, whose vocab_size is that of the vocabulary, rounded up to a multiple of 32, and ROOM more
//! ```
//! The ids behind those of the vocabulary are the exits, then the endings: the mask of a state has
//! the id of an ending if a token with this prefix ends the part within it.

/// `PART_MAGIC`.
pub const MAGIC: usize = 0;
/// `FORMAT_VERSION`.
pub const VERSION: usize = 1;
/// Words before the tables.
pub const WORDS: usize = 2;
/// CRC-32 (as for grammar tables) of the words from the next one up to the tables.
pub const CHECKSUM: usize = 3;
/// The class of the first symbol of an exit.
pub const LEAD: usize = 4;
/// Number of exits.
pub const EXITS: usize = 5;
/// Number of endings.
pub const ENDINGS: usize = 6;
/// Length of the header.
pub const HEADER_WORDS: usize = 7;
/// Ids for exits and endings.
pub const ROOM: u32 = 512;
