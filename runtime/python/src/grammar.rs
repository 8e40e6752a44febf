//! The class `Grammar`.
//!
//! In: tables, from the compiler or as bytes. Out: an immutable object that matchers share. What
//! holds: the tables were validated, and their vocabulary is attached.

use std::sync::Arc;

use maskwright_compiler::tables_digest;
use maskwright_core::OwnedGrammar;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::calls::CallFormat;
use crate::errors::tables_error;
use crate::shared::SharedMasks;
use crate::vocabulary::Vocabulary;

/// A compiled grammar for one vocabulary.
///
/// It does not change; threads and matchers share it. `Compiler` makes one, and `from_bytes` reads
/// one that `to_bytes` wrote.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct Grammar {
    pub(crate) inner: OwnedGrammar,
    pub(crate) vocabulary: Py<Vocabulary>,
    /// Masks that the grammars of the vocabulary share, and this one's number there.
    pub(crate) masks: Arc<SharedMasks>,
    pub(crate) number: u64,
    /// What the compiler said beside the tables.
    told: Told,
}

/// What the compiler says of a grammar beside its tables.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) warnings: Vec<String>,
    pub(crate) calls: Option<Py<CallFormat>>,
}

impl Grammar {
    /// A grammar of these tables. The interpreter's lock is released while they are checked.
    pub(crate) fn load(
        py: Python<'_>,
        tables: Vec<u8>,
        vocabulary: &Py<Vocabulary>,
        told: Told,
    ) -> PyResult<Self> {
        let of = vocabulary.get();
        let inner = py.detach(|| {
            // A pool may have grammars of clients who do not trust one another.
            let digest = tables_digest(&tables);
            let inner = OwnedGrammar::load(tables)?.with_digest(digest);
            inner.with_vocabulary(&of.tables)
        });
        Ok(Grammar {
            inner: inner.map_err(tables_error)?,
            masks: Arc::clone(&of.masks),
            number: of.masks.number(),
            vocabulary: vocabulary.clone_ref(py),
            told,
        })
    }
}

#[pymethods]
impl Grammar {
    /// Reads what `to_bytes` wrote, for the vocabulary that the grammar was compiled for. The bytes
    /// are checked, not trusted.
    ///
    /// Raises `TablesError` if they are of another version or vocabulary, damaged, or no grammar at
    /// all.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "as Python gives it")]
    fn from_bytes(py: Python<'_>, tables: Vec<u8>, vocabulary: Py<Vocabulary>) -> PyResult<Self> {
        Self::load(py, tables, &vocabulary, Told::default())
    }

    /// The grammar as `bytes`, without its vocabulary: to keep in a file, or to send to another
    /// process.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.tables())
    }

    /// The vocabulary that it was compiled for.
    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
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

    /// The ids that end a text, ascending: a list of int.
    #[getter]
    fn eos(&self) -> Vec<u32> {
        self.inner.view().eos().collect()
    }

    /// The words of 32 bits that a mask takes: `vocab_size / 32`, rounded up. Buffers for masks
    /// have the shape `(rows, mask_words)`.
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

    /// What the compiler warned of, each as a drawn text; empty for a grammar that was read from
    /// bytes.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.told.warnings.clone()
    }

    /// How to read outputs back, if the grammar was compiled from tools; None for others, and for
    /// a grammar that was read from bytes: `Compiler.call_format` reads the tools again.
    #[getter]
    fn call_format(&self, py: Python<'_>) -> Option<Py<CallFormat>> {
        let format = self.told.calls.as_ref();
        format.map(|format| format.clone_ref(py))
    }

    /// For pickle: its bytes and its vocabulary.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, grammar) = (slf.py(), slf.get());
        let tables = PyBytes::new(py, grammar.inner.tables());
        let arguments = (tables, grammar.vocabulary.clone_ref(py)).into_pyobject(py)?;
        Ok((slf.get_type().getattr("from_bytes")?, arguments.into_any()))
    }

    /// For copy: it does not change, so that a copy is the same.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// For copy, as `__copy__`.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let bytes = self.inner.tables().len();
        format!(
            "<maskwright.Grammar bytes={bytes} vocab_size={}>",
            self.vocab_size()
        )
    }
}
