//! Strings, decoded.

use super::message;
use super::reader::TextReader;
use crate::error::Diagnostic;
use crate::source::{Source, Span};
use std::ops::Range;

/// The place of the bytes `part` of a string, which is decoded `text` and stands within `span` of a
/// JSON text; the last one, if it stands there more than once. Nothing if it does not.
pub fn part_of_string(
    source: &Source,
    span: Span,
    text: &str,
    part: &Range<usize>,
) -> Option<Span> {
    let mut reader = TextReader {
        text: source.text(),
        at: span.start,
    };
    reader.text.get(span.start..)?;
    let mut found = None;
    while let Some(quote) = reader
        .rest()
        .find('"')
        .filter(|at| reader.at + at < span.end)
    {
        reader.at += quote;
        let start = reader.at;
        if reader.string().ok()? == text {
            found = Some(start);
        }
    }
    // Each character begins where those before it end.
    reader.at = found? + 1;
    let mut decoded = 0;
    let mut start = None;
    while decoded < part.end {
        if decoded >= part.start {
            start.get_or_insert(reader.at);
        }
        decoded += reader.character().ok()?.len_utf8();
    }
    Some(Span::new(start?, reader.at))
}

impl TextReader<'_> {
    /// A string; its quote comes next.
    pub(super) fn string(&mut self) -> Result<String, Diagnostic> {
        let open = Span::new(self.at, self.at + 1);
        self.at += 1;
        let mut decoded = String::new();
        loop {
            let rest = self.rest();
            let plain = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .unwrap_or(rest.len());
            decoded.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(decoded);
                }
                Some(b'\\') => decoded.push(self.escape()?),
                Some(control) => return Err(message::control(self.at, control, open)),
                None => return Err(message::unclosed_string(self.text, open)),
            }
        }
    }

    /// A character of a string that has been read before.
    fn character(&mut self) -> Result<char, Diagnostic> {
        let next = self.rest().chars().next();
        match next.filter(|c| *c != '\\') {
            Some(c) => {
                self.at += c.len_utf8();
                Ok(c)
            }
            None => self.escape(),
        }
    }

    /// An escape; its backslash comes next.
    fn escape(&mut self) -> Result<char, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let kind = self.peek();
        self.at += usize::from(kind.is_some_and(|byte| byte.is_ascii()));
        Ok(match kind {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_point(start),
            _ => return Err(message::bad_escape(self.text, start)),
        })
    }

    /// What follows `\u`, and the second half of a surrogate pair.
    fn code_point(&mut self, start: usize) -> Result<char, Diagnostic> {
        let high = self.hex(start)?;
        let point = if (0xD800..0xDC00).contains(&high) && self.rest().starts_with("\\u") {
            let middle = self.at;
            self.at += 2;
            let low = self.hex(middle)?;
            match low {
                0xDC00..0xE000 => 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00),
                _ => high,
            }
        } else {
            high
        };
        let span = Span::new(start, self.at);
        char::from_u32(point).ok_or_else(|| message::lone_surrogate(span))
    }

    /// Four hexadecimal digits.
    fn hex(&mut self, start: usize) -> Result<u32, Diagnostic> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += if number.is_some() { 4 } else { 0 };
        number.ok_or_else(|| message::bad_hex(self.text, start))
    }
}
