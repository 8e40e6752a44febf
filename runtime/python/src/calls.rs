//! The classes `CallFormat` and `CallReader`: outputs with tool calls, read back.
//!
//! In: the tools that a grammar was compiled from, and an output as text. Out: its parts, as
//! objects of Python. What holds: an output gives the same parts however it grew, but that text and
//! reasoning may come in more pieces; a reader looks at a byte a bounded number of times.

mod parts;

use std::mem;

use maskwright_compiler::syntax::tools::ToolCalls;
use maskwright_core::calls::{Open, Opened, Reader, ReaderState};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use parts::part_of;
pub(crate) use parts::{Call, OpenCall, Reasoning, Text};

/// How the model writes its output: text, reasoning and tool calls. `Grammar.call_format`,
/// `Handle.call_format` and `Compiler.call_format` give one for tools; it does not change.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct CallFormat {
    calls: ToolCalls,
}

impl CallFormat {
    pub(crate) fn new(calls: &ToolCalls) -> Self {
        CallFormat {
            calls: calls.clone(),
        }
    }

    /// Reads on from a state; the parts that are new.
    fn read(
        &self,
        py: Python<'_>,
        state: &mut Reading,
        is_finished: bool,
    ) -> PyResult<Vec<Py<PyAny>>> {
        self.calls.with_format(|format| {
            let format = format.with_opened(state.opened);
            let mut reader = Reader::resume(&format, mem::take(&mut state.at));
            let mut parts = Vec::new();
            while let Some(part) = reader.next(&state.text, is_finished) {
                parts.push(part_of(py, &format, &part)?);
            }
            state.at = reader.into_state();
            Ok(parts)
        })
    }
}

#[pymethods]
impl CallFormat {
    /// The names of the tools that can be called, in the order of the request.
    #[getter]
    fn tools(&self) -> Vec<&str> {
        self.calls.tools().collect()
    }

    /// The parts of a finished output, a list of `Text`, `Reasoning`, `Call` and, at the end of an
    /// output that breaks off in a call, `OpenCall`.
    ///
    /// `opened`: whether the prompt has opened reasoning, where the format leaves that open.
    #[pyo3(signature = (text, *, opened=None))]
    fn parts(
        &self,
        py: Python<'_>,
        text: String,
        opened: Option<bool>,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let mut state = Reading {
            text,
            ..Reading::new(opened)
        };
        self.read(py, &mut state, true)
    }

    /// A reader for an output that grows. `opened` is as for `parts`.
    #[pyo3(signature = (*, opened=None))]
    fn reader(slf: Py<Self>, opened: Option<bool>) -> CallReader {
        CallReader {
            format: slf,
            state: Reading::new(opened),
            is_finished: false,
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<maskwright.CallFormat tools={}>",
            self.calls.tools().count()
        )
    }
}

/// Where a reader stands, and what it has been given.
struct Reading {
    opened: Opened,
    text: String,
    /// The beginning of a character, where the bytes so far end within one.
    pending: Vec<u8>,
    at: ReaderState,
}

impl Reading {
    fn new(opened: Option<bool>) -> Self {
        Reading {
            opened: match opened {
                None => Opened::Perhaps,
                Some(true) => Opened::Yes,
                Some(false) => Opened::No,
            },
            text: String::new(),
            pending: Vec::new(),
            at: ReaderState::new(),
        }
    }

    /// Adds bytes, which may end within a character.
    ///
    /// # Errors
    /// `ValueError` if they are not UTF-8; nothing is added then.
    fn push(&mut self, bytes: &[u8]) -> PyResult<()> {
        let mut all = self.pending.clone();
        all.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&all) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(PyValueError::new_err(format!("no UTF-8: {error}"))),
        };
        let rest = all.split_off(whole);
        self.text.push_str(&String::from_utf8_lossy(&all));
        self.pending = rest;
        Ok(())
    }
}

/// Reads an output that grows; `CallFormat.reader` makes one for each output.
#[pyclass(module = "maskwright")]
pub(crate) struct CallReader {
    format: Py<CallFormat>,
    state: Reading,
    is_finished: bool,
}

impl CallReader {
    fn going(&mut self) -> PyResult<&mut Reading> {
        match self.is_finished {
            false => Ok(&mut self.state),
            true => Err(PyValueError::new_err(
                "the output is finished: make a reader for each output",
            )),
        }
    }
}

#[pymethods]
impl CallReader {
    /// Adds what the model has written since, a `str` or `bytes`, which may end within a character.
    /// Returns the parts that are whole now. What may become something else is held back, such as
    /// the beginning of a delimiter.
    ///
    /// Raises `ValueError` if the bytes are no UTF-8, and after `finish`.
    fn feed(&mut self, py: Python<'_>, piece: &Bound<'_, PyAny>) -> PyResult<Vec<Py<PyAny>>> {
        let state = self.going()?;
        if let Ok(text) = piece.cast::<PyString>() {
            state.push(text.to_cow()?.as_bytes())?;
        } else if let Ok(bytes) = piece.cast::<PyBytes>() {
            state.push(bytes.as_bytes())?;
        } else {
            let kind = piece.get_type().name()?;
            let message = format!("expected a `str` or `bytes`, got {kind}");
            return Err(PyTypeError::new_err(message));
        }
        self.format.get().read(py, &mut self.state, false)
    }

    /// Says that the output is finished. Returns the parts that were held back; the last one is an
    /// `OpenCall` if the output breaks off in a call.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let state = self.going()?;
        let rest = mem::take(&mut state.pending);
        state.text.push_str(&String::from_utf8_lossy(&rest));
        self.is_finished = true;
        self.format.get().read(py, &mut self.state, true)
    }

    /// What is being written at the end: `"text"`, `"reasoning"`, an `OpenCall`, or None where that
    /// is not known.
    #[getter]
    fn open(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let state = &self.state;
        self.format.get().calls.with_format(|format| {
            let format = format.with_opened(state.opened);
            let reader = Reader::resume(&format, state.at.clone());
            Ok(match reader.open(&state.text) {
                Open::Nothing => None,
                Open::Text => Some(PyString::new(py, "text").into_any().unbind()),
                Open::Reasoning => Some(PyString::new(py, "reasoning").into_any().unbind()),
                Open::Call(begun) => Some(Py::new(py, OpenCall::of(&begun))?.into_any()),
            })
        })
    }

    /// The output so far.
    #[getter]
    fn text(&self) -> &str {
        &self.state.text
    }

    fn __repr__(&self) -> String {
        let (bytes, is_finished) = (self.state.text.len(), self.is_finished);
        format!("<maskwright.CallReader bytes={bytes} finished={is_finished}>")
    }
}
