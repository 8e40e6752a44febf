//! The characters beyond ASCII that tokens have.
//!
//! In: the vocabulary's trie. Out: [`Characters`]: for some characters the tokens that have one of
//! them. What holds: a token that ends within a character counts for each character that it may
//! become.
//!
//! Many classes take nearly all characters: `.` in a pattern takes all but the ends of lines, `\S`
//! all but blanks, of which a few are beyond ASCII. So most text still leads along a
//! [run](super::runs), and the tokens that have one of the few other characters are looked at one
//! by one.

use maskwright_core::layout::END_OF_TEXT;

use crate::mask::trie::{Text, TokenTrie};

/// Characters, from the first to the last.
pub(super) type CharRange = (u32, u32);

/// The tokens by the characters beyond ASCII that they have.
#[derive(Debug)]
pub(super) struct Characters {
    /// Characters, ascending, each with a token that has it.
    whole: Vec<(u32, u32)>,
    /// The characters that the end of a token may become, and the token.
    open: Vec<(CharRange, u32)>,
}

/// A character of which some bytes have been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partial {
    text: Text,
    /// The bits that are known.
    bits: u32,
}

impl Partial {
    /// Before a character.
    pub(super) const NONE: Partial = Partial {
        text: Text::Closed,
        bits: 0,
    };

    /// After one byte more. The text is `Broken` after a byte that no character has there.
    pub(super) fn then(self, byte: u8) -> Partial {
        let text = self.text.then(byte.into());
        let bits = match (self.text, text) {
            (Text::Open(..), _) => self.bits << 6 | u32::from(byte & 0x3F),
            (_, Text::Open(1, ..)) => u32::from(byte & 0x1F),
            (_, Text::Open(2, ..)) => u32::from(byte & 0x0F),
            (_, Text::Open(..)) => u32::from(byte & 0x07),
            _ => u32::from(byte),
        };
        Partial { text, bits }
    }

    /// Where the text stands.
    pub(super) fn text(self) -> Text {
        self.text
    }

    /// The same, as if the bits of the bytes so far were zero.
    pub(super) fn without_bits(self) -> Partial {
        Partial { bits: 0, ..self }
    }

    /// The bits that are known, at their place in the character.
    pub(super) fn bits_before(self) -> u32 {
        match self.text {
            Text::Open(left, ..) => self.bits << (6 * u32::from(left)),
            _ => self.bits,
        }
    }

    /// The characters that these bytes may become.
    pub(super) fn range(self) -> CharRange {
        let Text::Open(left, low, high) = self.text else {
            return (self.bits, self.bits);
        };
        let rest = 6 * u32::from(left.saturating_sub(1));
        let end = |byte: u8| self.bits_before() | u32::from(byte & 0x3F) << rest;
        (end(low), end(high) | ((1 << rest) - 1))
    }
}

impl Characters {
    /// The characters of all tokens that are text.
    pub(super) fn new(trie: &TokenTrie) -> Self {
        let mut characters = Characters {
            whole: Vec::new(),
            open: Vec::new(),
        };
        let nodes = &trie.nodes;
        for child in nodes.children(nodes.children_of(0)) {
            if child.symbol < END_OF_TEXT {
                trie.each_suffix(child.node, |bytes, id| characters.add(bytes, id));
            }
        }
        characters.whole.sort_unstable();
        characters.whole.dedup();
        characters
    }

    fn add(&mut self, bytes: &[u8], id: u32) {
        let mut partial = Partial::NONE;
        for &byte in bytes {
            partial = partial.then(byte);
            match partial.text() {
                Text::Open(..) => continue,
                Text::Closed if !byte.is_ascii() => self.whole.push((partial.bits, id)),
                _ => {}
            }
            partial = Partial::NONE;
        }
        if matches!(partial.text(), Text::Open(..)) {
            self.open.push((partial.range(), id));
        }
    }

    /// The tokens that have, or may come to have, a character of one of these ranges; some of them
    /// more than once.
    pub(super) fn tokens<'a>(&'a self, ranges: &'a [CharRange]) -> impl Iterator<Item = u32> + 'a {
        let whole = ranges.iter().flat_map(|&(first, last)| {
            let from = self.whole.partition_point(|of| of.0 < first);
            let of_range = self.whole[from..].iter();
            of_range.take_while(move |of| of.0 <= last).map(|of| of.1)
        });
        let meets = |(low, high): CharRange| ranges.iter().any(|&(a, b)| a <= high && low <= b);
        let open = self.open.iter().filter(move |of| meets(of.0));
        whole.chain(open.map(|of| of.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of each character lead to it, and all that its first bytes may become are a range
    /// around it.
    #[test]
    fn bytes_are_the_characters() {
        for character in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            let mut partial = Partial::NONE;
            for &byte in bytes {
                partial = partial.then(byte);
                let (first, last) = partial.range();
                assert!((first..=last).contains(&character.into()), "{character:?}");
            }
            assert_eq!(partial.text(), Text::Closed);
            assert_eq!(partial.range(), (character.into(), character.into()));
        }
    }
}
