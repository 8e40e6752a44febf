//! Grammar tables: the header read and the sections found.
//!
//! In: bytes, from a static, a file, flash or a map. Out: [`Grammar`], a view that borrows them.
//! What holds after: [`Grammar::load`] has checked every word (`check`). [`Grammar::from_static`]
//! has checked magic, version, length and sections, and trusts the compiler that emitted the rest.
//! Reads are bounds-checked in either case.

use core::fmt;

use crate::error::LoadError;
use crate::head::Head;
use crate::header::{Header, field, whole};
use crate::id::TablesId;
#[cfg(not(feature = "limits"))]
use crate::layout::token;
use crate::layout::{
    GRAMMAR_MAGIC, HEADER_WORDS, SECTION_COUNT, TableSection, header,
    state::{BASE, MASK, MASK_OFFSET, NEED_SHIFT, NEVER, STATE_WORDS},
};
use crate::sets::Sets;
use crate::vocabulary::Vocabulary;
use crate::walk::Trees;
use crate::words::Words;

/// The largest vocabulary: ids and bit indices then fit any arithmetic on 32 bits.
const MAX_VOCAB_SIZE: u32 = 1 << 30;

/// Words of the section that maps bytes to classes.
pub(crate) const CLASSES_WORDS: usize = 64;

/// A compiled grammar: a view of its tables, cheap to copy.
#[derive(Clone, Copy)]
pub struct Grammar<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) classes: &'t [[u8; 4]; CLASSES_WORDS],
    /// The meta-class maps.
    pub(crate) class_maps: &'t [u8],
    pub(crate) states: &'t [[[u8; 4]; STATE_WORDS]],
    /// The parent rows of the first states.
    pub(crate) parents: Words<'t>,
    pub(crate) edges: Words<'t>,
    pub(crate) programs: Words<'t>,
    pub(crate) masks: Words<'t>,
    pub(crate) sets: Sets<'t>,
    /// The sets of the tables that these stand beside.
    pub(crate) beside: Sets<'t>,
    /// A hash of the id of those tables; 0 if these stand alone.
    pub(crate) beside_id: u64,
    /// What rows know the tables by, if they were given a digest.
    #[cfg(feature = "digest")]
    pub(crate) digest: Option<[u64; 2]>,
    pub(crate) eos: Words<'t>,
    /// Tokens that are terminals: the classes, then a word for each.
    pub(crate) tokens: Words<'t>,
    pub(crate) header: Header,
    pub(crate) vocabulary: Option<Vocabulary<'t>>,
}

/// A state's record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateRecord {
    pub(crate) base: u32,
    pub(crate) mask: u32,
    pub(crate) need: u32,
}

impl<'t> Grammar<'t> {
    /// Finds the sections and checks that they lie inside of the tables.
    pub(crate) const fn view(
        bytes: &'t [u8],
        other: Option<&Grammar<'t>>,
    ) -> Result<Self, LoadError> {
        let words = match whole(bytes, GRAMMAR_MAGIC, HEADER_WORDS, "grammar") {
            Ok(words) => words,
            Err(error) => return Err(error),
        };
        let sections = match sections_of(words) {
            Ok(sections) => sections,
            Err(error) => return Err(error),
        };
        let Some((classes, class_maps)) = sections[TableSection::Classes as usize]
            .raw()
            .split_first_chunk::<CLASSES_WORDS>()
        else {
            return Err(corrupt_header(
                header::SECTIONS + 1,
                "too few words for the classes of all bytes",
            ));
        };
        if field(words, header::VOCAB_SIZE) > MAX_VOCAB_SIZE {
            return Err(corrupt_header(header::VOCAB_SIZE, "too many token ids"));
        }
        #[cfg(not(feature = "limits"))]
        if let Some(classes) = sections[TableSection::Tokens as usize].get(0)
            && classes >> token::LIMITS_SHIFT & token::LIMITS > 0
        {
            return Err(corrupt_header(
                header::SECTIONS + 2 * TableSection::Tokens as usize,
                "limits on tokens (`max_tokens`) need the feature `limits` of the runtime",
            ));
        }
        let header = Header::read(words);
        let records = (header.states as usize).saturating_mul(STATE_WORDS);
        let Some((states, parents)) = sections[TableSection::States as usize].split_at(records)
        else {
            return Err(corrupt_header(header::STATES, "more than lie in `states`"));
        };
        let (beside, beside_id, vocabulary) = match header.sets_of(other) {
            Ok(shared) => shared,
            Err(error) => return Err(error),
        };
        Ok(Grammar {
            bytes,
            classes,
            class_maps: class_maps.as_flattened(),
            states: states.records::<STATE_WORDS>(),
            parents,
            edges: sections[TableSection::Edges as usize],
            programs: sections[TableSection::Programs as usize],
            masks: sections[TableSection::Masks as usize],
            sets: Sets {
                index: sections[TableSection::SetIndex as usize],
                words: sections[TableSection::Sets as usize],
            },
            beside,
            beside_id,
            #[cfg(feature = "digest")]
            digest: None,
            eos: sections[TableSection::Eos as usize],
            tokens: sections[TableSection::Tokens as usize],
            header,
            vocabulary,
        })
    }

    /// The same grammar with the bytes of its tokens, so that a matcher can accept token ids.
    ///
    /// # Errors
    ///
    /// If the grammar was compiled for another vocabulary.
    pub const fn with_vocabulary(mut self, vocabulary: Vocabulary<'t>) -> Result<Self, LoadError> {
        let (expected, found) = (self.header.vocabulary_hash, vocabulary.hash());
        if expected != found || self.header.vocab_size != vocabulary.size() {
            return Err(LoadError::OtherVocabulary { expected, found });
        }
        self.vocabulary = Some(vocabulary);
        Ok(self)
    }

    /// The vocabulary that was attached.
    pub const fn vocabulary(&self) -> Option<&Vocabulary<'t>> {
        self.vocabulary.as_ref()
    }

    /// The tables themselves, to be saved.
    pub const fn as_bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Number of token ids: the length of a row of logits.
    pub const fn vocab_size(&self) -> u32 {
        self.header.vocab_size
    }

    /// Number of `u32` words that a mask takes: one bit a token id.
    pub const fn mask_words(&self) -> usize {
        self.header.vocab_size.div_ceil(32) as usize
    }

    /// Number of states of the automaton.
    pub const fn state_count(&self) -> u32 {
        self.header.states
    }

    /// Number of different frames that can lie on a stack, the bottom included.
    pub const fn frame_count(&self) -> u32 {
        self.header.frames
    }

    /// The `STACKS` that a [`Matcher`](crate::Matcher) needs for this grammar: 1 where the
    /// automaton is deterministic. Where no number is [proved](Self::stacks_are_proved) to be
    /// enough, 64, in whose memory most texts have room.
    pub const fn max_stacks(&self) -> usize {
        self.header.max_stacks as usize
    }

    /// Whether [`max_stacks`](Self::max_stacks) is proved to be enough for every text. If not, the
    /// stacks of a matcher are a graph, which needs the feature `graph`: see
    /// [`Matcher`](crate::Matcher#several-stacks).
    pub const fn stacks_are_proved(&self) -> bool {
        self.header.stacks_proved == 1
    }

    /// The least `DEPTH` with which a [`Matcher`](crate::Matcher) can finish a text.
    pub fn least_depth(&self) -> usize {
        match self.state(self.header.start) {
            Some(state) if state.need == NEVER => usize::MAX,
            Some(state) => state.need as usize,
            None => 0,
        }
    }

    /// The checksum of the tables.
    pub const fn checksum(&self) -> u32 {
        self.header.checksum
    }

    /// The identity of these tables: equal for copies of the same tables, wherever they lie.
    pub const fn id(&self) -> TablesId {
        self.header.id(self.beside_id)
    }

    /// The same tables with 16 bytes of a cryptographic digest of them, and of the tables that they
    /// stand beside. Rows of a [`MaskPool`](crate::MaskPool) know the tables by it from now on, in
    /// the place of the hashes in their [`id`](Self::id): those are not cryptographic, so whoever
    /// chooses the texts of two grammars could make one pool give him the masks of another client,
    /// or that client his.
    #[cfg(feature = "digest")]
    #[must_use]
    pub const fn with_digest(self, digest: [u64; 2]) -> Self {
        Grammar {
            digest: Some(digest),
            ..self
        }
    }

    /// What rows of a pool know the tables by: their digest if they were given one, and otherwise
    /// their identity.
    #[inline]
    pub(crate) const fn rows_id(&self) -> TablesId {
        #[cfg(feature = "digest")]
        if let Some(digest) = self.digest {
            return self.id().with_digest(digest);
        }
        self.id()
    }

    /// The checksum of the tables that these stand beside, if they do: see
    /// [`load_beside`](Self::load_beside).
    pub const fn stands_beside(&self) -> Option<u32> {
        match self.header.beside_sets {
            0 => None,
            _ => Some(self.header.beside_checksum),
        }
    }

    /// A hash of the grammar and of the options it was compiled with.
    pub const fn hash(&self) -> u64 {
        self.header.grammar_hash
    }

    /// The hash of the vocabulary that the grammar was compiled for.
    pub const fn vocabulary_hash(&self) -> u64 {
        self.header.vocabulary_hash
    }

    /// The token ids that end a text, ascending.
    pub fn eos(&self) -> impl ExactSizeIterator<Item = u32> + use<'t> {
        self.eos.iter()
    }

    /// Whether a token ends the text.
    #[inline]
    pub(crate) fn is_eos(&self, id: u32) -> bool {
        self.eos.iter().any(|eos| eos == id)
    }

    /// A state's record.
    #[inline]
    pub(crate) fn state(&self, state: u32) -> Option<StateRecord> {
        let record = self.states.get(state as usize)?;
        let mask = u32::from_le_bytes(record[MASK]);
        Some(StateRecord {
            base: u32::from_le_bytes(record[BASE]),
            mask: mask & MASK_OFFSET,
            need: mask >> NEED_SHIFT,
        })
    }

    /// Whether a stack can be finished, with at most `depth` frames.
    #[inline]
    pub(crate) fn can_finish(&self, head: Head, depth: usize) -> bool {
        let need = self.state(head.state).map_or(NEVER, |state| state.need);
        need != NEVER && usize::from(head.height) + need as usize <= depth
    }

    /// The mask trees.
    #[inline]
    pub(crate) fn trees(&self) -> Trees<'t> {
        Trees {
            states: self.states,
            nodes: self.masks,
        }
    }

    /// Where a section begins and its length, in words.
    pub(crate) fn place(&self, section: TableSection) -> (u32, u32) {
        let (words, _) = Words::split(self.bytes);
        let at = header::SECTIONS + 2 * section as usize;
        (field(words, at), field(words, at + 1))
    }

    /// The words of a section.
    pub(crate) fn section(&self, section: TableSection) -> Words<'t> {
        let (words, _) = Words::split(self.bytes);
        let (offset, len) = self.place(section);
        words
            .slice(offset as usize, len as usize)
            .unwrap_or(Words::EMPTY)
    }

    /// The class of a byte.
    #[inline]
    pub(crate) const fn class(&self, byte: u8) -> u32 {
        self.classes[(byte >> 2) as usize][(byte & 3) as usize] as u32
    }
}

impl Grammar<'static> {
    /// Tables that the compiler emitted into this program, for a `const` or a `static`. It costs
    /// nothing at run time.
    ///
    /// # Panics
    ///
    /// If these are not whole tables of this version of the format. In a `const` or a `static` that
    /// is a compile error; for tables that are read at run time use [`Grammar::load`].
    pub const fn from_static(tables: &'static [u8]) -> Self {
        Self::trusted(Grammar::view(tables, None))
    }

    /// [`from_static`](Self::from_static) for delta tables: see [`load_beside`](Self::load_beside).
    ///
    /// # Panics
    ///
    /// As for [`from_static`](Self::from_static); and if they were compiled beside other tables
    /// than these.
    pub const fn from_static_beside(tables: &'static [u8], other: &Grammar<'static>) -> Self {
        Self::trusted(Grammar::view(tables, Some(other)))
    }

    const fn trusted(view: Result<Self, LoadError>) -> Self {
        match view {
            Ok(grammar) if cfg!(feature = "graph") || grammar.stacks_are_proved() => grammar,
            Ok(_) => panic!(
                "no number of stacks is proved to be enough for this grammar: \
                 enable the feature `graph` of maskwright, or let the grammar differ earlier \
                 (the option `deterministic` of the compiler shows where)"
            ),
            Err(LoadError::OtherTables { .. }) => panic!(
                "these tables share sets of other tables, which have to be given: see from_static_beside"
            ),
            Err(LoadError::Foreign { .. }) => panic!("these are not grammar tables of maskwright"),
            Err(LoadError::Version { .. }) => panic!(
                "the grammar was compiled for another version of the maskwright runtime: \
                 compile it again with the version of maskwright-compiler that matches the runtime"
            ),
            Err(_) => panic!("the grammar tables are not whole"),
        }
    }
}

impl fmt::Debug for Grammar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grammar")
            .field("header", &self.header)
            .field("bytes", &self.bytes.len())
            .field("vocabulary", &self.vocabulary)
            .finish_non_exhaustive()
    }
}

impl Header {
    /// For tables that stand beside others: the sets of those, a hash of their id, and the
    /// vocabulary that comes with them.
    const fn sets_of<'t>(
        &self,
        other: Option<&Grammar<'t>>,
    ) -> Result<(Sets<'t>, u64, Option<Vocabulary<'t>>), LoadError> {
        if self.beside_sets == 0 {
            let vocabulary = match other {
                Some(other) if other.header.vocabulary_hash == self.vocabulary_hash => {
                    other.vocabulary
                }
                _ => None,
            };
            return Ok((Sets::NONE, 0, vocabulary));
        }
        let expected = self.beside_checksum;
        let Some(other) = other else {
            return Err(LoadError::OtherTables {
                expected,
                found: None,
            });
        };
        if other.checksum() != expected {
            let found = Some(other.checksum());
            return Err(LoadError::OtherTables { expected, found });
        }
        if other.header.vocabulary_hash != self.vocabulary_hash {
            return Err(LoadError::OtherVocabulary {
                expected: self.vocabulary_hash,
                found: other.header.vocabulary_hash,
            });
        }
        Ok((other.sets, other.id().mixed(), other.vocabulary))
    }
}

/// The sections that the header names: they ascend, and lie inside of the tables.
const fn sections_of(words: Words<'_>) -> Result<[Words<'_>; SECTION_COUNT], LoadError> {
    let mut sections = [Words::EMPTY; SECTION_COUNT];
    let mut end = HEADER_WORDS;
    let mut section = 0;
    while section < SECTION_COUNT {
        let at = header::SECTIONS + 2 * section;
        let (offset, len) = (field(words, at) as usize, field(words, at + 1) as usize);
        if offset < end {
            return Err(corrupt_header(at, "the section overlaps what is before it"));
        }
        sections[section] = match words.slice(offset, len) {
            Some(words) => words,
            None => {
                return Err(corrupt_header(
                    at,
                    "the section does not lie inside of the tables",
                ));
            }
        };
        end = offset + len;
        section += 1;
    }
    Ok(sections)
}

const fn corrupt_header(word: usize, problem: &'static str) -> LoadError {
    LoadError::Corrupt {
        section: "header",
        word,
        problem,
    }
}
