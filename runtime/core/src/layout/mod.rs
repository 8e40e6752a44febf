//! The layout of compiled tables: the one place where it is written down.
//!
//! Both the compiler (which packs) and the matcher (which reads) use the constants and
//! the field helpers of this module, so the layout is never written twice.
//!
//! # Encoding
//!
//! Tables are a sequence of little-endian `u32` *words*, read through `[u8; 4]` chunks: they
//! have no alignment, no pointers, no endianness of the machine, and may lie in flash, in a
//! file, in a static byte string or in a memory map. A *section* is a run of words, named in
//! the header by its offset (in words from the start of the tables) and its length in words.
//!
//! # Grammar tables
//!
//! ```text
//! header      HEADER_WORDS words, see `header`
//! classes     64 words: byte -> symbol class, one byte each, byte 0 in the low bits; then the meta-class maps, see below
//! states      STATE_WORDS words a state, see `state`; then the parent row of each of the first states, one word each
//! edges       the rows of all states, overlaid (row displacement), see `edge`
//! programs    decision trees of conditional edges, see `program`
//! masks       mask trees, see `mask`
//! set_index   one word a token set: its offset in `sets`, in words
//! sets        token sets, see `set`
//! eos         one word an end-of-sequence token id, ascending
//! tokens      nothing, or the tokens that are terminals: see `token`
//! ```
//!
//! ## The stack
//!
//! A matcher runs up to `max_stacks` stacks in parallel; each is a state and some *frames*.
//! Frame `0` is the bottom (`BOTTOM`): what a look at or below the end of a stack reads. It is
//! never pushed. Depth 0 is the frame on the top.
//!
//! ## An edge
//!
//! To step state `s` by class `c`: look for the entry of `c` in the state's row, then, if there is
//! none, in its parent row. If neither has one, the byte is refused. States with a parent row come
//! first; a state without a word after the records has no parent row. A row is an offset in `edges`
//! (24 bits, in words) and the number of a meta-class map (8 bits). The map takes `c` as a class
//! `k`: map 0 takes each class as itself; for map `m`, `k` is the byte at `(m - 1) * CLASSES + c`
//! after the classes of bytes, or `c` if there is no such byte. The entry of the row is
//! `edges[offset + k]`, if that word is tagged `k`. The entry's payload is the next state, or, with
//! `edge::PROGRAM` set, the offset of a program in `programs` (in words).
//!
//! Meta-class maps lie one after the other, `CLASSES` bytes each, and are padded with zeros to a
//! whole word. Each of their bytes is a class.
//!
//! A payload of `edge::REFUSE` refuses: such an entry hides that of the parent row.
//!
//! ## Heads
//!
//! In `programs` and `masks`, which are made of records of several words, bit 23 (`HEAD`) is set in
//! the first word of each record and in no other word. So whether an offset names a record can be
//! told from the word that lies there, and validation needs one pass and no memory. Records lie one
//! after the other without gaps.
//!
//! ## A program
//!
//! ```text
//! head     n (16 bits) | LOOK (1 bit) | 0 (6 bits) | HEAD (1 bit) | depth (8 bits), made by `program::leaf` and `look`
//! leaf     n alternatives follow, 2 words each; n = 0 refuses.
//!            word 0: next state (22 bits) | AGAIN (1 bit) | 0 (1 bit) | pop (8 bits)
//!            word 1: the frame to push after popping, or 0 for none (16 bits) | 0 (8 bits) | reserve (8 bits)
//! look     at `depth`; then the offset of the first program (in words, in `programs`), then n pairs
//!            (frame, offset of a program), ascending by frame: each program is that of the frames from there up to
//!            the next pair's, the first one that of the frames before all pairs'
//! ```
//! An alternative pops `pop` frames, pushes its frame if it has one and goes to the next state;
//! with `AGAIN` the symbol is not consumed yet: the step is taken again from there. Programs have
//! no cycles by offset (a look only refers to lower offsets); an alternative with `AGAIN` pops at
//! least one frame and pushes none, so such loops end at the bottom at the latest. More than one
//! alternative splits the stack.
//!
//! A push needs room for its frame and for `reserve` more above it: `height + reserve <= depth`,
//! where `height` counts the new frame. What follows once the frame is popped cannot be finished
//! with fewer.
//!
//! ## A mask tree
//!
//! ```text
//! head     sets (8 bits) | children (15 bits) | HEAD (1 bit) | LOOK (1 bit) | 0, made by `mask::leaf` and `look`
//! sets     one word each: set id (23 bits) | 0 (1 bit) | headroom (8 bits)
//! LOOK     then the first child's offset, or NO_NODE, then `children` pairs (frame, offset or NO_NODE), ascending by frame, which
//!          stand for runs of frames as in programs
//! ```
//! The mask of a stack is the union of the sets on one walk: at the node, each set whose headroom
//! `h` satisfies `height + h <= depth` (`height` is the number of frames of the whole stack, at
//! every node of the walk); then, if the node looks, the next frame down is read (at the root: the
//! top one), and its child is walked. Offsets are in words, in `masks`, and may go either way: a
//! cycle is allowed, since each look goes one frame down. A look at the bottom reads `BOTTOM` once;
//! a look below the bottom ends the walk.
//!
//! ## A token set
//!
//! ```text
//! word 0   kind (8 bits) | 0, or for LEVELS kind (8 bits) | n (8 bits) | least (16 bits)
//! BITMAP   ceil(vocab_size / 32) words; bit id % 32 of word id / 32
//! ACCEPT   a list: exactly these ids
//! REJECT   a list: every id below vocab_size but these
//! LEVELS   set ids of n BITMAP sets (1 to 6), then a list of ids to add (absent there), then one of ids to remove (present there)
//! SHARED   nothing: the set of this id (24 bits, in word 0 above the kind) of the tables that these stand beside
//! ```
//! For LEVELS the bitmaps are the *planes* of a number for each id, low bits first, its *level*:
//! the base of the set are the ids with at least the level `least` (1 to 2^n - 1). So with one
//! plane and `least` 1 it is a bitmap, with `least` all ones what all planes have in common; n
//! planes hold 2^n - 1 sets of which each is a part of the one before.
//!
//! Sets lie one after the other without gaps, in the order of their ids. A set that is SHARED is
//! what the other tables' set is, a plane included; that one is not SHARED itself.
//! `BESIDE_CHECKSUM` says which tables these are.
//!
//! A *list* holds ids below vocab_size, ascending, in blocks of 65,536 ids: for each block in order
//! (`ceil(vocab_size / 65536)` of them) a count word, then the low 16 bits of the ids, two a word,
//! the first in the low half, the last word padded with zero. Or, where that is shorter, as bytes:
//! a word with the number of ids and `FINE`; for each block of 256 ids in order
//! (`ceil(vocab_size / 256)` of them) a byte with the number of ids in it; then the low bytes of
//! the ids; counts and ids each padded to a whole word with zeros.
//!
//! # Vocabulary tables
//!
//! A separate blob, shared by all grammars of one vocabulary: see [`vocabulary`].

pub mod edge;
pub mod header;
pub mod link;
pub mod mask;
pub mod part;
pub mod program;
pub mod set;
pub mod state;
pub mod token;
pub mod vocabulary;

/// First word of grammar tables: "MSKG".
pub const GRAMMAR_MAGIC: u32 = u32::from_le_bytes(*b"MSKG");
/// First word of vocabulary tables: "MSKV".
pub const VOCABULARY_MAGIC: u32 = u32::from_le_bytes(*b"MSKV");
/// First word of a part of a linked grammar: "MSKP".
pub const PART_MAGIC: u32 = u32::from_le_bytes(*b"MSKP");
/// First word of link tables: "MSKL".
pub const LINK_MAGIC: u32 = u32::from_le_bytes(*b"MSKL");
/// Version of all layouts. Tables of another version are refused; recompiling the grammar mends it.
pub const FORMAT_VERSION: u32 = 9;

/// Symbols: 0 to 255 are bytes, 256 is the end of the text. A token that is a terminal is two
/// symbols in a row, which have classes as bytes have: see [`token`].
pub const END_OF_TEXT: u16 = 256;
/// The frame at the bottom of each stack.
pub const BOTTOM: u16 = 0;

/// The stacks in whose memory a matcher holds a graph of stacks, unless its user says otherwise.
pub const GRAPH_STACKS: u32 = 64;

/// Sections of grammar tables, in the order of their header entries and of their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSection {
    /// Byte to symbol class.
    Classes = 0,
    /// State records.
    States = 1,
    /// Overlaid rows.
    Edges = 2,
    /// Decision trees.
    Programs = 3,
    /// Mask trees.
    Masks = 4,
    /// Offsets of sets.
    SetIndex = 5,
    /// Token sets.
    Sets = 6,
    /// End-of-sequence token ids.
    Eos = 7,
    /// Tokens that are terminals.
    Tokens = 8,
}
/// Number of sections.
pub const SECTION_COUNT: usize = 9;
/// Length of the header of grammar tables, in words.
pub const HEADER_WORDS: usize = header::SECTIONS + 2 * SECTION_COUNT;

/// The bit that marks the first word of a record in `programs` and `masks`.
pub const HEAD: u32 = 1 << 23;
