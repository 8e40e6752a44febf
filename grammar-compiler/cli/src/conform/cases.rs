//! Cases, grouped by grammar.

use super::Problem;
use maskwright_compiler::syntax::json_schema::document::JsonNode;
use maskwright_compiler::syntax::lark::LarkOptions;
use maskwright_compiler::syntax::{Kind, Settings};

/// The code under which a row is counted that is none of a case.
pub const MALFORMED: &str = "row-malformed";

/// How a grammar is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As a text of this kind.
    As(Kind),
    /// As a JSON Schema whose objects have their keys in any order.
    KeysInAnyOrder,
    /// As a grammar in a dialect of Lark.
    Lark(LarkReading),
    /// It cannot be: the code to count it under.
    Unsupported(String),
}

impl Reading {
    /// The kind of the text, if it can be read.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Reading::As(kind) => Some(*kind),
            Reading::KeysInAnyOrder => Some(Kind::JsonSchema),
            Reading::Lark(_) => Some(Kind::Lark),
            Reading::Unsupported(_) => None,
        }
    }
}

/// Options of a Lark grammar: names that [`LarkOptions`] has, and values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LarkReading(pub Vec<(&'static str, Vec<String>)>);

impl LarkReading {
    /// The options; the name of one that has no such value, and the value.
    pub fn options(&self) -> Result<LarkOptions, (&'static str, String)> {
        let mut options = LarkOptions::default();
        for (name, values) in &self.0 {
            let texts: Vec<&str> = values.iter().map(String::as_str).collect();
            let set = options.set_named(name, &texts);
            set.map_err(|_| (*name, values.join(",")))?;
        }
        Ok(options)
    }
}

/// An input and its recorded verdict.
#[derive(Clone, Debug)]
pub struct Case {
    /// The row's line in the file, from 1.
    pub line: usize,
    /// Where the row says it is from.
    pub source: String,
    /// The input.
    pub input: Vec<u8>,
    /// Is it a sentence?
    pub accept: bool,
    /// The input as a value, where the grammar is a schema.
    pub instance: Option<JsonNode>,
    /// Whether the input has a key twice in one object, and the value is without the repetition.
    pub repeats_keys: bool,
}

/// The cases of one grammar.
#[derive(Clone, Debug)]
pub struct Group {
    /// How the grammar is read.
    pub reading: Reading,
    /// The grammar.
    pub grammar: String,
    /// The cases; none where the kind is not supported.
    pub cases: Vec<Case>,
    /// Whether the grammar is to compile, if that is what the row says.
    pub compiles: Option<bool>,
    /// The number of cases in the file, whether or not they can be run.
    pub case_count: usize,
    /// The line of the first row.
    pub line: usize,
    /// Where the row says it is from.
    pub source: String,
}

impl Group {
    /// The cases of one grammar, in EBNF if nothing else is said.
    pub fn new(grammar: String, cases: Vec<Case>) -> Self {
        Group {
            reading: Reading::As(Kind::Ebnf),
            grammar,
            compiles: None,
            case_count: cases.len(),
            cases,
            line: 0,
            source: String::new(),
        }
    }

    /// Whether it is a JSON Schema.
    pub fn is_schema(&self) -> bool {
        self.reading.kind() == Some(Kind::JsonSchema)
    }

    /// Whether it is a schema whose instances, of which there is one at least, are all invalid.
    pub fn is_unsatisfiable(&self) -> bool {
        self.is_schema() && !self.cases.is_empty() && self.cases.iter().all(|case| !case.accept)
    }

    /// A problem with the grammar, or with one of its cases.
    pub fn problem(&self, problem: &'static str, detail: String, case: Option<&Case>) -> Problem {
        Problem {
            line: case.map_or(self.line, |case| case.line),
            source: case.map_or(&self.source, |case| &case.source).clone(),
            problem,
            detail,
            grammar: self.grammar.clone(),
            input: case.map(|case| String::from_utf8_lossy(&case.input).into_owned()),
        }
    }
}
