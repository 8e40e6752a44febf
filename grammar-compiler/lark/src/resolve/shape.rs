//! What Lark's regular expression of a terminal looks like: its length and the widths of its
//! matches, by which Lark orders alternatives and terminals.

use super::width::{Width, width};
use crate::UNBOUNDED;
use crate::syntax::tree::Repeat;
use maskwright_regular::Flags;

/// Lark's regular expression of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Its length without the flags around it.
    pub(super) length: usize,
    /// Its length as a part of another one.
    written: usize,
    pub(super) width: Width,
    flags: usize,
    /// Whether it matches the empty text for certain.
    pub(super) is_nullable: bool,
}

/// What one flag adds around an expression: `(?i:` and `)`.
const FLAG: usize = 5;

impl Shape {
    fn new(length: usize, escaped: usize, width: Width, flags: usize) -> Self {
        let written = escaped.saturating_add(FLAG * flags);
        Self {
            length,
            written,
            width,
            flags,
            is_nullable: false,
        }
    }

    fn nullable(self, is_nullable: bool) -> Self {
        Self {
            is_nullable,
            ..self
        }
    }

    pub(super) fn text(text: &str, ignore_case: bool) -> Self {
        let length = text.chars().count();
        let escaped = text
            .chars()
            .filter(|c| "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(*c));
        let width = (length as u64).min(UNBOUNDED);
        let width = Width {
            min: width,
            max: width,
        };
        Self::new(
            length,
            length + escaped.count(),
            width,
            usize::from(ignore_case),
        )
        .nullable(text.is_empty())
    }

    /// A range whose ends are `length` characters long as they are written.
    pub(super) fn range(length: usize) -> Self {
        Self::new(length + 3, length + 3, Width::ONE, 0)
    }

    pub(super) fn regex(source: &str, flags: Flags) -> Self {
        let Flags {
            ignore_case,
            multi_line,
            dot_all,
            verbose,
            ascii: _,
        } = flags;
        let count = [ignore_case, multi_line, dot_all, verbose]
            .into_iter()
            .filter(|flag| *flag);
        let (length, width) = (regex_length(source), width(source, flags));
        let is_nullable = width.min == 0 && !has_conditions(source);
        Self::new(length, length, width, count.count()).nullable(is_nullable)
    }

    /// What Lark has nothing like.
    pub(super) fn other(length: usize) -> Self {
        Self::new(
            length,
            length,
            Width {
                min: 0,
                max: UNBOUNDED,
            },
            0,
        )
    }

    pub(super) fn sequence(parts: &[Shape]) -> Self {
        let length = sum(parts);
        let width = parts
            .iter()
            .fold(Width::EMPTY, |width, part| width.then(part.width));
        let is_nullable = parts.iter().all(|part| part.is_nullable);
        Self::new(length, length, width, 0).nullable(is_nullable)
    }

    /// At least one of `parts`.
    pub(super) fn union(parts: &[Shape]) -> Self {
        let length = sum(parts).saturating_add(parts.len() + 3);
        let width = parts.iter().map(|part| part.width).reduce(Width::or);
        let is_nullable = parts.iter().any(|part| part.is_nullable);
        Self::new(length, length, width.unwrap_or(Width::EMPTY), 0).nullable(is_nullable)
    }

    pub(super) fn repeat(self, repeat: Repeat) -> Self {
        let length = self.written.saturating_add(4 + repeat.length);
        let max = repeat.max.map(u64::from);
        let width = self.width.repeated(u64::from(repeat.min), max);
        let is_nullable = self.is_nullable || repeat.min == 0;
        Self::new(length, length, width, self.flags).nullable(is_nullable)
    }

    pub(super) fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// A shape of that length with the same widths.
    pub(super) fn with_length(self, length: usize) -> Self {
        Self::new(length, length, self.width, self.flags).nullable(self.is_nullable)
    }

    /// The order in which Lark joins alternatives: least first.
    pub(super) fn order(&self) -> impl Ord + use<> {
        use std::cmp::Reverse;
        (
            Reverse(self.width.max),
            Reverse(self.width.min),
            Reverse(self.length),
        )
    }
}

fn sum(parts: &[Shape]) -> usize {
    parts
        .iter()
        .fold(0, |sum, part| sum.saturating_add(part.written))
}

/// Whether an expression may ask for more than its width tells: what stands around it, or what a
/// group has matched.
fn has_conditions(source: &str) -> bool {
    ["(?=", "(?!", "(?<", "(?P=", "(?(", "^", "$"]
        .iter()
        .any(|condition| source.contains(condition))
        || source.contains('\\')
}

/// The length of a regular expression after Lark has replaced the escapes that it shares with
/// strings. (Lark also drops one of an even number of backslashes before a `"`.)
fn regex_length(source: &str) -> usize {
    let mut length = 0usize;
    let mut is_after_pair = false;
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        let was_after_pair = std::mem::take(&mut is_after_pair);
        length += usize::from(!(character == '"' && was_after_pair));
        if character != '\\' {
            continue;
        }
        let escaped = characters.next();
        is_after_pair = escaped == Some('\\');
        let digits = match escaped {
            None | Some('n' | 'f' | 't' | 'r' | '"') => 0,
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(_) => {
                length += 1;
                0
            }
        };
        for _ in 0..digits {
            characters.next();
        }
    }
    length
}
