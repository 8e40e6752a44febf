//! Forks of the process: what a child may still use.
//!
//! A fork copies memory but not threads. In the child a registry has no threads, and a lock that
//! another thread held at the moment of the fork is never released. So each object that has threads
//! or locks notes the process in which it was made or last used, and raises `RuntimeError` in a
//! child in which it could wait for ever.
//!
//! What holds: vocabularies, grammars and matchers wait for no lock, and work in a child. Dropping
//! an object in a child takes none of its locks: its memory is left, as a copy of the parent's.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How many forks lie between the first process and this one. Python calls the handler in each
/// child before anything else runs there; it is the one thing that a fork can be told by without
/// asking the system for the process at each call.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Notes that this process is a child.
#[pyfunction]
fn after_fork_in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Has Python say when the process forks, where it can.
pub(crate) fn watch(py: Python<'_>) -> PyResult<()> {
    let os = py.import("os")?;
    let Some(register) = os.getattr_opt("register_at_fork")? else {
        return Ok(());
    };
    let options = PyDict::new(py);
    options.set_item("after_in_child", wrap_pyfunction!(after_fork_in_child, py)?)?;
    register.call((), Some(&options)).map(drop)
}

fn forks() -> u64 {
    FORKS.load(Ordering::Relaxed)
}

/// A value that only the process which made it may use.
pub(crate) struct InProcess<T> {
    /// There until it is dropped.
    value: Option<T>,
    made: u64,
}

impl<T> InProcess<T> {
    pub(crate) fn new(value: T) -> Self {
        InProcess {
            value: Some(value),
            made: forks(),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// `RuntimeError` in a child of the process that made it.
    pub(crate) fn get(&self) -> PyResult<&T> {
        let value = self.value.as_ref().filter(|_| self.made == forks());
        value.ok_or_else(of_the_parent)
    }

    /// The value, to be changed.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub(crate) fn get_mut(&mut self) -> PyResult<&mut T> {
        let value = self.value.as_mut().filter(|_| self.made == forks());
        value.ok_or_else(of_the_parent)
    }

    /// Takes the value out, if this process made it.
    pub(crate) fn take(&mut self) -> Option<T> {
        self.value.take_if(|_| self.made == forks())
    }
}

impl<T> Drop for InProcess<T> {
    fn drop(&mut self) {
        if self.made != forks() {
            // To drop it could wait for a lock, or for a thread, of the parent.
            mem::forget(self.value.take());
        }
    }
}

fn of_the_parent() -> PyErr {
    PyRuntimeError::new_err(
        "this object was made before the process forked, and its threads did not come along: make \
         the registry in the child",
    )
}

/// Counts the calls, of all threads, that are within an object with locks.
#[derive(Clone, Default)]
pub(crate) struct Uses(Arc<UseCounts>);

#[derive(Default)]
struct UseCounts {
    /// The process that the count is of.
    forks: AtomicU64,
    count: AtomicUsize,
}

/// One call, or one object that works with another one's locks for as long as it lives.
pub(crate) struct Use(Uses);

impl Uses {
    /// One more. The interpreter's lock is held, and held again when the use ends, so that no fork
    /// comes between a look at the counts and a change of them.
    ///
    /// # Errors
    /// `RuntimeError` if another thread was within the object when the process forked.
    pub(crate) fn begin(&self, _locked: Python<'_>) -> PyResult<Use> {
        let UseCounts { forks: of, count } = &*self.0;
        if of.load(Ordering::Relaxed) != forks() {
            if count.load(Ordering::Relaxed) > 0 {
                return Err(PyRuntimeError::new_err(
                    "another thread was compiling with this object when the process forked, and \
                     may have held one of its locks: make the compiler in the child",
                ));
            }
            of.store(forks(), Ordering::Relaxed);
        }
        count.fetch_add(1, Ordering::Relaxed);
        Ok(Use(self.clone()))
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.0.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}
