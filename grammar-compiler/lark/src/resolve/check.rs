//! Whether names are used as what they are.
//!
//! What holds after: every name in a reached definition is defined; terminals and the rules that
//! are written as terminals hold no rules; templates and parametric rules get what they need.

use super::MAIN;
use super::definitions::{Definitions, Slot, SlotId};
use crate::budget::Budget;
use crate::error::Error;
use crate::options::ReadOptions;
use crate::syntax::tree::{Ast, Definition, Ending, Name, Node, Value};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Rule,
    /// A terminal's definition, or an ignored expression.
    Terminal,
    /// The body of a rule with `lazy`, `suffix` or `stop`.
    Lexeme,
}

/// The slots of the start rules.
pub(super) fn starts(
    definitions: &Definitions,
    options: &ReadOptions,
) -> Result<Vec<SlotId>, Error> {
    let start = |name: &String| {
        let Some(slot) = definitions.lookup(MAIN, name) else {
            let near = definitions.suggest(name);
            let help = match near.is_empty() {
                true => format!("define a rule `{name}`, or set another start"),
                false => near,
            };
            return Err(
                Error::new(format!("the start rule `{name}` is not defined"), 0..0).help(help),
            );
        };
        let found = &definitions.slots[slot];
        let wrong = match found {
            _ if found.is_terminal => "it is a terminal",
            _ if !found.parameters().is_empty() => "it is a template",
            _ if found.is_parametric() => "it has a parameter",
            _ => return Ok(slot),
        };
        let place = definitions.modules.place(found.module, &found.span);
        let message = format!("`{name}` cannot be the start: {wrong}");
        Err(Error::new(message, place).help(format!("write a rule that uses `{name}`")))
    };
    if options.start.is_empty() {
        return Err(Error::new("no start rule is named", 0..0).help("name at least one"));
    }
    options.start.iter().map(start).collect()
}

/// Checks all definitions that the grammar's own file can reach, which it returns in order.
pub(super) fn check(
    definitions: &Definitions,
    options: &ReadOptions,
    budget: &mut Budget,
) -> Result<Vec<SlotId>, Error> {
    let mut is_reached = vec![false; definitions.slots.len()];
    let mut reached = definitions.visible.clone();
    reached.iter().for_each(|&slot| is_reached[slot] = true);
    let mut next = 0;
    while let Some(&slot) = reached.get(next) {
        next += 1;
        let mut used = Vec::new();
        check_slot(definitions, slot, options, &mut used, budget)?;
        for slot in used {
            if !std::mem::replace(&mut is_reached[slot], true) {
                reached.push(slot);
            }
        }
    }
    for ast in &definitions.ignored {
        let mut checker = Checker::new(definitions, MAIN, Context::Terminal, None, budget);
        checker.walk(ast)?;
        for slot in checker.used {
            if !std::mem::replace(&mut is_reached[slot], true) {
                reached.push(slot);
            }
        }
    }
    Ok(reached)
}

fn check_slot(
    definitions: &Definitions,
    slot: SlotId,
    options: &ReadOptions,
    used: &mut Vec<SlotId>,
    budget: &mut Budget,
) -> Result<(), Error> {
    let slot = &definitions.slots[slot];
    let Some(definition) = slot.definition else {
        return Ok(());
    };
    let modules = definitions.modules;
    check_head(slot, definition, options).map_err(|error| modules.locate(slot.module, error))?;
    let context = match definition.options.ending {
        _ if slot.is_terminal => Context::Terminal,
        Some(_) => Context::Lexeme,
        None => Context::Rule,
    };
    let mut uses_parameter = false;
    let marker = match &definition.options.ending {
        Some(Ending::Marker(marker)) => Some((slot.module, &**marker)),
        _ => None,
    };
    for (module, ast) in slot.bodies.iter().copied().chain(marker) {
        let mut checker = Checker::new(definitions, module, context, Some(definition), budget);
        let result = checker.walk(ast);
        uses_parameter |= checker.uses_parameter;
        used.append(&mut checker.used);
        result.map_err(|error| modules.locate(module, error))?;
    }
    match &definition.parametric {
        Some(span) if !uses_parameter => {
            let message = format!("the rule `{}` does not use its parameter", slot.name);
            let error = Error::new(message, span.clone()).help("leave out `::_`");
            Err(modules.locate(slot.module, error))
        }
        _ => Ok(()),
    }
}

/// Checks priority and options.
fn check_head(slot: &Slot, definition: &Definition, options: &ReadOptions) -> Result<(), Error> {
    let allowed = match slot.is_terminal {
        true => options.allow_terminal_priorities,
        false => options.allow_rule_priorities,
    };
    if let Some((_, span)) = definition.priority.as_ref().filter(|_| !allowed) {
        let kind = if slot.is_terminal {
            "terminals"
        } else {
            "rules"
        };
        let message = format!("priorities of {kind} have no meaning with this lexer");
        return Err(Error::new(message, span.clone())
            .help("take it out, or choose one of Lark's LALR lexers"));
    }
    let Some((option, span)) = &definition.options.beyond_capture else {
        return Ok(());
    };
    let kind = match definition {
        _ if definition.parametric.is_some() => "parametric rules",
        _ if !definition.parameters.is_empty() => "templates",
        _ => return Ok(()),
    };
    let message = format!("`{option}` is not supported for {kind}");
    Err(Error::new(message, span.clone()).help("set it on a rule that uses this one"))
}

struct Checker<'c, 'm, 'b, 'k> {
    definitions: &'c Definitions<'m>,
    module: usize,
    context: Context,
    /// The definition whose parameters are known.
    definition: Option<&'m Definition>,
    used: Vec<SlotId>,
    uses_parameter: bool,
    budget: &'b mut Budget<'k>,
}

impl<'c, 'm, 'b, 'k> Checker<'c, 'm, 'b, 'k> {
    fn new(
        definitions: &'c Definitions<'m>,
        module: usize,
        context: Context,
        definition: Option<&'m Definition>,
        budget: &'b mut Budget<'k>,
    ) -> Self {
        let (used, uses_parameter) = (Vec::new(), false);
        Self {
            definitions,
            module,
            context,
            definition,
            used,
            uses_parameter,
            budget,
        }
    }

    /// Checks an expression. This recurs, so it keeps little on the stack.
    fn walk(&mut self, ast: &Ast) -> Result<(), Error> {
        self.node(ast)?;
        for child in ast.children() {
            self.walk(child)?;
        }
        Ok(())
    }

    /// Checks an expression but for its parts.
    fn node(&mut self, ast: &Ast) -> Result<(), Error> {
        self.budget.tick(&ast.span)?;
        match &ast.node {
            Node::Name(name) => self.name(name),
            Node::Template { name, arguments } => self.template(name, arguments, ast),
            Node::Call { name, argument } => self.call(name, *argument, ast),
            Node::If { condition, .. } if condition.uses_parameter() => {
                self.parameter(ast, "a condition on a parameter")
            }
            Node::And(_) => self.only_in_terminals("&", ast),
            Node::Not(_) => self.only_in_terminals("~", ast),
            Node::Token(_) => self.only_in_rules("a token of the vocabulary", ast),
            Node::Json(_) => self.only_in_rules("`%json`", ast),
            Node::Lark(_) => self.only_in_rules("`%lark`", ast),
            Node::Grammar(_) => self.only_in_rules("another grammar", ast),
            _ => Ok(()),
        }
    }

    fn name(&mut self, name: &Name) -> Result<(), Error> {
        if self.is_parameter(name) {
            return Ok(());
        }
        let slot = self.definitions.expect(self.module, name)?;
        let found = &self.definitions.slots[slot];
        if self.context != Context::Rule && !found.is_terminal {
            return Err(self.in_terminal(&format!("the rule `{}`", name.text), name.span.clone()));
        }
        if self.context != Context::Rule && found.definition.is_none() {
            let message = format!("`{}` is declared only, and has no pattern", name.text);
            return Err(Error::new(message, name.span.clone()));
        }
        if !found.parameters().is_empty() {
            let message = format!("the template `{}` needs arguments", name.text);
            return Err(
                Error::new(message, name.span.clone()).help(format!("write `{}{{…}}`", name.text))
            );
        }
        if found.is_parametric() {
            let message = format!("the rule `{}` needs a parameter", name.text);
            return Err(Error::new(message, name.span.clone())
                .help(format!("write `{}::0` or `{}::_`", name.text, name.text)));
        }
        self.used.push(slot);
        Ok(())
    }

    fn template(&mut self, name: &Name, arguments: &[Ast], ast: &Ast) -> Result<(), Error> {
        self.only_in_rules("a template", ast)?;
        let slot = self.definitions.expect(self.module, name)?;
        let count = self.definitions.slots[slot].parameters().len();
        if count == arguments.len() {
            self.used.push(slot);
            return Ok(());
        }
        let message = match count {
            0 => format!("`{}` is no template", name.text),
            1 => format!("the template `{}` takes 1 argument", name.text),
            _ => format!("the template `{}` takes {count} arguments", name.text),
        };
        Err(Error::new(message, ast.span.clone()))
    }

    fn call(&mut self, name: &Name, argument: Value, ast: &Ast) -> Result<(), Error> {
        self.only_in_rules("a parametric rule", ast)?;
        let slot = self.definitions.expect(self.module, name)?;
        if !self.definitions.slots[slot].is_parametric() {
            let message = format!("the rule `{}` has no parameter", name.text);
            return Err(Error::new(message, ast.span.clone())
                .help(format!("define it as `{}::_: …`", name.text)));
        }
        self.used.push(slot);
        match argument {
            Value::Constant(_) => Ok(()),
            _ => self.parameter(ast, "an argument from a parameter"),
        }
    }

    /// Notes that the rule's parameter is used at `ast`.
    fn parameter(&mut self, ast: &Ast, what: &str) -> Result<(), Error> {
        self.uses_parameter = true;
        match self.definition {
            Some(definition) if definition.parametric.is_some() => Ok(()),
            Some(definition) if self.context == Context::Rule => {
                let name = &definition.name.text;
                let message = format!("{what} stands in `{name}`, which has none");
                Err(Error::new(message, ast.span.clone())
                    .help(format!("define the rule as `{name}::_: …`")))
            }
            _ => Err(self.in_terminal(what, ast.span.clone())),
        }
    }

    fn is_parameter(&self, name: &Name) -> bool {
        let parameters = self
            .definition
            .map_or(&[][..], |definition| &definition.parameters);
        parameters
            .iter()
            .any(|parameter| parameter.text == name.text)
    }

    fn only_in_rules(&self, what: &str, ast: &Ast) -> Result<(), Error> {
        match self.context {
            Context::Rule => Ok(()),
            _ => Err(self.in_terminal(what, ast.span.clone())),
        }
    }

    fn in_terminal(&self, what: &str, span: crate::syntax::tree::Span) -> Error {
        let (place, help) = match self.context {
            Context::Lexeme => (
                "a rule with `lazy`, `suffix` or `stop`",
                "such a rule holds only terminals, strings, regular expressions and operators",
            ),
            _ => (
                "a terminal",
                "a terminal holds only terminals, strings and regular expressions",
            ),
        };
        Error::new(format!("{what} cannot stand in {place}"), span).help(help)
    }

    fn only_in_terminals(&self, operator: &str, ast: &Ast) -> Result<(), Error> {
        match self.context {
            Context::Rule => {
                let message = format!("`{operator}` cannot stand in a rule");
                Err(Error::new(message, ast.span.clone())
                    .help("define a terminal with it, and use that"))
            }
            _ => Ok(()),
        }
    }
}

/// The terminals that the definition of a terminal names, the last one first.
pub(super) fn references(definitions: &Definitions, slot: SlotId) -> Vec<SlotId> {
    let mut found = Vec::new();
    for &(module, ast) in &definitions.slots[slot].bodies {
        collect(definitions, module, ast, &mut found);
    }
    found.reverse();
    found
}

fn collect(definitions: &Definitions, module: usize, ast: &Ast, found: &mut Vec<SlotId>) {
    if let Node::Name(name) = &ast.node {
        found.extend(definitions.lookup(module, &name.text));
    }
    for child in ast.children() {
        collect(definitions, module, child, found);
    }
}
