//! Tokens → expressions, with the groups that are open on a stack of their own: a grammar's
//! nesting does not become this program's.
//!
//! From loose to tight: `|`, `&`, one behind the other, an operator behind, `~` before.

use super::NESTING;
use super::parser::Parser;
use super::token::Kind;
use super::tree::{Ast, Name, Node, Repeat, Span};
use crate::budget::Budget;
use crate::error::Error;

/// What a group is when it is closed.
enum Open {
    /// All that is read.
    Whole,
    /// `(…)`, whose first bracket is here.
    Round(Span),
    /// `[…]`.
    Square(Span),
    /// `name{…}`, with the arguments before the last one.
    Template {
        name: Name,
        arguments: Vec<Ast>,
        brace: Span,
    },
}

/// A group that is open, as far as it is read.
struct Group {
    open: Open,
    /// Where it begins, its bracket included.
    start: usize,
    /// The alternatives before the last.
    alternatives: Vec<Ast>,
    /// The last alternative's parts between `&`, before the last.
    conjuncts: Vec<Ast>,
    /// The last part's items.
    items: Vec<Ast>,
    /// Where `~` stands before the item that comes next.
    negations: Vec<usize>,
}

impl Group {
    fn new(open: Open, start: usize) -> Self {
        Self {
            open,
            start,
            alternatives: Vec::new(),
            conjuncts: Vec::new(),
            items: Vec::new(),
            negations: Vec::new(),
        }
    }
}

impl Parser<'_> {
    /// `a | b | …`, each with an alias or a condition.
    pub(super) fn alternatives(&mut self, budget: &mut Budget) -> Result<Ast, Error> {
        let mut outer: Vec<Group> = Vec::new();
        let mut group = Group::new(Open::Whole, self.span().start);
        let mut depth = 0;
        loop {
            if self.begins_item() {
                budget.tick(&self.span())?;
                let start = self.span().start;
                if self.take("~") {
                    group.negations.push(start);
                    depth = self.deeper(depth)?;
                } else if let Some(open) = self.opening()? {
                    outer.push(std::mem::replace(&mut group, Group::new(open, start)));
                    depth = self.deeper(depth)?;
                } else {
                    let atom = self.atom()?;
                    depth -= group.negations.len();
                    self.item(&mut group, atom)?;
                }
            } else if !group.negations.is_empty() {
                return Err(self.expected("an item after `~`"));
            } else if self.take("&") {
                self.end_conjunct(&mut group);
            } else {
                self.end_alternative(&mut group)?;
                if self.take("|") || self.end_argument(&mut group) {
                    continue;
                }
                let body = self.joined_alternatives(&mut group);
                let Some(outer) = outer.pop() else {
                    return Ok(body);
                };
                let closed = std::mem::replace(&mut group, outer);
                let atom = self.closed(closed, body)?;
                depth -= 1 + group.negations.len();
                self.item(&mut group, atom)?;
            }
        }
    }

    /// The depth of what nests one deeper than `depth`.
    fn deeper(&self, depth: usize) -> Result<usize, Error> {
        if depth < NESTING {
            return Ok(depth + 1);
        }
        let message = format!("expressions nest more than {NESTING} deep");
        Err(Error::limit(
            message,
            self.span(),
            "give a part of it a name",
        ))
    }

    /// Takes what opens a group, if that is next.
    fn opening(&mut self) -> Result<Option<Open>, Error> {
        if self.is("(") {
            return Ok(Some(Open::Round(self.next().span)));
        }
        if self.is("[") {
            return Ok(Some(Open::Square(self.next().span)));
        }
        let is_count = matches!(self.peek_at(2).kind, Kind::Number)
            || [",", "-", "}"].iter().any(|sign| self.is_at(2, sign));
        if self.peek().kind != Kind::Name || !self.is_at(1, "{") || is_count {
            return Ok(None);
        }
        let name = self.name("a template")?;
        let (arguments, brace) = (Vec::new(), self.next().span);
        Ok(Some(Open::Template {
            name,
            arguments,
            brace,
        }))
    }

    /// Adds an atom, with the operators around it, to a group.
    fn item(&mut self, group: &mut Group, atom: Ast) -> Result<(), Error> {
        let mut of = atom;
        while let Some(start) = group.negations.pop() {
            let node = Node::Not(Box::new(of));
            let span = start..self.end();
            of = Ast { node, span };
        }
        if let Some(repeat) = self.repeat()? {
            let span = of.span.start..self.end();
            let node = Node::Repeat {
                of: Box::new(of),
                repeat,
            };
            of = Ast { node, span };
        }
        group.items.push(of);
        Ok(())
    }

    fn end_conjunct(&self, group: &mut Group) {
        let items = std::mem::take(&mut group.items);
        let part = self.joined(items, Node::Sequence);
        group.conjuncts.push(part);
    }

    /// Ends an alternative, with its condition and alias.
    fn end_alternative(&mut self, group: &mut Group) -> Result<(), Error> {
        self.end_conjunct(group);
        let conjuncts = std::mem::take(&mut group.conjuncts);
        let mut of = self.joined(conjuncts, Node::And);
        if self.peek().kind == Kind::Directive && self.word() == "%if" {
            self.next();
            let condition = self.condition()?;
            let span = of.span.start..self.end();
            let of_box = Box::new(of);
            let node = Node::If {
                of: of_box,
                condition,
            };
            of = Ast { node, span };
        }
        if self.take("->") {
            self.name("the name of an alias after `->`")?;
        }
        group.alternatives.push(of);
        Ok(())
    }

    /// Ends an argument of a template if `,` is next.
    fn end_argument(&mut self, group: &mut Group) -> bool {
        if !matches!(group.open, Open::Template { .. }) || !self.take(",") {
            return false;
        }
        let argument = self.joined_alternatives(group);
        if let Open::Template { arguments, .. } = &mut group.open {
            arguments.push(argument);
        }
        true
    }

    fn joined_alternatives(&self, group: &mut Group) -> Ast {
        self.joined(std::mem::take(&mut group.alternatives), Node::Union)
    }

    /// One part, or several joined by `join`.
    fn joined(&self, mut parts: Vec<Ast>, join: fn(Vec<Ast>) -> Node) -> Ast {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                let end = parts.last().map_or(self.end(), |part| part.span.end);
                let start = parts.first().map_or(end, |part| part.span.start);
                let node = join(parts);
                let span = start..end;
                Ast { node, span }
            }
        }
    }

    /// The atom that a group with this body is, once its bracket is closed.
    fn closed(&mut self, group: Group, body: Ast) -> Result<Ast, Error> {
        let node = match group.open {
            Open::Whole => body.node,
            Open::Round(open) => {
                self.close(")", open)?;
                body.node
            }
            Open::Square(open) => {
                self.close("]", open)?;
                let of = Box::new(body);
                let repeat = Repeat::OPTIONAL;
                Node::Repeat { of, repeat }
            }
            Open::Template {
                name,
                mut arguments,
                brace,
            } => {
                self.close("}", brace)?;
                arguments.push(body);
                Node::Template { name, arguments }
            }
        };
        let span = group.start..self.end();
        Ok(Ast { node, span })
    }
}
