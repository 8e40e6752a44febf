//! Terminals → patterns.
//!
//! What holds after: every terminal that is reached has its pattern, in which the patterns of other
//! terminals are shared; patterns nest no deeper than [`DEEPEST`].

use super::MAIN;
use super::anonymous::{Key, Names};
use super::built::{Built, NOTHING};
use super::check::references;
use super::definitions::{Definitions, SlotId};
use super::shape::Shape;
use crate::budget::Budget;
use crate::common;
use crate::error::Error;
use crate::grammar::{Terminal, TerminalId};
use crate::options::ReadOptions;
use crate::syntax::tree::{Ast, Node, Span};
use maskwright_regular::Pattern;
use std::collections::BTreeSet;

/// How deep a pattern may nest, through the terminals that it names.
const DEEPEST: usize = 500;

/// All terminals, as far as they are made.
pub(super) struct Terminals {
    pub(super) all: Vec<Terminal>,
    pub(super) ignored: Vec<TerminalId>,
    is_ignored: BTreeSet<TerminalId>,
    pub(super) names: Names,
    /// The terminals of slots.
    pub(super) of_slot: Vec<Option<TerminalId>>,
    /// The patterns of slots.
    built: Vec<Option<Built>>,
    lalr_order: bool,
    limit: usize,
}

/// Makes the terminals among the slots `reached`, and those that are ignored.
pub(super) fn build(
    definitions: &Definitions,
    reached: &[SlotId],
    options: &ReadOptions,
    budget: &mut Budget,
) -> Result<Terminals, Error> {
    let slots = definitions.slots.len();
    let mut terminals = Terminals {
        all: Vec::new(),
        ignored: Vec::new(),
        is_ignored: BTreeSet::new(),
        names: Names::default(),
        of_slot: vec![None; slots],
        built: vec![None; slots],
        lalr_order: options.lalr_order,
        limit: options.limits.terminals,
    };
    for &slot in reached {
        if definitions.slots[slot].is_terminal {
            terminals.build_slot(definitions, slot, budget)?;
            terminals.define(definitions, slot)?;
        }
    }
    for ast in &definitions.ignored {
        terminals.ignore(definitions, ast, budget)?;
    }
    Ok(terminals)
}

impl Terminals {
    /// Makes the pattern of a slot after those of all that it names, without recursion.
    fn build_slot(
        &mut self,
        definitions: &Definitions,
        slot: SlotId,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        if self.built[slot].is_some() {
            return Ok(());
        }
        let mut path = vec![(slot, references(definitions, slot))];
        let mut is_on_path = BTreeSet::from([slot]);
        while let Some((slot, rest)) = path.last_mut() {
            let slot = *slot;
            let Some(next) = rest.pop() else {
                let built = self.pattern_of_slot(definitions, slot, budget)?;
                self.built[slot] = built.map(Built::share);
                is_on_path.remove(&slot);
                path.pop();
                continue;
            };
            if is_on_path.contains(&next) {
                return Err(cycle(definitions, next));
            }
            if self.built[next].is_none() && definitions.slots[next].definition.is_some() {
                path.push((next, references(definitions, next)));
                is_on_path.insert(next);
            }
        }
        Ok(())
    }

    fn pattern_of_slot(
        &self,
        definitions: &Definitions,
        slot: SlotId,
        budget: &mut Budget,
    ) -> Result<Option<Built>, Error> {
        let slot = &definitions.slots[slot];
        if slot.definition.is_none() {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for &(module, ast) in &slot.bodies {
            let part = self.pattern(definitions, module, ast, budget);
            parts.push(part.map_err(|error| definitions.modules.locate(module, error))?);
        }
        let mut built = self.union(parts);
        let in_common = definitions.modules.all[slot.module].file == common::FILE;
        let lengths = common::LENGTHS.iter().filter(|_| in_common);
        let name = slot
            .definition
            .map_or("", |definition| definition.name.text.as_str());
        if let Some((_, length)) = lengths.into_iter().find(|(found, _)| *found == name) {
            built.shape = built.shape.with_length(*length);
        }
        if built.depth <= DEEPEST {
            return Ok(Some(built));
        }
        let message = format!(
            "the terminal `{}` nests more than {DEEPEST} deep",
            slot.name
        );
        let error = Error::limit(
            message,
            slot.span.clone(),
            "write it with fewer terminals inside",
        );
        Err(definitions.modules.locate(slot.module, error))
    }

    /// Makes the terminal of a slot whose pattern is made.
    fn define(&mut self, definitions: &Definitions, slot: SlotId) -> Result<(), Error> {
        let found = &definitions.slots[slot];
        let span = definitions.modules.place(found.module, &found.span);
        let priority = found
            .definition
            .and_then(|definition| definition.priority.as_ref());
        let priority = priority.map_or(0, |(priority, _)| *priority);
        let built = self.built[slot].clone();
        let id = self.add(found.name.clone(), span, priority, built)?;
        self.of_slot[slot] = Some(id);
        Ok(())
    }

    /// Adds a terminal.
    pub(super) fn add(
        &mut self,
        name: String,
        span: Span,
        priority: i32,
        built: Option<Built>,
    ) -> Result<TerminalId, Error> {
        if self.all.len() == self.limit {
            let message = format!("the grammar has more than {} terminals", self.limit);
            return Err(Error::limit(message, span, ""));
        }
        let id = self.all.len();
        self.names.take(&name);
        let key = built.as_ref().and_then(|built| built.key.clone());
        let string = key.as_ref().and_then(Key::string);
        if let Some(key) = key {
            self.names.bind(key, id);
        }
        let shape = built.as_ref().map(|built| built.shape);
        self.all.push(Terminal {
            name,
            span,
            pattern: built.map(|built| built.into_pattern()),
            priority,
            string,
            pattern_length: shape.map_or(0, |shape| shape.length),
            max_width: shape.map_or(0, |shape| shape.width.max),
        });
        Ok(id)
    }

    fn ignore(
        &mut self,
        definitions: &Definitions,
        ast: &Ast,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        let named = match &ast.node {
            Node::Name(name) => definitions.lookup(MAIN, &name.text),
            _ => None,
        };
        let id = match named.and_then(|slot| self.of_slot[slot]) {
            Some(id) => id,
            None => {
                let built = self.pattern(definitions, MAIN, ast, budget)?;
                let name = format!("__IGNORE_{}", self.ignored.len());
                self.add(name, ast.span.clone(), 0, Some(built))?
            }
        };
        if self.is_ignored.insert(id) {
            self.ignored.push(id);
        }
        Ok(())
    }

    /// The pattern of an expression that holds no rules. The terminals that it names are made.
    /// This recurs, so it keeps little on the stack.
    pub(super) fn pattern(
        &self,
        definitions: &Definitions,
        module: usize,
        ast: &Ast,
        budget: &mut Budget,
    ) -> Result<Built, Error> {
        budget.spend(ast.node.cost(), &ast.span)?;
        let mut parts = Vec::new();
        for child in ast.children() {
            parts.push(self.pattern(definitions, module, child, budget)?);
        }
        Ok(self.over(definitions, module, ast, parts))
    }

    /// The pattern of an expression whose parts have the patterns `parts`.
    fn over(
        &self,
        definitions: &Definitions,
        module: usize,
        ast: &Ast,
        mut parts: Vec<Built>,
    ) -> Built {
        let only = parts.len() == 1;
        match &ast.node {
            Node::Sequence(_) if !only => Built::sequence(parts),
            Node::Union(_) => self.union(parts),
            Node::And(_) => Built::over(parts, Pattern::Intersection),
            Node::Not(_) => Built::over(parts, |parts| {
                Pattern::Complement(Box::new(parts.into_iter().next().unwrap_or(NOTHING)))
            }),
            Node::Repeat { repeat, .. } => {
                let shape = parts
                    .first()
                    .map_or(Shape::other(0), |of| of.shape)
                    .repeat(*repeat);
                let over = |parts: Vec<Pattern>| Pattern::Repeat {
                    of: Box::new(parts.into_iter().next().unwrap_or(NOTHING)),
                    min: repeat.min,
                    max: repeat.max,
                };
                Built {
                    shape,
                    ..Built::over(parts, over)
                }
            }
            Node::Name(name) => self.shared(definitions, module, &name.text),
            _ => match parts.pop() {
                Some(part) => part,
                None => {
                    let place = |start| definitions.modules.place(module, &(start..start)).start;
                    Built::atom(&ast.node, place)
                }
            },
        }
    }

    fn shared(&self, definitions: &Definitions, module: usize, name: &str) -> Built {
        let slot = definitions.lookup(module, name);
        match slot.and_then(|slot| self.built[slot].clone()) {
            Some(built) => built,
            None => Built::new(NOTHING, Shape::other(0), None),
        }
    }

    /// One of `parts`, in the order that the lexer wants.
    pub(super) fn union(&self, mut parts: Vec<Built>) -> Built {
        if parts.len() == 1
            && let Some(only) = parts.pop()
        {
            return only;
        }
        if self.lalr_order {
            parts.sort_by_key(|part| part.shape.order());
        }
        let shapes: Vec<Shape> = parts.iter().map(|part| part.shape).collect();
        Built {
            shape: Shape::union(&shapes),
            ..Built::over(parts, Pattern::Union)
        }
    }
}

/// The error that a terminal needs itself.
fn cycle(definitions: &Definitions, slot: SlotId) -> Error {
    let slot = &definitions.slots[slot];
    let message = format!("the terminal `{}` is defined by itself", slot.name);
    let error = Error::new(message, slot.span.clone())
        .help("terminals cannot recur; make it a rule, or repeat with `*` or `+`");
    definitions.modules.locate(slot.module, error)
}
