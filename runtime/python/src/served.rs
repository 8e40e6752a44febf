//! The class `ServedMatcher`: a matcher of a request.
//!
//! In: a handle of a registry, then tokens or bytes. Out: masks, written to memory of the caller.
//! What holds: what is refused leaves the matcher as it was; the interpreter's lock is released for
//! masks and for every call in which something may still be compiled, and kept for those that only
//! look something up.

use std::sync::Arc;

use maskwright_compiler::lazy::{MaskError, OrRefused};
use maskwright_compiler::link::registry::{Handle, MaskSource, ServedMatcher as Served};
use maskwright_core::{AcceptError, MaskPool, PoolSlot, PooledRow};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{HeldRows, with_rows};
use crate::errors::{grammar_error, rollback_error, state_error};
use crate::forks::InProcess;
use crate::kept::pool_error;
use crate::matcher::{BytesOrToken, bounded, no_row, taken, too_short};
use crate::vocabulary::Vocabulary;

/// Where one text of a request stands; `Handle.matcher` makes one.
///
/// It can be used before anything is compiled: masks are the same before and after. Its methods are
/// those of `Matcher` that follow a text; `rollback` takes back the last 256 tokens, and the depth
/// is the registry's.
/// The interpreter's lock is released while it may have to compile. One thread at a time may use a
/// matcher; another one gets `RuntimeError`.
///
/// A schema that is refused only when it is compiled is found out by `Handle.wait`. Without that,
/// the methods of a matcher raise the `GrammarError` once it is known.
#[pyclass(module = "maskwright")]
pub(crate) struct ServedMatcher {
    state: InProcess<State>,
    vocabulary: Py<Vocabulary>,
}

/// A matcher without its Python.
#[derive(Clone)]
pub(crate) struct State {
    served: Served,
    handle: Handle,
    /// Words of a mask.
    words: usize,
    /// Everything that it could come to has been compiled.
    is_ready: bool,
}

impl State {
    /// Whether no call has to compile or to wait.
    pub(crate) fn is_quick(&mut self) -> bool {
        self.is_ready |= match self.served.is_linked() {
            true => self.handle.is_ready(),
            false => self.served.source() != MaskSource::FirstTier,
        };
        self.is_ready
    }

    /// Words of a mask.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Does what a mask needs that may take long: compiles, waits, and walks.
    pub(crate) fn prepare(&mut self) -> Result<(), MaskError> {
        self.fill(&mut vec![0; self.words])
    }

    /// Writes the mask.
    pub(crate) fn fill(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        self.served.fill(row)
    }

    /// The row of a pool that holds the mask.
    pub(crate) fn row_of(
        &mut self,
        pool: &mut MaskPool<HeldRows, Vec<PoolSlot>>,
    ) -> Result<PooledRow, MaskError> {
        self.served.row_of(pool)
    }
}

impl ServedMatcher {
    /// A matcher at the beginning of a text.
    pub(crate) fn new(
        py: Python<'_>,
        handle: &Handle,
        vocabulary: &Py<Vocabulary>,
    ) -> PyResult<Self> {
        Self::at(begin(py, handle)?, handle, vocabulary, py)
    }

    /// A matcher by the state that another one wrote.
    pub(crate) fn read(
        py: Python<'_>,
        handle: &Handle,
        vocabulary: &Py<Vocabulary>,
        bytes: &[u8],
    ) -> PyResult<Self> {
        let read = py.detach(|| handle.matcher_from_bytes(bytes));
        let served = read.map_err(|error| match error {
            OrRefused::Matcher(error) => state_error(error),
            OrRefused::Refused(error) => grammar_error(py, &error),
            other => PyRuntimeError::new_err(other.to_string()),
        })?;
        Self::at(served, handle, vocabulary, py)
    }

    fn at(
        served: Served,
        handle: &Handle,
        vocabulary: &Py<Vocabulary>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        Ok(ServedMatcher {
            state: InProcess::new(State {
                served,
                handle: handle.clone(),
                words: vocabulary.get().inner.size().div_ceil(32) as usize,
                is_ready: false,
            }),
            vocabulary: vocabulary.clone_ref(py),
        })
    }

    /// The matcher itself.
    ///
    /// # Errors
    /// `RuntimeError` in a child of the process that made it.
    pub(crate) fn state(&mut self) -> PyResult<&mut State> {
        self.state.get_mut()
    }

    /// Calls `then`, without the interpreter's lock if it may take long.
    fn with<R: Send>(
        &mut self,
        py: Python<'_>,
        then: impl FnOnce(&mut Served) -> R + Send,
    ) -> PyResult<R> {
        let state = self.state()?;
        let is_quick = state.is_quick();
        let served = &mut state.served;
        Ok(if is_quick {
            then(served)
        } else {
            py.detach(|| then(served))
        })
    }
}

#[pymethods]
impl ServedMatcher {
    /// The vocabulary.
    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
    }

    /// The words of 32 bits that a mask takes.
    #[getter]
    fn mask_words(&self) -> PyResult<usize> {
        Ok(self.state.get()?.words)
    }

    /// Takes a token. False if it may not come next; the matcher is then as it was. Raises
    /// `GrammarError` if the request turns out to be refused.
    fn accept_token(&mut self, py: Python<'_>, token: u32) -> PyResult<bool> {
        let result = self.with(py, |served| served.accept_token(token))?;
        served_taken(py, result)
    }

    /// Takes bytes, which `rollback` counts as one token. False if they may not come next; the
    /// matcher is then as it was. Raises what `accept_token` does.
    fn accept_bytes(&mut self, py: Python<'_>, text: &[u8]) -> PyResult<bool> {
        let result = self.with(py, |served| served.accept_bytes(text))?;
        served_taken(py, result)
    }

    /// Why `accept_bytes` or `accept_token` would return False: see `Matcher.explain`. Raises what
    /// `accept_token` does.
    fn explain(&mut self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let text = BytesOrToken::of(text)?;
        let vocabulary = self.vocabulary.clone_ref(py);
        let vocabulary = &vocabulary.get().inner;
        let refusal = self.with(py, |served| match text {
            BytesOrToken::Token(token) => served.explain_token(token, vocabulary),
            BytesOrToken::Bytes(bytes) => served.explain_bytes(bytes, vocabulary),
        })?;
        let refusal = refusal.map_err(|error| grammar_error(py, &error))?;
        Ok(refusal.map(|refusal| refusal.to_string()))
    }

    /// Takes the tokens of a draft, a sequence of int, up to the first that may not come; returns
    /// how many. Raises `GrammarError` if the first finds that the request is refused.
    fn accept_draft(&mut self, py: Python<'_>, tokens: Vec<u32>) -> PyResult<usize> {
        let taken = self.with(py, |served| served.accept_draft(&tokens))?;
        taken.map_err(|error| grammar_error(py, &error))
    }

    /// How many tokens of a draft, from its first, could be taken one after the other. The matcher
    /// stays where it is: a copy takes them. Raises what `accept_draft` does.
    fn validate(&mut self, py: Python<'_>, tokens: Vec<u32>) -> PyResult<usize> {
        let taken = self.with(py, |served| served.check_draft(&tokens))?;
        taken.map_err(|error| grammar_error(py, &error))
    }

    /// Takes the last `tokens` tokens back, the end of the text among them. Raises `ValueError` if
    /// fewer are kept, at most 256; the matcher is then as it was. Raises `GrammarError` if the
    /// request turns out to be refused.
    fn rollback(&mut self, py: Python<'_>, tokens: usize) -> PyResult<()> {
        let result = self.with(py, |served| served.rollback(tokens))?;
        result.map_err(|error| match error {
            OrRefused::Matcher(error) => rollback_error(error),
            OrRefused::Refused(error) => grammar_error(py, &error),
            other => PyRuntimeError::new_err(other.to_string()),
        })
    }

    /// Goes back to the beginning of a text, and forgets the history. Raises what `Handle.matcher`
    /// does.
    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        let state = self.state()?;
        state.served = begin(py, &state.handle)?;
        state.is_ready = false;
        Ok(())
    }

    /// A matcher at the same point, with the same history, which goes on by itself.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(ServedMatcher {
            state: InProcess::new(self.state.get()?.clone()),
            vocabulary: self.vocabulary.clone_ref(py),
        })
    }

    /// Writes the mask into a row of a buffer, without a copy: see `Matcher.fill`, which says what
    /// `buffer` may be and what is raised: int32 or uint32, of the shape `(words,)` or
    /// `(rows, words)`.
    ///
    /// Raises `GrammarError` too, if the grammar is refused and the text has come to where it
    /// cannot be followed without tables.
    #[pyo3(signature = (buffer, row=0))]
    fn fill(&mut self, py: Python<'_>, buffer: &Bound<'_, PyAny>, row: usize) -> PyResult<()> {
        with_rows(buffer, |rows| {
            let count = rows.count();
            if row >= count {
                return Err(no_row(row, count));
            }
            let masks = Arc::clone(&self.vocabulary.get().masks);
            let state = self.state()?;
            let needed = state.words;
            if needed > rows.width() {
                return Err(too_short(needed, rows.width()));
            }
            let write = |mask: &mut [u32]| {
                state.fill(mask)?;
                // The row is there: see above.
                if let Some(row) = rows.row(row) {
                    row.write(mask);
                }
                Ok(())
            };
            let filled = py.detach(|| masks.with_row(needed, write));
            filled.map_err(|error| mask_error(py, error))
        })
    }

    /// The ids of the tokens that may come next, ascending: a list of int. For looking; `fill` is
    /// faster. Raises `GrammarError` as `fill` does.
    fn allowed_tokens(&mut self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let mut row = vec![0; self.mask_words()?];
        let filled = self.with(py, |served| served.fill(&mut row))?;
        filled.map_err(|error| mask_error(py, error))?;
        let words = (0..).step_by(32).zip(row);
        let ids = words.flat_map(|(first, word)| {
            let bits = (0..32).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| first + bit)
        });
        Ok(ids.collect())
    }

    /// Whether the text may end here.
    fn is_complete(&self) -> PyResult<bool> {
        Ok(self.state.get()?.served.is_complete())
    }

    /// Whether the text has ended: an end token was taken.
    fn is_finished(&self) -> PyResult<bool> {
        Ok(self.state.get()?.served.is_finished())
    }

    /// The bytes that must come next, at most `limit` of them: `bytes`. Raises `GrammarError` if
    /// the request turns out to be refused.
    #[pyo3(signature = (limit=4096))]
    fn forced_bytes<'py>(
        &mut self,
        py: Python<'py>,
        limit: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = vec![0; bounded(limit)?];
        let len = self.with(py, |served| served.forced_bytes(&mut bytes))?;
        let len = len.map_err(|error| grammar_error(py, &error))?;
        Ok(PyBytes::new(py, bytes.get(..len).unwrap_or(&bytes)))
    }

    /// The tokens that come next while the mask holds exactly one, at most `limit` of them: a list
    /// of int. Before there are tables they may be fewer. Raises what `forced_bytes` does.
    #[pyo3(signature = (limit=256))]
    fn forced_tokens(&mut self, py: Python<'_>, limit: usize) -> PyResult<Vec<u32>> {
        let mut tokens = vec![0; bounded(limit)?];
        let len = self.with(py, |served| served.forced_tokens(&mut tokens))?;
        tokens.truncate(len.map_err(|error| grammar_error(py, &error))?);
        Ok(tokens)
    }

    /// Where the text stands, as `bytes`, for `Handle.matcher_from_bytes` of the same request in
    /// this process or another one. Raises `GrammarError` if the request turned out to be refused.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.state.get()?.served.to_bytes();
        let bytes = bytes.map_err(|error| grammar_error(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!(
            "<maskwright.ServedMatcher complete={} finished={}>",
            self.is_complete()?,
            self.is_finished()?
        ))
    }
}

/// A matcher at the beginning of a text, for which a grammar that the first tier does not follow is
/// waited for.
fn begin(py: Python<'_>, handle: &Handle) -> PyResult<Served> {
    let matcher = py.detach(|| handle.matcher());
    matcher.map_err(|error| grammar_error(py, &error))
}

/// Whether something was taken; a refusal of the request is an error.
fn served_taken(py: Python<'_>, result: Result<(), OrRefused<AcceptError>>) -> PyResult<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(OrRefused::Matcher(error)) => taken(Err(error)),
        Err(OrRefused::Refused(error)) => Err(grammar_error(py, &error)),
        Err(other) => Err(PyRuntimeError::new_err(other.to_string())),
    }
}

/// The exception for a mask that there is none of.
pub(crate) fn mask_error(py: Python<'_>, error: MaskError) -> PyErr {
    match error {
        MaskError::TooShort(error) => too_short(error.needed, error.found),
        MaskError::Pool(error) => pool_error(error),
        MaskError::Refused(error) => grammar_error(py, &error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}
