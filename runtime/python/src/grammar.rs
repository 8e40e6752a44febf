//! The class `Grammar`.
//!
//! In: tables, from the compiler or as bytes. Out: an immutable object that matchers share. What holds: the tables were validated, and their
//! vocabulary is attached.

use std::sync::Arc;

use maskwright_compiler::tables_digest;
use maskwright_core::OwnedGrammar;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::tables_error;
use crate::shared::SharedMasks;
use crate::vocabulary::Vocabulary;

/// A compiled grammar for one vocabulary.
///
/// It does not change; threads and matchers share it. `Compiler` makes one, and `from_bytes` reads one that `to_bytes` wrote.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct Grammar {
    pub(crate) inner: OwnedGrammar,
    /// Masks that the grammars of the vocabulary share, and this one's number there.
    pub(crate) masks: Arc<SharedMasks>,
    pub(crate) number: u64,
    warnings: Vec<String>,
}

impl Grammar {
    pub(crate) fn load(
        tables: Vec<u8>,
        vocabulary: &Vocabulary,
        warnings: Vec<String>,
    ) -> PyResult<Self> {
        // A pool may have grammars of clients who do not trust one another.
        let digest = tables_digest(&tables);
        let inner = OwnedGrammar::load(tables).map_err(tables_error)?;
        let inner = inner.with_digest(digest);
        let inner = inner.with_vocabulary(&vocabulary.tables);
        Ok(Grammar {
            inner: inner.map_err(tables_error)?,
            masks: Arc::clone(&vocabulary.masks),
            number: vocabulary.masks.number(),
            warnings,
        })
    }
}

#[pymethods]
impl Grammar {
    /// Reads what `to_bytes` wrote, for the vocabulary that the grammar was compiled for. The bytes are checked, not trusted.
    ///
    /// Raises `TablesError` if they are of another version or vocabulary, damaged, or no grammar at all.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, tables: Vec<u8>, vocabulary: &Vocabulary) -> PyResult<Self> {
        py.detach(|| Self::load(tables, vocabulary, Vec::new()))
    }

    /// The grammar as `bytes`, without its vocabulary: to keep in a file, or to send to another process.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.tables())
    }

    /// Bytes of its tables: the length of `to_bytes()`, without a copy.
    #[getter]
    fn nbytes(&self) -> usize {
        self.inner.tables().len()
    }

    /// Number of tokens: the length of a row of logits.
    #[getter]
    fn vocab_size(&self) -> u32 {
        self.inner.view().vocab_size()
    }

    /// The words of 32 bits that a mask takes: `vocab_size / 32`, rounded up. Buffers for masks have the shape `(rows, mask_words)`.
    #[getter]
    fn mask_words(&self) -> usize {
        self.inner.view().mask_words()
    }

    /// The most stacks of a matcher.
    #[getter]
    fn max_stacks(&self) -> usize {
        self.inner.view().max_stacks()
    }

    /// The least `depth` of a matcher: the shortest text needs as many frames.
    #[getter]
    fn least_depth(&self) -> usize {
        self.inner.view().least_depth()
    }

    /// What the compiler warned of, each as a drawn text; empty for a grammar that was read from bytes.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn __repr__(&self) -> String {
        let bytes = self.inner.tables().len();
        format!(
            "<maskwright.Grammar bytes={bytes} vocab_size={}>",
            self.vocab_size()
        )
    }
}
