//! What goes wrong while a terminal is compiled.

use std::fmt;
use std::ops::Range;

/// Why a terminal could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of trouble.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub help: String,
    /// Where it is, in bytes of the grammar's text. What concerns the terminal as a whole has the
    /// place of its first regular expression.
    pub span: Range<usize>,
}

/// The kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A regular expression that Python's `re` would not take either.
    Syntax,
    /// Something that Python's `re` takes and this crate does not.
    Unsupported,
    /// The terminal matches no text at all.
    Empty,
    /// A limit on size.
    TooLarge,
    /// The clock said stop.
    OutOfTime,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: &str, help: &str, span: Range<usize>) -> Error {
        Error {
            kind,
            message: message.to_owned(),
            help: help.to_owned(),
            span,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for Error {}
