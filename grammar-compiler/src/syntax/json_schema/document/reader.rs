//! A text and how far it has been read.

/// A text and how far it has been read.
pub(super) struct TextReader<'t> {
    pub(super) text: &'t str,
    /// The next byte; always at a character boundary.
    pub(super) at: usize,
}

impl<'t> TextReader<'t> {
    /// The text that is not read yet.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads `byte`, if it comes next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Passes over blanks.
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}
