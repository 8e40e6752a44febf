//! How much of a delimiter a text ends with.
//!
//! In: the bytes of a delimiter. Out: [`Matched`]. What holds: it takes time linear in the
//! delimiter's length to make, and a byte takes few steps.

/// How much of an end a text ends with (Knuth, Morris and Pratt, "Fast pattern matching in
/// strings", 1977).
pub(super) struct Matched<'e> {
    end: &'e [u8],
    /// For each length of a beginning of the end, the length of the longest shorter one that it
    /// ends with.
    shorter: Vec<usize>,
    /// The same, of those behind which another byte stands: where to look when the byte is not the
    /// one behind this beginning.
    other: Vec<usize>,
}

impl<'e> Matched<'e> {
    pub(super) fn new(end: &'e [u8]) -> Self {
        let mut matched = Matched {
            end,
            shorter: vec![0; end.len() + 1],
            other: vec![0; end.len() + 1],
        };
        for length in 1..=end.len() {
            if length > 1 {
                let before = matched.shorter[length - 1];
                matched.shorter[length] = matched.step(before, end[length - 1]);
            }
            let shorter = matched.shorter[length];
            matched.other[length] = match end.get(length) == end.get(shorter) {
                true => matched.other[shorter],
                false => shorter,
            };
        }
        matched
    }

    /// The length of the longest text but the end itself that the end begins and ends with.
    pub(super) fn border(&self) -> usize {
        self.shorter.last().copied().unwrap_or(0)
    }

    /// The length behind one more byte.
    pub(super) fn step(&self, mut length: usize, byte: u8) -> usize {
        while self.end.get(length) != Some(&byte) {
            match length {
                0 => return 0,
                _ => length = self.other[length],
            }
        }
        length + 1
    }

    /// For each length whether the end, written behind a text that ends with so many bytes of it,
    /// is complete before its last byte: it is if some beginning that these bytes end with can be
    /// put before the end, so that the end is moved by its length.
    pub(super) fn early(&self) -> Vec<bool> {
        let mut early = vec![false; self.end.len() + 1];
        let mut border = self.end.len();
        while border > 0 {
            border = self.shorter[border];
            early[self.end.len() - border] = true;
        }
        for length in 1..early.len() {
            early[length] |= early[self.shorter[length]];
        }
        early
    }
}

#[cfg(test)]
mod tests {
    use super::Matched;

    #[test]
    fn ends_that_are_complete_early_are_found_for_each_length() {
        for end in [
            "a", "ab", "aa", "aaa", "aab", "aba", "abab", "abaab", "abcabcab", "aabaaab",
        ] {
            let end = end.as_bytes();
            let matched = Matched::new(end);
            let borders = (0..end.len()).rev().find(|&at| end.ends_with(&end[..at]));
            assert_eq!(matched.border(), borders.unwrap_or(0));
            let early = matched.early();
            for length in 0..end.len() {
                let text = [&end[..length], end].concat();
                let all_but_last = &text[..text.len() - 1];
                let is_early = all_but_last.windows(end.len()).any(|part| part == end);
                assert_eq!(early[length], is_early, "{end:?} {length}");
                for byte in b"abc" {
                    let text = [&end[..length], &[*byte]].concat();
                    let longest = (0..=text.len())
                        .rev()
                        .find(|&at| at <= end.len() && text.ends_with(&end[..at]));
                    assert_eq!(matched.step(length, *byte), longest.unwrap_or(0));
                }
            }
        }
    }
}
