//! Names → definitions.
//!
//! What holds after: each name of a module, defined or imported there, leads to one [`Slot`];
//! `%override` and `%extend` have changed their slots.

use super::MAIN;
use super::files::Modules;
use crate::budget::Budget;
use crate::error::{Error, suggest};
use crate::syntax::tree::{Ast, Definition, Import, Item, Mode, Name, Span};
use std::collections::BTreeMap;

/// Index of a definition.
pub(super) type SlotId = usize;

/// A rule or terminal with all that defines it.
pub(super) struct Slot<'m> {
    /// Its name in the result.
    pub(super) name: String,
    pub(super) is_terminal: bool,
    /// The module that defines it, or replaces its definition.
    pub(super) module: usize,
    /// Where its name stands there.
    pub(super) span: Span,
    /// Its parameters, options and priority; none for a declared terminal.
    pub(super) definition: Option<&'m Definition>,
    /// Its alternatives, each with the module whose names it means.
    pub(super) bodies: Vec<(usize, &'m Ast)>,
}

impl Slot<'_> {
    /// The names of its parameters, if it is a template.
    pub(super) fn parameters(&self) -> &[Name] {
        self.definition
            .map_or(&[], |definition| &definition.parameters)
    }

    pub(super) fn is_parametric(&self) -> bool {
        self.definition
            .is_some_and(|definition| definition.parametric.is_some())
    }
}

/// What a name leads to.
#[derive(Clone, Copy)]
enum Binding<'m> {
    Slot(SlotId),
    /// A name of another module, with its name here.
    Import(usize, &'m Name, &'m Name),
}

/// All definitions.
pub(super) struct Definitions<'m> {
    pub(super) modules: &'m Modules,
    pub(super) slots: Vec<Slot<'m>>,
    names: Vec<BTreeMap<&'m str, Binding<'m>>>,
    /// The slots that the grammar's own file names, in its order.
    pub(super) visible: Vec<SlotId>,
    /// What the grammar ignores.
    pub(super) ignored: Vec<&'m Ast>,
}

/// Looks up what all modules define and import.
pub(super) fn define<'m>(
    modules: &'m Modules,
    budget: &mut Budget,
) -> Result<Definitions<'m>, Error> {
    let names = modules.all.iter().map(|_| BTreeMap::new()).collect();
    let mut definitions = Definitions {
        modules,
        slots: Vec::new(),
        names,
        visible: Vec::new(),
        ignored: Vec::new(),
    };
    for module in 0..modules.all.len() {
        definitions
            .define_in(module, budget)
            .map_err(|error| modules.locate(module, error))?;
    }
    // A file that is imported changes its own before the one that imports it.
    for module in (0..modules.all.len()).rev() {
        definitions
            .finish(module, budget)
            .map_err(|error| modules.locate(module, error))?;
    }
    Ok(definitions)
}

impl<'m> Definitions<'m> {
    /// Binds what a module defines, declares and imports.
    fn define_in(&mut self, module: usize, budget: &mut Budget) -> Result<(), Error> {
        let modules = self.modules;
        let mut imported = modules.all[module].imported.iter();
        for item in &modules.all[module].items {
            match item {
                Item::Definition(definition) if definition.mode == Mode::New => {
                    budget.tick(&definition.name.span)?;
                    self.add(module, &definition.name, Some(definition))?;
                }
                Item::Declare(names) => {
                    for name in names {
                        budget.tick(&name.span)?;
                        self.add(module, name, None)?;
                    }
                }
                Item::Import(import) => {
                    if let Some(&from) = imported.next() {
                        self.import(module, import, from, budget)?;
                    }
                }
                Item::Ignore(ast) if module == MAIN => self.ignored.push(ast),
                _ => {}
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        module: usize,
        name: &'m Name,
        definition: Option<&'m Definition>,
    ) -> Result<(), Error> {
        let prefix = if module == MAIN {
            ""
        } else {
            self.modules.all[module].prefix.as_str()
        };
        let slot = Slot {
            name: format!("{prefix}{}", name.text),
            is_terminal: name.is_terminal(),
            module,
            span: name.span.clone(),
            definition,
            bodies: definition
                .iter()
                .map(|definition| (module, &definition.body))
                .collect(),
        };
        self.slots.push(slot);
        self.bind(module, name, Binding::Slot(self.slots.len() - 1))
    }

    fn import(
        &mut self,
        module: usize,
        import: &'m Import,
        from: usize,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        for (name, alias) in &import.names {
            budget.tick(&name.span)?;
            match self.names[module].get(alias.text.as_str()) {
                Some(Binding::Import(first, there, _))
                    if *first == from && there.text == name.text => {}
                _ => self.bind(module, alias, Binding::Import(from, name, alias))?,
            }
        }
        Ok(())
    }

    fn bind(&mut self, module: usize, name: &'m Name, binding: Binding<'m>) -> Result<(), Error> {
        let Some(first) = self.names[module].insert(&name.text, binding) else {
            return Ok(());
        };
        let first = match first {
            Binding::Slot(slot) => self.slots[slot].span.clone(),
            Binding::Import(_, _, alias) => alias.span.clone(),
        };
        let kind = if name.is_terminal() {
            "terminal"
        } else {
            "rule"
        };
        Err(Error::new(
            format!("the {kind} `{}` is defined twice", name.text),
            name.span.clone(),
        )
        .help("`%override` replaces a definition, `%extend` adds alternatives to it")
        .also(first, "first defined here"))
    }

    /// Checks the imports of a module and applies its `%override` and `%extend`.
    fn finish(&mut self, module: usize, budget: &mut Budget) -> Result<(), Error> {
        let modules = self.modules;
        for item in &modules.all[module].items {
            if let Item::Import(import) = item {
                for (name, alias) in &import.names {
                    budget.tick(&name.span)?;
                    let slot = self.imported(module, name, alias, import)?;
                    if module == MAIN && self.slots[slot].module != MAIN {
                        self.slots[slot].name.clone_from(&alias.text);
                    }
                }
            }
        }
        for (place, item) in modules.all[module].items.iter().enumerate() {
            match item {
                Item::Definition(definition) if definition.mode != Mode::New => {
                    budget.tick(&definition.name.span)?;
                    self.change(module, definition, place)?;
                }
                _ => {}
            }
        }
        if module == MAIN {
            self.visible = self.visible_slots(budget)?;
        }
        Ok(())
    }

    /// The slot of an imported name, or the error that there is none.
    fn imported(
        &self,
        module: usize,
        name: &Name,
        alias: &Name,
        import: &Import,
    ) -> Result<SlotId, Error> {
        self.lookup(module, &alias.text).ok_or_else(|| {
            let path = import.path.join(".");
            let message = format!("`{path}` has no `{}`", name.text);
            let from = self.names[module].get(alias.text.as_str());
            let help = match from {
                Some(Binding::Import(from, ..)) => {
                    suggest(&name.text, self.names[*from].keys().copied())
                }
                _ => String::new(),
            };
            Error::new(message, name.span.clone()).help(help)
        })
    }

    /// Applies an `%override` or `%extend`, which is the item `place` of its module.
    fn change(
        &mut self,
        module: usize,
        definition: &'m Definition,
        place: usize,
    ) -> Result<(), Error> {
        let name = &definition.name;
        let slot = self.lookup(module, &name.text).filter(|&slot| {
            let own = self.slots[slot].module == module;
            !own || self.slots[slot].span.start < name.span.start && place > 0
        });
        let Some(slot) = slot else {
            let what = if definition.mode == Mode::Extend {
                "extended"
            } else {
                "overridden"
            };
            let message = format!("`{}` cannot be {what}: it is not defined before", name.text);
            return Err(
                Error::new(message, name.span.clone()).help("define or import it in a line above")
            );
        };
        let slot = &mut self.slots[slot];
        if definition.mode == Mode::Override {
            slot.definition = Some(definition);
            (slot.module, slot.span) = (module, name.span.clone());
            slot.bodies = vec![(module, &definition.body)];
            return Ok(());
        }
        let first = slot.definition.map_or(&[][..], |first| &first.parameters);
        let same = first
            .iter()
            .map(|name| &name.text)
            .eq(definition.parameters.iter().map(|name| &name.text));
        let plain = definition.options.ending.is_none()
            && definition.options.beyond_capture.is_none()
            && definition.options.capture.is_none();
        if !same || !plain || definition.parametric.is_some() != slot.is_parametric() {
            let message = format!("`%extend {}` does not have its parameters", name.text);
            return Err(Error::new(message, name.span.clone())
                .help("repeat the parameters of the first definition, without options"));
        }
        slot.definition = slot.definition.or(Some(definition));
        slot.bodies.push((module, &definition.body));
        Ok(())
    }

    /// The slots that the grammar's own file defines or imports, in its order.
    fn visible_slots(&self, budget: &mut Budget) -> Result<Vec<SlotId>, Error> {
        let mut visible = Vec::new();
        let mut is_seen = vec![false; self.slots.len()];
        let mut see = |name: &Name| {
            budget.tick(&name.span)?;
            if let Some(slot) = self.lookup(MAIN, &name.text)
                && !std::mem::replace(&mut is_seen[slot], true)
            {
                visible.push(slot);
            }
            Ok(())
        };
        for item in &self.modules.all[MAIN].items {
            match item {
                Item::Definition(definition) => see(&definition.name)?,
                Item::Declare(names) => names.iter().try_for_each(&mut see)?,
                Item::Import(import) => {
                    let names = import.names.iter();
                    names.map(|(_, alias)| alias).try_for_each(&mut see)?;
                }
                _ => {}
            }
        }
        Ok(visible)
    }

    /// The slot that a name means in a module.
    pub(super) fn lookup(&self, module: usize, name: &str) -> Option<SlotId> {
        let (mut module, mut name) = (module, name);
        for _ in 0..=self.modules.all.len() {
            match self.names[module].get(name)? {
                Binding::Slot(slot) => return Some(*slot),
                Binding::Import(from, there, _) => (module, name) = (*from, &there.text),
            }
        }
        None
    }

    /// The slot that a name means in a module, or the error that there is none.
    pub(super) fn expect(&self, module: usize, name: &Name) -> Result<SlotId, Error> {
        self.lookup(module, &name.text).ok_or_else(|| {
            let kind = if name.is_terminal() {
                "terminal"
            } else {
                "rule"
            };
            let message = format!("the {kind} `{}` is not defined", name.text);
            let help = suggest(&name.text, self.names[module].keys().copied());
            let help = match help.is_empty() && crate::common::has(&name.text) {
                true => format!("`%import common.{}` imports it", name.text),
                false => help,
            };
            Error::new(message, name.span.clone()).help(help)
        })
    }

    /// The name nearest to one that is not defined in the grammar's own file.
    pub(super) fn suggest(&self, name: &str) -> String {
        suggest(name, self.names[MAIN].keys().copied())
    }
}
