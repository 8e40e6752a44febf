//! Rows that know which masks they hold: the classes `MaskBuffer` and `MaskPool`.
//!
//! In: matchers, step by step. Out: rows of the caller's buffer, and which of them have changed.
//! What holds: the buffer is held for as long as the object lives; what a row is known to hold is
//! true as long as nothing else writes it, and `forget` makes all rows unknown.
//!
//! The interpreter's lock is kept while rows are written. What a matcher may have to compile first
//! is compiled without it: a call takes some microseconds, and to take the lock again from a busy
//! thread takes longer.

use maskwright_compiler::lazy::MaskError;
use maskwright_core::{MaskBuffer as Buffer, MaskPool as Pool, MaskRow};
use maskwright_core::{PoolError, PoolSlot};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{AnyMatcher, Batched, batched, check, targets};
use crate::buffer::HeldRows;
use crate::matcher::{Matcher, too_short};
use crate::served::mask_error;

/// Rows of a buffer, one for each text of a batch, that know which masks they hold: only what
/// differs from a row's last mask is written.
///
/// `buffer` is an int32 or uint32 buffer of the shape `(rows, words)`, as for `Matcher.fill`, which
/// also says what it raises. It is held for as long as the object lives, so that an `array` cannot
/// grow meanwhile. What it holds before does not matter. If anything else writes to it, call
/// `forget`: a row that is taken for unchanged would be wrong. One thread at a time may use it.
#[pyclass(module = "maskwright")]
pub(crate) struct MaskBuffer {
    inner: Buffer<HeldRows, Vec<MaskRow>>,
    buffer: Py<PyAny>,
    /// Number of rows, and words of a row.
    shape: (usize, usize),
}

#[pymethods]
impl MaskBuffer {
    #[new]
    fn new(buffer: &Bound<'_, PyAny>) -> PyResult<Self> {
        let held = HeldRows::of(buffer)?;
        let shape = (held.count(), held.width());
        Ok(MaskBuffer {
            inner: Buffer::new(held, vec![MaskRow::default(); shape.0], shape.1),
            buffer: buffer.clone().unbind(),
            shape,
        })
    }

    /// The buffer that was given.
    #[getter]
    fn buffer(&self, py: Python<'_>) -> Py<PyAny> {
        self.buffer.clone_ref(py)
    }

    /// Makes rows hold the masks of matchers, and zeros after them. Returns the rows that may have
    /// changed, ascending: a list of int. The others need not be copied to a device again.
    ///
    /// `rows[i]` is the row of `matchers[i]`; without it row `i`. A row that is not named stays as
    /// it is. Errors are those of `fill_batch`; nothing is written then.
    #[pyo3(signature = (matchers, rows=None))]
    fn fill(
        &mut self,
        matchers: Vec<PyRef<'_, Matcher>>,
        rows: Option<Vec<usize>>,
    ) -> PyResult<Vec<usize>> {
        let targets = targets(matchers.len(), rows)?;
        let all = matchers
            .iter()
            .map(|matcher| Batched::Plain(&matcher.inner, matcher.grammar.get()));
        let all: Vec<Batched<'_>> = all.collect();
        check(&all, &targets, self.shape.0, self.shape.1)?;
        let mut changed = Vec::new();
        for (matcher, &row) in matchers.iter().zip(&targets) {
            let updated = matcher
                .inner
                .with_mask(|mask| self.inner.update_with(row, mask));
            if updated.map_err(|error| too_short(error.needed, error.found))? {
                changed.push(row);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        Ok(changed)
    }

    /// Forgets what the rows hold: each is written anew when it is next filled. To be called if
    /// anything else has written to the buffer.
    fn forget(&mut self, py: Python<'_>) -> PyResult<()> {
        *self = Self::new(self.buffer.bind(py))?;
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (rows, words) = self.shape;
        format!("<maskwright.MaskBuffer rows={rows} words={words}>")
    }
}

/// Rows of a buffer for the masks that a batch shares: texts whose masks are equal are given the
/// same row, and a mask that was met some steps ago is mostly still there.
///
/// `buffer` is as for `MaskBuffer`, and so is what is said of others that write to it. It needs as
/// many rows as there are texts; with 32 to 64 more, nearly all masks of a grammar stay in rows,
/// and hardly anything is written. Texts may be of different grammars. One thread at a time may use
/// it.
#[pyclass(module = "maskwright")]
pub(crate) struct MaskPool {
    inner: Pool<HeldRows, Vec<PoolSlot>>,
    buffer: Py<PyAny>,
    shape: (usize, usize),
}

#[pymethods]
impl MaskPool {
    #[new]
    fn new(buffer: &Bound<'_, PyAny>) -> PyResult<Self> {
        let held = HeldRows::of(buffer)?;
        let shape = (held.count(), held.width());
        Ok(MaskPool {
            inner: Pool::new(held, vec![PoolSlot::default(); shape.0], shape.1),
            buffer: buffer.clone().unbind(),
            shape,
        })
    }

    /// The buffer that was given.
    #[getter]
    fn buffer(&self, py: Python<'_>) -> Py<PyAny> {
        self.buffer.clone_ref(py)
    }

    /// The rows that hold the masks of matchers, one for each, and the rows among them that were
    /// written now: two lists of int.
    ///
    /// A call is a step: rows keep their masks until the next one. Raises `ValueError` if the
    /// matchers have more different masks than there are rows, or a mask takes more words than a
    /// row has. The rows of an earlier step may have been written then.
    ///
    /// `matchers` is a sequence of `Matcher` and `ServedMatcher`. For those of the latter that are
    /// not compiled yet the interpreter's lock is released, and what `ServedMatcher.fill` raises is
    /// raised.
    fn rows_of(
        &mut self,
        py: Python<'_>,
        mut matchers: Vec<AnyMatcher<'_>>,
    ) -> PyResult<(Vec<usize>, Vec<usize>)> {
        if !matchers.iter_mut().all(AnyMatcher::is_quick) {
            let prepared = batched(&mut matchers)?;
            let prepared = py.detach(|| prepare(prepared));
            prepared.map_err(|error| mask_error(py, error))?;
        }
        let found = rows_of(&mut self.inner, batched(&mut matchers)?);
        found.map_err(|error| mask_error(py, error))
    }

    /// Forgets what the rows hold: each is written anew when it is next handed out. To be called if
    /// anything else has written to the buffer.
    fn forget(&mut self, py: Python<'_>) -> PyResult<()> {
        *self = Self::new(self.buffer.bind(py))?;
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (rows, words) = self.shape;
        format!("<maskwright.MaskPool rows={rows} words={words}>")
    }
}

/// Does what the masks need that may take long, so that the rows are then written at once.
fn prepare(matchers: Vec<Batched<'_>>) -> Result<(), MaskError> {
    matchers.into_iter().try_for_each(|matcher| match matcher {
        Batched::Plain(..) => Ok(()),
        Batched::Served(served) => served.prepare(),
    })
}

/// The rows of masks in a pool, and those that were written.
fn rows_of(
    pool: &mut Pool<HeldRows, Vec<PoolSlot>>,
    matchers: Vec<Batched<'_>>,
) -> Result<(Vec<usize>, Vec<usize>), MaskError> {
    let mut rows = Vec::with_capacity(matchers.len());
    let mut written = Vec::new();
    pool.begin_step();
    for matcher in matchers {
        let found = match matcher {
            Batched::Plain(matcher, _) => matcher.with_mask(|mask| pool.row_of_mask(mask))?,
            Batched::Served(served) => served.row_of(pool)?,
        };
        rows.push(found.row);
        if found.is_new {
            written.push(found.row);
        }
    }
    Ok((rows, written))
}

/// The exception for a pool that has no row.
pub(crate) fn pool_error(error: PoolError) -> PyErr {
    match error {
        PoolError::RowTooShort(error) => too_short(error.needed, error.found),
        PoolError::Full { rows } => PyValueError::new_err(format!(
            "the matchers have more different masks than the buffer has rows, {rows}: give it as many rows as there are texts"
        )),
        other => PyValueError::new_err(other.to_string()),
    }
}
