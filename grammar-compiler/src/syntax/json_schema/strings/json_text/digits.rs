//! How a code is written: digit by digit, in UTF-8 or in hexadecimal after `\u`.

use super::ByteEdge;

/// A part of a code, written as one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Digit {
    pub bits: u32,
    pub base: u8,
    /// Whether it is a hexadecimal digit, and may be upper case.
    hex: Option<bool>,
}

impl Digit {
    const fn raw(bits: u32, base: u8) -> Digit {
        let hex = None;
        Digit { bits, base, hex }
    }

    const fn hex(bits: u32, base: u8, upper: bool) -> Digit {
        let hex = Some(upper);
        Digit { bits, base, hex }
    }

    /// The edges over the bytes that write `first` to `last`.
    pub fn edges(self, first: u32, last: u32, to: u32) -> impl Iterator<Item = ByteEdge> {
        let (first, last) = (self.base + first as u8, self.base + last as u8);
        let letters = |a: u8| (a + first.max(10) - 10, a + last.max(10) - 10);
        let ranges = match self.hex {
            None => [Some((first, last)), None, None],
            Some(upper) => [
                (first < 10).then(|| (b'0' + first, b'0' + last.min(9))),
                (last >= 10 && upper).then(|| letters(b'A')),
                (last >= 10).then(|| letters(b'a')),
            ],
        };
        (ranges.into_iter().flatten()).map(move |(low, high)| (low, high, to))
    }
}

/// The characters of each length in UTF-8, and how they are written.
pub(super) const UTF8: [(u32, u32, &[Digit]); 4] = {
    const NEXT: Digit = Digit::raw(6, 0x80);
    [
        (0, 0x7f, &[Digit::raw(7, 0)]),
        (0x80, 0x7ff, &[Digit::raw(5, 0xc0), NEXT]),
        (0x800, 0xffff, &[Digit::raw(4, 0xe0), NEXT, NEXT]),
        (0x10000, 0x10ffff, &[Digit::raw(3, 0xf0), NEXT, NEXT, NEXT]),
    ]
};

/// How hexadecimal digits write a character.
pub(super) struct Hex {
    /// After `\u`, one below U+10000.
    pub code: [Digit; 4],
    /// After `\ud`, another: the 20 bits above U+10000, of which 10 follow `d8` and 10 follow `dc`.
    pub pair: [Digit; 9],
}

pub(super) static LOWER: Hex = Hex::new(false);
pub(super) static EITHER: Hex = Hex::new(true);

impl Hex {
    const fn new(upper: bool) -> Hex {
        let (any, d) = (Digit::hex(4, 0, upper), Digit::hex(0, 0xd, upper));
        let (high, low) = (Digit::hex(2, 8, upper), Digit::hex(2, 0xc, upper));
        let (backslash, u) = (Digit::raw(0, b'\\'), Digit::raw(0, b'u'));
        Hex {
            code: [any; 4],
            pair: [high, any, any, backslash, u, d, low, any, any],
        }
    }
}
