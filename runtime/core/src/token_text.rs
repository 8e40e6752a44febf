//! The text of tokens as they come.

use crate::Vocabulary;

/// The most bytes of a character.
const CHARACTER: usize = 4;

/// A piece of the text of some tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPiece<'a> {
    /// Characters of the text.
    Text(&'a str),
    /// The name of a token that is no text, such as `<tool_call>`.
    Control(&'a str),
}

impl<'a> StreamPiece<'a> {
    /// The characters or the name.
    pub fn as_str(&self) -> &'a str {
        match self {
            StreamPiece::Text(text) | StreamPiece::Control(text) => text,
        }
    }
}

/// Makes text of tokens as they come. A character may lie in several tokens: its bytes wait for the
/// last one. Bytes that are no UTF-8 become U+FFFD, as in `String::from_utf8_lossy`.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (_, vocabulary) = example::tables();
/// # use maskwright_core::{TextStream, Vocabulary};
/// let vocabulary = Vocabulary::load(&vocabulary)?;
/// let (mut stream, mut text) = (TextStream::default(), String::new());
/// for token in [b'[' as u32, 0xc3, 0xa9, b']' as u32] {
///     stream.push(&vocabulary, token, |piece| text.push_str(piece.as_str()));
/// }
/// stream.finish(|piece| text.push_str(piece.as_str()));
/// assert_eq!(text, "[é]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextStream {
    /// The bytes of a character that is not complete.
    waiting: [u8; CHARACTER],
    length: u8,
}

impl TextStream {
    /// Calls `write` with what a token adds to the text: characters that it completes, or its name,
    /// if the vocabulary has one for it. Other tokens, such as the end of the text, add nothing.
    pub fn push(
        &mut self,
        vocabulary: &Vocabulary<'_>,
        id: u32,
        mut write: impl FnMut(StreamPiece<'_>),
    ) {
        let bytes = vocabulary.bytes(id);
        if !bytes.is_empty() {
            return self.push_bytes(bytes, write);
        }
        if let Some(name) = vocabulary.token_name(id) {
            self.finish(&mut write);
            write(StreamPiece::Control(name));
        }
    }

    /// Calls `write` with the characters that bytes complete.
    pub fn push_bytes(&mut self, bytes: &[u8], mut write: impl FnMut(StreamPiece<'_>)) {
        let mut rest = bytes;
        while self.length > 0 {
            let Some((&byte, behind)) = rest.split_first() else {
                return;
            };
            if self.add(byte, &mut write) {
                rest = behind;
            }
        }
        loop {
            let error = match core::str::from_utf8(rest) {
                Ok(text) => return write_text(text, &mut write),
                Err(error) => error,
            };
            let (valid, behind) = rest.split_at(error.valid_up_to());
            write_text(core::str::from_utf8(valid).unwrap_or_default(), &mut write);
            let Some(wrong) = error.error_len() else {
                return self.wait_for(behind);
            };
            write_text(REPLACEMENT, &mut write);
            rest = behind.get(wrong..).unwrap_or_default();
        }
    }

    /// Calls `write` with U+FFFD if a character is not complete: the text has ended.
    pub fn finish(&mut self, mut write: impl FnMut(StreamPiece<'_>)) {
        if self.length > 0 {
            self.length = 0;
            write_text(REPLACEMENT, &mut write);
        }
    }

    /// Adds a byte to the character that waits; false if it belongs to the next one.
    fn add(&mut self, byte: u8, write: &mut impl FnMut(StreamPiece<'_>)) -> bool {
        let length = usize::from(self.length);
        if let Some(slot) = self.waiting.get_mut(length) {
            *slot = byte;
        }
        let character = self.waiting.get(..=length).unwrap_or_default();
        let (is_taken, is_complete) = match core::str::from_utf8(character) {
            Ok(text) => {
                write_text(text, write);
                (true, true)
            }
            Err(error) if error.error_len().is_none() => (true, false),
            Err(_) => {
                write_text(REPLACEMENT, write);
                (false, true)
            }
        };
        self.length = if is_complete { 0 } else { self.length + 1 };
        is_taken
    }

    /// Keeps the first bytes of a character.
    fn wait_for(&mut self, bytes: &[u8]) {
        for (slot, &byte) in self.waiting.iter_mut().zip(bytes) {
            *slot = byte;
            self.length += 1;
        }
    }
}

/// What stands for bytes that are no character.
const REPLACEMENT: &str = "\u{fffd}";

fn write_text(text: &str, write: &mut impl FnMut(StreamPiece<'_>)) {
    if !text.is_empty() {
        write(StreamPiece::Text(text));
    }
}
