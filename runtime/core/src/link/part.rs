//! One part: tables, and how its texts end.
//!
//! In: bytes that the compiler packed. Out: [`Part`], a view that borrows them. What holds after
//! [`Part::load`]: the tables are checked as [`Grammar::load`] does, their classes are classes of
//! the exits, and endings name tokens of the vocabulary.

use crate::crc::crc32;
use crate::error::LoadError;
use crate::head::Head;
use crate::header::{checked_prefix, field};
use crate::layout::{PART_MAGIC, part};
use crate::step;
use crate::tables::Grammar;
use crate::vocabulary::Vocabulary;
use crate::words::Words;

/// A part of a linked grammar, with the vocabulary: a view of its tables.
#[derive(Clone, Copy, Debug)]
pub struct Part<'t> {
    pub(crate) grammar: Grammar<'t>,
    /// The class of the first symbol of each exit.
    pub(super) lead: u32,
    /// The class of the second symbol of each exit.
    pub(super) exits: Words<'t>,
    /// The prefixes of tokens at which the part can end.
    pub(super) endings: Words<'t>,
}

impl<'t> Part<'t> {
    /// A part that was loaded from anywhere. Nothing in it is trusted.
    ///
    /// # Errors
    /// If it is not a part of this version, whole and unchanged, or is for another vocabulary.
    pub fn load(bytes: &'t [u8], vocabulary: Vocabulary<'t>) -> Result<Self, LoadError> {
        let (words, tables) = Self::checked(bytes)?;
        Self::of(words, Grammar::load(tables)?, vocabulary)
    }

    /// A part that was compiled beside another one, which has some of its token sets.
    ///
    /// # Errors
    /// As for [`load`](Self::load); and if it was compiled beside another one than this.
    pub fn load_beside(bytes: &'t [u8], other: &Part<'t>) -> Result<Self, LoadError> {
        let (words, tables) = Self::checked(bytes)?;
        let grammar = Grammar::load_beside(tables, &other.grammar)?;
        match other.grammar.vocabulary() {
            Some(vocabulary) => Self::of(words, grammar, *vocabulary),
            None => Err(corrupt("the part that it stands beside has no vocabulary")),
        }
    }

    /// The tables of a part, as they stand in its bytes.
    ///
    /// # Errors
    /// If the bytes are not a part of this version, whole and unchanged.
    pub fn tables(bytes: &'t [u8]) -> Result<&'t [u8], LoadError> {
        Ok(Self::checked(bytes)?.1)
    }

    /// The same part from tables that were loaded before: they must be those in the bytes.
    #[cfg(feature = "alloc")]
    pub(super) fn assemble(
        bytes: &'t [u8],
        grammar: Grammar<'t>,
        vocabulary: Vocabulary<'t>,
    ) -> Result<Self, LoadError> {
        let words = Self::view(bytes)?;
        Self::of(words, grammar, vocabulary)
    }

    /// The words before the tables, with their checksum compared, and the tables.
    fn checked(bytes: &'t [u8]) -> Result<(Words<'t>, &'t [u8]), LoadError> {
        let words = Self::view(bytes)?;
        let own = bytes.get(..4 * words.len()).unwrap_or(&[]);
        let expected = field(words, part::CHECKSUM);
        let found = crc32(own.get(4 * (part::CHECKSUM + 1)..).unwrap_or(&[]));
        if expected != found {
            return Err(LoadError::Checksum { expected, found });
        }
        Ok((words, bytes.get(4 * words.len()..).unwrap_or(&[])))
    }

    /// The words before the tables.
    const fn view(bytes: &'t [u8]) -> Result<Words<'t>, LoadError> {
        checked_prefix(bytes, PART_MAGIC, part::HEADER_WORDS, "part")
    }

    const fn of(
        words: Words<'t>,
        mut grammar: Grammar<'t>,
        vocabulary: Vocabulary<'t>,
    ) -> Result<Self, LoadError> {
        let (expected, found) = (grammar.vocabulary_hash(), vocabulary.hash());
        if expected != found {
            return Err(LoadError::OtherVocabulary { expected, found });
        }
        let count = field(words, part::EXITS) as usize;
        let endings = field(words, part::ENDINGS) as usize;
        let (Some(exits), Some(endings)) = (
            words.slice(part::HEADER_WORDS, count),
            words.slice(part::HEADER_WORDS.saturating_add(count), endings),
        ) else {
            return Err(corrupt("the exits do not lie in the part"));
        };
        let lead = field(words, part::LEAD);
        let classes = grammar.header.classes;
        let is_size = grammar.vocab_size() == extended(vocabulary.size());
        if !is_size || exits.len() + endings.len() > part::ROOM as usize {
            return Err(corrupt("the tables have no room for these exits"));
        }
        let (mut at, mut are_classes) = (0, lead < classes);
        while let Some(exit) = exits.get(at) {
            are_classes = are_classes && exit < classes;
            at += 1;
        }
        if !are_classes {
            return Err(corrupt("no such class"));
        }
        grammar.vocabulary = Some(vocabulary);
        Ok(Part {
            grammar,
            lead,
            exits,
            endings,
        })
    }

    /// The grammar of the part; its ids go past the vocabulary's end.
    #[doc(hidden)]
    pub fn grammar(&self) -> &Grammar<'t> {
        &self.grammar
    }

    /// The frames that the shortest text of the part needs.
    pub fn least_depth(&self) -> usize {
        self.grammar.least_depth()
    }

    /// The frames that stacks of the part are made of, the bottom included.
    pub fn frames(&self) -> u32 {
        self.grammar.frame_count()
    }

    /// Number of exits.
    pub fn exits(&self) -> usize {
        self.exits.len()
    }

    /// The prefixes of tokens at which the part can end within a token, as in
    /// [`Crossing::ending`](crate::link::Crossing::ending).
    pub fn endings(&self) -> impl ExactSizeIterator<Item = u32> + use<'t> {
        self.endings.iter()
    }

    /// Whether a token is text and nothing else, wherever it stands: it does not end the text, and
    /// no part names it.
    pub fn is_text(&self, id: u32) -> bool {
        self.grammar.is_only_text(id)
    }

    /// For each state of the part that stands before an exit: the exit, and the state behind it.
    /// Ascending by exit, each once.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn behind_exits(&self) -> alloc::vec::Vec<(u16, u32)> {
        let states = 0..self.grammar.state_count();
        let exits = states.filter_map(|state| {
            self.exit(Head {
                state,
                ..Head::NONE
            })
        });
        let mut exits: alloc::vec::Vec<(u16, u32)> = exits.collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    }

    /// The id of the first exit: those of the vocabulary lie before it.
    pub(crate) fn first_exit(&self) -> u32 {
        self.grammar.vocab_size().saturating_sub(part::ROOM)
    }

    /// The ending of an id behind those of the vocabulary.
    pub(crate) fn ending(&self, id: u32) -> Option<u32> {
        let at = id.checked_sub(self.first_exit())? as usize;
        self.endings.get(at.checked_sub(self.exits.len())?)
    }

    /// The exit that a stack can take, and the state behind it. A part can leave on an empty stack
    /// only, and where it can, it must.
    #[inline]
    pub(crate) fn exit(&self, head: Head) -> Option<(u16, u32)> {
        if head.height > 0 {
            return None;
        }
        let next = step::on_empty(&self.grammar, head.state, self.lead)?;
        let behind = |symbol| step::on_empty(&self.grammar, next, symbol);
        let mut exits = (0..).zip(self.exits.iter());
        exits.find_map(|(exit, symbol)| Some((exit, behind(symbol)?)))
    }
}

impl Part<'static> {
    /// A part that the compiler emitted into this program, for a `const` or a `static`: no work is
    /// left for run time.
    ///
    /// # Panics
    ///
    /// If it is not a whole part of this version of the format, or is for another vocabulary. In a
    /// `const` or a `static` that is a compile error; for parts that are read at run time use
    /// [`Part::load`].
    pub const fn from_static(bytes: &'static [u8], vocabulary: Vocabulary<'static>) -> Self {
        Self::trusted(bytes, None, vocabulary)
    }

    /// [`from_static`](Self::from_static) for a part that was compiled beside another one: see
    /// [`load_beside`](Self::load_beside).
    ///
    /// # Panics
    ///
    /// As for [`from_static`](Self::from_static); and if it was compiled beside another one than
    /// this.
    pub const fn from_static_beside(bytes: &'static [u8], other: &Part<'static>) -> Self {
        match other.grammar.vocabulary() {
            Some(vocabulary) => Self::trusted(bytes, Some(&other.grammar), *vocabulary),
            None => panic!("the part that it stands beside has no vocabulary"),
        }
    }

    const fn trusted(
        bytes: &'static [u8],
        other: Option<&Grammar<'static>>,
        vocabulary: Vocabulary<'static>,
    ) -> Self {
        const NOT_WHOLE: &str = "the part is not whole, or of another version of maskwright: build it again with the version of maskwright-compiler that matches the runtime";
        let Ok(words) = Self::view(bytes) else {
            panic!("{}", NOT_WHOLE);
        };
        let Some((_, tables)) = bytes.split_at_checked(4 * words.len()) else {
            panic!("{}", NOT_WHOLE);
        };
        let Ok(grammar) = Grammar::view(tables, other) else {
            panic!("the part stands beside another one than this, or its tables are not whole");
        };
        match Self::of(words, grammar, vocabulary) {
            Ok(part) => part,
            Err(_) => panic!("the part is for another vocabulary"),
        }
    }
}

/// The number of ids of a part for a vocabulary of so many: those of exits and endings come behind,
/// from a whole word on.
pub(crate) const fn extended(vocab_size: u32) -> u32 {
    vocab_size.next_multiple_of(32) + part::ROOM
}

const fn corrupt(problem: &'static str) -> LoadError {
    LoadError::Corrupt {
        section: "part",
        word: 0,
        problem,
    }
}
