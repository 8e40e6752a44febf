//! The parts of an output, as objects of Python.
//!
//! In: parts as the reader gives them. Out: `Text`, `Reasoning`, `Call` and `OpenCall`, which
//! borrow nothing and do not change.

use maskwright_core::calls::{self, CallFormat as Format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A part as an object of Python.
pub(super) fn part_of(
    py: Python<'_>,
    format: &Format<'_>,
    part: &calls::Part<'_>,
) -> PyResult<Py<PyAny>> {
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
    pub(super) fn of(begun: &calls::Begun<'_>) -> Self {
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
