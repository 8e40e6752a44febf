//! Where imported grammars come from.

/// The files beside a grammar.
pub trait Imports {
    /// The text of the file at this path, such as `tokens.lark` for `%import .tokens.NAME`,
    /// relative to the grammar that is read; `None` if there is none.
    fn file(&self, path: &str) -> Option<String>;
}

/// No files: only built-in libraries can be imported.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoImports;

impl Imports for NoImports {
    fn file(&self, _: &str) -> Option<String> {
        None
    }
}
