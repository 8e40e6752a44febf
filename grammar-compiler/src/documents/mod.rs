//! Documents: other texts that a text names, and where they come from.
//!
//! In: the name of a document, and what reading it may take. Out: its text, from the source of
//! documents that the caller gave. What holds after: a text opens no file by itself. Without a
//! source every name is refused, and below a [`Folder`] only its regular files are read.

mod folder;
mod name;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

pub use folder::Folder;
pub(crate) use name::{check, resolve};

use crate::limits::{Deadline, LimitExceeded, Limits};

/// A source of documents: from names to texts.
///
/// A text can name another one: `grammar("list.ebnf")` in a rule, `$ref` in a schema. It is read
/// from a source that the caller gave, and from nowhere else. What comes from a client should have
/// no source, or one that holds nothing but what every client may read: errors show excerpts of
/// documents.
///
/// The name in a rule is relative to the document that it stands in; the source is asked for the
/// whole name, such as `lists/list.ebnf`, in which no step is empty, `.` or
/// `..`. References of schemas are URIs, without a fragment.
pub trait Documents: fmt::Debug + Send + Sync {
    /// The document of this name, or nothing if there is none. The same name should lead to the
    /// same text during one compile.
    ///
    /// # Errors
    /// If the document may not or cannot be read, or is longer than `limits` say.
    fn read(&self, name: &str, limits: &ReadLimits<'_>) -> Result<Option<Document>, DocumentError>;
}

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// What errors call it.
    pub name: String,
    /// The text.
    pub text: String,
    /// The file that it was read from, if it was read from one: a program that is built again when
    /// a file changes looks at it.
    pub file: Option<PathBuf>,
    /// The file without links: two names of one file lead to one document.
    pub(crate) real_file: Option<PathBuf>,
}

impl Document {
    /// A document that comes from no file; errors call it `name`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Document {
            name: name.into(),
            text: text.into(),
            file: None,
            real_file: None,
        }
    }
}

/// What reading a document may take.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits<'d> {
    bytes: usize,
    deadline: &'d Deadline,
}

impl<'d> ReadLimits<'d> {
    /// A document may be as long as a grammar; reading ends with the compile.
    pub(crate) fn new(limits: &Limits, deadline: &'d Deadline) -> Self {
        ReadLimits {
            bytes: limits.grammar_bytes,
            deadline,
        }
    }

    /// The most bytes that the document may have.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether there is time left. A source that may take long asks from time to time.
    ///
    /// # Errors
    /// If the time of the compile is over.
    pub fn check_time(&self) -> Result<(), DocumentError> {
        let checked = self.deadline.check("reading other documents");
        checked.map_err(DocumentError::Limit)
    }
}

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// It may not or cannot be read: the reason, which is shown behind the name.
    Refused(String),
    /// It is longer than a grammar may be, or the time is over.
    Limit(LimitExceeded),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentError::Refused(why) => f.write_str(why),
            DocumentError::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for DocumentError {}

/// A source of documents that several owners share. Two are equal if they are copies of one.
#[derive(Clone)]
pub struct SharedDocuments(Arc<dyn Documents>);

impl SharedDocuments {
    /// Shares a source.
    pub fn new(documents: impl Documents + 'static) -> Self {
        SharedDocuments(Arc::new(documents))
    }
}

impl Documents for SharedDocuments {
    fn read(&self, name: &str, limits: &ReadLimits<'_>) -> Result<Option<Document>, DocumentError> {
        self.0.read(name, limits)
    }
}

impl fmt::Debug for SharedDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for SharedDocuments {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedDocuments {}
