//! Rules → expressions over terminals and rules.
//!
//! What holds after: every pair of a rule and its arguments that is used is a [`Rule`]; the rules
//! of the grammar's own file come first, in its order.

use super::arguments::{key, size};
use super::built::Built;
use super::definitions::{Definitions, SlotId};
use super::terminals::Terminals;
use crate::budget::Budget;
use crate::error::Error;
use crate::grammar::{Embedded, Expr, Rule, RuleId, RuleOptions, TerminalId};
use crate::options::ReadOptions;
use crate::syntax::NESTING;
use crate::syntax::tree::{Ast, BYTES_PER_NODE, Definition, Ending, Name, Node, Span};
use std::collections::HashMap;

/// All rules, written out.
pub(super) struct Written {
    pub(super) rules: Vec<Rule>,
    pub(super) starts: Vec<RuleId>,
    pub(super) terminals: Terminals,
}

/// What tells the rules of one definition apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Variant {
    Plain,
    /// The arguments of a template, as [`key`] writes them.
    Arguments(String),
    Value(u64),
}

/// A rule that is used, to be written.
struct Instance {
    slot: SlotId,
    arguments: Vec<Expr>,
    value: Option<u64>,
    name: String,
}

/// Writes out the rules.
pub(super) fn write(
    definitions: &Definitions,
    terminals: Terminals,
    starts: &[SlotId],
    options: &ReadOptions,
    budget: &mut Budget,
) -> Result<Written, Error> {
    let (instances, known, limit) = (Vec::new(), HashMap::new(), options.limits.rules);
    let mut writer = Writer {
        definitions,
        terminals,
        instances,
        known,
        limit,
        budget,
    };
    for &slot in &definitions.visible {
        let found = &definitions.slots[slot];
        if !found.is_terminal && found.parameters().is_empty() && !found.is_parametric() {
            writer.instance(slot, Vec::new(), None, &found.span)?;
        }
    }
    let mut rules = Vec::new();
    while let Some(instance) = writer.instances.get_mut(rules.len()) {
        let arguments = std::mem::take(&mut instance.arguments);
        let (slot, value, name) = (instance.slot, instance.value, instance.name.clone());
        rules.push(writer.rule(slot, name, &arguments, value)?);
    }
    let mut found = Vec::new();
    for &slot in starts {
        found.push(writer.instance(slot, Vec::new(), None, &(0..0))?);
    }
    Ok(Written {
        rules,
        starts: found,
        terminals: writer.terminals,
    })
}

struct Writer<'w, 'm, 'k> {
    definitions: &'w Definitions<'m>,
    terminals: Terminals,
    instances: Vec<Instance>,
    known: HashMap<(SlotId, Variant), RuleId>,
    limit: usize,
    budget: &'w mut Budget<'k>,
}

/// What names mean in the body that is written.
#[derive(Clone, Copy)]
struct Scope<'s> {
    module: usize,
    parameters: &'s [Name],
    arguments: &'s [Expr],
    value: Option<u64>,
}

impl Writer<'_, '_, '_> {
    /// The rule of a slot with these arguments.
    fn instance(
        &mut self,
        slot: SlotId,
        arguments: Vec<Expr>,
        value: Option<u64>,
        span: &Span,
    ) -> Result<RuleId, Error> {
        let definitions = self.definitions;
        let base = &definitions.slots[slot].name;
        let (variant, name) = match value {
            Some(value) => (Variant::Value(value), format!("{base}::{value}")),
            None if arguments.is_empty() => (Variant::Plain, base.clone()),
            None => {
                let (mut text, mut nodes) = (String::new(), 0);
                for argument in &arguments {
                    nodes += key(argument, NESTING, &mut text, span)?;
                }
                self.budget.spend(nodes, span)?;
                let name = format!("{base}{{{}}}", self.argument_names(&arguments));
                (Variant::Arguments(text), name)
            }
        };
        let known = (slot, variant);
        if let Some(&id) = self.known.get(&known) {
            return Ok(id);
        }
        let id = self.instances.len();
        if id == self.limit {
            let message = format!(
                "the grammar has more than {} rules, written out",
                self.limit
            );
            let help = "look for a template or parametric rule that uses itself without end";
            return Err(Error::limit(message, span.clone(), help));
        }
        self.budget.spend(base.len() / BYTES_PER_NODE, span)?;
        self.known.insert(known, id);
        self.instances.push(Instance {
            slot,
            arguments,
            value,
            name,
        });
        Ok(id)
    }

    /// The arguments of a template for messages.
    fn argument_names(&self, arguments: &[Expr]) -> String {
        let short = |name: &str| {
            if name.len() <= 40 {
                name.to_owned()
            } else {
                "…".to_owned()
            }
        };
        let name = |argument: &Expr| match argument {
            Expr::Terminal(id) => short(&self.terminals.all[*id].name),
            Expr::Rule(id) => short(&self.instances[*id].name),
            _ => short("…"),
        };
        arguments.iter().map(name).collect::<Vec<_>>().join(",")
    }

    fn rule(
        &mut self,
        slot: SlotId,
        name: String,
        arguments: &[Expr],
        value: Option<u64>,
    ) -> Result<Rule, Error> {
        let definitions = self.definitions;
        let found = &definitions.slots[slot];
        let definition = found.definition;
        let body = match definition.map(|definition| &definition.options.ending) {
            Some(Some(ending)) => self.lexeme(slot, ending)?,
            _ => {
                let mut parts = Vec::new();
                for &(module, ast) in &found.bodies {
                    let parameters = found.parameters();
                    let part = self.expr(
                        ast,
                        Scope {
                            module,
                            parameters,
                            arguments,
                            value,
                        },
                    );
                    parts.push(part.map_err(|error| definitions.modules.locate(module, error))?);
                }
                union(parts)
            }
        };
        let priority = definition.and_then(|definition| definition.priority.as_ref());
        Ok(Rule {
            span: definitions.modules.place(found.module, &found.span),
            body,
            priority: priority.map_or(0, |(priority, _)| *priority),
            options: definition.map_or_else(RuleOptions::default, |d| rule_options(d, &found.name)),
            name,
        })
    }

    /// The terminal of a rule with `lazy`, `suffix` or `stop`. The shortest match of what may be
    /// empty is empty, so there such a terminal is not made.
    fn lexeme(&mut self, slot: SlotId, ending: &Ending) -> Result<Expr, Error> {
        let definitions = self.definitions;
        let slot = &definitions.slots[slot];
        let mut pattern = |module, ast, terminals: &Terminals| {
            let built = terminals.pattern(definitions, module, ast, self.budget);
            built.map_err(|error| definitions.modules.locate(module, error))
        };
        let mut parts = Vec::new();
        for &(module, ast) in &slot.bodies {
            parts.push(pattern(module, ast, &self.terminals)?);
        }
        let body = self.terminals.union(parts);
        let built = match ending {
            Ending::Lazy if body.shape.is_nullable => return Ok(EMPTY),
            Ending::Lazy => body.shortest(),
            Ending::Marker(marker) => body.until(pattern(slot.module, marker, &self.terminals)?),
        };
        let span = definitions.modules.place(slot.module, &slot.span);
        let id = self
            .terminals
            .add(slot.name.clone(), span, 0, Some(built))?;
        Ok(Expr::Terminal(id))
    }

    /// What an expression derives. This recurs, so it keeps little on the stack.
    fn expr(&mut self, ast: &Ast, scope: Scope) -> Result<Expr, Error> {
        self.budget.spend(ast.node.cost(), &ast.span)?;
        if let Node::If { condition, .. } = &ast.node
            && !condition.holds(scope.value.unwrap_or(0))
        {
            return Ok(NOTHING);
        }
        let mut parts = Vec::new();
        for child in ast.children() {
            parts.push(self.expr(child, scope)?);
        }
        self.over(ast, parts, scope)
    }

    /// What an expression derives whose parts derive `parts`.
    fn over(&mut self, ast: &Ast, mut parts: Vec<Expr>, scope: Scope) -> Result<Expr, Error> {
        Ok(match &ast.node {
            Node::String { text, .. } if text.is_empty() => EMPTY,
            Node::String { .. } | Node::Range { .. } | Node::Regex { .. } | Node::Substring(_) => {
                Expr::Terminal(self.anonymous(ast, scope.module)?)
            }
            Node::Name(name) => self.name(name, scope)?,
            Node::Template { name, .. } => {
                let slot = self.definitions.expect(scope.module, name)?;
                Expr::Rule(self.instance(slot, parts, None, &ast.span)?)
            }
            Node::Call { name, argument } => {
                let slot = self.definitions.expect(scope.module, name)?;
                let value = argument.at(scope.value);
                Expr::Rule(self.instance(slot, Vec::new(), value, &ast.span)?)
            }
            Node::Sequence(_) => Expr::Sequence(parts),
            Node::Union(_) => {
                parts.retain(|part| *part != NOTHING);
                union(parts)
            }
            Node::Repeat { repeat, .. } => {
                let of = Box::new(parts.pop().unwrap_or(NOTHING));
                let (min, max) = (repeat.min, repeat.max);
                Expr::Repeat { of, min, max }
            }
            Node::Token(token) => {
                let (token, span) = (token.clone(), self.place(ast, scope));
                Expr::Token { token, span }
            }
            Node::Json(text) => self.embedded(Embedded::Json(text.clone()), ast, scope),
            Node::Lark(text) => self.embedded(Embedded::Lark(text.clone()), ast, scope),
            Node::Grammar(name) => self.embedded(Embedded::Named(name.clone()), ast, scope),
            Node::If { .. } | Node::And(_) | Node::Not(_) => parts.pop().unwrap_or(NOTHING),
        })
    }

    fn place(&self, ast: &Ast, scope: Scope) -> Span {
        self.definitions.modules.place(scope.module, &ast.span)
    }

    fn embedded(&self, grammar: Embedded, ast: &Ast, scope: Scope) -> Expr {
        Expr::Embedded {
            grammar,
            span: self.place(ast, scope),
        }
    }

    fn name(&mut self, name: &Name, scope: Scope) -> Result<Expr, Error> {
        let parameter = scope
            .parameters
            .iter()
            .position(|found| found.text == name.text);
        if let Some(argument) = parameter.and_then(|index| scope.arguments.get(index)) {
            self.budget.spend(size(argument), &name.span)?;
            return Ok(argument.clone());
        }
        let slot = self.definitions.expect(scope.module, name)?;
        match self.terminals.of_slot[slot] {
            Some(terminal) => Ok(Expr::Terminal(terminal)),
            None => self
                .instance(slot, Vec::new(), None, &name.span)
                .map(Expr::Rule),
        }
    }

    /// The terminal of a string or regular expression in a rule.
    fn anonymous(&mut self, ast: &Ast, module: usize) -> Result<TerminalId, Error> {
        let modules = self.definitions.modules;
        let built = Built::atom(&ast.node, |start| {
            modules.place(module, &(start..start)).start
        });
        if let Some(id) = built
            .key
            .as_ref()
            .and_then(|key| self.terminals.names.get(key))
        {
            return Ok(id);
        }
        let name = self.terminals.names.name(built.key.as_ref());
        let span = modules.place(module, &ast.span);
        self.terminals.add(name, span, 0, Some(built))
    }
}

const EMPTY: Expr = Expr::Sequence(Vec::new());
const NOTHING: Expr = Expr::Union(Vec::new());

/// One of `parts`.
fn union(mut parts: Vec<Expr>) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            Expr::Union(parts)
        }
    }
}

fn rule_options(definition: &Definition, name: &str) -> RuleOptions {
    let options = &definition.options;
    let capture = options.capture.clone();
    RuleOptions {
        capture: capture.map(|capture| capture.unwrap_or_else(|| name.to_owned())),
        temperature: options.temperature,
        max_tokens: options.max_tokens,
        max_chars: options.max_chars,
        stop_capture: options.stop_capture.clone(),
    }
}
