//! What can go wrong: loading tables, making a matcher, accepting a token, filling a buffer.

use core::fmt;

use crate::layout::FORMAT_VERSION;

/// Why tables were not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// These are not tables of the kind that was asked for.
    Foreign {
        /// What was asked for: `"grammar"` or `"vocabulary"`.
        expected: &'static str,
    },
    /// Tables of another version of the format.
    Version {
        /// The version in the tables.
        found: u32,
    },
    /// The tables are cut off, or something follows them.
    Length {
        /// The length that the header states, in bytes.
        expected: u64,
        /// The length of what was given, in bytes.
        found: u64,
    },
    /// The tables were changed after they were made.
    Checksum {
        /// The checksum in the header.
        expected: u32,
        /// The checksum of what was given.
        found: u32,
    },
    /// A word contradicts the layout.
    Corrupt {
        /// The section, as [`layout`](crate::layout) names it.
        section: &'static str,
        /// The word in that section, from 0.
        word: usize,
        /// What is wrong there.
        problem: &'static str,
    },
    /// The vocabulary is not the one that the grammar was compiled for.
    OtherVocabulary {
        /// The hash of the vocabulary that the grammar was compiled for.
        expected: u64,
        /// The hash of the vocabulary that was given.
        found: u64,
    },
    /// The tables stand beside others, whose sets they share, and these were not given: see
    /// [`Grammar::load_beside`](crate::Grammar::load_beside).
    OtherTables {
        /// The checksum of the tables that they stand beside.
        expected: u32,
        /// The checksum of the tables that were given, if any were.
        found: Option<u32>,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LoadError::Foreign { expected } => {
                write!(f, "these are not {expected} tables of maskwright")
            }
            LoadError::Version { found } => write!(
                f,
                "the tables have format version {found}, this runtime reads version {FORMAT_VERSION}; \
                 compile the grammar again with the version of maskwright-compiler that matches the runtime"
            ),
            LoadError::Length { expected, found } => {
                write!(
                    f,
                    "the tables should be {expected} bytes long, but there are {found}"
                )
            }
            LoadError::Checksum { expected, found } => {
                write!(
                    f,
                    "the tables were damaged: their checksum is {found:08x}, not {expected:08x}"
                )
            }
            LoadError::Corrupt {
                section,
                word,
                problem,
            } => {
                write!(
                    f,
                    "the tables are corrupt: word {word} of `{section}`: {problem}"
                )
            }
            LoadError::OtherVocabulary { expected, found } => write!(
                f,
                "the grammar was compiled for the vocabulary {expected:016x}, not for {found:016x}"
            ),
            LoadError::OtherTables { expected, found } => {
                write!(
                    f,
                    "the tables share token sets with those of checksum {expected:08x}"
                )?;
                match found {
                    Some(found) => write!(f, ", not with those of {found:08x}"),
                    None => f.write_str(", which have to be given: use Grammar::load_beside"),
                }
            }
        }
    }
}

impl core::error::Error for LoadError {}

/// Why a matcher cannot be made for a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatcherError {
    /// `DEPTH` is so small that not even the shortest text could be finished.
    DepthTooSmall {
        /// The least `DEPTH` for this grammar.
        needed: usize,
    },
    /// `STACKS` is smaller than the number of stacks that the grammar may need.
    StacksTooFew {
        /// The least `STACKS` for this grammar.
        needed: usize,
        /// Whether `needed` stacks are proved to be enough for every text. If not, it is the cap that
        /// was chosen when compiling, and passing it while decoding is [`AcceptError::TooManyStacks`].
        proved: bool,
    },
}

impl fmt::Display for MatcherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MatcherError::DepthTooSmall { needed } => {
                write!(
                    f,
                    "finishing a text needs {needed} frames: set DEPTH to {needed} or more"
                )
            }
            MatcherError::StacksTooFew { needed, proved } => {
                let bound = if proved {
                    "may need"
                } else {
                    "was compiled with a cap of"
                };
                write!(
                    f,
                    "the grammar {bound} {needed} stacks: set STACKS to {needed} or more"
                )
            }
        }
    }
}

impl core::error::Error for MatcherError {}

/// Why a token or bytes were not accepted. The matcher is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AcceptError {
    /// The grammar does not allow it here.
    NotAllowed,
    /// The grammar allows it, but the text could then not be finished with `DEPTH` frames.
    TooDeep,
    /// More stacks would be needed than the matcher has. Cannot happen where the grammar's bound is proved
    /// ([`Grammar::stacks_are_proved`](crate::Grammar::stacks_are_proved)).
    TooManyStacks,
    /// The grammar has no vocabulary attached, so that the bytes of a token are not known: see
    /// [`Grammar::with_vocabulary`](crate::Grammar::with_vocabulary).
    NoVocabulary,
}

impl fmt::Display for AcceptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AcceptError::NotAllowed => "the grammar does not allow this here",
            AcceptError::TooDeep => "the text would nest deeper than the matcher's DEPTH",
            AcceptError::TooManyStacks => "the text is more ambiguous than the matcher's STACKS",
            AcceptError::NoVocabulary => {
                "the grammar has no vocabulary attached: use Grammar::with_vocabulary"
            }
        })
    }
}

impl core::error::Error for AcceptError {}

/// A buffer is too short for a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTooSmall {
    /// The words that a mask takes: [`Grammar::mask_words`](crate::Grammar::mask_words).
    pub needed: usize,
    /// The words of the buffer.
    pub found: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a mask takes {} words, the buffer has {}",
            self.needed, self.found
        )
    }
}

impl core::error::Error for BufferTooSmall {}

/// Why a pool has no row for a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoolError {
    /// Its rows are too short for the mask.
    RowTooShort(BufferTooSmall),
    /// All of its rows hold masks of this step.
    Full {
        /// The number of rows.
        rows: usize,
    },
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoolError::RowTooShort(error) => error.fmt(f),
            PoolError::Full { rows } => write!(
                f,
                "all {rows} rows hold masks of this step: give the pool as many rows as there are sequences, and call begin_step at each step"
            ),
        }
    }
}

impl core::error::Error for PoolError {}
