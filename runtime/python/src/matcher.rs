//! The class `Matcher`.
//!
//! In: a grammar, then tokens or bytes. Out: masks, written to memory of the caller. What holds:
//! what is refused leaves the matcher as it was.

use maskwright_core::{AcceptError, BufferTooSmall, OwnedMatcher};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

use crate::buffer::with_rows;
use crate::errors::{matcher_error, rollback_error, state_error};
use crate::grammar::Grammar;

/// The most bytes or tokens that are asked for at once.
const MOST_FORCED: usize = 1 << 20;

/// What may be explained.
pub(crate) enum BytesOrToken<'t> {
    /// A token's id.
    Token(u32),
    /// A text.
    Bytes(&'t [u8]),
}

impl<'t> BytesOrToken<'t> {
    /// What an argument is.
    pub(crate) fn of(argument: &'t Bound<'_, PyAny>) -> PyResult<Self> {
        match argument.is_instance_of::<PyInt>() {
            true => Ok(BytesOrToken::Token(argument.extract()?)),
            false => Ok(BytesOrToken::Bytes(argument.extract()?)),
        }
    }
}

/// Where one text stands in a grammar.
///
/// `depth` is the number of frames that a stack may have: how deep the text may nest, at most
/// 65,535. `history` is the number of tokens that `rollback` can take back. A token id is an int
/// from 0 to 2**32 - 1; others raise `OverflowError`. One thread at a time may change a matcher:
/// while a batch is written, a change from another thread raises `RuntimeError`.
#[pyclass(module = "maskwright")]
pub(crate) struct Matcher {
    pub(crate) inner: OwnedMatcher,
    pub(crate) grammar: Py<Grammar>,
    history: usize,
}

#[pymethods]
impl Matcher {
    /// A matcher at the beginning of a text. Raises `ValueError` if `depth` is too small for the
    /// shortest text, or too large.
    #[new]
    #[pyo3(signature = (grammar, depth=64, history=0))]
    fn new(grammar: Py<Grammar>, depth: usize, history: usize) -> PyResult<Self> {
        let inner = OwnedMatcher::new(&grammar.get().inner, depth).map_err(matcher_error)?;
        Ok(Matcher {
            inner: inner.with_history(history),
            grammar,
            history,
        })
    }

    /// A matcher where `to_bytes` was called, with nothing to take back. The bytes are checked, not
    /// trusted.
    ///
    /// Raises `TablesError` if they are of another grammar or damaged, `ValueError` if `depth` is
    /// too small for them.
    #[staticmethod]
    #[pyo3(signature = (state, grammar, depth=64, history=0))]
    fn from_bytes(
        state: &[u8],
        grammar: Py<Grammar>,
        depth: usize,
        history: usize,
    ) -> PyResult<Self> {
        let inner = OwnedMatcher::from_bytes(state, &grammar.get().inner, depth);
        Ok(Matcher {
            inner: inner.map_err(state_error)?.with_history(history),
            grammar,
            history,
        })
    }

    /// Where the text stands, as `bytes`: some tens of them.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.to_bytes())
    }

    /// The grammar.
    #[getter]
    fn grammar(&self, py: Python<'_>) -> Py<Grammar> {
        self.grammar.clone_ref(py)
    }

    /// The frames that a stack may have.
    #[getter]
    fn depth(&self) -> usize {
        self.inner.depth()
    }

    /// How many tokens `rollback` can take back now.
    #[getter]
    fn history_len(&self) -> usize {
        self.inner.history_len()
    }

    /// Takes a token. False if it may not come next; the matcher is then as it was.
    fn accept_token(&mut self, token: u32) -> PyResult<bool> {
        taken(self.inner.accept_token(token))
    }

    /// Takes bytes, which `rollback` counts as one token. False if they may not come next; the
    /// matcher is then as it was.
    fn accept_bytes(&mut self, text: &[u8]) -> PyResult<bool> {
        taken(self.inner.accept_bytes(text))
    }

    /// Why `accept_bytes` or `accept_token` would return False for these bytes or this token: at
    /// which byte, and what may come there. None if it would be taken. It works on a copy, and
    /// takes as long as some hundred steps.
    fn explain(&self, text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let refusal = match BytesOrToken::of(text)? {
            BytesOrToken::Token(token) => self.inner.explain_token(token),
            BytesOrToken::Bytes(bytes) => self.inner.explain_bytes(bytes),
        };
        Ok(refusal.map(|refusal| refusal.to_string()))
    }

    /// Takes the tokens of a draft, a sequence of int, up to the first that may not come; returns
    /// how many.
    fn accept_draft(&mut self, tokens: Vec<u32>) -> usize {
        self.inner.accept_draft(&tokens)
    }

    /// How many tokens of a draft, from its first, could be taken one after the other. The matcher
    /// stays where it is.
    fn validate(&self, tokens: Vec<u32>) -> usize {
        self.inner.check_draft(&tokens)
    }

    /// Takes the last `tokens` tokens back, the end of the text among them. Raises `ValueError` if
    /// `history` has fewer; the matcher is then as it was.
    fn rollback(&mut self, tokens: usize) -> PyResult<()> {
        self.inner.rollback(tokens).map_err(rollback_error)
    }

    /// Goes back to the beginning of a text, and forgets the history.
    fn reset(&mut self) {
        self.inner.reset();
    }

    /// A matcher at the same point, which goes on by itself, with nothing to take back.
    fn fork(&self, py: Python<'_>) -> Self {
        Matcher {
            inner: self.inner.fork(),
            grammar: self.grammar.clone_ref(py),
            history: self.history,
        }
    }

    /// Writes the mask into a row of a buffer, without a copy: bit `i % 32` of word `i // 32` is 1
    /// if token `i` may come next.
    ///
    /// `buffer` is any object with a writable buffer of int32 or uint32 in C order: a numpy array,
    /// `array.array("i")`; or a torch tensor on the CPU of dtype int32, whose memory
    /// `tensor.numpy()` shares. Its shape is `(words,)`, one row, or `(rows, words)`, with at least
    /// `mask_words` words; words past the mask become 0. Raises `TypeError` if the object has no
    /// buffer, `BufferError` if it is none of this kind, `ValueError` if its rows are too short,
    /// `IndexError` if there is no such row. Nothing is written then. The interpreter's lock is
    /// released while the row is written, as in `fill_batch`.
    #[pyo3(signature = (buffer, row=0))]
    fn fill(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>, row: usize) -> PyResult<()> {
        with_rows(buffer, |rows| {
            let grammar = self.grammar.get();
            if row >= rows.count() {
                return Err(no_row(row, rows.count()));
            }
            let write = |mask: &mut [u32]| {
                let mut masks = grammar.masks.held();
                masks.fill(&self.inner, grammar.number, mask)?;
                // The row is there: see above.
                if let Some(row) = rows.row(row) {
                    row.write(mask);
                }
                Ok(())
            };
            let filled = py.detach(|| grammar.masks.with_row(rows.width(), write));
            filled.map_err(|error: BufferTooSmall| too_short(error.needed, error.found))
        })
    }

    /// The ids of the tokens that may come next, ascending: a list of int. For looking; `fill` is
    /// faster where they are many.
    fn allowed_tokens(&self) -> Vec<u32> {
        self.inner.with_mask(|mask| mask.iter().collect())
    }

    /// Whether the text may end here.
    fn is_complete(&self) -> bool {
        self.inner.is_complete()
    }

    /// Whether the text has ended: an end token was taken.
    fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }

    /// The bytes that must come next, at most `limit` of them: `bytes`.
    #[pyo3(signature = (limit=4096))]
    fn forced_bytes<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = vec![0; bounded(limit)?];
        let len = self.inner.forced_bytes(&mut bytes);
        Ok(PyBytes::new(py, bytes.get(..len).unwrap_or(&bytes)))
    }

    /// The tokens that come next while the mask holds exactly one, at most `limit` of them: a list
    /// of int.
    #[pyo3(signature = (limit=256))]
    fn forced_tokens(&self, limit: usize) -> PyResult<Vec<u32>> {
        let mut tokens = vec![0; bounded(limit)?];
        let len = self.inner.forced_tokens(&mut tokens);
        tokens.truncate(len);
        Ok(tokens)
    }

    /// Equal if the grammars are equal and the texts stand at the same point.
    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __repr__(&self) -> String {
        let depth = self.inner.depth();
        format!(
            "<maskwright.Matcher depth={depth} complete={} finished={}>",
            self.is_complete(),
            self.is_finished()
        )
    }
}

/// Whether something was taken; what is no answer to that is an error.
pub(crate) fn taken(result: Result<(), AcceptError>) -> PyResult<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(AcceptError::NotAllowed | AcceptError::TooDeep) => Ok(false),
        Err(other) => Err(PyRuntimeError::new_err(other.to_string())),
    }
}

/// A number of bytes or tokens that is not too large.
pub(crate) fn bounded(limit: usize) -> PyResult<usize> {
    if limit > MOST_FORCED {
        let message = format!("`limit` is at most {MOST_FORCED}");
        return Err(PyValueError::new_err(message));
    }
    Ok(limit)
}

/// The error for rows that are too short for a mask, in words.
pub(crate) fn too_short(needed: usize, found: usize) -> PyErr {
    PyValueError::new_err(format!(
        "a mask takes {needed} words, a row of the buffer has {found}"
    ))
}

/// The error for a row that is not there.
pub(crate) fn no_row(row: usize, count: usize) -> PyErr {
    PyIndexError::new_err(format!(
        "the buffer has {count} rows, there is no row {row}"
    ))
}
