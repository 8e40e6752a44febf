//! Files that a Lark grammar imports.
//!
//! In: the source of documents that the caller gave, if any. Out: their texts, and the files that
//! were read. What holds: the reader opens nothing itself, and all texts together are bounded.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use maskwright_lark::Imports;

use crate::documents::{self, Documents, ReadLimits, SharedDocuments};
use crate::limits::{Deadline, Limits};
use crate::syntax::ParseOptions;

/// The documents of a request, as the reader asks for them.
pub(super) struct DocumentImports<'a> {
    documents: Option<&'a SharedDocuments>,
    limits: &'a Limits,
    deadline: &'a Deadline,
    /// Bytes that may still be read.
    left: Cell<usize>,
    files: RefCell<Vec<PathBuf>>,
}

impl<'a> DocumentImports<'a> {
    pub(super) fn new(options: &'a ParseOptions, deadline: &'a Deadline) -> Self {
        DocumentImports {
            documents: options.documents.as_ref(),
            limits: &options.limits,
            deadline,
            left: Cell::new(options.limits.grammar_bytes),
            files: RefCell::default(),
        }
    }

    /// The files that were read.
    pub(super) fn into_files(self) -> Vec<PathBuf> {
        self.files.into_inner()
    }
}

impl Imports for DocumentImports<'_> {
    fn file(&self, path: &str) -> Option<String> {
        let name = documents::resolve("", path).ok()?;
        let limits = ReadLimits::new(self.limits, self.deadline);
        let document = self.documents?.read(&name, &limits).ok()??;
        self.left.set(self.left.get().checked_sub(document.text.len())?);
        self.files.borrow_mut().extend(document.file);
        Some(document.text)
    }
}
