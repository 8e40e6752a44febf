//! The class `Vocabulary`.
//!
//! In: a file, a name, a list of tokens or a tokenizer of Hugging Face. Out: the bytes of each
//! token and the tokens that end a sequence. What holds: the vocabulary is within its limits, and
//! its tables are packed once, for all grammars.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use maskwright_compiler::limits::Limits;
use maskwright_compiler::vocabulary::{VocabularyError, VocabularyFile};
use maskwright_core::OwnedVocabulary;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::errors::{tables_error, vocabulary_error};
use crate::options::seconds;
use crate::shared::SharedMasks;

/// The bytes of each token, and the tokens that end a sequence.
///
/// It does not change; threads can share it. A copy with other end tokens or more ids is made by
/// `with_eos` and `with_size`.
#[pyclass(module = "maskwright", frozen)]
pub(crate) struct Vocabulary {
    pub(crate) inner: Arc<maskwright_compiler::vocabulary::Vocabulary>,
    pub(crate) tables: OwnedVocabulary,
    /// Masks that its grammars share.
    pub(crate) masks: Arc<SharedMasks>,
}

impl Vocabulary {
    fn of(vocabulary: maskwright_compiler::vocabulary::Vocabulary) -> PyResult<Self> {
        let tables = vocabulary.pack().map_err(vocabulary_error)?;
        Ok(Vocabulary {
            inner: Arc::new(vocabulary),
            tables: OwnedVocabulary::load(tables).map_err(tables_error)?,
            masks: Arc::default(),
        })
    }

    /// Reads a vocabulary without the interpreter's lock.
    fn read(
        py: Python<'_>,
        read: impl FnOnce() -> Result<maskwright_compiler::vocabulary::Vocabulary, VocabularyError>
        + Send,
    ) -> PyResult<Self> {
        py.detach(|| Self::of(read().map_err(vocabulary_error)?))
    }
}

#[pymethods]
impl Vocabulary {
    /// Reads a vocabulary from a file, whose content tells its kind: `tokenizer.json`, GGUF, a
    /// SentencePiece model, `tekken.json`, `.tiktoken`, or `vocab.json` beside `merges.txt`.
    ///
    /// `special` is a file with a list of special tokens, for files of ranks, which leave them out.
    /// `time`: seconds that reading may take, 60 if None. Raises `VocabularyError`.
    #[staticmethod]
    #[pyo3(signature = (path, special=None, *, time=None))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        special: Option<PathBuf>,
        time: Option<f64>,
    ) -> PyResult<Self> {
        let mut limits = Limits::default();
        if let Some(time) = seconds("time", time)? {
            limits = limits.time(time);
        }
        Self::read(py, || {
            let file = VocabularyFile::read(path)?;
            let file = match special {
                Some(special) => file.with_special_tokens(special)?,
                None => file,
            };
            file.vocabulary_within(&limits)
        })
    }

    /// One of OpenAI's vocabularies: `cl100k_base`, `o200k_base`, `o200k_harmony`, `p50k_base`,
    /// `p50k_edit` or `r50k_base`.
    ///
    /// Raises `VocabularyError` for other names.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str) -> PyResult<Self> {
        Self::read(py, || {
            maskwright_compiler::vocabulary::Vocabulary::named(name)
        })
    }

    /// A vocabulary of these tokens: `tokens[id]` is a `bytes`, empty if the token is no text.
    /// `eos` are the ids that end a sequence: an int or several; they are no text.
    ///
    /// `special` names special tokens by id: they are no text either, and structural tags can name
    /// them. `added` names tokens that are text and that structural tags can name. Raises
    /// `VocabularyError` if an id of `eos` is past the end, or a limit is passed.
    #[staticmethod]
    #[pyo3(signature = (tokens, eos, special=None, added=None))]
    fn from_tokens(
        py: Python<'_>,
        tokens: Vec<Vec<u8>>,
        eos: Ids,
        special: Option<BTreeMap<u32, String>>,
        added: Option<BTreeMap<u32, String>>,
    ) -> PyResult<Self> {
        Self::read(py, || {
            let vocabulary =
                maskwright_compiler::vocabulary::Vocabulary::from_tokens(tokens, eos.0);
            let vocabulary = vocabulary.with_special(special.unwrap_or_default());
            Ok(vocabulary.with_added(added.unwrap_or_default()))
        })
    }

    /// The vocabulary of a `tokenizers.Tokenizer`, or of a fast tokenizer of transformers, by its
    /// serialised form.
    ///
    /// Special tokens with a well-known name end a sequence, and so does the tokenizer's
    /// `eos_token_id`. Raises `TypeError` for other objects, such as slow tokenizers, and
    /// `VocabularyError` for models that cannot be turned into bytes, such as WordPiece.
    #[staticmethod]
    fn from_tokenizer(py: Python<'_>, tokenizer: &Bound<'_, PyAny>) -> PyResult<Self> {
        let backend = tokenizer.getattr_opt("backend_tokenizer")?;
        let backend = backend.as_ref().unwrap_or(tokenizer);
        let Some(to_str) = backend.getattr_opt("to_str")? else {
            let name = tokenizer.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected a `tokenizers.Tokenizer` or a fast tokenizer of transformers, got {name}; read its file with `Vocabulary.from_file`"
            )));
        };
        let content: String = to_str.call0()?.extract()?;
        let eos = match tokenizer.getattr_opt("eos_token_id")? {
            Some(eos) => eos.extract::<Option<Ids>>()?,
            None => None,
        };
        Self::read(py, || {
            let vocabulary =
                maskwright_compiler::vocabulary::Vocabulary::from_hugging_face(content.as_bytes())?;
            let Some(Ids(mut ends)) = eos else {
                return Ok(vocabulary);
            };
            ends.extend(vocabulary.eos());
            vocabulary.with_eos(ends)
        })
    }

    /// The same vocabulary with these ids, and no others, ending a sequence. Raises
    /// `VocabularyError` if one is past the end.
    fn with_eos(&self, py: Python<'_>, eos: Ids) -> PyResult<Self> {
        Self::read(py, || self.inner.as_ref().clone().with_eos(eos.0))
    }

    /// The same vocabulary with `size` ids, as many as the model has logits. Ids past its own last
    /// one are never allowed; tokens past `size` are left out, and `warnings` names those that are
    /// text. Raises `VocabularyError` if there are too many ids.
    fn with_size(&self, py: Python<'_>, size: u32) -> PyResult<Self> {
        Self::read(py, || self.inner.as_ref().clone().with_size(size))
    }

    /// Number of ids: the length of a row of logits.
    #[getter]
    fn size(&self) -> u32 {
        self.inner.size()
    }

    /// The ids that end a sequence, ascending: a list of int.
    #[getter]
    fn eos(&self) -> Vec<u32> {
        self.inner.eos().to_vec()
    }

    /// A hash of all that masks depend on: size, bytes and end tokens. The same on all machines.
    #[getter]
    fn hash(&self) -> u64 {
        self.inner.hash()
    }

    /// The special tokens, which are no text, by id, as far as the file names them.
    #[getter]
    fn special_tokens(&self) -> BTreeMap<u32, String> {
        let named = self.inner.special();
        named.map(|(id, name)| (id, name.to_owned())).collect()
    }

    /// The tokens that were added to the tokenizer's own and are text, by id.
    #[getter]
    fn added_tokens(&self) -> BTreeMap<u32, String> {
        let named = self.inner.added();
        named.map(|(id, name)| (id, name.to_owned())).collect()
    }

    /// What is probably not meant, each as a drawn text: that no token ends a sequence, that
    /// `with_size` leaves out tokens that are text.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let warnings = self.inner.warnings().into_iter();
        warnings
            .map(|warning| warning.render(None, false))
            .collect()
    }

    /// The bytes of a token; empty for special tokens, end tokens and ids without a token. Raises
    /// `IndexError` for ids past the end.
    fn bytes<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyBytes>> {
        if id >= self.inner.size() {
            let size = self.inner.size();
            let message = format!("the vocabulary has {size} ids, from 0 on");
            return Err(PyIndexError::new_err(message));
        }
        Ok(PyBytes::new(py, self.inner.bytes(id)))
    }

    /// The name of a control token, which has no bytes; None for tokens that are text, and where
    /// the file does not tell the name.
    fn token_name(&self, id: u32) -> Option<&str> {
        self.inner.token_name(id)
    }

    /// The bytes of all tokens by id: a list of `bytes`.
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.inner.iter().map(|token| PyBytes::new(py, token)))
    }

    /// For pickle: its tokens, and which of them end a sequence or have names.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, vocabulary) = (slf.py(), slf.get());
        let names = (vocabulary.special_tokens(), vocabulary.added_tokens());
        let arguments = (vocabulary.tokens(py)?, vocabulary.eos(), names.0, names.1);
        let arguments = arguments.into_pyobject(py)?;
        Ok((slf.get_type().getattr("from_tokens")?, arguments.into_any()))
    }

    /// For copy: it does not change, so that a copy is the same.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// For copy, as `__copy__`.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __len__(&self) -> usize {
        self.inner.size() as usize
    }

    fn __repr__(&self) -> String {
        let (size, hash) = (self.inner.size(), self.inner.hash());
        format!("<maskwright.Vocabulary size={size} hash={hash:016x}>")
    }
}

/// An id, or several.
pub(crate) struct Ids(Vec<u32>);

impl<'py> FromPyObject<'_, 'py> for Ids {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<u32>() {
            Ok(id) => Ok(Ids(vec![id])),
            Err(_) => object.extract().map(Ids),
        }
    }
}
