//! Escapes in strings: the union of Python's as Lark reads them and JSON's.

use crate::error::Error;

/// The length of the string with its quotes at the beginning of `text`; `None` if it has no end on
/// its line.
pub(crate) fn quoted_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.first()?;
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => return None,
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => return None,
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// The text that `source` between two of `quote` means; it stands at byte `base`.
///
/// A backslash before a character that no dialect gives a meaning stands for itself, as in Lark.
pub(crate) fn string(source: &str, base: usize, quote: char) -> Result<String, Error> {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let place = base + source.len() - rest.len() + at;
        let behind = &rest[at + 1..];
        let Some(letter) = behind.chars().next() else {
            return Err(Error::new("a string ends in a backslash", place..place + 1)
                .help("write `\\\\` for a backslash"));
        };
        rest = &behind[letter.len_utf8()..];
        match letter {
            'x' => rest = coded(rest, 2, place, &mut text)?,
            'U' => rest = coded(rest, 8, place, &mut text)?,
            'u' => rest = unit(rest, place, &mut text)?,
            _ => match plain(letter) {
                Some(character) => text.push(character),
                None if letter == quote => text.push(letter),
                None => text.extend(['\\', letter]),
            },
        }
    }
    text.push_str(rest);
    Ok(text)
}

/// What a backslash and one letter mean.
fn plain(letter: char) -> Option<char> {
    Some(match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\u{c}',
        'b' => '\u{8}',
        '/' | '\\' | '"' => letter,
        _ => return None,
    })
}

/// The number of the next `digits` hexadecimal digits.
fn hexadecimal(rest: &str, digits: usize) -> Option<u32> {
    let digits = rest.get(..digits)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if all {
        u32::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

fn coded<'t>(rest: &'t str, digits: usize, at: usize, text: &mut String) -> Result<&'t str, Error> {
    let number = hexadecimal(rest, digits);
    let Some(character) = number.and_then(char::from_u32) else {
        let message = match number {
            Some(_) => "this escape is no character of Unicode".to_owned(),
            None => format!("expected {digits} hexadecimal digits after this escape"),
        };
        return Err(Error::new(message, at..at + 2));
    };
    text.push(character);
    Ok(&rest[digits..])
}

/// `\uXXXX`, or two of them that make one character.
fn unit<'t>(rest: &'t str, at: usize, text: &mut String) -> Result<&'t str, Error> {
    if let Some(high @ 0xd800..0xdc00) = hexadecimal(rest, 4) {
        let low = rest[4..]
            .strip_prefix("\\u")
            .and_then(|low| hexadecimal(low, 4));
        if let Some(low @ 0xdc00..0xe000) = low {
            let number = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            text.extend(char::from_u32(number));
            return Ok(&rest[10..]);
        }
    }
    coded(rest, 4, at, text)
}
