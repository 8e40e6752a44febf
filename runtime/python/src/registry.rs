//! The classes `Registry` and `Handle`: requests whose tools and grammars are compiled once.
//!
//! In: requests, as keyword arguments. Out: handles, which are usable at once, and matchers of
//! them. What holds: the interpreter's lock is released while a request is read, and whenever
//! something may be compiled or waited for; a registry's threads do not touch Python.

use std::path::PathBuf;
use std::thread;

use maskwright_compiler::GrammarText;
use maskwright_compiler::link::registry::{
    Handle as RustHandle, Registry as RustRegistry, RegistryOptions,
};
use maskwright_compiler::syntax::Kind;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::calls::CallFormat;
use crate::compiler::{Compiler, drawn, parse};
use crate::errors::{grammar_error, vocabulary_error, warn};
use crate::forks::{InProcess, Use, Uses};
use crate::options::seconds;
use crate::request;
use crate::served::ServedMatcher;
use crate::vocabulary::Vocabulary;

/// What a server holds for one vocabulary: the tools and grammars of its requests, each compiled
/// once.
///
/// `compiler` is a `Compiler`, whose options hold (a compile has one thread), or a `Vocabulary`.
/// `depth`: frames that a stack may have. `bytes`: bytes of tables that are kept for later
/// requests, 256 MiB if None; those that were not asked for the longest go first, and what a handle
/// uses stays as long as the handle. `threads`: threads that compile, a quarter of the processors
/// if None. `time`: seconds for one compile, 10 if None; one that takes longer is refused.
/// `folder`: a folder in which parts are kept, for other processes too; it is made if it is not
/// there, and None keeps none. `warn`: whether `get` warns as a `Compiler` does,
/// with `GrammarWarning`. It then reads each request a second time: for development.
///
/// Threads can use a registry at the same time, and several registries run side by side. A process
/// that forks makes its registry after the fork: threads stay behind. Raises `VocabularyError` if
/// the vocabulary has no room for what linking adds.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct Registry {
    inner: InProcess<RustRegistry>,
    /// What requests are read with, but by the registry.
    compiler: maskwright_compiler::Compiler,
    warns: bool,
    /// Its threads work with the compiler's locks.
    _in_use: Use,
    vocabulary: Py<Vocabulary>,
}

impl Drop for Registry {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            // Its threads end what they compile as soon as they look at the time. Nobody waits for
            // that here.
            let _ = thread::Builder::new().spawn(move || drop(inner));
        }
    }
}

#[pymethods]
impl Registry {
    #[new]
    #[pyo3(signature = (compiler, *, depth=64, bytes=None, threads=None, time=None, folder=None,
                        warn=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        compiler: &Bound<'_, PyAny>,
        depth: usize,
        bytes: Option<usize>,
        threads: Option<usize>,
        time: Option<f64>,
        folder: Option<PathBuf>,
        warn: bool,
    ) -> PyResult<Self> {
        let (compiler, vocabulary, uses) = compiler_of(py, compiler)?;
        let in_use = uses.begin(py)?;
        let usual = RegistryOptions::default().depth(depth).folder(folder);
        let (all_bytes, all_threads) = (usual.bytes, usual.threads);
        let time = seconds("time", time)?.unwrap_or(usual.time);
        let options = usual
            .bytes(bytes.unwrap_or(all_bytes))
            .threads(threads.unwrap_or(all_threads))
            .time(time);
        let inner = py.detach(|| RustRegistry::new(&compiler, options));
        Ok(Registry {
            inner: InProcess::new(inner.map_err(vocabulary_error)?),
            compiler,
            warns: warn,
            vocabulary,
            _in_use: in_use,
        })
    }

    /// The vocabulary.
    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
    }

    /// What a request may be answered with. The `Handle` is usable at once: what is new is compiled
    /// by the registry's threads, and matchers work meanwhile.
    ///
    /// A request is exactly one of `tools`, `schema`, `ebnf`, `lark`, `regex` and `structural_tag`;
    /// other arguments are those of the method of `Compiler` with that name, such as `format` for
    /// `tools`. Tools are linked where their format can be, so that each is compiled once, in
    /// whichever requests it comes. A matcher of a `lark` grammar waits for the tables. Raises
    /// `GrammarError` if the request is refused, as far as that is known without compiling;
    /// `Handle.wait` raises the rest.
    #[pyo3(signature = (**request))]
    fn get(&self, py: Python<'_>, request: Option<&Bound<'_, PyDict>>) -> PyResult<Handle> {
        let text = request::request(request)?;
        let inner = self.inner.get()?;
        let handle = py.detach(|| inner.get(&text));
        let handle = handle.map_err(|error| grammar_error(py, &error))?;
        if self.warns {
            warn(py, &drawn(&parse(py, &self.compiler, text.clone())?, &[]))?;
        }
        Ok(Handle {
            inner: InProcess::new(handle),
            vocabulary: self.vocabulary.clone_ref(py),
            compiler: self.compiler.clone(),
            text,
        })
    }

    /// What the registry has done so far, as a `dict` of numbers: `hits`, `misses`, `evictions` of
    /// parts and grammars; `compiled`, of which `refused`, `failed` (the compiler panicked) and
    /// `at_once` (a matcher or `Handle.wait` needed them before the registry's threads came to
    /// them); `first_tier_masks`, masks that came from the first tier since a piece was not
    /// compiled yet; `compile_time` and `longest_compile`, in seconds; `cancelled` and `stopped`,
    /// compiles that nobody waited for any more, before and after they were begun; `queued`,
    /// compiles that wait; `entries`, `bytes` and `bytes_not_compiled`, what is kept;
    /// `first_tier_matchers` and `first_tier_bytes`, matchers that have no tables yet, and what
    /// they hold; `files_refused`, files of the folder that were passed over.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.inner.get()?;
        let metrics = py.detach(|| inner.metrics());
        let numbers = PyDict::new(py);
        let counts = [
            ("hits", metrics.hits),
            ("misses", metrics.misses),
            ("evictions", metrics.evictions),
            ("compiled", metrics.compiled),
            ("refused", metrics.refused),
            ("failed", metrics.failed),
            ("at_once", metrics.at_once),
            ("first_tier_masks", metrics.first_tier_masks),
            ("cancelled", metrics.cancelled),
            ("stopped", metrics.stopped),
            ("queued", metrics.queued),
            ("entries", metrics.entries),
            ("bytes", metrics.bytes),
            ("bytes_not_compiled", metrics.bytes_not_compiled),
            ("first_tier_matchers", metrics.first_tier_matchers),
            ("first_tier_bytes", metrics.first_tier_bytes),
            ("files_refused", metrics.files_refused),
        ];
        for (name, count) in counts {
            numbers.set_item(name, count)?;
        }
        for (name, time) in [
            ("compile_time", metrics.compile_time),
            ("longest_compile", metrics.longest_compile),
        ] {
            numbers.set_item(name, time.as_secs_f64())?;
        }
        Ok(numbers)
    }

    /// What is wrong with the folder, as a list of sentences: files that were passed over, at most
    /// the last 64 of them since this was last asked, and that other users can write there. What a
    /// file should have held has been compiled, and written anew.
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let inner = self.inner.get()?;
        let refused = py.detach(|| inner.warnings());
        Ok(refused.iter().map(ToString::to_string).collect())
    }

    fn __repr__(&self) -> PyResult<String> {
        let metrics = self.inner.get()?.metrics();
        Ok(format!(
            "<maskwright.Registry bytes={} queued={}>",
            metrics.bytes, metrics.queued
        ))
    }
}

/// The compiler that is given, or one for the vocabulary that is given.
fn compiler_of(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
) -> PyResult<(maskwright_compiler::Compiler, Py<Vocabulary>, Uses)> {
    if let Ok(compiler) = given.cast::<Compiler>() {
        let compiler = compiler.get();
        let (inner, uses) = (compiler.inner.clone(), compiler.uses.clone());
        return Ok((inner, compiler.vocabulary.clone_ref(py), uses));
    }
    let Ok(vocabulary) = given.cast::<Vocabulary>() else {
        let name = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a `Compiler` or a `Vocabulary`, got {name}"
        )));
    };
    let of = vocabulary.get();
    let compiler = py.detach(|| maskwright_compiler::Compiler::new(&of.inner));
    let compiler = compiler.map_err(vocabulary_error)?;
    Ok((compiler, vocabulary.clone().unbind(), Uses::default()))
}

/// What a request is answered with; `Registry.get` makes one. It does not change, and threads share
/// it.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct Handle {
    inner: InProcess<RustHandle>,
    vocabulary: Py<Vocabulary>,
    compiler: maskwright_compiler::Compiler,
    /// The request.
    text: GrammarText,
}

#[pymethods]
impl Handle {
    /// Whether everything has been compiled, so that no matcher has to wait.
    fn is_ready(&self) -> PyResult<bool> {
        Ok(self.inner.get()?.is_ready())
    }

    /// Whether the request has tools that are linked; others are compiled as a whole.
    fn is_linked(&self) -> PyResult<bool> {
        Ok(self.inner.get()?.linked().is_some())
    }

    /// Compiles here what the registry's threads have not begun, and waits for the rest. Raises
    /// `GrammarError` if a schema of a tool, or the grammar, is refused.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let inner = self.inner.get()?;
        let waited = py.detach(|| inner.wait());
        waited.map_err(|error| grammar_error(py, &error))
    }

    /// A matcher at the beginning of a text, usable before anything is compiled. Raises
    /// `GrammarError` if the grammar is refused, as far as that is known, or if the shortest text
    /// needs more frames than the registry's `depth`.
    fn matcher(&self, py: Python<'_>) -> PyResult<ServedMatcher> {
        ServedMatcher::new(py, self.inner.get()?, &self.vocabulary)
    }

    /// The matcher whose state `ServedMatcher.to_bytes` wrote for the same request, with nothing to
    /// take back but what it takes again. The bytes are checked, not trusted.
    ///
    /// Raises `TablesError` if they are of another request or damaged, and what `matcher` does.
    fn matcher_from_bytes(&self, py: Python<'_>, state: &[u8]) -> PyResult<ServedMatcher> {
        ServedMatcher::read(py, self.inner.get()?, &self.vocabulary, state)
    }

    /// How to read outputs back, if the request has tools; None for others.
    #[getter]
    fn call_format(&self, py: Python<'_>) -> PyResult<Option<CallFormat>> {
        if let Some(tools) = self.inner.get()?.linked() {
            return Ok(tools.calls().map(CallFormat::new));
        }
        if self.text.kind() != Kind::Tools {
            return Ok(None);
        }
        let read = parse(py, &self.compiler, self.text.clone())?;
        Ok(read.calls.as_deref().map(CallFormat::new))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!(
            "<maskwright.Handle linked={} ready={}>",
            self.is_linked()?,
            self.is_ready()?
        ))
    }
}
