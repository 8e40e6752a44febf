//! The files of a grammar: its own text, the files that it imports, and those that they import.

use super::MAIN;
use crate::budget::Budget;
use crate::common;
use crate::error::Error;
use crate::imports::Imports;
use crate::syntax::tree::{Import, Item, Span};
use crate::syntax::{self};
use std::collections::BTreeMap;

/// How many files may be imported.
const MOST_FILES: usize = 256;

/// Lark's libraries that are not built in.
const OTHER_LIBRARIES: [&str; 3] = ["python", "unicode", "lark"];

/// A file.
pub(crate) struct Module {
    pub(crate) items: Vec<Item>,
    /// The modules that its imports name, in their order.
    pub(crate) imported: Vec<usize>,
    /// How messages call it.
    pub(crate) file: String,
    /// What stands before its names where they are not imported by name.
    pub(crate) prefix: String,
    /// Where the grammar imports it, or imports the file that does.
    origin: Span,
    text: String,
}

/// The grammar's own file, which is the first, and those that it imports.
pub(crate) struct Modules {
    pub(crate) all: Vec<Module>,
}

/// Reads a grammar and all files that it imports.
pub(crate) fn load(
    text: &str,
    imports: &dyn Imports,
    budget: &mut Budget,
) -> Result<Modules, Error> {
    let main = Module {
        items: syntax::parse(text, budget)?,
        imported: Vec::new(),
        file: String::new(),
        prefix: String::new(),
        origin: 0..0,
        text: String::new(),
    };
    let mut loader = Loader {
        modules: Modules { all: vec![main] },
        known: BTreeMap::new(),
        imports,
    };
    let mut next = 0;
    while next < loader.modules.all.len() {
        loader.load_imports_of(next, budget)?;
        next += 1;
    }
    Ok(loader.modules)
}

struct Loader<'i> {
    modules: Modules,
    /// The modules by their files.
    known: BTreeMap<String, usize>,
    imports: &'i dyn Imports,
}

impl Loader<'_> {
    fn load_imports_of(&mut self, module: usize, budget: &mut Budget) -> Result<(), Error> {
        let items = std::mem::take(&mut self.modules.all[module].items);
        let mut imported = Vec::new();
        for item in &items {
            if let Item::Import(import) = item {
                imported.push(self.module_of(import, module, budget)?);
            }
        }
        let module = &mut self.modules.all[module];
        module.items = items;
        module.imported = imported;
        Ok(())
    }

    /// The module that `import`, in the module `from`, names.
    fn module_of(
        &mut self,
        import: &Import,
        from: usize,
        budget: &mut Budget,
    ) -> Result<usize, Error> {
        let file = self.file_of(import, from);
        if let Some(&known) = self.known.get(&file) {
            return Ok(known);
        }
        let located = |error| self.modules.locate(from, error);
        if self.known.len() == MOST_FILES {
            let message = format!("more than {MOST_FILES} files are imported");
            return Err(located(Error::limit(message, import.span.clone(), "")));
        }
        let text = self.text_of(import, &file).map_err(located)?;
        let origin = self.modules.place(from, &import.span);
        let mut module = Module {
            items: Vec::new(),
            imported: Vec::new(),
            prefix: import.path.join("__") + "__",
            file: file.clone(),
            origin,
            text,
        };
        let items = syntax::parse(&module.text, budget);
        module.items = items.map_err(|error| module.locate(error))?;
        self.modules.all.push(module);
        let index = self.modules.all.len() - 1;
        self.known.insert(file, index);
        Ok(index)
    }

    /// The path of the file that `import` names.
    fn file_of(&self, import: &Import, from: usize) -> String {
        let path = import.path.join("/");
        if !import.is_relative {
            return if path == common::FILE {
                path
            } else {
                path + ".lark"
            };
        }
        let directory = self.modules.all[from].file.rsplit_once('/');
        directory.map_or(String::new(), |(directory, _)| format!("{directory}/")) + &path + ".lark"
    }

    fn text_of(&self, import: &Import, file: &str) -> Result<String, Error> {
        if file == common::FILE {
            return Ok(common::TEXT.to_owned());
        }
        if let Some(text) = self.imports.file(file) {
            return Ok(text);
        }
        let span = import.span.clone();
        let library = import
            .path
            .first()
            .filter(|_| !import.is_relative && import.path.len() == 1);
        match library {
            Some(name) if OTHER_LIBRARIES.contains(&name.as_str()) => {
                let message = format!("Lark's library `{name}` is not built in");
                Err(Error::new(message, span)
                    .help(format!("put its file `{file}` beside the grammar")))
            }
            Some(name) => Err(Error::new(format!("there is no library `{name}`"), span)
                .help("`common` is built in; a file beside the grammar is `.name`")),
            None => Err(
                Error::new(format!("the file `{file}` to import is not given"), span)
                    .help("paths are relative to the file with the import"),
            ),
        }
    }
}

impl Modules {
    /// The place in the grammar's own text for a place in a module.
    pub(crate) fn place(&self, module: usize, span: &Span) -> Span {
        if module == MAIN {
            span.clone()
        } else {
            self.all[module].origin.clone()
        }
    }

    /// An error with places in a module, with places in the grammar's own text.
    pub(crate) fn locate(&self, module: usize, error: Error) -> Error {
        if module == MAIN {
            error
        } else {
            self.all[module].locate(error)
        }
    }
}

impl Module {
    fn locate(&self, error: Error) -> Error {
        let (line, column) = position(&self.text, error.span.start);
        let message = format!(
            "in `{}`, line {line}, column {column}: {}",
            self.file, error.message
        );
        let also = error.also.into_iter().map(|(span, what)| {
            let (line, column) = position(&self.text, span.start);
            (
                self.origin.clone(),
                format!("line {line}, column {column}: {what}"),
            )
        });
        Error {
            message,
            span: self.origin.clone(),
            also: also.collect(),
            ..error
        }
    }
}

/// The line and column, from 1, of a byte of a text.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |line| line.chars().count())
        + 1;
    (line, column)
}
