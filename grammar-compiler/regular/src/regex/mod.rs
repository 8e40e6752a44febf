//! Regular expressions in the syntax of Python's `re`.
//!
//! In: the text between the slashes. Out: a [`Node`]. Anchors and `\b` are look-around by then.

mod class;
mod escape;
mod group;
mod repeat;

use crate::budget::Budget;
use crate::characters::{self, Ranges};
use crate::error::{Error, ErrorKind};
use crate::node::Node;
use crate::pattern::Flags;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// How deep groups may nest.
const DEPTH: usize = 250;

/// Reads a regular expression whose text begins at `start`; with `bytes`, negated classes and `.`
/// also match single bytes from 0x80 on.
pub(crate) fn parse(
    source: &str,
    flags: Flags,
    start: usize,
    bytes: bool,
    budget: &mut Budget<'_>,
) -> Result<Node, Error> {
    let mut parser = Parser {
        source,
        at: 0,
        start,
        depth: 0,
        bytes,
        words: [None, None],
        names: HashSet::new(),
        budget,
    };
    let flags = parser.global_flags(flags)?;
    let node = parser.alternatives(flags)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.syntax(
            parser.at..parser.at + 1,
            "unbalanced parenthesis: this `)` closes no group",
            r"write `\)` for the character, or add the `(` that it closes",
        )),
    }
}

struct Parser<'s, 'b, 'c> {
    source: &'s str,
    /// The place reached, in bytes.
    at: usize,
    start: usize,
    depth: usize,
    bytes: bool,
    /// A character of a word, in Unicode and in ASCII, once it has been asked for.
    words: [Option<Rc<Node>>; 2],
    names: HashSet<&'s str>,
    budget: &'b mut Budget<'c>,
}

/// What has been read of a sequence.
enum Item {
    /// What a quantifier may follow.
    Part(Node),
    /// What has a quantifier.
    Repeated(Node),
    /// `^`, `$`, `\b` and their like, which no quantifier may follow.
    Anchor(Node),
}

impl<'s> Parser<'s, '_, '_> {
    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Reads the text if it comes next.
    fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    fn error(&self, kind: ErrorKind, at: Range<usize>, message: &str, help: &str) -> Error {
        Error::new(
            kind,
            message,
            help,
            self.start + at.start..self.start + at.end,
        )
    }

    fn syntax(&self, at: Range<usize>, message: &str, help: &str) -> Error {
        self.error(ErrorKind::Syntax, at, message, help)
    }

    fn unsupported(&self, at: Range<usize>, message: &str, help: &str) -> Error {
        self.error(ErrorKind::Unsupported, at, message, help)
    }

    /// Reads up to the end of the group or of the expression.
    fn alternatives(&mut self, flags: Flags) -> Result<Node, Error> {
        let mut parts = vec![self.sequence(flags)?];
        while self.eat("|") {
            parts.push(self.sequence(flags)?);
        }
        Ok(Node::alt(parts))
    }

    fn sequence(&mut self, flags: Flags) -> Result<Node, Error> {
        let mut items: Vec<Item> = Vec::new();
        while let Some(c) = self.peek() {
            self.budget.work(1)?;
            let from = self.at;
            match c {
                '|' | ')' => break,
                ' ' | '\t'..='\r' if flags.verbose => self.at += 1,
                '#' if flags.verbose => {
                    let line = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += line;
                }
                '*' | '+' | '?' | '{' => {
                    self.next();
                    match self.quantifier(c)? {
                        Some(count) => self.repeat_last(&mut items, from, count)?,
                        None => items.push(Item::Part(self.literal('{', flags))),
                    }
                }
                _ => {
                    self.next();
                    items.extend(self.item(c, from, flags)?);
                }
            }
        }
        let part = |item| match item {
            Item::Part(node) | Item::Repeated(node) | Item::Anchor(node) => node,
        };
        Ok(Node::seq(items.into_iter().map(part).collect()))
    }

    /// What begins with `c`, which has just been read; a comment is nothing.
    fn item(&mut self, c: char, from: usize, flags: Flags) -> Result<Option<Item>, Error> {
        Ok(Some(match c {
            '.' if flags.dot_all => Item::Part(self.any()),
            '.' => {
                let ranges = characters::complement(&[('\n', '\n')]);
                Item::Part(Node::class(ranges, self.bytes))
            }
            '^' => Item::Anchor(self.line_start(flags.multi_line)),
            '$' => Item::Anchor(self.line_end(from, flags.multi_line)),
            '[' => Item::Part(self.class(from, flags)?),
            '\\' => self.escape(from, flags)?,
            '(' => return Ok(self.group(from, flags)?.map(Item::Part)),
            _ => Item::Part(self.literal(c, flags)),
        }))
    }

    fn literal(&self, c: char, flags: Flags) -> Node {
        Node::class(cased(vec![(c, c)], flags), false)
    }

    fn any(&self) -> Node {
        Node::class(vec![characters::ALL], self.bytes)
    }

    /// `^`: no character of the terminal comes before, or a line feed does.
    fn line_start(&self, multi_line: bool) -> Node {
        let before = match multi_line {
            false => self.any(),
            true => Node::class(characters::complement(&[('\n', '\n')]), self.bytes),
        };
        Node::look(Rc::new(before), true, true)
    }

    /// `$`.
    fn line_end(&self, from: usize, multi_line: bool) -> Node {
        match multi_line {
            false => Node::end(true, self.start + from..self.start + self.at),
            true => {
                let others = Node::byte(&[(0, b'\n' - 1), (b'\n' + 1, 0xff)]);
                Node::look(Rc::new(others), false, true)
            }
        }
    }

    /// `\b`, and `\B` if it is `negated`.
    fn word_boundary(&mut self, negated: bool, ascii: bool) -> Node {
        let word = self.words[usize::from(ascii)]
            .get_or_insert_with(|| Rc::new(Node::class(characters::word(ascii), false)))
            .clone();
        let both = |before: bool, after: bool| {
            Node::seq(vec![
                Node::look(word.clone(), true, !before),
                Node::look(word.clone(), false, !after),
            ])
        };
        Node::alt(vec![both(true, negated), both(false, !negated)])
    }
}

/// The set with other cases, if the flags say so.
fn cased(ranges: Ranges, flags: Flags) -> Ranges {
    match flags.ignore_case {
        true => characters::fold_case(ranges, flags.ascii),
        false => ranges,
    }
}
