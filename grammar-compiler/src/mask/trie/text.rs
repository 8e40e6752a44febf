//! Positions in UTF-8: whether a string of bytes has just ended a character, stands within one, or
//! is not text.

use crate::maps::own_keys;
use maskwright_core::layout::END_OF_TEXT;

/// Stands for the bytes of characters beyond ASCII.
pub const BEYOND_ASCII: u16 = END_OF_TEXT + 1;
/// Stands for symbols that no text has at their position.
pub const BROKEN: u16 = END_OF_TEXT + 2;

/// Where a string of bytes stands in UTF-8. Bytes that no text has end a character: the next byte
/// may begin one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// After a character.
    Closed,
    /// Within a character: the number of bytes to come, and the range of the next one.
    Open(u8, u8, u8),
    /// After a symbol that no text has there.
    Broken,
    /// Within a [spelling](crate::terminals) of a token that is a terminal: bytes that no text has,
    /// and that a state may take all the same.
    Token,
}

own_keys!(Text);

impl Text {
    /// The position after one symbol more.
    pub fn then(self, symbol: u16) -> Text {
        let Ok(byte) = u8::try_from(symbol) else {
            return Text::Broken;
        };
        match (self, byte) {
            (Text::Token, _) => Text::Token,
            (Text::Open(1, low, high), _) if (low..=high).contains(&byte) => Text::Closed,
            (Text::Open(left, low, high), _) if (low..=high).contains(&byte) => {
                Text::Open(left - 1, 0x80, 0xBF)
            }
            (Text::Open(..), _) => Text::Broken,
            (_, 0x00..=0x7F) => Text::Closed,
            (_, 0xC2..=0xDF) => Text::Open(1, 0x80, 0xBF),
            (_, 0xE0) => Text::Open(2, 0xA0, 0xBF),
            (_, 0xED) => Text::Open(2, 0x80, 0x9F),
            (_, 0xE1..=0xEF) => Text::Open(2, 0x80, 0xBF),
            (_, 0xF0) => Text::Open(3, 0x90, 0xBF),
            (_, 0xF1..=0xF3) => Text::Open(3, 0x80, 0xBF),
            (_, 0xF4) => Text::Open(3, 0x80, 0x8F),
            _ => Text::Broken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Text;
    use proptest::prelude::*;

    /// Characters of each length, cut short more often than not.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let character = proptest::sample::select(vec!["a", "é", "\u{7FF}", "中", "\u{D7FF}", "😀"]);
        let part = (character, 0usize..6);
        let part = part
            .prop_map(|(character, most)| character.bytes().take(most.max(1)).collect::<Vec<u8>>());
        let byte = any::<u8>().prop_map(|byte| vec![byte]);
        proptest::collection::vec(prop_oneof![4 => part, 1 => byte], 0..7)
            .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn text_is_utf_8(bytes in bytes()) {
            let mut text = Text::Closed;
            for (at, &byte) in bytes.iter().enumerate() {
                text = text.then(byte.into());
                let error = std::str::from_utf8(&bytes[..=at]).err();
                let expected = match error {
                    None => text == Text::Closed,
                    Some(error) if error.error_len().is_some() => text == Text::Broken,
                    Some(_) => matches!(text, Text::Open(..)),
                };
                prop_assert!(expected, "{text:?} after {:?}", &bytes[..=at]);
                if text == Text::Broken {
                    break;
                }
            }
        }
    }
}
