//! The classes `CallFormat` and `CallReader`: outputs with tool calls, read back.
//!
//! In: the tools that a grammar was compiled from, and an output as text. Out: its parts, as
//! objects of Python. What holds: an output gives the same parts however it grew, but that text and
//! reasoning may come in more pieces; a reader looks at a byte a bounded number of times.

use std::mem;

use maskwright_compiler::syntax::tools::ToolCalls;
use maskwright_core::calls::{self, CallFormat as Format, Open, Opened, Reader, ReaderState};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

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

/// A part as an object of Python.
fn part_of(py: Python<'_>, format: &Format<'_>, part: &calls::Part<'_>) -> PyResult<Py<PyAny>> {
    Ok(match part {
        calls::Part::Text(text) => Py::new(py, Text::new(text))?.into_any(),
        calls::Part::Reasoning(text) => Py::new(py, Reasoning::new(text))?.into_any(),
        calls::Part::Call(call) => Py::new(py, Call::of(format, call))?.into_any(),
        calls::Part::CutOff(begun) => Py::new(py, OpenCall::of(begun))?.into_any(),
    })
}

/// Text, as it is written. One text may come in several of these.
#[pyclass(module = "maskwright.calls", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Text {
    text: String,
}

/// Reasoning, as it is written. It may come in several of these, too.
#[pyclass(module = "maskwright.calls", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Reasoning {
    text: String,
}

/// Two classes that differ in their names.
macro_rules! texts {
    ($($name:ident),*) => {$(
        impl $name {
            fn new(text: &str) -> Self {
                $name { text: text.to_owned() }
            }
        }

        #[pymethods]
        impl $name {
            #[classattr]
            fn __match_args__() -> (&'static str,) {
                ("text",)
            }

            /// The text.
            #[getter]
            fn text(&self) -> &str {
                &self.text
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                Ok(format!("{}({})", stringify!($name), repr(py, &self.text)?))
            }
        }
    )*};
}

texts!(Text, Reasoning);

/// A call that the model has written.
#[pyclass(module = "maskwright.calls", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Call {
    name: String,
    id: Option<String>,
    arguments: String,
    is_closed: bool,
    /// The arguments as JSON, or why they are none.
    json: Result<String, String>,
}

impl Call {
    fn of(format: &Format<'_>, call: &calls::Call<'_>) -> Self {
        Call {
            name: call.name().to_owned(),
            id: call.id().map(str::to_owned),
            arguments: call.arguments().to_owned(),
            is_closed: call.is_closed(),
            json: format.to_json(call).map_err(|error| error.to_string()),
        }
    }
}

#[pymethods]
impl Call {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("name", "arguments")
    }

    /// The tool's name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The identifier or number that the model gave the call, in formats that have one.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The arguments as the model wrote them, in the format's own style.
    #[getter]
    fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Whether the end of the call is there. If not, the output ends behind whole arguments.
    #[getter]
    fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The arguments as the JSON of an object, whatever style the model writes them in. Raises
    /// `ValueError` if they are none of the style, which the grammar does not allow.
    fn to_json(&self) -> PyResult<&str> {
        let json = self.json.as_deref();
        json.map_err(|why| PyValueError::new_err(why.clone()))
    }

    /// The arguments as a `dict`: what `json.loads` makes of `to_json()`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json()?,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, arguments) = (repr(py, &self.name)?, repr(py, &self.arguments)?);
        Ok(format!("Call({name}, {arguments})"))
    }
}

/// A call that is not whole: what there is of it.
#[pyclass(module = "maskwright.calls", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct OpenCall {
    name: Option<String>,
    id: Option<String>,
    arguments: Option<String>,
    text: String,
}

impl OpenCall {
    fn of(begun: &calls::Begun<'_>) -> Self {
        OpenCall {
            name: begun.name().map(str::to_owned),
            id: begun.id().map(str::to_owned),
            arguments: begun.arguments().map(str::to_owned),
            text: begun.text().to_owned(),
        }
    }
}

#[pymethods]
impl OpenCall {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("name", "arguments")
    }

    /// The tool's name, once it is whole.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The identifier or number, once it is whole.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The arguments so far, once the call has come to them.
    #[getter]
    fn arguments(&self) -> Option<&str> {
        self.arguments.as_deref()
    }

    /// All of it, as it is written.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("OpenCall({})", repr(py, &self.text)?))
    }
}

/// A text as Python shows it.
fn repr(py: Python<'_>, text: &str) -> PyResult<String> {
    PyString::new(py, text).repr()?.extract()
}
