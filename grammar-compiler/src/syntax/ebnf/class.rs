//! Character classes: `[a-z]`.
//!
//! In: text that begins with `[`. Out: the ranges, sorted and merged, not empty, and the number of
//! bytes that spell the class.

use super::escape;
use crate::error::{Code, Diagnostic};
use crate::grammar::characters::complement;
use crate::source::Span;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// A class that was read.
pub(super) struct CharClass {
    pub(super) ranges: Vec<(char, char)>,
    /// Bytes of the source, both brackets included.
    pub(super) bytes: usize,
    /// What is wrong with its parts; the class is still usable for going on.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads the class at the start of `text`, which lies at `offset` in the source.
///
/// # Errors
/// If the class does not end.
pub(super) fn read(text: &str, offset: usize) -> Result<CharClass, Diagnostic> {
    let mut reader = ClassReader {
        text,
        offset,
        at: 1,
        ranges: Vec::new(),
        diagnostics: Vec::new(),
    };
    let negated = reader.rest().starts_with('^');
    if negated {
        reader.at += 1;
    }
    loop {
        match reader.rest().chars().next() {
            None => {
                return Err(
                    Diagnostic::error(Code::UnclosedClass, "this class is never closed")
                        .at(Span::new(offset, offset + 1), "opened here")
                        .help("close it with `]`; inside a class a bracket is written `\\]`"),
                );
            }
            Some(']') => break,
            Some(_) => reader.item(),
        }
    }
    let span = Span::new(offset, offset + reader.at + 1);
    if reader.at == 1 {
        reader.diagnostics.push(
            Diagnostic::error(
                Code::EmptyClass,
                "this class contains no character, so nothing can match it",
            )
            .at(span, "")
            .help("write `\"\"` for the empty text, or `[^]` for any character"),
        );
    }
    let set = ClassUnicode::new(reader.ranges);
    let mut ranges: Vec<_> = set.iter().map(|r| (r.start(), r.end())).collect();
    if negated {
        ranges = complement(ranges);
        if ranges.is_empty() {
            reader.diagnostics.push(
                Diagnostic::error(
                    Code::EmptyClass,
                    "this class excludes every character, so nothing can match it",
                )
                .at(span, ""),
            );
        }
    }
    Ok(CharClass {
        ranges,
        bytes: reader.at + 1,
        diagnostics: reader.diagnostics,
    })
}

struct ClassReader<'s> {
    text: &'s str,
    offset: usize,
    at: usize,
    ranges: Vec<ClassUnicodeRange>,
    diagnostics: Vec<Diagnostic>,
}

impl ClassReader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.offset + start, self.offset + self.at)
    }

    /// One character, range or predefined class.
    fn item(&mut self) {
        let start = self.at;
        if let Some(class) = predefined(self.rest()) {
            self.at += 2;
            let ranges = class.into_iter();
            self.ranges
                .extend(ranges.map(|(first, last)| ClassUnicodeRange::new(first, last)));
            return;
        }
        let first = self.character();
        let rest = self.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") || rest.len() == 1 {
            self.add(first, first);
            return;
        }
        self.at += 1;
        if predefined(self.rest()).is_some() {
            self.at += 2;
            let message = "a range must end with one character";
            self.diagnostics.push(
                Diagnostic::error(Code::InvalidRange, message)
                    .at(self.span_from(start), "")
                    .help("write `\\-` for the character `-`"),
            );
            return;
        }
        let last = self.character();
        if let (Some(first), Some(last)) = (first, last)
            && first > last
        {
            let message = format!("the range from {first:?} to {last:?} is empty");
            let turned = self.slice(start);
            self.diagnostics.push(
                Diagnostic::error(Code::InvalidRange, message)
                    .at(self.span_from(start), "")
                    .help(format!("put the smaller character first, or write `\\-` for the character `-` in `{turned}`")),
            );
            return;
        }
        self.add(first, last);
    }

    fn slice(&self, start: usize) -> String {
        self.text.get(start..self.at).unwrap_or("").to_owned()
    }

    fn add(&mut self, first: Option<char>, last: Option<char>) {
        if let (Some(first), Some(last)) = (first, last) {
            self.ranges.push(ClassUnicodeRange::new(first, last));
        }
    }

    /// One character, perhaps escaped; nothing, and a diagnostic, if it is no character.
    fn character(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        if next != '\\' {
            self.at += next.len_utf8();
            return Some(next);
        }
        match escape::read(self.rest(), self.offset + self.at) {
            Ok(escape) => {
                self.at += escape.bytes;
                Some(escape.character)
            }
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                self.at += 1;
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                None
            }
        }
    }
}

/// `\d`, `\w`, `\s`, which are ASCII, and their negations.
fn predefined(text: &str) -> Option<Vec<(char, char)>> {
    let letter = text.strip_prefix('\\')?.chars().next()?;
    let ranges: &[(char, char)] = match letter.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        's' => &[('\t', '\r'), (' ', ' ')],
        _ => return None,
    };
    let ranges = ranges.iter().copied();
    Some(match letter.is_ascii_uppercase() {
        true => complement(ranges),
        false => ranges.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> Vec<(char, char)> {
        let class = read(text, 0)
            .ok()
            .filter(|class| class.diagnostics.is_empty());
        class.map(|class| class.ranges).unwrap_or_default()
    }

    #[test]
    fn a_dash_is_a_range_only_between_two_characters() {
        assert_eq!(class("[a-c]"), [('a', 'c')]);
        assert_eq!(class("[-a]"), [('-', '-'), ('a', 'a')]);
        assert_eq!(class("[a-]"), [('-', '-'), ('a', 'a')]);
        assert_eq!(class("[--/]"), [('-', '/')]);
        assert_eq!(class("[+--]"), [('+', '-')]);
        assert_eq!(class("[--]"), [('-', '-')]);
        assert_eq!(class("[a-c-9]"), [('-', '-'), ('9', '9'), ('a', 'c')]);
        assert_eq!(class(r"[\--\]]"), [('-', ']')]);
    }

    #[test]
    fn ranges_are_sorted_and_merged() {
        assert_eq!(class("[d-fa-cxb-d]"), [('a', 'f'), ('x', 'x')]);
        assert_eq!(class("[^b-\u{10FFFF}]"), [('\0', 'a')]);
        assert_eq!(class("[^]"), [('\0', char::MAX)]);
        assert_eq!(class(r"[\d\s]"), [('\t', '\r'), (' ', ' '), ('0', '9')]);
        assert_eq!(class(r"[^\D]"), [('0', '9')]);
        assert_eq!(
            class(r"[^\x00-\uD7FF\uE000-\U0010FFFE]"),
            [(char::MAX, char::MAX)]
        );
    }

    #[test]
    fn refuses_what_contains_nothing() {
        for text in [
            "[]",
            r"[^\s\S]",
            r"[^\x00-\uD7FF\uE000-\U0010FFFF]",
            "[z-a]",
            r"[a-\d]",
            r"[\q]",
        ] {
            assert_eq!(class(text), [], "{text}");
        }
        assert!(read("[a", 0).is_err());
        assert!(read("[a-", 0).is_err());
        assert!(read("[\\", 0).is_err());
    }
}
