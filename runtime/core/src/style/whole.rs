//! Whether a text is JSON.
//!
//! In: a text. Out: whether it is one JSON value. What holds: the text is read once, without
//! memory; a value whose brackets lie in one another more than 128 deep counts as none.

/// Brackets that may be open at once: as many as a number has bits that say which of them are
/// braces.
const MAX_OPEN: u32 = u128::BITS;

/// Elements, and brackets, may lie in one another no deeper than this where they are read as JSON.
#[cfg(feature = "alloc")]
pub(super) const MAX_DEPTH: usize = 128;

/// Whether a text is one JSON value, blanks around it left out.
pub(super) fn is_json(text: &str) -> bool {
    read(text.as_bytes()).is_some_and(|rest| rest.is_empty())
}

/// What follows the value at the beginning of a text.
fn read(text: &[u8]) -> Option<&[u8]> {
    // The innermost open bracket is the lowest bit: 1 for a brace.
    let (mut open, mut braces) = (0, 0u128);
    let mut rest = without_blanks(text);
    loop {
        rest = match rest {
            [bracket @ (b'{' | b'['), inner @ ..] => {
                if open == MAX_OPEN {
                    return None;
                }
                let is_brace = *bracket == b'{';
                (open, braces) = (open + 1, braces << 1 | u128::from(is_brace));
                let inner = without_blanks(inner);
                match inner {
                    [b'}' | b']', ..] => inner,
                    _ if is_brace => {
                        rest = without_blanks(key(inner)?);
                        continue;
                    }
                    _ => {
                        rest = inner;
                        continue;
                    }
                }
            }
            [b'"', ..] => string(rest)?,
            _ => word(rest)?,
        };
        // Behind a value: brackets that close, then a comma or the end.
        loop {
            rest = without_blanks(rest);
            if open == 0 {
                return Some(rest);
            }
            let is_brace = braces & 1 == 1;
            match rest {
                [b',', behind @ ..] => {
                    let behind = without_blanks(behind);
                    let value = if is_brace { key(behind)? } else { behind };
                    rest = without_blanks(value);
                    break;
                }
                [b'}', behind @ ..] if is_brace => rest = behind,
                [b']', behind @ ..] if !is_brace => rest = behind,
                _ => return None,
            }
            (open, braces) = (open - 1, braces >> 1);
        }
    }
}

/// What follows a key and its colon.
fn key(text: &[u8]) -> Option<&[u8]> {
    without_blanks(string(text)?).strip_prefix(b":")
}

/// What follows the string at the beginning of a text.
fn string(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.strip_prefix(b"\"")?;
    loop {
        rest = match rest {
            [b'"', behind @ ..] => return Some(behind),
            [b'\\', b'u', a, b, c, d, behind @ ..]
                if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) =>
            {
                behind
            }
            [
                b'\\',
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                behind @ ..,
            ] => behind,
            [b'\\', ..] => return None,
            [byte, behind @ ..] if *byte >= b' ' => behind,
            _ => return None,
        };
    }
}

/// What follows the number or the word at the beginning of a text.
fn word(text: &[u8]) -> Option<&[u8]> {
    let words: [&[u8]; 3] = [b"null", b"true", b"false"];
    if let Some(behind) = words.into_iter().find_map(|word| text.strip_prefix(word)) {
        return Some(behind);
    }
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let mut rest = match unsigned {
        [b'0', behind @ ..] => behind,
        _ => digits(unsigned)?,
    };
    if let [b'.', fraction @ ..] = rest {
        rest = digits(fraction)?;
    }
    match rest {
        [b'e' | b'E', b'+' | b'-', power @ ..] | [b'e' | b'E', power @ ..] => digits(power),
        _ => Some(rest),
    }
}

/// What follows digits, of which there is at least one.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then(|| text.get(count..)).flatten()
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let blanks = text.iter().take_while(is_blank).count();
    text.get(blanks..).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn json_is_told_from_what_looks_like_it() {
        let json = [
            "null",
            " true ",
            "-0.5e+3",
            "10",
            "\"a\\u00e9\\n\"",
            "[]",
            "{ }",
            "[1, [2], {}]",
            "{\"a\": {\"b\": [null, \"]\"]}, \"c\": 1}",
        ];
        for text in json {
            assert!(is_json(text), "{text}");
        }
        let other = [
            "",
            "nul",
            "01",
            "1.",
            "-",
            "1e",
            "+1",
            "[1][1]",
            "{}{}",
            "[1,]",
            "[,1]",
            "{\"a\"}",
            "{\"a\":}",
            "{a: 1}",
            "[1}",
            "{\"a\":1]",
            "]",
            "[",
            "\"",
            "\"\n\"",
            "\"\\x\"",
            "[a b]",
            "1 2",
        ];
        for text in other {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn brackets_are_counted_up_to_a_bound() {
        extern crate std;
        let nested = |depth: usize| std::format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(is_json(&nested(128)));
        assert!(!is_json(&nested(129)));
    }
}
