//! Numbers, checked and kept as written.

use super::message;
use super::reader::TextReader;
use crate::error::Diagnostic;
use crate::source::Span;

impl TextReader<'_> {
    /// `-? (0 | [1-9][0-9]*) ('.' [0-9]+)? ([eE] [+-]? [0-9]+)?`
    pub(super) fn number(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.eat(b'-');
        let first = self.at;
        if self.digits() == 0 {
            let why = "a digit must follow the minus";
            return Err(message::bad_number(self, start, why));
        }
        if self.at - first > 1 && self.text.as_bytes().get(first) == Some(&b'0') {
            let why = "a number must not begin with 0 and another digit";
            return Err(message::bad_number(self, start, why));
        }
        if self.eat(b'.') && self.digits() == 0 {
            let why = "a digit must follow the point";
            return Err(message::bad_number(self, start, why));
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            if self.digits() == 0 {
                let why = "a digit must follow the `e`";
                return Err(message::bad_number(self, start, why));
            }
        }
        if matches!(self.peek(), Some(b'.' | b'_' | b'a'..=b'z' | b'A'..=b'Z')) {
            let why = "JSON numbers are decimal, with one point and one exponent at most";
            return Err(message::bad_number(self, start, why));
        }
        let span = Span::new(start, self.at);
        Ok(self.text.get(span.start..span.end).unwrap_or("").to_owned())
    }

    /// Reads digits; gives how many.
    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }
}
