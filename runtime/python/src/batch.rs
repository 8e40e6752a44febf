//! The masks of many matchers in one call.
//!
//! In: matchers, a buffer, and which row is whose. Out: the rows, written without the interpreter's
//! lock, each from a row of our own. What holds: everything is checked before the first row is
//! written.

use std::ptr;

use maskwright_compiler::lazy::MaskError;
use maskwright_core::OwnedMatcher;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buffer::{with_numbers, with_rows};
use crate::grammar::Grammar;
use crate::matcher::{Matcher, no_row, too_short};
use crate::served::{ServedMatcher, State, mask_error};
use crate::shared::{Held, SharedMasks};

/// A matcher of either kind, as Python gives it.
pub(crate) enum AnyMatcher<'py> {
    Plain(PyRef<'py, Matcher>),
    Served(PyRefMut<'py, ServedMatcher>),
}

impl<'py> FromPyObject<'_, 'py> for AnyMatcher<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(matcher) = object.cast::<Matcher>() {
            return Ok(AnyMatcher::Plain(matcher.try_borrow()?));
        }
        let matcher = object.cast::<ServedMatcher>()?;
        Ok(AnyMatcher::Served(matcher.try_borrow_mut()?))
    }
}

impl AnyMatcher<'_> {
    /// Whether its mask has to compile nothing and waits for nothing.
    pub(crate) fn is_quick(&mut self) -> bool {
        match self {
            AnyMatcher::Plain(_) => true,
            AnyMatcher::Served(served) => served.state().is_ok_and(|state| state.is_quick()),
        }
    }
}

/// The same without Python, so that it can be used without the interpreter's lock.
pub(crate) enum Batched<'a> {
    Plain(&'a OwnedMatcher, &'a Grammar),
    Served(&'a mut State),
}

/// The matchers of a batch.
///
/// # Errors
/// `RuntimeError` if one of a request was made before the process forked.
pub(crate) fn batched<'a>(matchers: &'a mut [AnyMatcher<'_>]) -> PyResult<Vec<Batched<'a>>> {
    let batched = matchers.iter_mut().map(|matcher| match matcher {
        AnyMatcher::Plain(matcher) => Ok(Batched::Plain(&matcher.inner, matcher.grammar.get())),
        AnyMatcher::Served(served) => Ok(Batched::Served(served.state()?)),
    });
    batched.collect()
}

/// Writes the masks of many matchers into rows of one buffer; see `Matcher.fill`.
///
/// `matchers` is a sequence of `Matcher` and `ServedMatcher`, of the latter each once; `buffer` an
/// int32 or uint32 buffer of the shape `(rows, words)`. `rows[i]` is the row of `matchers[i]`;
/// without it row `i`. Where a row is named twice, the last mask stays. The interpreter's lock is
/// released while the rows are written; nothing else may read or write them meanwhile. Errors are
/// those of `fill`, and `ValueError` if there are not as many rows as matchers. Nothing is written
/// then, unless a `ServedMatcher` raises `GrammarError`: the rows before its own are written.
#[pyfunction]
#[pyo3(signature = (matchers, buffer, rows=None))]
pub(crate) fn fill_batch<'py>(
    py: Python<'py>,
    mut matchers: Vec<AnyMatcher<'py>>,
    buffer: &Bound<'py, PyAny>,
    rows: Option<Vec<usize>>,
) -> PyResult<()> {
    let targets = targets(matchers.len(), rows)?;
    let mut matchers = batched(&mut matchers)?;
    with_rows(buffer, |rows| {
        check(&matchers, &targets, rows.count(), rows.width())?;
        let written = py.detach(|| {
            let mut held: Option<(&SharedMasks, Held<'_>)> = None;
            let mut mask = vec![0; rows.width()];
            for (matcher, &row) in matchers.iter_mut().zip(&targets) {
                match matcher {
                    Batched::Plain(matcher, grammar) => {
                        let masks = &*grammar.masks;
                        // Most matchers of a batch have the vocabulary of the one before.
                        let same = held.take_if(|(of, _)| ptr::eq(*of, masks));
                        let (_, held) = held.insert(same.unwrap_or_else(|| (masks, masks.held())));
                        held.fill(matcher, grammar.number, &mut mask)?;
                    }
                    Batched::Served(served) => served.fill(&mut mask)?,
                }
                // There are as many rows, of as many words: see above.
                if let Some(row) = rows.row(row) {
                    row.write(&mask);
                }
            }
            Ok::<(), MaskError>(())
        });
        written.map_err(|error| mask_error(py, error))
    })
}

/// Sets logits of tokens that masks do not allow to minus infinity, in place.
///
/// `logits` is a writable buffer of numbers with a point, of 2, 4 or 8 bytes, in C order, of the
/// shape `(size,)` or `(rows, size)`; integers of two bytes are numbers in bfloat16. `masks` are
/// rows of words, as `fill` writes them. `size` is how many logits of a row have bits; without it
/// all that there are bits for. `rows` are the rows that are masked, each by the row of masks of
/// that number; without it all. The interpreter's lock is released. Raises `TypeError` and
/// `BufferError` for other buffers, `IndexError` if a row is not there. Nothing is written then.
#[pyfunction]
#[pyo3(signature = (logits, masks, size=None, rows=None))]
pub(crate) fn apply_masks(
    py: Python<'_>,
    logits: &Bound<'_, PyAny>,
    masks: &Bound<'_, PyAny>,
    size: Option<usize>,
    rows: Option<Vec<usize>>,
) -> PyResult<()> {
    with_rows(masks, |masks| {
        with_numbers(logits, |logits| {
            let size = size.unwrap_or(logits.width());
            let rows = rows.unwrap_or_else(|| (0..logits.count()).collect());
            let least = masks.count().min(logits.count());
            if let Some(&row) = rows.iter().find(|&&row| row >= least) {
                return Err(no_row(row, least));
            }
            py.detach(|| {
                for &row in &rows {
                    if let Some(words) = masks.row(row) {
                        logits.apply(row, &words, size);
                    }
                }
            });
            Ok(())
        })
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
    matchers: &[Batched<'_>],
    targets: &[usize],
    count: usize,
    width: usize,
) -> PyResult<()> {
    let mut checked = None;
    for (matcher, &row) in matchers.iter().zip(targets) {
        let needed = match matcher {
            Batched::Served(served) => served.words(),
            Batched::Plain(matcher, _) => {
                // Most matchers of a batch have the grammar of the one before.
                let tables = matcher.grammar().tables().as_ptr();
                match checked.replace(tables) {
                    Some(last) if last == tables => 0,
                    _ => matcher.grammar().view().mask_words(),
                }
            }
        };
        if needed > width {
            return Err(too_short(needed, width));
        }
        if row >= count {
            return Err(no_row(row, count));
        }
    }
    Ok(())
}
