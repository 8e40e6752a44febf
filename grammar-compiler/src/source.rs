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
    /// What lies before every [`STRIDE`]th byte.
    marks: Vec<Mark>,
}

/// Bytes between two marks: a place is found by reading at most so many.
const STRIDE: usize = 1024;

/// What lies before a byte of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    newlines: usize,
    /// Characters that begin before the byte.
    characters: usize,
    /// Where the line that holds the byte begins.
    line_start: usize,
}

impl Mark {
    /// The mark behind `bytes`, which begin at the mark and at the byte `start` of the text.
    fn after(mut self, bytes: &[u8], start: usize) -> Self {
        for (at, &byte) in (start + 1..).zip(bytes) {
            self.characters += usize::from(!is_continuation(byte));
            if byte == b'\n' {
                self.newlines += 1;
                self.line_start = at;
            }
        }
        self
    }
}

/// Whether the byte goes on with a character of UTF-8 that began before it.
fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
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
        let text = text.into();
        let start = Mark {
            line_start: first_line(&text),
            ..Mark::default()
        };
        let mut marks = Vec::with_capacity(text.len() / STRIDE + 1);
        marks.push(start);
        let mut mark = start;
        for (at, bytes) in text.as_bytes().chunks_exact(STRIDE).enumerate() {
            mark = mark.after(bytes, at * STRIDE);
            marks.push(mark);
        }
        Source {
            name: name.into(),
            text,
            marks,
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

    /// The line and column of the byte `offset`; of the end of the text if it lies behind it. Takes the same time wherever the byte lies.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor_char_boundary(offset);
        let here = self.mark(offset);
        // Inside a byte order mark the first line has not begun.
        let line_start = self.mark(here.line_start.min(offset));
        Position {
            line: here.newlines + 1,
            column: here.characters - line_start.characters + 1,
        }
    }

    /// What lies before the byte `offset` of the text.
    fn mark(&self, offset: usize) -> Mark {
        let nth = offset / STRIDE;
        let start = nth * STRIDE;
        match (self.marks.get(nth), self.text.as_bytes().get(start..offset)) {
            (Some(mark), Some(bytes)) => mark.after(bytes, start),
            _ => Mark::default(),
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
    fn places_far_behind_are_as_in_a_count_from_the_start() {
        let text: String = (0..3000)
            .map(|at| ["ab", "ä", "\n", "€\n", "𝄞", " "][at * at % 11 % 6])
            .collect();
        let source = Source::new("g", text.as_str());
        for (offset, _) in text.char_indices() {
            let before = &text[..offset];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let position = Position {
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
            };
            assert_eq!(source.position(offset), position);
        }
    }

    #[test]
    fn a_million_places_in_a_long_text_are_found_at_once() {
        for unit in ["abcdefgh", "abcdefg\n"] {
            let source = Source::new("g", unit.repeat(1_000_000));
            let places = (0..1_000_000).map(|at| source.position(8 * at));
            let columns: usize = places.map(|place| place.column + place.line).sum();
            assert!(columns > 1_000_000);
        }
    }

    #[test]
    fn spans_are_moved_to_character_boundaries() {
        let source = Source::new("g", "aäb");
        assert_eq!(source.clamp(Span::new(2, 2)), Span::new(1, 3));
        assert_eq!(source.clamp(Span::new(2, 99)), Span::new(1, 4));
        assert_eq!(source.clamp(Span::new(9, 3)), Span::new(4, 4));
    }
}
