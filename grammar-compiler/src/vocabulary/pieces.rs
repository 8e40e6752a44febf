//! How a token's text in a tokenizer's file stands for bytes.
//!
//! In: the text of one token. Out: its bytes. All kinds of files write tokens in one of these ways:
//! by GPT-2's characters for bytes, or as text with `▁` for a space and `<0xHH>` for a byte.

/// The character that stands for a space in SentencePiece's pieces.
pub(super) const SPACE: &str = "\u{2581}";

/// The bytes of a piece of byte-level BPE. A piece with a character outside the map is its own
/// text.
pub(super) fn byte_level(piece: &str) -> Vec<u8> {
    mapped(piece).unwrap_or_else(|| piece.as_bytes().to_vec())
}

/// The bytes of a piece of byte-level BPE; none if it has a character outside the map.
pub(super) fn mapped(piece: &str) -> Option<Vec<u8>> {
    piece.chars().map(byte_of).collect()
}

/// The bytes of a piece of SentencePiece: `▁` is a space.
pub(super) fn spaced(piece: &str) -> Vec<u8> {
    piece.replace(SPACE, " ").into_bytes()
}

/// The byte of `<0xHH>`.
pub(super) fn fallback_byte(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    let two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| two)
}

/// The byte that a character stands for in byte-level BPE. Printable characters of Latin-1 stand
/// for themselves; the other 68 bytes, in order, are the characters from U+0100 on.
pub(super) fn byte_of(character: char) -> Option<u8> {
    match u32::from(character) {
        code @ (0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF) => u8::try_from(code).ok(),
        code @ 0x100..=0x120 => u8::try_from(code - 0x100).ok(), // 0x00..=0x20
        code @ 0x121..=0x142 => u8::try_from(code - 0x121 + 0x7F).ok(), // 0x7F..=0xA0
        0x143 => Some(0xAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_level_map_is_a_bijection() {
        let mut seen = [false; 256];
        for code in 0..0x200 {
            if let Some(byte) = char::from_u32(code).and_then(byte_of) {
                assert!(!seen[usize::from(byte)], "byte {byte:#x} twice");
                seen[usize::from(byte)] = true;
            }
        }
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(byte_of('Ġ'), Some(b' '));
        assert_eq!(byte_of('Ċ'), Some(b'\n'));
        assert_eq!(byte_of('ĉ'), Some(b'\t'));
        assert_eq!(byte_of('Ń'), Some(0xAD));
        assert_eq!(byte_of('é'), Some(0xE9));
        assert_eq!(byte_level("Ġa"), b" a");
        assert_eq!(byte_level("Ġ日"), "Ġ日".as_bytes());
    }

    #[test]
    fn fallback_bytes_have_two_digits() {
        assert_eq!(fallback_byte("<0x0A>"), Some(10));
        assert_eq!(fallback_byte("<0xff>"), Some(255));
        for other in ["<0xA>", "<0x+A>", "<0x0A", "0x0A", "<0x00A>", "<0xÄ>"] {
            assert_eq!(fallback_byte(other), None, "{other}");
        }
    }
}
