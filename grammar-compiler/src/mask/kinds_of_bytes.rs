//! Sets of bytes in one word: which of 64 kinds they are of.
//!
//! A walk asks of every trie node that it comes to whether all below it stays in a run. Bytes that runs seldom tell apart are of
//! one kind, so that they are a word, and a node is small. Where a run has some bytes of a kind only, a
//! subtree that has others of them is walked, though it might be taken as a whole.

use maskwright_core::layout::END_OF_TEXT;

/// Kinds of bytes, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u64);

/// The kind of each byte: every ASCII character that is no letter and no control character has one for itself.
const OF_BYTE: [u8; 256] = of_bytes();
/// The kind of the end of the text.
const OF_END: u8 = 63;

const fn of_bytes() -> [u8; 256] {
    let mut kinds = [0; 256];
    let mut own = 20;
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'\t' => 1,
            b'\n' => 2,
            b'\r' => 3,
            0x00..=0x1F | 0x7F => 0,
            b'a'..=b'f' => 4,
            b'g'..=b'z' => 5,
            b'A'..=b'F' => 6,
            b'G'..=b'Z' => 7,
            0x80..=0x8F => 8,
            0x90..=0x9F => 9,
            0xA0..=0xBF => 10,
            0xC2..=0xDF => 11,
            0xE0 => 12,
            0xED => 13,
            0xE1..=0xEF => 14,
            0xF0 => 15,
            0xF1..=0xF3 => 16,
            0xF4 => 17,
            0xC0 | 0xC1 | 0xF5..=0xFF => 18,
            _ => {
                own += 1;
                own - 1
            }
        };
        byte += 1;
    }
    assert!(own <= OF_END, "there are more kinds than bits");
    kinds
}

impl Kinds {
    /// The kind of one symbol.
    pub fn of(symbol: u16) -> Self {
        let kind = match u8::try_from(symbol) {
            Ok(byte) => OF_BYTE[byte as usize],
            Err(_) => {
                debug_assert_eq!(symbol, END_OF_TEXT);
                OF_END
            }
        };
        Kinds(1 << kind)
    }

    /// The kinds of which all bytes are in a set.
    pub fn within(bytes: &[u64; 4]) -> Self {
        let without = (0..=255u8).filter(|byte| bytes[*byte as usize / 64] >> (byte % 64) & 1 == 0);
        let without = without.fold(1 << OF_END, |kinds, byte| {
            kinds | 1 << OF_BYTE[byte as usize]
        });
        Kinds(!without)
    }

    /// These and others.
    pub fn add(&mut self, others: Kinds) {
        self.0 |= others.0;
    }

    /// Whether all are among others.
    pub fn are_among(self, others: Kinds) -> bool {
        self.0 & !others.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Kinds;
    use proptest::prelude::*;

    /// Whether all kinds of some bytes are within a set of bytes.
    fn is_within(some: std::ops::RangeInclusive<u8>, set: &[u64; 4]) -> bool {
        let mut kinds = Kinds::default();
        some.for_each(|byte| kinds.add(Kinds::of(byte.into())));
        kinds.are_among(Kinds::within(set))
    }

    fn set_of(bytes: impl Iterator<Item = u8>) -> [u64; 4] {
        let mut set = [0; 4];
        bytes.for_each(|byte| set[byte as usize / 64] |= 1 << (byte % 64));
        set
    }

    proptest! {
        #[test]
        fn what_is_within_is_in_the_set(low: u8, high: u8, from: u8, to: u8) {
            let set = set_of(low..=high);
            if from <= to && is_within(from..=to, &set) {
                prop_assert!(low <= from && to <= high);
            }
        }
    }

    #[test]
    fn what_a_string_goes_on_with_is_known_exactly() {
        let set = set_of((0x20..=0x7E).filter(|byte| !matches!(byte, b'"' | b'\\')));
        for byte in 0..=255 {
            let is_in = set[byte as usize / 64] >> (byte % 64) & 1 == 1;
            assert_eq!(is_within(byte..=byte, &set), is_in, "{byte}");
        }
    }
}
