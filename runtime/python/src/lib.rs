//! Maskwright for Python: the extension module `maskwright._native`, which the package `maskwright`
//! shows.
//!
//! In: grammars and vocabularies as Python has them. Out: classes over the compiler and over the
//! runtime's owned types. What holds throughout: unsafe code is in [`buffer`] only; the
//! interpreter's lock is released while a vocabulary is read, while a grammar is compiled or
//! loaded, while masks are written, and while a request is read or waited for; an error
//! leaves the object as it was.

mod batch;
mod buffer;
mod calls;
mod compiler;
mod errors;
mod forks;
mod grammar;
mod kept;
mod matcher;
mod options;
mod registry;
mod request;
mod served;
mod shared;
mod vocabulary;

use pyo3::prelude::*;

/// The compiled part of the package `maskwright`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    /// Runs when the module is imported.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::forks::watch(module.py())
    }

    #[pymodule_export]
    use crate::batch::{apply_masks, fill_batch};
    #[pymodule_export]
    use crate::calls::{Call, CallFormat, CallReader, OpenCall, Reasoning, Text};
    #[pymodule_export]
    use crate::compiler::Compiler;
    #[pymodule_export]
    use crate::errors::{GrammarError, GrammarWarning, TablesError, VocabularyError};
    #[pymodule_export]
    use crate::grammar::Grammar;
    #[pymodule_export]
    use crate::kept::{MaskBuffer, MaskPool};
    #[pymodule_export]
    use crate::matcher::Matcher;
    #[pymodule_export]
    use crate::registry::{Handle, Registry};
    #[pymodule_export]
    use crate::served::ServedMatcher;
    #[pymodule_export]
    use crate::vocabulary::Vocabulary;
}
