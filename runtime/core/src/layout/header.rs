//! Word indices in the header of grammar tables.

/// `GRAMMAR_MAGIC`.
pub const MAGIC: usize = 0;
/// `FORMAT_VERSION`.
pub const VERSION: usize = 1;
/// Length of the whole tables, in words.
pub const WORDS: usize = 2;
/// CRC-32 (IEEE, reflected, as in zlib) of all bytes after this word.
pub const CHECKSUM: usize = 3;
/// Hash of grammar and options, low word then high word.
pub const GRAMMAR_HASH: usize = 4;
/// Hash of the vocabulary, low word then high word.
pub const VOCABULARY_HASH: usize = 6;
/// Number of token ids, that is, the length of a row of logits.
pub const VOCAB_SIZE: usize = 8;
/// Number of states.
pub const STATES: usize = 9;
/// Number of frames, the bottom included.
pub const FRAMES: usize = 10;
/// The largest number of stacks that the automaton can need, or
/// [`GRAPH_STACKS`](super::GRAPH_STACKS).
pub const MAX_STACKS: usize = 11;
/// The state to start in.
pub const START: usize = 12;
/// Number of symbol classes, that of the end of the text included (at most 257).
pub const CLASSES: usize = 13;
/// The class of the end of the text.
pub const END_CLASS: usize = 14;
/// 1 if `MAX_STACKS` is proved never to be passed, 0 if the stacks are a graph.
pub const STACKS_PROVED: usize = 15;
/// Number of sets of the tables that these stand beside, whose sets they share; 0 if they stand
/// alone.
pub const BESIDE_SETS: usize = 16;
/// `CHECKSUM` of those tables.
pub const BESIDE_CHECKSUM: usize = 17;
/// First of the section entries, two words each: offset, length; in the order of `Section`.
pub const SECTIONS: usize = 18;
