//! Arguments in brackets, as in JSON.

use super::super::literal::{Found, behind_blanks, stands};
use super::super::part::Span;
use super::{Extent, ExtentStep, Phase};
use crate::style::{Keys, Notation, Quoting};

impl Extent {
    /// Reads everything between brackets, or between the parentheses of a call.
    pub(super) fn brackets(&mut self, notation: &Notation, text: &str) -> ExtentStep {
        let is_call = notation.keys == Keys::Arguments;
        if self.phase == Phase::Begin {
            self.at = behind_blanks(text, self.at);
            self.span = Span::new(self.at, self.at);
            match text.as_bytes().get(self.at) {
                None => return ExtentStep::Cut,
                // Arguments are an object. A `[` belongs to another way of the call, before its
                // arguments.
                Some(b'{') => self.phase = Phase::Brackets,
                Some(_) if is_call => self.phase = Phase::Brackets,
                Some(_) => return ExtentStep::Wrong,
            }
        }
        while let Some(&byte) = text.as_bytes().get(self.at) {
            let step = match self.phase {
                Phase::String(quote) => self.string(quote, byte, text),
                Phase::Raw => match self.find(notation.quote, text) {
                    true => {
                        self.phase = Phase::Brackets;
                        ExtentStep::Go
                    }
                    false => ExtentStep::Cut,
                },
                _ => match self.quote(notation, byte, text) {
                    Found::Yes => ExtentStep::Go,
                    Found::Cut => ExtentStep::Cut,
                    Found::No => self.bracket(is_call, byte),
                },
            };
            match step {
                ExtentStep::Go => {}
                step => return step,
            }
        }
        ExtentStep::Cut
    }

    /// A byte of a string with escapes.
    fn string(&mut self, quote: u8, byte: u8, text: &str) -> ExtentStep {
        if byte == b'\\' {
            // The escaped byte belongs to the escape. The text may not have it yet.
            if text.len().saturating_sub(self.at) < 2 {
                return ExtentStep::Cut;
            }
            self.at += 1;
        } else if byte == quote {
            self.phase = Phase::Brackets;
        }
        self.at += 1;
        ExtentStep::Go
    }

    /// The quote at which a string begins, if one does here.
    fn quote(&mut self, notation: &Notation, byte: u8, text: &str) -> Found {
        if notation.quoting == Quoting::Python && byte == b'\'' {
            self.phase = Phase::String(byte);
            self.at += 1;
            return Found::Yes;
        }
        let found = stands(notation.quote, text, self.at);
        if found == Found::Yes {
            self.at += notation.quote.len();
            self.phase = match notation.quoting {
                Quoting::Raw => Phase::Raw,
                Quoting::Json | Quoting::Python => Phase::String(byte),
            };
        }
        found
    }

    /// A byte outside of strings. In a call, what closes no bracket ends the arguments.
    fn bracket(&mut self, is_call: bool, byte: u8) -> ExtentStep {
        let (opens, closes) = match byte {
            b'{' | b'[' => (true, false),
            b'}' | b']' => (false, true),
            b'(' | b')' if is_call => (byte == b'(', byte == b')'),
            _ => (false, false),
        };
        let is_last = closes && self.open <= usize::from(!is_call);
        if !(is_last && is_call) {
            self.at += 1;
        }
        if is_last {
            self.span = Span::new(self.span.start(), self.at);
            return ExtentStep::Stop;
        }
        self.open += usize::from(opens);
        self.open -= usize::from(closes);
        ExtentStep::Go
    }
}
