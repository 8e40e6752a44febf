//! The result of compiling: tables, a report, warnings.

use super::report::Report;
use crate::error::Diagnostic;
use crate::source::Sources;
use crate::syntax::Parsed;
use crate::syntax::tools::ToolCalls;

/// A compiled grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    pub(super) tables: Vec<u8>,
    pub(super) report: Report,
    pub(super) warnings: Vec<Diagnostic>,
    /// The texts that the warnings are about, if it was compiled from texts.
    pub(super) sources: Option<Sources>,
    /// What a reader of the sentences has to know, if it was compiled from tools.
    pub(super) calls: Option<Box<ToolCalls>>,
}

impl Compiled {
    /// The tables: what to write to a file, or to load with [`maskwright_core::Grammar::load`].
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The tables.
    pub fn into_tables(self) -> Vec<u8> {
        self.tables
    }

    /// What the compile found and what it cost.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the user should know though the grammar compiles.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The warnings, drawn with excerpts of the texts that they are about, if it was compiled from
    /// texts; `colour` adds terminal colours.
    pub fn render_warnings(&self, colour: bool) -> Vec<String> {
        let sources = self.sources.as_ref();
        let warnings = self.warnings.iter();
        warnings
            .map(|warning| warning.render(sources, colour))
            .collect()
    }

    /// What a reader of outputs has to know, if it was compiled from tools.
    pub fn calls(&self) -> Option<&ToolCalls> {
        self.calls.as_deref()
    }

    /// The same with the results of reading the grammar: its texts, warnings and calls.
    pub(super) fn with_parsed(mut self, parsed: Parsed) -> Self {
        self.warnings.splice(..0, parsed.warnings);
        self.sources = Some(parsed.sources);
        self.calls = parsed.calls;
        self
    }

    /// The grammar, ready for a matcher.
    ///
    /// # Errors
    ///
    /// If it was [compiled beside](crate::Compiler::beside) another one. Otherwise loading
    /// succeeds, but the tables are validated like any others.
    pub fn grammar(&self) -> Result<maskwright_core::Grammar<'_>, maskwright_core::LoadError> {
        maskwright_core::Grammar::load(&self.tables)
    }
}
