//! The parts of expressions that hold no others: atoms and operators.

use super::parser::Parser;
use super::token::Kind;
use super::tree::{Ast, Name, Node, Repeat, Span};
use crate::error::Error;

impl Parser<'_> {
    /// Whether the next word belongs to an item.
    pub(super) fn begins_item(&self) -> bool {
        match self.peek().kind {
            Kind::Name | Kind::String { .. } | Kind::Regex { .. } | Kind::Special(_) => true,
            Kind::Sign(sign) => matches!(sign, "(" | "[" | "@" | "~"),
            Kind::Directive => matches!(self.word(), "%json" | "%lark" | "%regex"),
            _ => false,
        }
    }

    /// An operator, if one follows.
    pub(super) fn repeat(&mut self) -> Result<Option<Repeat>, Error> {
        let start = self.span().start;
        let Kind::Sign(sign) = self.peek().kind else {
            return Ok(None);
        };
        let plain = |min, max| {
            Ok(Some(Repeat {
                min,
                max,
                length: 1,
            }))
        };
        match sign {
            "?" => {
                self.next();
                plain(0, Some(1))
            }
            "*" => {
                self.next();
                plain(0, None)
            }
            "+" => {
                self.next();
                plain(1, None)
            }
            "~" if !matches!(self.peek_at(1).kind, Kind::Number) && !self.is_at(1, "-") => Ok(None),
            "~" => {
                self.next();
                let min = self.count()?;
                let max = if self.take("..") { self.count()? } else { min };
                self.counted(start, min, Some(max)).map(Some)
            }
            "{" => self.braces(start).map(Some),
            _ => Ok(None),
        }
    }

    /// `{2}`, `{2,4}`, `{2,}` or `{,4}`.
    fn braces(&mut self, start: usize) -> Result<Repeat, Error> {
        let open = self.next().span;
        let is_open_below = self.is(",");
        let min = if is_open_below { 0 } else { self.count()? };
        let max = if !self.take(",") {
            Some(min)
        } else if self.is("}") && !is_open_below {
            None
        } else {
            Some(self.count()?)
        };
        self.close("}", open)?;
        self.counted(start, min, max)
    }

    fn counted(&self, start: usize, min: u32, max: Option<u32>) -> Result<Repeat, Error> {
        let digits = |number: u32| number.to_string().len();
        let length = match max {
            Some(max) if max < min => {
                let message = format!("the range of counts {min}..{max} is empty");
                let help = "write the smaller count first";
                return Err(Error::new(message, start..self.end()).help(help));
            }
            Some(max) if max == min => 2 + digits(min),
            Some(max) => 3 + digits(min) + digits(max),
            None => 3 + digits(min),
        };
        Ok(Repeat { min, max, length })
    }

    /// An item without its operators that is no group.
    pub(super) fn atom(&mut self) -> Result<Ast, Error> {
        let start = self.span().start;
        let token = self.next();
        let node = match token.kind {
            Kind::Name => self.named(token.span)?,
            Kind::String { text, ignore_case } if self.is("..") => {
                self.range(start, &text, ignore_case)?
            }
            Kind::String { text, ignore_case } => Node::String { text, ignore_case },
            Kind::Regex { source, flags } => {
                let start = source.start;
                let source = self.text[source].to_owned();
                Node::Regex {
                    source,
                    flags,
                    start,
                }
            }
            Kind::Special(special) => Node::Token(special),
            Kind::Sign("@") => Node::Grammar(self.name("the name of a grammar after `@`")?.text),
            _ => self.embedded(&token.span)?,
        };
        let span = start..self.end();
        Ok(Ast { node, span })
    }

    /// The name at `span`, which has just been read, with the argument of a parametric rule.
    fn named(&mut self, span: Span) -> Result<Node, Error> {
        let text = self.text[span.clone()].to_owned();
        let name = Name { text, span };
        if !self.take("::") {
            return Ok(Node::Name(name));
        }
        let argument = self.argument()?;
        Ok(Node::Call { name, argument })
    }

    /// `"a".."z"`, of which the first string has just been read.
    fn range(&mut self, start: usize, first: &str, ignore_case: bool) -> Result<Node, Error> {
        self.next();
        let first_end = self.end() - 2;
        let second_start = self.span().start;
        let second = self.next();
        let Kind::String {
            text: last,
            ignore_case: second_ignores,
        } = second.kind
        else {
            return Err(Error::new("expected a string after `..`", second.span));
        };
        let span = start..second.span.end;
        let one = |text: &str| {
            let mut characters = text.chars();
            characters.next().filter(|_| characters.next().is_none())
        };
        let wrong = |message: &str| {
            Error::new(message, span.clone())
                .help("a range is `\"a\"..\"z\"`, from one character to another")
        };
        let (Some(first), Some(last)) = (one(first), one(&last)) else {
            return Err(wrong("the ends of a range are single characters"));
        };
        if ignore_case || second_ignores {
            return Err(wrong("a range has no flags"));
        }
        if first > last {
            return Err(wrong("this range of characters is empty"));
        }
        let inside = |from: usize, to: usize| self.text[from..to].trim_end().chars().count() - 2;
        let length = inside(start, first_end) + inside(second_start, span.end);
        Ok(Node::Range {
            first,
            last,
            length,
        })
    }
}
