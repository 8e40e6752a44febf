//! Source texts and places in them.
//!
//! In: names and texts. Out: [`Sources`], which turn the byte ranges ([`Span`]) that every later
//! stage carries into a file, lines and columns. A grammar can be written in several texts: they
//! share one space of offsets, in which each text begins where [`Sources::add`] has put it, so a
//! span says by itself which text it lies in. (rustc's source map works in the same way.)

use std::fmt;
use std::sync::Arc;

/// Where the first line of `text` begins: behind a byte order mark, if there is one.
pub(crate) fn first_line(text: &str) -> usize {
    text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len()
}

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
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

    /// The same span of a text that begins at `base`.
    #[must_use]
    pub fn shifted(self, base: usize) -> Self {
        Span::new(self.start + base, self.end + base)
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Self {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A named text. A clone shares the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    written: Arc<Written>,
}

/// A text.
#[derive(Debug, PartialEq, Eq)]
struct Written {
    text: String,
    /// What lies before every [`STRIDE`]th byte.
    marks: Vec<LineMark>,
}

/// The texts that a grammar is written in, in one space of offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Each text and where it begins, ascending.
    texts: Vec<(usize, Arc<Source>)>,
    /// Where the next text begins.
    end: usize,
}

impl Sources {
    /// No text; the first one that is added begins at `start`. What lies before it stands for
    /// places that are in no text.
    pub fn after(start: usize) -> Self {
        Sources {
            texts: Vec::new(),
            end: start,
        }
    }

    /// Adds a text; the offset at which it begins.
    pub fn add(&mut self, source: impl Into<Arc<Source>>) -> usize {
        let (base, source) = (self.end, source.into());
        // The end of a text is a place of its own.
        self.end = base + source.text().len() + 1;
        self.texts.push((base, source));
        base
    }

    /// The text that a span lies in, and the span within that text; the end of the last text if it
    /// lies in none.
    pub fn locate(&self, span: Span) -> Option<(&Source, Span)> {
        let after = self.texts.partition_point(|(base, _)| *base <= span.start);
        let (base, source) = self.texts.get(after.checked_sub(1)?)?;
        let within = |at: usize| at.saturating_sub(*base);
        Some((source, Span::new(within(span.start), within(span.end))))
    }

    /// The first text: the one that the user named.
    pub fn main(&self) -> Option<&Source> {
        self.texts.first().map(|(_, source)| source.as_ref())
    }

    /// The number of bytes of all texts.
    pub fn bytes(&self) -> usize {
        // Each text is followed by a place of its own.
        let start = self.texts.first().map_or(self.end, |(base, _)| *base);
        self.end - start - self.texts.len()
    }

    /// Where a span begins, as editors and compilers write it: `grammar.ebnf:3:1`. The name alone
    /// of the first text where there is no span.
    pub fn place(&self, span: Option<Span>) -> String {
        match span.and_then(|span| self.locate(span)) {
            Some((source, span)) => format!("{}:{}", source.name(), source.position(span.start)),
            None => self.main().map_or("", Source::name).to_owned(),
        }
    }
}

impl From<Source> for Sources {
    fn from(source: Source) -> Self {
        let mut sources = Sources::default();
        sources.add(source);
        sources
    }
}

impl From<&Source> for Sources {
    fn from(source: &Source) -> Self {
        source.clone().into()
    }
}

/// Bytes between two marks: a place is found by reading at most so many.
const STRIDE: usize = 1024;

/// What lies before a byte of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LineMark {
    newlines: usize,
    /// Characters that begin before the byte.
    characters: usize,
    /// Where the line that holds the byte begins.
    line_start: usize,
}

impl LineMark {
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
#[non_exhaustive]
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
        let start = LineMark {
            line_start: first_line(&text),
            ..LineMark::default()
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
            written: Arc::new(Written { text, marks }),
        }
    }

    /// The name that errors call it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.written.text
    }

    /// The text of `span`; empty where the span does not lie in this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text().get(span.start..span.end).unwrap_or("")
    }

    /// The line and column of the byte `offset`; of the end of the text if it lies behind it. Takes
    /// the same time wherever the byte lies.
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
    fn mark(&self, offset: usize) -> LineMark {
        let nth = offset / STRIDE;
        let start = nth * STRIDE;
        match (
            self.written.marks.get(nth),
            self.text().as_bytes().get(start..offset),
        ) {
            (Some(mark), Some(bytes)) => mark.after(bytes, start),
            _ => LineMark::default(),
        }
    }

    /// `span`, moved to character boundaries inside the text, its end not before its start.
    pub(crate) fn clamp(&self, span: Span) -> Span {
        let start = self.floor_char_boundary(span.start);
        let mut end = span.end.clamp(start, self.text().len());
        while !self.text().is_char_boundary(end) {
            end += 1;
        }
        Span { start, end }
    }

    fn floor_char_boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text().len());
        while !self.text().is_char_boundary(offset) {
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
    fn a_span_says_which_text_it_lies_in() {
        let mut sources = Sources::after(10);
        assert_eq!(sources.place(Some(Span::new(3, 4))), "");
        let first = sources.add(Source::new("a", "x\ny"));
        let second = sources.add(Source::new("b", ""));
        let third = sources.add(Source::new("c", "é\nz"));
        assert_eq!((first, second, third), (10, 14, 15));
        let place = |at| sources.place(Some(Span::new(at, at)));
        assert_eq!(place(first + 2), "a:2:1");
        assert_eq!(place(first + 3), "a:2:2");
        assert_eq!(place(second), "b:1:1");
        assert_eq!(place(third + 3), "c:2:1");
        assert_eq!(sources.place(None), "a");
        assert_eq!(sources.bytes(), 7);
        let span = Span::new(1, 2).shifted(third);
        let (source, within) = sources.locate(span).unwrap();
        assert_eq!((source.name(), within), ("c", Span::new(1, 2)));
    }

    #[test]
    fn spans_are_moved_to_character_boundaries() {
        let source = Source::new("g", "aäb");
        assert_eq!(source.clamp(Span::new(2, 2)), Span::new(1, 3));
        assert_eq!(source.clamp(Span::new(2, 99)), Span::new(1, 4));
        assert_eq!(source.clamp(Span::new(9, 3)), Span::new(4, 4));
    }
}
