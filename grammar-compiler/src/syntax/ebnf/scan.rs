//! The ends of words that are skipped as a whole.
//!
//! In: the rest of a text. Out: the number of bytes up to the end of the word that it begins with,
//! or up to the next place at which reading goes on.

use crate::syntax::regex::posix_class;

/// The first place from `at` on that is neither white space nor in a comment.
pub(super) fn skip_space(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'#') => {
                while bytes
                    .get(at)
                    .is_some_and(|byte| !matches!(byte, b'\r' | b'\n'))
                {
                    at += 1;
                }
            }
            _ => return at,
        }
    }
}

/// The length of the JSON object at the start of `text`.
pub(super) fn json_length(text: &str) -> Option<usize> {
    let (mut open, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open += 1,
            b'}' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The length of the pattern between the slash at the start of `text` and the slash that ends it.
pub(super) fn regex_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut in_class = false;
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\n' | b'\r' => return None,
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            b'[' if in_class => at += posix_class(text.get(at..)?).map_or(0, |length| length - 1),
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some(at - 1),
            _ => {}
        }
        at += 1;
    }
}
