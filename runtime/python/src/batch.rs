//! The masks of many matchers in one call.
//!
//! In: matchers, a buffer, and which row is whose. Out: the rows, written without the interpreter's lock. What holds: everything is checked before the
//! first row is written.

use maskwright_core::{BufferTooSmall, OwnedMatcher};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buffer::with_rows;
use crate::matcher::{Matcher, no_row, too_short};

/// Writes the masks of many matchers into rows of one buffer; see `Matcher.fill`.
///
/// `matchers` is a sequence of `Matcher`, `buffer` an int32 or uint32 buffer of the shape `(rows, words)`. `rows[i]` is the row of `matchers[i]`; without it row `i`. Where a
/// row is named twice, the last mask stays. The interpreter's lock is released while the rows are written; nothing else may read or write them meanwhile. Errors are those of `fill`,
/// and `ValueError` if there are not as many rows as matchers. Nothing is written then.
#[pyfunction]
#[pyo3(signature = (matchers, buffer, rows=None))]
pub(crate) fn fill_batch<'py>(
    py: Python<'py>,
    matchers: Vec<PyRef<'py, Matcher>>,
    buffer: &Bound<'py, PyAny>,
    rows: Option<Vec<usize>>,
) -> PyResult<()> {
    let targets = targets(matchers.len(), rows)?;
    let matchers: Vec<&OwnedMatcher> = matchers.iter().map(|matcher| &matcher.inner).collect();
    with_rows(buffer, |mut rows| {
        check(&matchers, &targets, rows.count(), rows.width())?;
        let written = py.detach(|| {
            for (matcher, &row) in matchers.iter().zip(&targets) {
                // There are as many rows, of as many words: see above.
                if let Some(words) = rows.row(row) {
                    matcher.with_mask(|mask| mask.fill(words))?;
                }
            }
            Ok::<(), BufferTooSmall>(())
        });
        written.map_err(|error| too_short(error.needed, error.found))
    })
}

/// The row of each matcher.
pub(crate) fn targets(matchers: usize, rows: Option<Vec<usize>>) -> PyResult<Vec<usize>> {
    match rows {
        Some(rows) if rows.len() != matchers => Err(PyValueError::new_err(format!(
            "there are {matchers} matchers and {} rows",
            rows.len()
        ))),
        Some(rows) => Ok(rows),
        None => Ok((0..matchers).collect()),
    }
}

/// Whether there are these rows, of as many words as the masks take.
pub(crate) fn check(
    matchers: &[&OwnedMatcher],
    targets: &[usize],
    count: usize,
    width: usize,
) -> PyResult<()> {
    let mut checked = None;
    for (matcher, &row) in matchers.iter().zip(targets) {
        // Most matchers of a batch have the grammar of the one before.
        let tables = matcher.grammar().tables().as_ptr();
        if checked != Some(tables) {
            let needed = matcher.grammar().view().mask_words();
            if needed > width {
                return Err(too_short(needed, width));
            }
            checked = Some(tables);
        }
        if row >= count {
            return Err(no_row(row, count));
        }
    }
    Ok(())
}
