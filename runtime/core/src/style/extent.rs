//! Where arguments end in a text that goes on behind them, or that is cut off.
//!
//! In: a text that begins where the arguments begin. Out: how many bytes they take, or that more
//! text may belong to them. Each takes time in proportion to what is looked at, and no memory. What
//! is no text of the style has an end too: where it stops being one.

use super::read::{Stop, element};
use super::{Form, Keys, Notation, Quoting};

impl Form<'_> {
    /// How many bytes the elements at the beginning of a text take, or nothing if its end may
    /// belong to one more: if the text ends behind an element, or within what begins as one. Blanks
    /// before elements belong to them.
    pub fn extent(&self, text: &str) -> Option<usize> {
        let mut rest = text;
        let mut whole = 0;
        loop {
            rest = rest.trim_start();
            match element(self, rest) {
                Ok((_, length)) => rest = rest.get(length..)?,
                Err(Stop::Cut) => return None,
                Err(Stop::Wrong) => return Some(whole),
            }
            whole = text.len() - rest.len();
        }
    }
}

impl Notation {
    /// How many bytes the value in brackets at the beginning of a text takes, with blanks before
    /// it, or nothing if the text ends before its last bracket. With [`Keys::Arguments`] what
    /// counts goes up to the `)` that closes the call. A text that begins with another value takes
    /// no bytes.
    pub fn extent(&self, text: &str) -> Option<usize> {
        let is_call = self.keys == Keys::Arguments;
        let bytes = text.as_bytes();
        let mut at = 0;
        if !is_call {
            at = text.len() - text.trim_start().len();
            if !matches!(bytes.get(at)?, b'{' | b'[') {
                return Some(0);
            }
        }
        let mut open = 0usize;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'(' if is_call => open += 1,
                b'{' | b'[' => open += 1,
                b')' if is_call && open == 0 => return Some(at),
                b')' if is_call => open -= 1,
                b'}' | b']' => {
                    // What closes no bracket ends the arguments of a call.
                    let Some(left) = open.checked_sub(1) else {
                        return Some(at);
                    };
                    open = left;
                    if open == 0 && !is_call {
                        return Some(at + 1);
                    }
                }
                _ => {
                    if let Some(string) = self.string(text.get(at..).unwrap_or_default()) {
                        at += string?;
                        continue;
                    }
                }
            }
            at += 1;
        }
        None
    }

    /// The length of the string at the beginning of a text, its quotes included; inside, nothing if
    /// it does not end. None if there is no string.
    pub(super) fn string(&self, text: &str) -> Option<Option<usize>> {
        let quote = match self.quoting {
            // Python has two quotes; what is generated has one of them.
            Quoting::Python if text.starts_with('\'') => "'",
            _ => self.quote,
        };
        let body = text.strip_prefix(quote)?;
        let length = match self.quoting {
            Quoting::Raw => body.find(quote),
            Quoting::Json | Quoting::Python => {
                let mut is_escaped = false;
                body.bytes().position(|byte| {
                    let is_end = !is_escaped && quote.as_bytes() == [byte];
                    is_escaped = !is_escaped && byte == b'\\';
                    is_end
                })
            }
        };
        Some(length.map(|length| length + 2 * quote.len()))
    }
}
