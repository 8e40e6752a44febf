//! What can go wrong: loading tables, making a matcher, accepting a token, filling a buffer.

use core::fmt;

use crate::layout::FORMAT_VERSION;

mod buffer;

pub use buffer::{BufferTooSmall, PoolError};

/// Why tables were not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are not tables of the kind that was asked for.
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
    /// These are delta tables, and other tables than their base were given, or none: see
    /// [`Grammar::load_beside`](crate::Grammar::load_beside).
    OtherTables {
        /// The checksum of their base tables.
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
        /// Whether `needed` stacks are proved to be enough for every text. If not, their memory
        /// holds a graph, and fewer have no room for it.
        proved: bool,
    },
    /// No number of stacks is proved to be enough for every text of the grammar, so that its stacks
    /// are a graph, which needs the feature `graph` of this crate.
    StacksNotProved,
    /// The depth or the number of stacks asked for is too large.
    TooLarge {
        /// The largest of either.
        most: usize,
    },
    /// The parts of a linked grammar were linked for another depth.
    OtherDepth {
        /// The depth for which they were linked.
        linked: usize,
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
                    "needs the memory of"
                };
                write!(
                    f,
                    "the grammar {bound} {needed} stacks: set STACKS to {needed} or more"
                )
            }
            MatcherError::StacksNotProved => f.write_str(
                "no number of stacks is proved to be enough for the grammar: \
                 enable the feature `graph` of maskwright, and use a matcher that has its memory to itself",
            ),
            MatcherError::TooLarge { most } => {
                write!(f, "depth and stacks are at most {most}")
            }
            MatcherError::OtherDepth { linked } => {
                write!(
                    f,
                    "the parts were linked for {linked} frames: set DEPTH to {linked}, or link them for another depth"
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
    /// There is no room for the stacks that this leads to, and no single reading of the text was
    /// found that can take it. For a token of a mask this can only happen in a grammar without a
    /// bound on its stacks, where even one stack leads to more than there is room for, by more than
    /// 16,384 readings of the token.
    TooManyStacks,
    /// The grammar has no vocabulary attached, so that the bytes of a token are not known: see
    /// [`Grammar::with_vocabulary`](crate::Grammar::with_vocabulary).
    NoVocabulary,
    /// The [`State`](crate::State) belongs to another grammar than the one that was given.
    OtherGrammar,
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
            AcceptError::OtherGrammar => OtherGrammar::MESSAGE,
        })
    }
}

impl core::error::Error for AcceptError {}

/// The grammar is not the one that the [`State`](crate::State) belongs to: its
/// [`id`](crate::Grammar::id) differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherGrammar;

impl fmt::Display for OtherGrammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::MESSAGE)
    }
}

impl OtherGrammar {
    const MESSAGE: &str = "the state is of another grammar than the one that was given with it";
}

impl core::error::Error for OtherGrammar {}

impl From<OtherGrammar> for AcceptError {
    fn from(_: OtherGrammar) -> Self {
        AcceptError::OtherGrammar
    }
}

/// A matcher keeps too few states to go back by this many tokens.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RollbackError {
    /// The tokens that were asked for.
    pub tokens: usize,
    /// The states that are kept.
    pub kept: usize,
}

#[cfg(feature = "alloc")]
impl RollbackError {
    /// The error of a matcher that was to take back `tokens` tokens and keeps `kept` states.
    pub const fn new(tokens: usize, kept: usize) -> Self {
        RollbackError { tokens, kept }
    }
}

#[cfg(feature = "alloc")]
impl fmt::Display for RollbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "only the last {} states are kept, {} tokens were to be taken back",
            self.kept, self.tokens
        )
    }
}

#[cfg(feature = "alloc")]
impl core::error::Error for RollbackError {}

/// Why a state was not written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// The buffer is shorter than the state.
    BufferTooShort {
        /// Bytes that the state takes.
        needed: usize,
        /// Bytes of the buffer.
        found: usize,
    },
    /// These bytes are not a state.
    Foreign,
    /// A state in another version of the form.
    Version {
        /// The version that was found.
        found: u16,
    },
    /// The state is of another grammar.
    OtherGrammar,
    /// There can be no matcher of this size for the grammar at all.
    NoMatcher(MatcherError),
    /// The state needs more frames than there are.
    DepthTooSmall {
        /// The least depth that it can be finished with.
        needed: usize,
    },
    /// The state has more stacks than there is room for.
    StacksTooFew,
    /// The bytes contradict the form or the grammar.
    Corrupt(
        /// What is wrong.
        &'static str,
    ),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            StateError::BufferTooShort { needed, found } => {
                write!(f, "the state takes {needed} bytes, the buffer has {found}")
            }
            StateError::Foreign => f.write_str("these bytes are not a state of maskwright"),
            StateError::Version { found } => {
                write!(
                    f,
                    "the state has version {found} of its form, which this runtime does not read"
                )
            }
            StateError::OtherGrammar => OtherGrammar.fmt(f),
            StateError::NoMatcher(error) => error.fmt(f),
            StateError::DepthTooSmall { needed } => {
                write!(
                    f,
                    "finishing from this state needs {needed} frames: set DEPTH to {needed} or more"
                )
            }
            StateError::StacksTooFew => f.write_str("the state has more stacks than STACKS"),
            StateError::Corrupt(problem) => write!(f, "the state is corrupt: {problem}"),
        }
    }
}

impl core::error::Error for StateError {}
