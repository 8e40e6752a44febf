//! How much of a format is copied.
//!
//! In: the texts that are copied on the way to a structural tag. Out: whether there is room and
//! time for more. What holds: a short format with many sections, texts and tools stands for no tag
//! that is far larger than a text may be. What was made when there was no room is never used.

use super::ToolLowering;
use crate::error::Diagnostic;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::source::Span;
use crate::syntax::structural_tag::ast::Format;
use crate::syntax::tools::format::Template;
use crate::syntax::tools::read::Tool;
use std::cell::Cell;

/// What is being done.
const DOING: &str = "lowering formats";

/// The bytes that a text or a format counts as besides its characters: about as many as if it were
/// written out.
const WRITTEN: usize = 16;

/// Bytes that were copied, and the most of them.
pub(super) struct CopiedBytes {
    bytes: Cell<usize>,
    most: usize,
    /// The first place for which there was no room.
    passed_at: Cell<Option<Span>>,
    deadline: Deadline,
}

impl CopiedBytes {
    pub(super) fn new(deadline: Deadline, limits: &Limits) -> Self {
        CopiedBytes {
            bytes: Cell::new(0),
            most: limits.grammar_bytes,
            passed_at: Cell::new(None),
            deadline,
        }
    }
}

impl ToolLowering<'_> {
    /// Whether there is room and time for a copy of this length, which belongs to this place.
    pub(super) fn has_room(&self, bytes: usize, at: Span) -> bool {
        if self.is_over() {
            return false;
        }
        let copied = &self.copied;
        let bytes = bytes.saturating_add(WRITTEN);
        copied.bytes.set(copied.bytes.get().saturating_add(bytes));
        if copied.bytes.get() > copied.most {
            copied.passed_at.set(Some(at));
            return false;
        }
        !copied.deadline.stops_after(bytes, DOING)
    }

    /// Whether there is room for a call of a tool in one way.
    pub(super) fn has_room_for(&self, way: &Template, tool: &Tool) -> bool {
        let written = way.span().end - way.span().start;
        let names = way.names().saturating_mul(tool.name.value.len());
        self.has_room(written.saturating_add(names), way.span())
    }

    /// Whether no room or no time is left, after these bytes were looked through.
    pub(super) fn is_over_after(&self, bytes: usize) -> bool {
        self.is_over() || self.copied.deadline.stops_after(bytes, DOING)
    }

    /// Whether no room or no time is left.
    pub(super) fn is_over(&self) -> bool {
        self.copied.passed_at.get().is_some() || self.copied.deadline.is_over()
    }

    /// A copy of a text, or nothing if there is no room.
    pub(super) fn copy(&self, text: &str, at: Span) -> String {
        match self.has_room(text.len(), at) {
            true => text.to_owned(),
            false => String::new(),
        }
    }

    /// What `make` makes, and the bytes that it has copied.
    pub(super) fn measured<T>(&self, make: impl FnOnce() -> T) -> (T, usize) {
        let before = self.copied.bytes.get();
        let made = make();
        (made, self.copied.bytes.get().saturating_sub(before))
    }

    /// A copy of a format of this length, or nothing if there is no room.
    pub(super) fn again(&self, format: &Format, bytes: usize) -> Format {
        match self.has_room(bytes, Span::new(0, 1)) {
            true => format.clone(),
            false => self.sequence([]),
        }
    }

    /// A format, if there was room and time for all of it.
    pub(super) fn whole(&self, format: Format) -> Result<Format, Diagnostic> {
        let copied = &self.copied;
        if let Some(at) = copied.passed_at.get() {
            let what = "the texts of the format, counted for each tool, section and text that they \
                        stand at, have more bytes";
            let limit = LimitExceeded::new("grammar_bytes", copied.most, what);
            return Err(Diagnostic::from(&limit).at(self.shift(at), ""));
        }
        let in_time = copied.deadline.confirm(DOING);
        in_time.map_err(|limit| Diagnostic::from(&limit).at(format.span, ""))?;
        Ok(format)
    }
}
