//! Ranges of code points as sequences of byte ranges (UTF-8), written down anew.

/// For each length of encoding, the first and the last code point; surrogates left out.
const SPANS: [(u32, u32); 5] = [
    (0, 0x7F),
    (0x80, 0x7FF),
    (0x800, 0xD7FF),
    (0xE000, 0xFFFF),
    (0x1_0000, 0x10_FFFF),
];

/// Inclusive ranges of bytes, one a byte of the encoding.
pub type ByteRanges = Vec<(u8, u8)>;

/// The encodings of the code points `low..=high`, as a union of products of byte ranges.
pub fn encodings(low: char, high: char) -> Vec<ByteRanges> {
    let mut out = Vec::new();
    for (first, last) in SPANS {
        let (low, high) = (first.max(low as u32), last.min(high as u32));
        if low <= high {
            split(&encode(low), &encode(high), &mut Vec::new(), &mut out);
        }
    }
    out
}

/// The complement of these ranges within all code points but surrogates.
pub fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut out = Vec::new();
    let mut next = 0u32;
    for (low, high) in sorted {
        if next < low as u32 {
            push_scalars(next, low as u32 - 1, &mut out);
        }
        next = next.max(high as u32 + 1);
    }
    if next <= 0x10_FFFF {
        push_scalars(next, 0x10_FFFF, &mut out);
    }
    out
}

/// Appends `low..=high` without its surrogates.
fn push_scalars(low: u32, high: u32, out: &mut Vec<(char, char)>) {
    for (first, last) in [(0, 0xD7FF), (0xE000, 0x10_FFFF)] {
        let ends = (
            char::from_u32(low.max(first)),
            char::from_u32(high.min(last)),
        );
        if let (Some(a), Some(b)) = ends
            && a <= b
        {
            out.push((a, b));
        }
    }
}

fn encode(code_point: u32) -> Vec<u8> {
    let tail = |shift: u32| 0x80 | (code_point >> shift & 0x3F) as u8;
    match code_point {
        0..=0x7F => vec![code_point as u8],
        0x80..=0x7FF => vec![0xC0 | (code_point >> 6) as u8, tail(0)],
        0x800..=0xFFFF => vec![0xE0 | (code_point >> 12) as u8, tail(6), tail(0)],
        _ => vec![0xF0 | (code_point >> 18) as u8, tail(12), tail(6), tail(0)],
    }
}

/// Splits `low..=high`, two encodings of one length, where all tails between are free.
fn split(low: &[u8], high: &[u8], prefix: &mut ByteRanges, out: &mut Vec<ByteRanges>) {
    let ([first, low_tail @ ..], [last, high_tail @ ..]) = (low, high) else {
        out.push(prefix.clone());
        return;
    };
    let lowest = vec![0x80; low_tail.len()];
    let highest = vec![0xBF; low_tail.len()];
    let mut part = |from: u8, to: u8, low: &[u8], high: &[u8]| {
        prefix.push((from, to));
        if low == lowest && high == highest {
            let mut whole = prefix.clone();
            whole.extend(low.iter().map(|_| (0x80, 0xBF)));
            out.push(whole);
        } else {
            split(low, high, prefix, out);
        }
        prefix.pop();
    };
    if first == last {
        part(*first, *first, low_tail, high_tail);
        return;
    }
    let (mut from, mut to) = (*first, *last);
    if low_tail != lowest {
        part(from, from, low_tail, &highest);
        from += 1;
    }
    let ragged_end = high_tail != highest;
    if ragged_end {
        to -= 1;
    }
    if from <= to {
        part(from, to, &lowest, &highest);
    }
    if ragged_end {
        part(*last, *last, &lowest, high_tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(parts: &[ByteRanges], c: char) -> usize {
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        let inside = |part: &&ByteRanges| {
            part.len() == bytes.len() && part.iter().zip(bytes).all(|(r, b)| r.0 <= *b && *b <= r.1)
        };
        parts.iter().filter(inside).count()
    }

    #[test]
    fn each_code_point_is_encoded_exactly_once() {
        let ranges = [
            ('a', 'z'),
            ('\0', '\u{10FFFF}'),
            ('é', 'é'),
            ('\u{7F0}', '\u{E012}'),
            ('€', '\u{1F600}'),
        ];
        for (low, high) in ranges {
            let parts = encodings(low, high);
            for c in '\0'..=char::MAX {
                let expected = usize::from(low <= c && c <= high);
                assert_eq!(matches(&parts, c), expected, "{c:?} in {low:?}..={high:?}");
            }
        }
    }

    #[test]
    fn complement_of_overlapping_ranges() {
        let ranges = [('c', 'f'), ('a', 'd'), ('\u{D000}', '\u{F000}')];
        let expected = [('\0', '`'), ('g', '\u{CFFF}'), ('\u{F001}', char::MAX)];
        assert_eq!(complement(&ranges), expected);
        let all = [('\0', '\u{D7FF}'), ('\u{E000}', char::MAX)];
        assert_eq!(complement(&[]), all);
    }
}
