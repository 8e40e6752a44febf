//! Files that a Lark grammar imports.
//!
//! In: the source of documents that the caller gave, if any. Out: their texts, and the files that
//! were read. What holds: the reader opens nothing itself, and all texts together are bounded.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use maskwright_lark::Imports;

use crate::documents::{self, Document, Documents, ReadLimits, SharedDocuments};
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
    /// Why the file that was asked for last is not there, if that is known.
    refusal: RefCell<Option<String>>,
}

impl<'a> DocumentImports<'a> {
    pub(super) fn new(options: &'a ParseOptions, deadline: &'a Deadline) -> Self {
        DocumentImports {
            documents: options.documents.as_ref(),
            limits: &options.limits,
            deadline,
            left: Cell::new(options.limits.grammar_bytes),
            files: RefCell::default(),
            refusal: RefCell::default(),
        }
    }

    /// Why the file that ended the reading is not there, if the source of documents has said so.
    pub(super) fn refusal(&self) -> Option<String> {
        self.refusal.borrow().clone()
    }

    /// The document of a path, or why it cannot be read; `None` where nothing is known of it.
    fn read(&self, path: &str) -> Result<Option<Document>, String> {
        let Some(documents) = self.documents else {
            return Ok(None);
        };
        let name = documents::resolve("", path).map_err(str::to_owned)?;
        let limits = ReadLimits::new(self.limits, self.deadline);
        let document = documents.read(&name, &limits);
        let document = document.map_err(|error| error.to_string())?;
        let bytes = document.as_ref().map_or(0, |document| document.text.len());
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.ok_or_else(|| {
            let most = self.limits.grammar_bytes;
            format!("all files together have more than {most} bytes (limit `grammar_bytes`)")
        })?);
        Ok(document)
    }

    /// The files that were read.
    pub(super) fn into_files(self) -> Vec<PathBuf> {
        self.files.into_inner()
    }
}

impl Imports for DocumentImports<'_> {
    fn file(&self, path: &str) -> Option<String> {
        let read = self.read(path);
        let document = read.unwrap_or_else(|why| {
            *self.refusal.borrow_mut() = Some(why);
            None
        })?;
        self.files.borrow_mut().extend(document.file);
        Some(document.text)
    }
}
