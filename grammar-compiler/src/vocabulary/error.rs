//! What can be wrong with a vocabulary.

use core::fmt;
use std::path::{Path, PathBuf};

use maskwright_core::LoadError;

use crate::error::{Code, Diagnostic, Error};
use crate::limits::LimitExceeded;

use super::{FileKind, MAX_FILE_BYTES, MAX_IDS, MAX_TOKEN_BYTES, MAX_TOTAL_BYTES, NAMES};

/// Why a vocabulary was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VocabularyError {
    /// The file could not be read.
    Io {
        /// What the system said.
        message: String,
    },
    /// The error of a file, with its path.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<VocabularyError>,
    },
    /// The file is longer than [`MAX_FILE_BYTES`].
    FileTooLarge {
        /// Its length.
        bytes: u64,
    },
    /// The content is of no known kind.
    UnknownFormat {
        /// What it looks like.
        looks_like: String,
        /// What to give instead.
        way_out: &'static str,
    },
    /// The content begins like a file of this kind, but is malformed.
    Malformed {
        /// What it was read as.
        kind: FileKind,
        /// Where, in bytes from the start, if that is known.
        at: Option<u64>,
        /// What is wrong.
        what: String,
    },
    /// A list of special tokens is none, or does not fit the vocabulary.
    SpecialTokens {
        /// What is wrong.
        what: String,
    },
    /// A line of a `.tiktoken` file is not a base64 token, a space and a rank.
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A `tokenizer.json` is not JSON, or not of the shape of one.
    Json {
        /// What the JSON parser said, with line and column.
        message: String,
    },
    /// A file uses something whose tokens cannot be turned into bytes.
    Unsupported {
        /// The field of the file, such as `decoder`.
        field: &'static str,
        /// Its value, such as `WordPiece`.
        value: String,
        /// Why not, or the way out.
        why: &'static str,
    },
    /// Two tokens have the same id.
    DuplicateId {
        /// The id.
        id: u32,
        /// The line of the second one, from 1, where the format has lines.
        line: Option<usize>,
    },
    /// There is not one token with text.
    NoTokens,
    /// Reading takes longer than it may: see [`Limits::time`](crate::limits::Limits::time).
    TooSlow {
        /// The limit.
        limit: LimitExceeded,
    },
    /// There are more than [`MAX_IDS`] ids.
    TooManyIds {
        /// How many.
        ids: u64,
    },
    /// A token stands for more than [`MAX_TOKEN_BYTES`] bytes.
    TokenTooLong {
        /// Its id.
        id: u32,
        /// How many.
        bytes: usize,
    },
    /// All tokens together stand for more than [`MAX_TOTAL_BYTES`] bytes.
    TooManyBytes {
        /// How many.
        bytes: u64,
    },
    /// A block of 64 ids has more bytes than the packed tables can address (65,535).
    BlockTooLong {
        /// The first id of the block.
        first_id: u32,
        /// Bytes of its tokens.
        bytes: usize,
    },
    /// An end token is not an id of the vocabulary.
    EosOutOfRange {
        /// The id.
        id: u32,
        /// Number of ids.
        size: u32,
    },
    /// These are not vocabulary tables.
    Tables {
        /// What the runtime says.
        error: LoadError,
    },
    /// No vocabulary has this name, or the feature that ships it is off.
    UnknownName {
        /// The name.
        name: String,
    },
}

impl VocabularyError {
    /// The same error, said of a file.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        VocabularyError::File {
            path: path.to_path_buf(),
            error: Box::new(self),
        }
    }
}

impl From<LimitExceeded> for VocabularyError {
    fn from(limit: LimitExceeded) -> Self {
        VocabularyError::TooSlow { limit }
    }
}

impl From<VocabularyError> for Error {
    fn from(error: VocabularyError) -> Self {
        let help = "use a GGUF, a `tokenizer.json`, a SentencePiece model, a `tekken.json`, a `.tiktoken` file or a `vocab.json` with its `merges.txt`, of BPE or Unigram, or a vocabulary by name, such as `cl100k_base`";
        let diagnostic = Diagnostic::error(Code::Vocabulary, error.to_string());
        diagnostic.help(help).into()
    }
}

impl fmt::Display for VocabularyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use VocabularyError::*;
        match self {
            Io { message } => write!(f, "cannot read the vocabulary: {message}"),
            File { path, error } => write!(f, "{}: {error}", path.display()),
            FileTooLarge { bytes } => write!(
                f,
                "the file has {bytes} bytes; a vocabulary may have {MAX_FILE_BYTES}"
            ),
            UnknownFormat {
                looks_like,
                way_out,
            } => write!(f, "this is {looks_like}, not a vocabulary; {way_out}"),
            Malformed { kind, at, what } => {
                write!(f, "not a valid {}: {what}", kind.name())?;
                match at {
                    Some(at) => write!(f, ", at byte {at}"),
                    None => Ok(()),
                }
            }
            SpecialTokens { what } => write!(f, "in the list of special tokens: {what}"),
            Line { line, what } => write!(f, "line {line}: {what}"),
            Json { message } => write!(f, "not a valid `tokenizer.json`: {message}"),
            Unsupported { field, value, why } => {
                write!(f, "`{field}` is `{value}`, which is not supported: {why}")
            }
            DuplicateId { id, line } => {
                if let Some(line) = line {
                    write!(f, "line {line}: ")?;
                }
                write!(f, "id {id} is given to two different tokens")
            }
            TooSlow { limit } => limit.fmt(f),
            NoTokens => f.write_str("the vocabulary has no token with text"),
            TooManyIds { ids } => {
                write!(f, "the vocabulary has {ids} ids; it may have {MAX_IDS}")
            }
            TokenTooLong { id, bytes } => write!(
                f,
                "token {id} stands for {bytes} bytes; a token may stand for {MAX_TOKEN_BYTES}"
            ),
            TooManyBytes { bytes } => write!(
                f,
                "the tokens stand for {bytes} bytes together; they may stand for {MAX_TOTAL_BYTES}"
            ),
            BlockTooLong { first_id, bytes } => write!(
                f,
                "tokens {first_id} to {} stand for {bytes} bytes together; the packed tables \
                 can address 65535 in 64 ids",
                first_id.saturating_add(63)
            ),
            EosOutOfRange { id, size } => write!(
                f,
                "end token {id} is not an id of the vocabulary, which has {size} ids; \
                 give the vocabulary its full size first if its file leaves special tokens out"
            ),
            Tables { error } => error.fmt(f),
            UnknownName { name } => {
                write!(f, "no vocabulary is named `{name}`; known are ")?;
                f.write_str(&NAMES.join(", "))?;
                if !cfg!(feature = "tiktoken") {
                    f.write_str(", all of them only with the cargo feature `tiktoken`")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for VocabularyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            VocabularyError::File { error, .. } => Some(error.as_ref()),
            _ => None,
        }
    }
}
