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
//! To step state `s` by class `c`: look for the entry of `c` in the state's row, then, if there is none, in its
//! parent row. If neither has one, the byte is refused. States with a parent row come first; a state without a word
//! after the records has no parent row. A row is an offset in `edges` (24 bits, in words) and the number of a
//! meta-class map (8 bits). The map takes `c` as a class `k`: map 0 takes each class as itself; for map `m`, `k` is
//! the byte at `(m - 1) * CLASSES + c` after the classes of bytes, or `c` if there is no such byte. The entry of the
//! row is `edges[offset + k]`, if that word is tagged `k`. The entry's payload is the next state, or, with
//! `edge::PROGRAM`
//! set, the offset of a program in `programs` (in words).
//!
//! Meta-class maps lie one after the other, `CLASSES` bytes each, and are padded with zeros to a whole word. Each of
//! their bytes is a class.
//!
//! A payload of `edge::REFUSE` refuses: such an entry hides that of the parent row.
//!
//! ## Heads
//!
//! In `programs` and `masks`, which are made of records of several words, bit 23 (`HEAD`) is set in the first
//! word of each record and in no other word. So whether an offset names a record can be told from the word that
//! lies there, and validation needs one pass and no memory. Records lie one after the other without gaps.
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
//! with `AGAIN` the symbol is not consumed yet: the step is taken again from there. Programs have no
//! cycles by offset (a look only refers to lower offsets); an alternative with `AGAIN` pops at least one frame
//! and pushes none, so such loops end at the bottom at the latest. More than one alternative splits the stack.
//!
//! A push needs room for its frame and for `reserve` more above it: `height + reserve <= depth`, where `height` counts the
//! new frame. What follows once the frame is popped cannot be finished with fewer.
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
//! `h` satisfies `height + h <= depth` (`height` is the number of frames of the whole stack,
//! at every node of the walk); then, if the node looks, the next frame down is read (at the root: the top one),
//! and its child is walked. Offsets are in words, in `masks`, and may go
//! either way: a cycle is allowed, since each look goes one frame down. A look at the bottom reads
//! `BOTTOM` once; a look below the bottom ends the walk.
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
//! For LEVELS the bitmaps are the *planes* of a number for each id, low bits first, its *level*: the base of the set are the ids with
//! at least the level `least` (1 to 2^n - 1). So with one plane and `least` 1 it is a bitmap, with `least` all ones what all planes
//! have in common; n planes hold 2^n - 1 sets of which each is a part of the one before.
//!
//! Sets lie one after the other without gaps, in the order of their ids. A set that is SHARED is what the other tables' set is, a plane included;
//! that one is not SHARED itself. `BESIDE_CHECKSUM` says which tables these are.
//!
//! A *list* holds ids below vocab_size, ascending, in blocks of 65,536 ids: for each block in order (`ceil(vocab_size / 65536)` of
//! them) a count word, then the low 16 bits of the ids, two a word, the first in the low half, the
//! last word padded with zero. Or, where that is shorter, as bytes: a word with the number of ids and `FINE`; for each block of
//! 256 ids in order (`ceil(vocab_size / 256)` of them) a byte with the number of ids in it; then the low bytes of the ids; counts and
//! ids each padded to a whole word with zeros.
//!
//! # Vocabulary tables
//!
//! A separate blob, shared by all grammars of one vocabulary: see [`vocabulary`].

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

/// Symbols: 0 to 255 are bytes, 256 is the end of the text. A token that is a terminal is two symbols in a row, which have classes as bytes
/// have: see [`token`].
pub const END_OF_TEXT: u16 = 256;
/// The frame at the bottom of each stack.
pub const BOTTOM: u16 = 0;

/// Word indices in the header of grammar tables.
pub mod header {
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
    /// The largest number of stacks that the automaton can need (or the cap on it).
    pub const MAX_STACKS: usize = 11;
    /// The state to start in.
    pub const START: usize = 12;
    /// Number of symbol classes, that of the end of the text included (at most 257).
    pub const CLASSES: usize = 13;
    /// The class of the end of the text.
    pub const END_CLASS: usize = 14;
    /// 1 if `MAX_STACKS` is proved never to be passed, 0 if it is a cap.
    pub const STACKS_PROVED: usize = 15;
    /// Number of sets of the tables that these stand beside, whose sets they share; 0 if they stand alone.
    pub const BESIDE_SETS: usize = 16;
    /// `CHECKSUM` of those tables.
    pub const BESIDE_CHECKSUM: usize = 17;
    /// First of the section entries, two words each: offset, length; in the order of `Section`.
    pub const SECTIONS: usize = 18;
}

/// Sections of grammar tables, in the order of their header entries and of their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
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

/// A state record.
pub mod state {
    /// Words of a record.
    pub const STATE_WORDS: usize = 2;
    /// The state's row, made by `row`; its offset and a class may lie past the end (then: no entry).
    pub const BASE: usize = 0;
    /// Offset of the root of the state's mask tree (24 bits), and its headroom (8 bits): how many frames finishing from this state may
    /// need above the present height, at most `MAX_NEED`, or `NEVER`.
    pub const MASK: usize = 1;
    /// Shift of the headroom.
    pub const NEED_SHIFT: u32 = 24;
    /// Mask of the offset.
    pub const MASK_OFFSET: u32 = (1 << NEED_SHIFT) - 1;
    /// Shift of the map that a row is read through.
    pub const MAP_SHIFT: u32 = 24;
    /// Mask of the offset of a row.
    pub const ROW_OFFSET: u32 = (1 << MAP_SHIFT) - 1;
    /// The greatest headroom of a state.
    pub const MAX_NEED: u32 = 254;
    /// The headroom of a state from which the vocabulary's tokens cannot finish: a text may pass through it only.
    pub const NEVER: u32 = 255;

    /// A row at an offset of `edges`, read through a map.
    pub const fn row(offset: u32, map: u8) -> u32 {
        offset & ROW_OFFSET | (map as u32) << MAP_SHIFT
    }

    /// The last word of a record.
    pub const fn mask(offset: u32, need: u32) -> u32 {
        offset & MASK_OFFSET | need << NEED_SHIFT
    }
}

/// An entry of `edges`: payload (22 bits), `PROGRAM` (1 bit), class (9 bits).
pub mod edge {
    /// An unused entry.
    pub const EMPTY: u32 = u32::MAX;
    /// Bits of the payload.
    pub const PAYLOAD_BITS: u32 = 22;
    /// Mask of the payload.
    pub const PAYLOAD: u32 = (1 << PAYLOAD_BITS) - 1;
    /// The payload is a program offset, not a state.
    pub const PROGRAM: u32 = 1 << PAYLOAD_BITS;
    /// Shift of the class (9 bits).
    pub const CLASS_SHIFT: u32 = PAYLOAD_BITS + 1;
    /// Payload of an entry that refuses.
    pub const REFUSE: u32 = PAYLOAD;

    /// The entry of `class` with a payload: a state, `REFUSE`, or an offset and `PROGRAM`.
    pub const fn entry(class: u16, payload: u32) -> u32 {
        payload & (PAYLOAD | PROGRAM) | (class as u32) << CLASS_SHIFT
    }
}

/// Tokens that are terminals of the grammar, if it has some: a step by the class of the lead, then one by the class of the token's symbol. No byte has the class of the
/// lead, so that no text is taken for a token.
///
/// Word 0: the class of the lead (9 bits) | the number of limits (7 bits) | the class of the symbol of all tokens that are not listed and have bytes, or `NO_CLASS` (16 bits).
/// Then a word for each limit on the tokens of a text, made by `limit`: the class of its symbol (9 bits) | 0 (7 bits) | the number of tokens, at least 1 (16 bits). No token has
/// such a symbol: a matcher takes the lead and the symbol itself, after so many tokens.
/// Then a word for each listed token, ascending by id, made by `entry`: class of the symbol, or `NO_CLASS` (9 bits) | IS_TEXT (1 bit) | id (22 bits).
/// A listed token without IS_TEXT has no text in this grammar. Where both its text and its symbol could be meant, it is the one that some stack can take: never both can.
pub mod token {
    /// No symbol.
    pub const NO_CLASS: u32 = (1 << 9) - 1;
    /// Shift of the class of all tokens that are not listed.
    pub const OTHERS_SHIFT: u32 = 16;
    /// Mask of the class of the lead.
    pub const LEAD: u32 = NO_CLASS;
    /// Shift of the number of limits.
    pub const LIMITS_SHIFT: u32 = 9;
    /// Mask of that number, once shifted.
    pub const LIMITS: u32 = (1 << (OTHERS_SHIFT - LIMITS_SHIFT)) - 1;
    /// Shift of the tokens of a limit.
    pub const LIMIT_SHIFT: u32 = 16;
    /// The token is text as well.
    pub const IS_TEXT: u32 = 1 << 9;
    /// Shift of the id.
    pub const ID_SHIFT: u32 = 10;

    /// The first word.
    pub const fn classes(lead: u16, limits: u8, others: Option<u16>) -> u32 {
        let others = match others {
            Some(class) => class as u32,
            None => NO_CLASS,
        };
        lead as u32 & LEAD | (limits as u32 & LIMITS) << LIMITS_SHIFT | others << OTHERS_SHIFT
    }

    /// The word of a limit.
    pub const fn limit(class: u16, tokens: u16) -> u32 {
        class as u32 | (tokens as u32) << LIMIT_SHIFT
    }

    /// The word of a token.
    pub const fn entry(id: u32, class: Option<u16>, is_text: bool) -> u32 {
        let class = match class {
            Some(class) => class as u32,
            None => NO_CLASS,
        };
        class | if is_text { IS_TEXT } else { 0 } | id << ID_SHIFT
    }
}

/// The bit that marks the first word of a record in `programs` and `masks`.
pub const HEAD: u32 = 1 << 23;

/// Words of programs.
pub mod program {
    use super::HEAD;

    /// The program looks at a frame; otherwise it is a leaf.
    pub const LOOK: u32 = 1 << 16;
    /// Mask of the number of alternatives or of pairs.
    pub const COUNT: u32 = 0xffff;
    /// Shift of the depth of a look.
    pub const DEPTH_SHIFT: u32 = 24;
    /// Mask of the next state of an alternative.
    pub const NEXT: u32 = (1 << 22) - 1;
    /// The symbol is not consumed.
    pub const AGAIN: u32 = 1 << 22;
    /// Shift of the number of frames to pop.
    pub const POP_SHIFT: u32 = 24;
    /// Mask of the frame to push.
    pub const FRAME: u32 = 0xffff;
    /// Shift of the frames that must fit above the pushed one.
    pub const RESERVE_SHIFT: u32 = 24;

    /// The head of a leaf with this many alternatives.
    pub const fn leaf(alternatives: u16) -> u32 {
        HEAD | alternatives as u32
    }

    /// The head of a look at `depth` with this many pairs.
    pub const fn look(depth: u8, frames: u16) -> u32 {
        HEAD | LOOK | frames as u32 | (depth as u32) << DEPTH_SHIFT
    }

    /// The second word of an alternative that pushes a frame, above which `reserve` more must fit.
    pub const fn push(frame: u16, reserve: u8) -> u32 {
        frame as u32 | (reserve as u32) << RESERVE_SHIFT
    }

    /// The first word of an alternative; the second is what it pushes, or 0.
    pub const fn alternative(next: u32, again: bool, pop: u8) -> u32 {
        next & NEXT | if again { AGAIN } else { 0 } | (pop as u32) << POP_SHIFT
    }
}

/// Words of mask trees.
pub mod mask {
    use super::HEAD;

    /// Mask of the number of sets in a head.
    pub const SETS: u32 = 0xff;
    /// Shift of the number of children.
    pub const CHILDREN_SHIFT: u32 = 8;
    /// The largest number of children.
    pub const MAX_CHILDREN: u32 = (1 << 15) - 1;
    /// The node looks at a frame.
    pub const LOOK: u32 = 1 << 24;
    /// No child. Offsets of nodes are lower.
    pub const NO_NODE: u32 = HEAD - 1;
    /// Mask of the set id.
    pub const SET: u32 = HEAD - 1;
    /// Shift of the headroom.
    pub const HEADROOM_SHIFT: u32 = 24;

    /// The head of a node with this many sets that looks at no frame.
    pub const fn leaf(sets: u8) -> u32 {
        HEAD | sets as u32
    }

    /// The head of a node with this many sets that looks at the next frame and has this many pairs
    /// (at most `MAX_CHILDREN`).
    pub const fn look(sets: u8, children: u16) -> u32 {
        HEAD | LOOK | sets as u32 | (children as u32 & MAX_CHILDREN) << CHILDREN_SHIFT
    }

    /// The word of a set (id below 2^23) that needs this many frames above the present height.
    pub const fn set(id: u32, headroom: u8) -> u32 {
        id & SET | (headroom as u32) << HEADROOM_SHIFT
    }
}

/// Kinds of token sets.
pub mod set {
    /// A bitmap.
    pub const BITMAP: u32 = 0;
    /// A list of the ids in the set.
    pub const ACCEPT: u32 = 1;
    /// A list of the ids not in the set.
    pub const REJECT: u32 = 2;
    /// The ids of at least some level, by bitmaps that make a number for each, with a few ids added and removed.
    pub const LEVELS: u32 = 3;
    /// A set of the tables that these stand beside.
    pub const SHARED: u32 = 4;
    /// Where its id lies in the first word.
    pub const SHARED_SHIFT: u32 = 8;
    /// Mask of the kind in the first word of a set.
    pub const KIND: u32 = 0xff;
    /// Where the number of planes lies in the first word of a set of levels.
    pub const PLANES_SHIFT: u32 = 8;
    /// Mask of that number, once shifted.
    pub const PLANES: u32 = 0xff;
    /// Where the least level lies there.
    pub const LEAST_SHIFT: u32 = 16;
    /// The greatest number of planes.
    pub const MAX_PLANES: usize = 6;
    /// Ids in a block of a list of halves.
    pub const BLOCK: u32 = 1 << 16;
    /// In the first word of a list: it is one of bytes.
    pub const FINE: u32 = 1 << 31;
    /// Ids in a block of a list of bytes.
    pub const FINE_BLOCK: u32 = 1 << 8;
}

/// Vocabulary tables: header, block offsets, then relative offsets, then token bytes.
///
/// ```text
/// header     HEADER_WORDS words
/// blocks     one word for each block of 64 ids: offset of its first byte in `bytes`
/// relative   (vocab_size + 1) u16s, two a word, low half first: offset of the id's first byte from its block's;
///            id's bytes end where those of id + 1 begin
/// bytes      token bytes, padded with zero to a whole word
/// ```
/// `blocks` covers ids 0 to vocab_size inclusive. Special tokens, holes and padding have no bytes.
pub mod vocabulary {
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
    /// Ids in a block.
    pub const BLOCK: usize = 64;
}

/// A part of a linked grammar: header, exits, endings, then grammar tables.
///
/// ```text
/// header     HEADER_WORDS words
/// exits      for each exit the class of its second symbol; its first one is LEAD
/// endings    for each the id of a token (22 bits) | the length of the prefix that is meant (10 bits)
/// tables     grammar tables, whose vocab_size is that of the vocabulary, rounded up to a multiple of 32, and ROOM more
/// ```
/// The ids behind those of the vocabulary are the exits, then the endings: the mask of a state has the id of an ending if a token with this prefix ends the part within it.
pub mod part {
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
}

/// Link tables: header, checksums, names, crossings.
///
/// ```text
/// header     HEADER_WORDS words
/// checksums  of the tables of the outer part, then of each piece
/// names      for each hole: how many (1 word); where each begins in the bytes, and where the last one ends; the piece of each; the bytes, padded with zero to a whole word
/// crossings  for each a key of 4 words, ascending; where the tokens of each begin, and where the last ones end; the ids of tokens, ascending for each crossing
/// ```
pub mod link {
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
}
