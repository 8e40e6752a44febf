//! The syntax of ECMA-262 patterns (22.2.1), read by recursive descent.
//!
//! In: the text. Out: a [`PatternNode`] and doubts, or an error with the place. The flag `u` is on,
//! as JSON Schema says: characters are code points. Beyond it, what annex B.1.2 allows and schemas
//! in use have, each with a doubt: braces and `]` as themselves, `\_` and its like, `-` beside a
//! class escape, quantified look-ahead. What other dialects read as something else is refused:
//! `{,3}`, and POSIX classes ([`super::foreign`]). A letter or digit after a backslash must have a
//! meaning in ECMA-262.

use super::PatternError;
use super::ast::PatternNode;
use super::class::{self, ClassAtom};
use super::parser::Parser;

/// How deep groups may nest.
const NESTING: u32 = 200;

/// The tree of a pattern, and what in it the flag `u` forbids or is likely not meant.
pub(super) fn parse(text: &str) -> Result<(PatternNode, Vec<PatternError>), PatternError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        doubts: Vec::new(),
        posix: None,
    };
    parser.check_slashes();
    let node = parser.alternatives()?;
    match parser.peek() {
        None => Ok((node, parser.into_doubts())),
        Some(_) => Err(parser.error(
            parser.at..parser.at + 1,
            "a `)` without a `(`",
            "write `\\)` for the character itself",
        )),
    }
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Result<PatternNode, PatternError> {
        let mut parts = vec![self.sequence()?];
        while self.eat("|") {
            parts.push(self.sequence()?);
        }
        Ok(one_or(parts, PatternNode::Alt))
    }

    fn sequence(&mut self) -> Result<PatternNode, PatternError> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek()
            && c != '|'
            && c != ')'
        {
            parts.push(self.term(c)?);
        }
        Ok(one_or(parts, PatternNode::Seq))
    }

    fn term(&mut self, c: char) -> Result<PatternNode, PatternError> {
        let start = self.at;
        if matches!(c, '*' | '+' | '?') || c == '{' && self.counts().is_some() {
            return Err(self.error(
                start..start + 1,
                "a quantifier without anything to repeat",
                "write a backslash before it for the character itself",
            ));
        }
        self.check_foreign(c)?;
        self.next();
        let assertion = match c {
            '^' => Some(PatternNode::look(true, true, PatternNode::any())),
            '$' => Some(PatternNode::look(false, true, PatternNode::any())),
            '\\' if self.eat("b") => Some(PatternNode::boundary(true, class::word())),
            '\\' if self.eat("B") => Some(PatternNode::boundary(false, class::word())),
            '(' if self.eat("?<=") => Some(PatternNode::look(true, false, self.group(start)?)),
            '(' if self.eat("?<!") => Some(PatternNode::look(true, true, self.group(start)?)),
            _ => None,
        };
        if let Some(assertion) = assertion {
            return Ok(assertion);
        }
        let atom = match c {
            '(' => self.parenthesis(start)?,
            '[' => PatternNode::Class(self.bracket(start)?),
            '.' => PatternNode::Class(class::dot()),
            '\\' => match self.escape(start, false)? {
                ClassAtom::Set(set) => PatternNode::Class(set),
                ClassAtom::Code(code) => match char::from_u32(code) {
                    Some(c) => PatternNode::Class(vec![(c, c)]),
                    None => return Err(self.lone_surrogate(start)),
                },
            },
            c => PatternNode::Class(vec![(c, c)]),
        };
        let is_look = matches!(self.text.get(start..start + 3), Some("(?=" | "(?!"));
        if is_look && (matches!(self.peek(), Some('*' | '+' | '?')) || self.counts().is_some()) {
            let message = "a quantifier behind a look-ahead";
            self.doubt(start..self.at, message, "take the quantifier away");
        }
        self.quantified(atom)
    }

    /// Reads a group behind its `(`. Look-behinds are read elsewhere.
    fn parenthesis(&mut self, start: usize) -> Result<PatternNode, PatternError> {
        if self.eat("?=") {
            return Ok(PatternNode::look(false, false, self.group(start)?));
        }
        if self.eat("?!") {
            return Ok(PatternNode::look(false, true, self.group(start)?));
        }
        if self.eat("?:") {
            return self.group(start);
        }
        if self.eat("?<") {
            let name = self.rest().split('>').next().unwrap_or_default();
            let is_name =
                |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\u{200c}' | '\u{200d}');
            let end = self.at + name.len() + 1;
            if name.is_empty() || !name.chars().all(is_name) || end > self.text.len() {
                return Err(self.error(
                    start..end,
                    "a group without a name",
                    "write `(?<name>…)` or `(?:…)`",
                ));
            }
            self.at = end;
            return self.group(start);
        }
        if self.peek() == Some('?') {
            let help = match self.rest().chars().nth(1) {
                Some('P') => "write `(?<name>…)`",
                Some('i') => "write both cases, as in `[aA]`",
                Some('>') => "write `(?:…)`",
                _ => "write `(?:…)` for a group, `\\?` for the character itself",
            };
            let end = self.at
                + self
                    .rest()
                    .chars()
                    .take(2)
                    .map(char::len_utf8)
                    .sum::<usize>();
            return Err(self.error(start..end, "this kind of group is not supported", help));
        }
        self.group(start)
    }

    /// What follows the opening of a group, to its end.
    fn group(&mut self, start: usize) -> Result<PatternNode, PatternError> {
        self.depth += 1;
        if self.depth > NESTING {
            return Err(self.error(
                start..self.at,
                &format!("groups nest deeper than {NESTING}"),
                "write the pattern with fewer groups",
            ));
        }
        let node = self.alternatives()?;
        self.depth -= 1;
        if !self.eat(")") {
            return Err(self.error(
                start..start + 1,
                "a `(` without a `)`",
                "write `\\(` for the character itself",
            ));
        }
        Ok(node)
    }

    fn quantified(&mut self, node: PatternNode) -> Result<PatternNode, PatternError> {
        let start = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.counts() {
                Some((min, max, length)) => {
                    self.at += length - 1;
                    (min, max)
                }
                None => return Ok(node),
            },
            _ => return Ok(node),
        };
        self.next();
        // Lazy or not, the same strings match.
        self.eat("?");
        if max.is_some_and(|max| max < min) {
            return Err(self.error(
                start..self.at,
                "the bounds of a quantifier are out of order",
                "write the smaller one first",
            ));
        }
        Ok(node.repeat(min, max))
    }

    /// The bounds of `{n}`, `{n,}` or `{n,m}` here, and the length of its text.
    pub(super) fn counts(&self) -> Option<(u32, Option<u32>, usize)> {
        let (inside, _) = self.rest().strip_prefix('{')?.split_once('}')?;
        let number = |digits: &str| {
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            // A number that does not fit is far beyond every bound.
            is_number.then(|| digits.parse().unwrap_or(u32::MAX))
        };
        let (min, max) = match inside.split_once(',') {
            None => (number(inside)?, Some(number(inside)?)),
            Some((min, "")) => (number(min)?, None),
            Some((min, max)) => (number(min)?, Some(number(max)?)),
        };
        Some((min, max, inside.len() + 2))
    }

    pub(super) fn lone_surrogate(&self, start: usize) -> PatternError {
        self.error(
            start..self.at,
            "half of a surrogate pair, which no text contains",
            "write the pair, as in `\\ud83d\\ude00`, or the code point, as in `\\u{1F600}`",
        )
    }
}

/// The only part, or all of them as `make` says.
fn one_or(mut parts: Vec<PatternNode>, make: fn(Vec<PatternNode>) -> PatternNode) -> PatternNode {
    match (parts.len(), parts.pop()) {
        (1, Some(part)) => part,
        (_, last) => {
            parts.extend(last);
            make(parts)
        }
    }
}
