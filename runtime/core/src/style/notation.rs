//! What values look like in styles that write one text, as JSON does.
//!
//! | style | an object | a string | `null`, `true`, `false` |
//! |---|---|---|---|
//! | `json` | `{"k": V}` | `"…"` with JSON's escapes | `null`, `true`, `false` |
//! | `pythonic` | the arguments `k=V`, others `{"k": V}` | `"…"` with Python's escapes | `None`, `True`, `False` |
//! | `pythonic_json` | the arguments `k=V`, others `{"k": V}` | `"…"` with JSON's escapes | `null`, `true`, `false` |
//! | `gemma_4` | `{k:V}` | raw text between `<\|"\|>` | `null`, `true`, `false` |
//! | `function_gemma` | `{k:V}` | raw text between `<escape>` | `null`, `true`, `false` |
//!
//! Arrays are `[V,V]` and numbers are JSON's in all of them.

/// How a style writes values: in brackets, with commas between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// How the keys of objects are written.
    pub keys: Keys,
    /// What stands before a string and behind it.
    pub quote: &'static str,
    /// What stands between the quotes.
    pub quoting: Quoting,
    /// The word for `null`.
    pub null: &'static str,
    /// The words for `false` and `true`.
    pub booleans: [&'static str; 2],
}

/// How keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// As strings.
    Quoted,
    /// The arguments are keyword arguments of Python without the parentheses around them,
    /// `KEY=VALUE`. Keys in them are as strings.
    Arguments,
    /// Without quotes. No key has one of [`Notation::NOT_BARE`].
    Bare,
}

/// How the text of a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quoting {
    /// With JSON's escapes.
    Json,
    /// With those of JSON's escapes that Python reads alike: no `\/`, and no surrogates.
    Python,
    /// As it is. No string contains the quote.
    Raw,
}

impl Notation {
    /// JSON.
    pub const JSON: Notation = Notation {
        keys: Keys::Quoted,
        quote: "\"",
        quoting: Quoting::Json,
        null: "null",
        booleans: ["false", "true"],
    };

    /// The arguments of a call in Python.
    pub const PYTHON: Notation = Notation {
        keys: Keys::Arguments,
        quoting: Quoting::Python,
        null: "None",
        booleans: ["False", "True"],
        ..Notation::JSON
    };

    /// The same with values as JSON.
    pub const PYTHON_JSON: Notation = Notation {
        keys: Keys::Arguments,
        ..Notation::JSON
    };

    /// What Gemma 4 writes.
    pub const GEMMA_4: Notation = Notation {
        keys: Keys::Bare,
        quote: "<|\"|>",
        quoting: Quoting::Raw,
        ..Notation::JSON
    };

    /// What FunctionGemma writes.
    pub const FUNCTION_GEMMA: Notation = Notation {
        quote: "<escape>",
        ..Notation::GEMMA_4
    };

    /// Characters that no bare key has: those that may end it.
    pub const NOT_BARE: [char; 11] = [':', ',', '{', '}', '[', ']', '<', ' ', '\t', '\n', '\r'];

    /// The keywords of Python, which name no tool, and no argument but one that a schema names.
    pub const PYTHON_KEYWORDS: [&'static str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
        "try", "while", "with", "yield",
    ];
}
