//! The text of a pattern and how far it has been read.

use super::PatternError;

/// A place in the text of a pattern.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) depth: u32,
    /// What is read though the flag `u` forbids it.
    pub(super) doubts: Vec<PatternError>,
    /// The first class that looks like one of POSIX, if no `]` has followed it that shows it to be
    /// one.
    pub(super) posix: Option<PatternError>,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// The span must lie on characters; its end may lie past the text.
    pub(super) fn error(
        &self,
        span: std::ops::Range<usize>,
        message: &str,
        help: &str,
    ) -> PatternError {
        PatternError {
            message: message.into(),
            span: span.start..span.end.min(self.text.len()),
            help: help.into(),
        }
    }
}
