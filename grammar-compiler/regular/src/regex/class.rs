//! Classes in brackets.

use super::{Parser, cased};
use crate::characters::{self, Ranges};
use crate::error::Error;
use crate::node::Node;
use crate::pattern::Flags;

/// A member of a class.
enum Member {
    Char(char),
    /// `\w` and its like, which no other case is added to.
    Set(Ranges),
}

impl Parser<'_, '_, '_> {
    /// The class whose bracket at `from` has been read.
    pub(super) fn class(&mut self, from: usize, flags: Flags) -> Result<Node, Error> {
        let is_negated = self.eat("^");
        let (mut literal, mut sets) = (Vec::new(), Vec::new());
        let first = self.at;
        loop {
            self.budget.work(1)?;
            if self.at != first && self.eat("]") {
                break;
            }
            let begin = self.at;
            let member = self.member(from, flags)?;
            let is_range = self.rest().starts_with('-') && !self.rest().starts_with("-]");
            match (member, is_range) {
                (Member::Set(ranges), false) => sets.extend(ranges),
                (Member::Char(c), false) => literal.push((c, c)),
                (low, true) => {
                    self.next();
                    let high = self.member(from, flags)?;
                    literal.push(self.range(begin, low, high)?);
                }
            }
        }
        let mut ranges = cased(characters::normalize(literal), flags);
        ranges.extend(sets);
        let ranges = characters::normalize(ranges);
        Ok(match is_negated {
            true => Node::class(characters::complement(&ranges), self.bytes),
            false => Node::class(ranges, false),
        })
    }

    fn member(&mut self, from: usize, flags: Flags) -> Result<Member, Error> {
        let begin = self.at;
        match self.next() {
            None => Err(self.syntax(
                from..from + 1,
                "this class is not closed",
                r"add the `]` (one right behind `[` or `[^` counts as a member), or write `\[`",
            )),
            Some('\\') if self.eat("b") => Ok(Member::Char('\x08')),
            Some('\\') => match self.category(begin, flags)? {
                Some(ranges) => Ok(Member::Set(ranges)),
                None => self.character(begin).map(Member::Char),
            },
            Some(c) => Ok(Member::Char(c)),
        }
    }

    fn range(&self, begin: usize, low: Member, high: Member) -> Result<(char, char), Error> {
        let (Member::Char(low), Member::Char(high)) = (low, high) else {
            return Err(self.syntax(
                begin..self.at,
                "a range in a class needs a character at both ends",
                r"write `\-` for the character `-`, or put it last",
            ));
        };
        match low <= high {
            true => Ok((low, high)),
            false => Err(self.syntax(
                begin..self.at,
                "this range is reversed",
                r"write the smaller character first, or `\-` for the character `-`",
            )),
        }
    }
}
