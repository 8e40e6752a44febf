//! Source texts and places in them.
//!
//! In: a name and a text. Out: [`Source`], which turns the byte ranges ([`Span`]) that every later
//! stage carries into lines and columns.

use std::fmt;

/// Where the first line of `text` begins: behind a byte order mark, if there is one.
pub(crate) fn first_line(text: &str) -> usize {
    text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len()
}

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Self {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A named text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
}

/// A place in a text as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Source {
    /// A text and the name that errors call it by: a path, or something like `<pattern>`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source {
            name: name.into(),
            text: text.into(),
        }
    }

    /// The name that errors call it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of `span`; empty where the span does not lie in this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    /// The line and column of the byte `offset`; of the end of the text if it lies behind it.
    pub fn position(&self, offset: usize) -> Position {
        let before = &self.text[..self.floor_char_boundary(offset)];
        let newline = before.rfind('\n').map(|newline| newline + 1);
        let line_start = newline.unwrap_or_else(|| first_line(before));
        Position {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// `span`, moved to character boundaries inside the text, its end not before its start.
    pub(crate) fn clamp(&self, span: Span) -> Span {
        let start = self.floor_char_boundary(span.start);
        let mut end = span.end.clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        Span { start, end }
    }

    fn floor_char_boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("g", "ab\näöx\n");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(2), Position { line: 1, column: 3 });
        assert_eq!(source.position(3), Position { line: 2, column: 1 });
        assert_eq!(source.position(7), Position { line: 2, column: 3 });
        assert_eq!(source.position(99), Position { line: 3, column: 1 });
        let marked = Source::new("g", "\u{feff}ab\nc");
        assert_eq!(marked.position(0), Position { line: 1, column: 1 });
        assert_eq!(marked.position(4), Position { line: 1, column: 2 });
        assert_eq!(marked.position(6), Position { line: 2, column: 1 });
    }

    #[test]
    fn spans_are_moved_to_character_boundaries() {
        let source = Source::new("g", "aäb");
        assert_eq!(source.clamp(Span::new(2, 2)), Span::new(1, 3));
        assert_eq!(source.clamp(Span::new(2, 99)), Span::new(1, 4));
        assert_eq!(source.clamp(Span::new(9, 3)), Span::new(4, 4));
    }
}
