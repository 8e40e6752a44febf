//! How long the matches of a regular expression are, as Python's `re` reckons it.
//!
//! Lark orders terminals by it. What is not understood counts as one character: whether an
//! expression is valid is for a later stage to say.

use crate::UNBOUNDED;
use maskwright_regular::Flags;

/// The shortest and the longest match, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    pub(super) min: u64,
    pub(super) max: u64,
}

impl Width {
    pub(super) const EMPTY: Self = Self { min: 0, max: 0 };
    pub(super) const ONE: Self = Self { min: 1, max: 1 };

    /// Both, one behind the other.
    pub(super) fn then(self, next: Self) -> Self {
        let sum = |a: u64, b: u64| (a + b).min(UNBOUNDED);
        Self {
            min: sum(self.min, next.min),
            max: sum(self.max, next.max),
        }
    }

    /// One of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    pub(super) fn repeated(self, min: u64, max: Option<u64>) -> Self {
        let times = |width: u64, count: u64| width.saturating_mul(count).min(UNBOUNDED);
        Self {
            min: times(self.min, min),
            max: times(self.max, max.unwrap_or(UNBOUNDED)),
        }
    }
}

/// A group that is open: what its alternatives before the last are, and the last as far as read.
struct Group {
    before: Option<Width>,
    current: Width,
    /// Whether it matches no text, as lookaround does.
    is_look: bool,
}

impl Group {
    fn new(is_look: bool) -> Self {
        Self {
            before: None,
            current: Width::EMPTY,
            is_look,
        }
    }

    fn width(&self) -> Width {
        match self.before {
            _ if self.is_look => Width::EMPTY,
            Some(before) => before.or(self.current),
            None => self.current,
        }
    }
}

/// The width of an expression in the syntax of Python's `re`.
pub(super) fn width(source: &str, flags: Flags) -> Width {
    let mut groups = vec![Group::new(false)];
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let (length, atom) = match first {
            '(' => {
                let (length, is_look, is_group) = group_head(rest);
                if is_group {
                    groups.push(Group::new(is_look));
                    at += length;
                    continue;
                }
                (length, Width::EMPTY)
            }
            ')' => match groups.len() {
                0 | 1 => (1, Width::EMPTY),
                _ => (1, groups.pop().map_or(Width::EMPTY, |group| group.width())),
            },
            '|' => {
                if let Some(group) = groups.last_mut() {
                    let before = group.before.map_or(group.current, |b| b.or(group.current));
                    group.before = Some(before);
                    group.current = Width::EMPTY;
                }
                (1, Width::EMPTY)
            }
            '[' => (class_length(rest), Width::ONE),
            '\\' => escape(rest),
            '^' | '$' => (1, Width::EMPTY),
            ' ' | '\t' | '\n' | '\r' if flags.verbose => (1, Width::EMPTY),
            '#' if flags.verbose => (rest.find('\n').unwrap_or(rest.len()), Width::EMPTY),
            _ => (first.len_utf8(), Width::ONE),
        };
        at += length;
        let (length, atom) = repeated(&source[at..], atom);
        at += length;
        if let Some(group) = groups.last_mut() {
            group.current = group.current.then(atom);
        }
    }
    groups
        .iter()
        .fold(Width::EMPTY, |sum, group| sum.then(group.width()))
}

/// Whether `text` begins an operator: its length, and what it makes of `atom`.
fn repeated(text: &str, atom: Width) -> (usize, Width) {
    let (length, min, max) = match text.as_bytes().first() {
        Some(b'?') => (1, 0, Some(1)),
        Some(b'*') => (1, 0, None),
        Some(b'+') => (1, 1, None),
        Some(b'{') => match counts(text) {
            Some(counts) => counts,
            None => return (0, atom),
        },
        _ => return (0, atom),
    };
    let lazy = usize::from(text[length..].starts_with(['?', '+']));
    (length + lazy, atom.repeated(min, max))
}

/// `{2}`, `{2,}`, `{,3}` or `{2,3}`: its length and counts.
fn counts(text: &str) -> Option<(usize, u64, Option<u64>)> {
    let end = text.bytes().take(24).position(|byte| byte == b'}')?;
    let (low, high) = match text[1..end].split_once(',') {
        Some((low, high)) => (low, high),
        None => (&text[1..end], &text[1..end]),
    };
    let min = if low.is_empty() { 0 } else { low.parse().ok()? };
    let max = if high.is_empty() {
        None
    } else {
        Some(high.parse().ok()?)
    };
    (end > 1).then_some((end + 1, min, max))
}

/// What `(` begins: its length, whether it is lookaround, and whether it is a group.
fn group_head(text: &str) -> (usize, bool, bool) {
    let Some(behind) = text.strip_prefix("(?") else {
        return (1, false, true);
    };
    let to = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    match behind.as_bytes() {
        [b'=' | b'!', ..] => (3, true, true),
        [b'<', b'=' | b'!', ..] => (4, true, true),
        [b':' | b'>', ..] => (3, false, true),
        [b'P', b'<', ..] => (to(">"), false, true),
        [b'#' | b'P', ..] => (to(")"), false, false),
        _ => {
            let flags = behind
                .bytes()
                .take_while(|b| b.is_ascii_alphabetic() || *b == b'-')
                .count();
            match behind.as_bytes().get(flags) {
                Some(b':') => (3 + flags, false, true),
                Some(b')') => (3 + flags, false, false),
                _ => (2, false, true),
            }
        }
    }
}

/// The length of the class at the beginning of `text`.
fn class_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1 + usize::from(bytes.get(1) == Some(&b'^'));
    at += usize::from(bytes.get(at) == Some(&b']'));
    while let Some(byte) = bytes.get(at) {
        match byte {
            b']' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// The length and width of the escape at the beginning of `text`.
fn escape(text: &str) -> (usize, Width) {
    let Some(letter) = text[1..].chars().next() else {
        return (1, Width::EMPTY);
    };
    let digits = |most: usize| {
        text[2..]
            .bytes()
            .take(most)
            .take_while(u8::is_ascii_hexdigit)
            .count()
    };
    match letter {
        'b' | 'B' | 'A' | 'Z' => (2, Width::EMPTY),
        'x' => (2 + digits(2), Width::ONE),
        'u' => (2 + digits(4), Width::ONE),
        'U' => (2 + digits(8), Width::ONE),
        'p' | 'P' if text[2..].starts_with('{') => {
            (text.find('}').map_or(text.len(), |at| at + 1), Width::ONE)
        }
        _ => (1 + letter.len_utf8(), Width::ONE),
    }
}
