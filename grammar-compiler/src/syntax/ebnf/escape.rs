//! Escapes in literals and classes.
//!
//! In: text that begins with a backslash. Out: the character, and the number of bytes that spell
//! it.

use crate::error::{Code, Diagnostic};
use crate::source::Span;

/// An escape that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Escape {
    pub(super) character: char,
    /// Bytes of the source, the backslash included.
    pub(super) bytes: usize,
}

/// Reads the escape at the start of `text`, which lies at `offset` in the source.
pub(super) fn read(text: &str, offset: usize) -> Result<Escape, Diagnostic> {
    let Some(letter) = text.chars().nth(1) else {
        return Err(
            bad(offset, 1, "this backslash escapes nothing").help("write `\\\\` for a backslash")
        );
    };
    let simple = |character| {
        Ok(Escape {
            character,
            bytes: 2,
        })
    };
    match letter {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{C}'),
        'v' => simple('\u{B}'),
        'a' => simple('\u{7}'),
        'e' => simple('\u{1B}'),
        '0' => simple('\0'),
        'x' => hexadecimal(text, offset, 2),
        'u' => utf16(text, offset),
        'U' => hexadecimal(text, offset, 8),
        _ if letter.is_ascii_punctuation() => simple(letter),
        _ => Err(bad(offset, 1 + letter.len_utf8(), &format!("`\\{letter}` is not an escape"))
            .help("write `\\\\` for a backslash, or `\\xHH`, `\\uHHHH` or `\\UHHHHHHHH` for a character by its number")),
    }
}

fn bad(offset: usize, bytes: usize, message: &str) -> Diagnostic {
    Diagnostic::error(Code::BadEscape, message).at(Span::new(offset, offset + bytes), "")
}

/// The number written with `digits` digits behind the two bytes of the escape.
fn number(text: &str, offset: usize, digits: usize) -> Result<u32, Diagnostic> {
    let written = text.get(2..).unwrap_or("");
    let found = written
        .bytes()
        .take(digits)
        .take_while(u8::is_ascii_hexdigit)
        .count();
    if found < digits {
        let message = format!("this escape needs {digits} hexadecimal digits and has {found}");
        return Err(bad(offset, 2 + found, &message).help("fill up with zeros on the left"));
    }
    u32::from_str_radix(written.get(..digits).unwrap_or(""), 16)
        .map_err(|_| bad(offset, 2 + digits, "this is not a hexadecimal number"))
}

fn hexadecimal(text: &str, offset: usize, digits: usize) -> Result<Escape, Diagnostic> {
    let value = number(text, offset, digits)?;
    match char::from_u32(value) {
        Some(character) => Ok(Escape {
            character,
            bytes: 2 + digits,
        }),
        None => Err(not_a_character(value, offset, 2 + digits)),
    }
}

fn not_a_character(value: u32, offset: usize, bytes: usize) -> Diagnostic {
    if (0xD800..0xE000).contains(&value) {
        let message = format!("U+{value:04X} is half of a surrogate pair, not a character");
        let help = "write both halves, as in `\\uD83D\\uDE00`, or the character's own number, as in `\\U0001F600`";
        return bad(offset, bytes, &message).help(help);
    }
    bad(offset, bytes, &format!("U+{value:X} is not a character"))
        .help("the last character is U+10FFFF")
}

/// `\uHHHH`, or two of them that are one character in UTF-16.
fn utf16(text: &str, offset: usize) -> Result<Escape, Diagnostic> {
    let value = number(text, offset, 4)?;
    if let Some(character) = char::from_u32(value) {
        return Ok(Escape {
            character,
            bytes: 6,
        });
    }
    let low = text
        .get(6..)
        .filter(|rest| rest.starts_with("\\u"))
        .map(|rest| number(rest, offset, 4));
    let pair = [Some(value), low.and_then(Result::ok)]
        .map(|half| half.and_then(|half| u16::try_from(half).ok()));
    if let [Some(high), Some(low)] = pair
        && let Some(Ok(character)) = char::decode_utf16([high, low]).next()
    {
        return Ok(Escape {
            character,
            bytes: 12,
        });
    }
    Err(not_a_character(value, offset, 6))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Option<(char, usize)> {
        read(text, 0)
            .ok()
            .map(|escape| (escape.character, escape.bytes))
    }

    #[test]
    fn reads_every_escape() {
        let simple: String = r"n r t b f v a e 0 \ ' / ] [ - ^ ."
            .split(' ')
            .filter_map(|letter| one(&format!("\\{letter}")).map(|(character, _)| character))
            .collect();
        assert_eq!(simple, "\n\r\t\u{8}\u{C}\u{B}\u{7}\u{1B}\0\\'/][-^.");
        assert_eq!(one(r"\x41B"), Some(('A', 4)));
        assert_eq!(one(r"\u00e9"), Some(('é', 6)));
        assert_eq!(one(r"\U0001F600x"), Some(('😀', 10)));
        assert_eq!(one(r"\uD83D\uDE00"), Some(('😀', 12)));
    }

    #[test]
    fn refuses_what_is_no_character() {
        for text in [
            r"\",
            r"\q",
            r"\é",
            r"\x4",
            r"\xg0",
            r"\u12",
            r"\uD83D",
            r"\uD83Dx",
            r"\uD83D\u0041",
            r"\uDE00\uD83D",
            r"\U00110000",
            r"\U0000D800",
        ] {
            assert_eq!(one(text), None, "{text}");
        }
    }
}
