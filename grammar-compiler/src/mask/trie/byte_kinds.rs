//! Sets of bytes, coarsened to 64 kinds so that a set is one word.
//!
//! At every trie node a walk asks whether everything below it stays in a run. Bytes that runs
//! seldom distinguish are of one kind. Where a run goes on with some bytes of a kind only, the
//! answer is no for all of that kind: the subtree is then walked though it might have been accepted
//! as a whole, and the result is the same.

use maskwright_core::layout::END_OF_TEXT;

/// A set of kinds of bytes, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteKinds(u64);

/// The kind of each byte: every ASCII character that is no letter and no control character has a
/// kind of its own.
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

impl ByteKinds {
    /// The kind of one symbol.
    pub fn of(symbol: u16) -> Self {
        let kind = match u8::try_from(symbol) {
            Ok(byte) => OF_BYTE[byte as usize],
            Err(_) => {
                debug_assert_eq!(symbol, END_OF_TEXT);
                OF_END
            }
        };
        ByteKinds(1 << kind)
    }

    /// The kinds whose bytes are all in a set.
    pub fn within(bytes: &[u64; 4]) -> Self {
        let without = (0..=255u8).filter(|byte| bytes[*byte as usize / 64] >> (byte % 64) & 1 == 0);
        let without = without.fold(1 << OF_END, |kinds, byte| {
            kinds | 1 << OF_BYTE[byte as usize]
        });
        ByteKinds(!without)
    }

    /// Adds the kinds of another set.
    pub fn add(&mut self, others: ByteKinds) {
        self.0 |= others.0;
    }

    /// Whether all kinds are in another set, too.
    pub fn are_among(self, others: ByteKinds) -> bool {
        self.0 & !others.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::ByteKinds;
    use proptest::prelude::*;

    /// Whether the kinds of some bytes are within a set of bytes.
    fn is_within(some: std::ops::RangeInclusive<u8>, set: &[u64; 4]) -> bool {
        let mut kinds = ByteKinds::default();
        some.for_each(|byte| kinds.add(ByteKinds::of(byte.into())));
        kinds.are_among(ByteKinds::within(set))
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
