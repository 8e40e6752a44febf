//! The class `Compiler`.
//!
//! In: a vocabulary, then grammars in any of their forms. Out: a `Grammar` for each. What holds:
//! the interpreter's lock is released while a grammar is read and compiled, and threads can use one
//! compiler at the same time.

use std::path::PathBuf;

use maskwright_compiler::error::Diagnostic;
use maskwright_compiler::grammar::Grammar as Read;
use maskwright_compiler::syntax::Parsed;
use maskwright_compiler::{Error, GrammarText};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::calls::CallFormat;
use crate::errors::{grammar_error, vocabulary_error, warn};
use crate::forks::Uses;
use crate::grammar::{Grammar, Told};
use crate::options::compiler_options;
use crate::request;
use crate::vocabulary::Vocabulary;

/// Compiles grammars for one vocabulary.
///
/// What is known of the vocabulary is prepared once, so that one compiler should be kept. Threads
/// can use it at the same time; the interpreter's lock is released while it compiles. Every method
/// raises `GrammarError` with code, message, place and way out.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct Compiler {
    pub(crate) inner: maskwright_compiler::Compiler,
    pub(crate) vocabulary: Py<Vocabulary>,
    pub(crate) uses: Uses,
    /// Whether a compile's warnings are Python's warnings too.
    warns: bool,
    /// The keyword arguments that it was made with.
    arguments: Py<PyDict>,
}

impl Compiler {
    fn compile(&self, py: Python<'_>, text: &GrammarText) -> PyResult<Grammar> {
        let _in_use = self.uses.begin(py)?;
        let compiled = py.detach(|| {
            let compiled = self.inner.compile_text(text)?;
            let warnings = compiled.render_warnings(false);
            let calls = compiled.calls().map(CallFormat::new);
            Ok::<_, Error>((compiled.into_tables(), warnings, calls))
        });
        let (tables, warnings, calls) = compiled.map_err(|error| grammar_error(py, &error))?;
        if self.warns {
            warn(py, &warnings)?;
        }
        let calls = calls.map(|calls| Py::new(py, calls)).transpose()?;
        let told = Told { warnings, calls };
        Grammar::load(py, tables, &self.vocabulary, told)
    }

    /// Reads a request.
    fn read(&self, py: Python<'_>, request: Option<&Bound<'_, PyDict>>) -> PyResult<Parsed> {
        self.parse(py, request::request(request)?)
    }

    fn parse(&self, py: Python<'_>, text: GrammarText) -> PyResult<Parsed> {
        parse(py, &self.inner, text)
    }
}

#[pymethods]
impl Compiler {
    /// A compiler for a vocabulary, which takes a fraction of a second for 200,000 tokens.
    ///
    /// `threads`: how many a compile may use; as many as there are cores if it is None.
    /// `deterministic`: refuse grammars that need more than one stack. `time_limit`: seconds for one compile, 60 if None.
    /// `limits`: bounds by name, such as `{"states": 50_000}`. `warn`: whether what is probably not
    /// meant is a `GrammarWarning` of Python; it is in `Grammar.warnings` in any case.
    #[new]
    #[pyo3(signature = (vocabulary, threads=None, *, deterministic=false, time_limit=None, limits=None, warn=true))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        vocabulary: Py<Vocabulary>,
        threads: Option<usize>,
        deterministic: bool,
        time_limit: Option<f64>,
        limits: Option<&Bound<'_, PyDict>>,
        warn: bool,
    ) -> PyResult<Self> {
        let options = compiler_options(threads, deterministic, time_limit, limits)?;
        let arguments = PyDict::new(py);
        arguments.set_item("threads", threads)?;
        arguments.set_item("deterministic", deterministic)?;
        arguments.set_item("time_limit", time_limit)?;
        arguments.set_item("limits", limits.map(Bound::copy).transpose()?)?;
        arguments.set_item("warn", warn)?;
        let of = vocabulary.get();
        let compiler = py.detach(|| maskwright_compiler::Compiler::new(&of.inner));
        Ok(Compiler {
            inner: compiler.map_err(vocabulary_error)?.with_options(options),
            vocabulary,
            uses: Uses::default(),
            warns: warn,
            arguments: arguments.unbind(),
        })
    }

    /// The vocabulary.
    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
    }

    /// Compiles a JSON Schema: a `str` of JSON, a `dict` or a `bool`; or the schema of a type: a
    /// class of pydantic, a dataclass, a `TypedDict`, or an annotation such as `list[int]`.
    ///
    /// Options have the names of docs/json-schema.md, such as `whitespace="compact"`,
    /// `key_order="any"` or `lenient=["format"]`; `ValueError` for others. None leaves one as it
    /// is.
    #[pyo3(signature = (schema, **options),
           text_signature = "($self, schema, *, style=None, arguments=None, whitespace=None, \
                             outer_blanks=None, key_order=None, escapes=None, \
                             constrained_escapes=None, draft=None, exponents=None, \
                             integral_fractions=None, digits=None, formats=None, \
                             number_formats=None, undeclared=None, declare_required=None, \
                             documents=None, excludes=None, lenient=None)")]
    fn schema(
        &self,
        py: Python<'_>,
        schema: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Grammar> {
        self.compile(py, &request::schema(schema, options)?)
    }

    /// Compiles a grammar in EBNF.
    ///
    /// `root` is the rule of whole texts, `root` if it is None. `folder` is the folder of documents
    /// that the grammar may name, such as with `grammar("list.ebnf")`: regular files in it and
    /// below it are read, no others. Without it a grammar that names documents is refused. Errors
    /// show excerpts of documents.
    #[pyo3(signature = (text, root=None, folder=None))]
    fn ebnf(
        &self,
        py: Python<'_>,
        text: &str,
        root: Option<String>,
        folder: Option<PathBuf>,
    ) -> PyResult<Grammar> {
        self.compile(py, &request::ebnf(text, root, folder))
    }

    /// Compiles a grammar in a dialect of Lark: its own, llguidance's or XGrammar's.
    ///
    /// `lexer` says how a text is cut into terminals: `"longest"` (the default), `"dynamic"`,
    /// `"dynamic_complete"`, `"contextual"` or `"basic"`. `parser` says which readings count:
    /// `"earley"` for all, or `"lalr"`, the default beside the last two. `start` is a list of the
    /// rules with which a text can begin, `["start"]` if it is None.
    #[pyo3(signature = (text, *, lexer=None, parser=None, start=None))]
    fn lark(
        &self,
        py: Python<'_>,
        text: &str,
        lexer: Option<&str>,
        parser: Option<&str>,
        start: Option<Vec<String>>,
    ) -> PyResult<Grammar> {
        self.compile(py, &request::lark(text, lexer, parser, start)?)
    }

    /// Compiles a regular expression, which whole texts match.
    fn regex(&self, py: Python<'_>, pattern: &str) -> PyResult<Grammar> {
        self.compile(py, &GrammarText::regex(pattern))
    }

    /// Compiles a structural tag: a `str` of JSON, or a `dict`.
    ///
    /// `spelled`: a delimiter that is a token may also be written in other tokens. `outer_ends`:
    /// free text in a tag also ends at the ends of the tags around it. `folder` is that of
    /// documents which grammars in it may name, as for `ebnf`. Other options are those of `schema`,
    /// for the schemas in it.
    #[pyo3(signature = (tag, *, folder=None, spelled=false, outer_ends=true, **options),
           text_signature = "($self, tag, *, folder=None, spelled=False, outer_ends=True, \
                             style=None, arguments=None, whitespace=None, outer_blanks=None, \
                             key_order=None, escapes=None, constrained_escapes=None, \
                             draft=None, exponents=None, integral_fractions=None, digits=None, \
                             formats=None, number_formats=None, undeclared=None, \
                             declare_required=None, documents=None, excludes=None, \
                             lenient=None)")]
    fn structural_tag(
        &self,
        py: Python<'_>,
        tag: &Bound<'_, PyAny>,
        folder: Option<PathBuf>,
        spelled: bool,
        outer_ends: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Grammar> {
        let text = request::structural_tag(tag, folder, spelled, outer_ends, options)?;
        self.compile(py, &text)
    }

    /// Compiles the tools of a request, as OpenAI, Anthropic or MCP write them: a `str` of JSON, a
    /// `list`, or a `dict` of a whole request.
    ///
    /// `format` is the name of a format; a name opens no file. `format_file` is the path of a file
    /// with one, in its place. Options: `tool_choice` (`"auto"`, `"none"`, `"required"`, the name
    /// of a tool, `"auto:a,b"` for some of them, or a `dict` as OpenAI has it),
    /// `parallel_tool_calls`, `reasoning`, `strict` and `blanks`; None leaves one as it is.
    #[pyo3(signature = (tools, format=None, *, format_file=None, **options),
           text_signature = "($self, tools, format=None, *, format_file=None, tool_choice=None, \
                             parallel_tool_calls=None, reasoning=None, strict=None, \
                             blanks=None)")]
    fn tools(
        &self,
        py: Python<'_>,
        tools: &Bound<'_, PyAny>,
        format: Option<String>,
        format_file: Option<PathBuf>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Grammar> {
        let text = request::tools(tools, format, format_file, options)?;
        self.compile(py, &text)
    }

    /// How to read back the outputs of a model that is given these tools, without compiling them:
    /// the same as `Grammar.call_format` of what `tools` compiles. Arguments are those of `tools`.
    #[pyo3(signature = (tools, format=None, *, format_file=None, **options),
           text_signature = "($self, tools, format=None, *, format_file=None, tool_choice=None, \
                             parallel_tool_calls=None, reasoning=None, strict=None, \
                             blanks=None)")]
    fn call_format(
        &self,
        py: Python<'_>,
        tools: &Bound<'_, PyAny>,
        format: Option<String>,
        format_file: Option<PathBuf>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<CallFormat> {
        let text = request::tools(tools, format, format_file, options)?;
        let read = self.parse(py, text)?;
        let calls = read.calls.as_deref().map(CallFormat::new);
        calls.ok_or_else(|| PyValueError::new_err("the tools have no format of calls"))
    }

    /// The EBNF of a grammar in any form: a text for `ebnf`, in which `root` is the rule of whole
    /// texts.
    ///
    /// The request is one of `schema=`, `lark=`, `regex=`, `structural_tag=`, `tools=` and `ebnf=`,
    /// with the options of the method of that name. Limits on the tokens of a text, and terminals
    /// of a Lark grammar, have no form in EBNF: such a grammar is printed, and its text is refused.
    #[pyo3(signature = (**request))]
    fn to_ebnf(&self, py: Python<'_>, request: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let read = self.read(py, request)?;
        Ok(py.detach(|| printed(read.grammar)))
    }

    /// Reads a request without compiling it, in a fraction of the time. Returns the warnings, each
    /// as a drawn text; raises `GrammarError` as far as mistakes are found by reading.
    ///
    /// The request is as for `to_ebnf`. With `pedantic`, what most grammars have and mean is warned
    /// of as well: digits without end; optional reasoning, if the prompt may have opened it.
    #[pyo3(signature = (*, pedantic=false, **request))]
    fn check(
        &self,
        py: Python<'_>,
        pedantic: bool,
        request: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<String>> {
        let read = self.read(py, request)?;
        let asked = match pedantic {
            true => read.pedantic_warnings(&self.inner.options().limits),
            false => Vec::new(),
        };
        Ok(drawn(&read, &asked))
    }

    /// For pickle: its vocabulary and its keyword arguments.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, compiler) = (slf.py(), slf.get());
        let kind = slf.get_type();
        let partial = py.import("functools")?.getattr("partial")?;
        let make = partial.call((kind,), Some(compiler.arguments.bind(py)))?;
        let arguments = (compiler.vocabulary.clone_ref(py),).into_pyobject(py)?;
        Ok((make, arguments.into_any()))
    }

    /// For copy: it does not change, so that a copy is the same.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// For copy, as `__copy__`.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// Reads a text as a compiler does.
pub(crate) fn parse(
    py: Python<'_>,
    compiler: &maskwright_compiler::Compiler,
    text: GrammarText,
) -> PyResult<Parsed> {
    let read = py.detach(|| {
        let text = text.tokens(compiler.tokens());
        text.parse(&compiler.options().limits)
    });
    read.map_err(|error| grammar_error(py, &error))
}

/// The warnings of a text that was read, and others about it, each drawn.
pub(crate) fn drawn(read: &Parsed, others: &[Diagnostic]) -> Vec<String> {
    let all = read.warnings.iter().chain(others);
    let all = all.map(|warning| warning.render(Some(&read.sources), false));
    all.collect()
}

/// A grammar in EBNF. Its root is called `root`; a rule that was called so has the root's name.
fn printed(mut grammar: Read) -> String {
    let root = grammar.root.0 as usize;
    let other = grammar.rules.iter().position(|rule| rule.name == "root");
    let name = grammar.rules[root].name.clone();
    if let Some(other) = other {
        grammar.rules[other].name = name;
    }
    grammar.rules[root].name = "root".to_owned();
    grammar.to_string()
}
