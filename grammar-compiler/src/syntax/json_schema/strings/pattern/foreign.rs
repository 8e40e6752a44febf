//! Syntax that ECMA-262 does not allow under the flag `u`.
//!
//! Annex B of the standard takes some of this syntax for the characters themselves. This parser
//! does the same, with a doubt, if no other dialect gives the syntax another meaning. It is an
//! error if most dialects do, as with `{,3}` (up to three times) and `[[:alpha:]]` (the letters):
//! the author surely meant that meaning.

use super::PatternError;
use super::parser::Parser;
use crate::syntax::slashes::between_slashes;
use std::ops::Range;

/// The classes of POSIX, and what ECMA-262 writes for them between brackets.
const POSIX: [(&str, &str); 14] = [
    ("alnum", "A-Za-z0-9"),
    ("alpha", "A-Za-z"),
    ("ascii", "\\x00-\\x7f"),
    ("blank", " \\t"),
    ("cntrl", "\\x00-\\x1f\\x7f"),
    ("digit", "0-9"),
    ("graph", "!-~"),
    ("lower", "a-z"),
    ("print", " -~"),
    ("punct", "!-\\/:-@\\[-`{-~"),
    ("space", "\\s"),
    ("upper", "A-Z"),
    ("word", "\\w"),
    ("xdigit", "0-9A-Fa-f"),
];

impl Parser<'_> {
    /// Refuses what other dialects read otherwise, and doubts what stands for itself, where a term
    /// begins.
    pub(super) fn check_foreign(&mut self, c: char) -> Result<(), PatternError> {
        let here = self.at..self.at + 1;
        match c {
            '{' => match self.almost_counts() {
                Some((length, help)) => {
                    let end = self.at + length;
                    let text = &self.text[self.at..end];
                    let message = format!("`{text}` is no quantifier in ECMA-262");
                    return Err(self.error(self.at..end, &message, &help));
                }
                None => self.itself(here, c),
            },
            ']' => match self.posix.take() {
                Some(error) => return Err(error),
                None => self.itself(here, c),
            },
            '}' => self.itself(here, c),
            _ => {}
        }
        Ok(())
    }

    /// Braces that nearly are a quantifier: their length, and what is likely meant.
    fn almost_counts(&self) -> Option<(usize, String)> {
        let (inside, _) = self.rest().strip_prefix('{')?.split_once('}')?;
        let is_count = |c: char| c.is_ascii_digit() || c == ',' || c.is_whitespace();
        let is_near = inside.contains(|c: char| c.is_ascii_digit() || c == ',');
        if !inside.chars().all(is_count) || !is_near || self.counts().is_some() {
            return None;
        }
        let plain: String = inside.chars().filter(|c| !c.is_whitespace()).collect();
        let plain = match plain.strip_prefix(',') {
            Some(most) => format!("0,{most}"),
            None => plain,
        };
        let help = format!("write `{{{plain}}}`, or `\\{{` for the character itself");
        Some((inside.len() + 2, help))
    }

    /// Notes a class of POSIX that begins with `c`, a member of a class at `start`.
    pub(super) fn note_posix(&mut self, c: char, start: usize) {
        let Some(rest) = self.rest().strip_prefix(':').filter(|_| c == '[') else {
            return;
        };
        let Some((name, _)) = rest.split_once(":]") else {
            return;
        };
        let plain = name.strip_prefix('^').unwrap_or(name);
        let Some(&(_, meant)) = POSIX.iter().find(|known| known.0 == plain) else {
            return;
        };
        let end = start + name.len() + 4;
        let message = format!("`[:{name}:]` is no class of characters in ECMA-262");
        let help = match plain == name {
            true => format!("write `{meant}` in its place"),
            false => format!("write a class of its own, `[^{meant}]`"),
        };
        let error = self.error(start..end, &message, &help);
        self.posix.get_or_insert(error);
    }

    /// Doubts slashes around the pattern, as JavaScript writes them around its regular expressions,
    /// where flags follow, or an anchor stands that no string reaches.
    pub(super) fn check_slashes(&mut self) {
        let Some((inside, flags)) = between_slashes(self.text) else {
            return;
        };
        let message =
            "slashes around it, which are text here, as flags are: they are no part of a pattern";
        let help = match flags.contains('i') {
            true => format!("write `{inside}`, with small and capital letters in its classes"),
            false => format!("write `{inside}`"),
        };
        let doubt = self.error(0..self.text.len(), message, &help);
        self.doubts.push(doubt);
    }

    /// Doubts a character that should have a backslash.
    fn itself(&mut self, span: Range<usize>, c: char) {
        let message = format!("`{c}` without a backslash, read as the character itself");
        let help = "write a backslash before `{`, `}` and `]`";
        self.doubt(span, &message, help);
    }

    /// Notes what the flag `u` forbids; once for each way out.
    pub(super) fn doubt(&mut self, span: Range<usize>, message: &str, help: &str) {
        if self.doubts.iter().all(|known| known.help != help) {
            let message = format!("{message}; ECMA-262 forbids it under the flag `u`");
            let doubt = self.error(span, &message, help);
            self.doubts.push(doubt);
        }
    }

    /// All doubts, in their order in the pattern.
    pub(super) fn into_doubts(self) -> Vec<PatternError> {
        let mut doubts = self.doubts;
        doubts.extend(self.posix);
        doubts.sort_by_key(|doubt| doubt.span.start);
        doubts
    }
}
