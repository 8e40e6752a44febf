//! Literals of a format in a text that may still grow.
//!
//! In: a literal, and a text of which bytes before a position are read. Out: whether the literal
//! stands there, or that the text ends before that is known. Nothing here looks at a byte of the
//! text that earlier calls have matched.

/// Whether something is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is there.
    Yes,
    /// It is not there, however the text goes on.
    No,
    /// The text ends, and could go on so that it is there.
    Cut,
}

/// Whether a byte is a blank of a format: a space, a tab, a line feed or a carriage return.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The first byte from `at` on that is no blank, or the text's end.
pub(super) fn behind_blanks(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
    at.saturating_add(blanks)
}

/// Whether a literal stands at a position, byte by byte.
pub(super) fn stands(literal: &str, text: &str, at: usize) -> Found {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let literal = literal.as_bytes();
    if rest.starts_with(literal) {
        Found::Yes
    } else if literal.starts_with(rest) {
        Found::Cut
    } else {
        Found::No
    }
}

/// Whether a literal stands at a position, with any blanks, or none, for each run of blanks in it.
/// `matched` counts the bytes of the literal that are matched, and `at` moves behind the bytes of
/// the text that they took: with both kept, the next call goes on where this one stopped.
pub(super) fn matches(
    literal: &str,
    text: &str,
    (matched, at): (&mut usize, &mut usize),
    is_finished: bool,
) -> Found {
    let text = text.as_bytes();
    while let Some(&expected) = literal.as_bytes().get(*matched) {
        let next = text.get(*at).copied();
        match next {
            Some(byte) if is_blank(expected) && is_blank(byte) => *at += 1,
            None if is_blank(expected) && !is_finished => return Found::Cut,
            _ if is_blank(expected) => *matched += 1,
            Some(byte) if byte == expected => {
                *matched += 1;
                *at += 1;
            }
            Some(_) => return Found::No,
            None => return Found::Cut,
        }
    }
    Found::Yes
}

/// The first run of a literal that has no blanks.
pub(super) fn head(literal: &str) -> &str {
    let mut runs = literal.split(|char: char| u8::try_from(char).is_ok_and(is_blank));
    runs.find(|run| !run.is_empty()).unwrap_or_default()
}

/// Where one of some literals is complete first, from a position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// It begins and ends here. Of those that are complete at one byte, this one began first.
    At(usize, usize),
    /// None is complete. Those that the text ends within begin here or behind; if there are none,
    /// this is the text's end.
    None(usize),
}

/// Searches for literals. Empty ones are nowhere. Takes time in proportion to the rest of the text
/// and the length of the literals.
pub(super) fn search(literals: &[&str], text: &str, from: usize) -> Search {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    for (last, byte) in rest.iter().enumerate() {
        let until = rest.get(..=last).unwrap_or_default();
        let ending = literals.iter().map(|literal| literal.as_bytes());
        let longest = ending
            .filter(|literal| literal.last() == Some(byte) && until.ends_with(literal))
            .map(<[u8]>::len)
            .max();
        if let Some(length) = longest {
            let end = from.saturating_add(until.len());
            return Search::At(end.saturating_sub(length), end);
        }
    }
    let longest = literals.iter().map(|literal| literal.len()).max();
    let suffixes = rest.len().min(longest.unwrap_or(0));
    let cut = (1..=suffixes).rev().find(|length| {
        let suffix = rest
            .get(rest.len().saturating_sub(*length)..)
            .unwrap_or_default();
        literals
            .iter()
            .any(|literal| literal.as_bytes().starts_with(suffix))
    });
    Search::None(text.len().saturating_sub(cut.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(literal: &str, text: &str, is_finished: bool) -> (Found, usize) {
        let (mut matched, mut at) = (0, 0);
        let found = matches(literal, text, (&mut matched, &mut at), is_finished);
        (found, at)
    }

    #[test]
    fn blanks_match_any_blanks() {
        assert_eq!(matched("a \nb", "ab", false), (Found::Yes, 2));
        assert_eq!(matched("a b", "a\t\r\n bc", false), (Found::Yes, 6));
        assert_eq!(matched("ab", "a b", false), (Found::No, 1));
        assert_eq!(matched("a ", "a ", false), (Found::Cut, 2));
        assert_eq!(matched("a ", "a ", true), (Found::Yes, 2));
        assert_eq!(matched("a b", "a ", true), (Found::Cut, 2));
        assert_eq!(
            (head(" \n``` x"), head("\n "), head("ab c")),
            ("```", "", "ab")
        );
    }

    #[test]
    fn the_first_that_is_complete_is_found() {
        let all = ["abc", "bc", "b!", "<é>"];
        assert_eq!(search(&all, "xabc", 0), Search::At(1, 4));
        assert_eq!(search(&all, "xabc", 2), Search::At(2, 4));
        assert_eq!(search(&all, "abb!", 0), Search::At(2, 4));
        assert_eq!(search(&all, "bab", 0), Search::None(1));
        assert_eq!(search(&all, "xx<é", 0), Search::None(2));
        assert_eq!(search(&all, "xx", 0), Search::None(2));
        assert_eq!(search(&["", "a"], "xx", 9), Search::None(2));
    }
}
