//! One example of each diagnostic.

mod grammars;
mod schemas;
mod tags_and_tools;

/// The beginning of docs/diagnostics.md.
pub const HEAD: &str = "# Diagnostics

Every error and warning has a code, which is stable, its place in the text if it has one, and a way out. The command line draws them as
below, in colour on a terminal (`--color`, `NO_COLOR`). With `--json`, `check`, `compile` and `report` print them as objects with
`severity`, `code`, `message`, `file`, `line`, `column`, `end_line`, `end_column`, `labels` and `help`; `accept` and `mask` do so if they
refuse a grammar. `grammar!` reports them at the tokens of the macro, or at the string with the place in it. A build script prints each
warning in one line, and fails with the drawing of an error.

A warning is about something that is legal and probably not meant. It says only what is true of the grammar's language: an alternative
that is called unreachable adds no text.

A test of the command line writes this file (`UPDATE_DOCS=1 cargo test -p maskwright-cli --test diagnostics`). It reads each example, and
fails if a code has none.
";

/// Codes of diagnostics about a grammar as a whole, which have no place in it.
pub const GLOBAL: [&str; 4] = [
    "no-end-token",
    "tool-reasoning",
    "unspellable",
    "wrong-depth",
];

/// The structural tag of a format.
pub fn tag_of(format: &str) -> String {
    format!("{{\"format\": {format}}}")
}

/// What is read.
pub enum Input {
    /// A grammar.
    Ebnf(&'static str),
    /// A grammar that has no source of documents.
    Lonely(&'static str),
    /// A grammar in a dialect of Lark.
    Lark(&'static str),
    /// A regular expression.
    Regex(&'static str),
    /// A JSON Schema.
    Schema(&'static str),
    /// A grammar that names tokens of a vocabulary of single bytes, of which two more are called
    /// `twice`.
    Named(&'static str),
    /// A structural tag's format.
    Tag(&'static str),
    /// A structural tag's format that is read for a vocabulary with the control token
    /// `<|channel|>`.
    NamedTag(&'static str),
    /// Like `Ebnf`, for those who ask for more warnings.
    PedanticEbnf(&'static str),
    /// Like `Tools`, for those who ask for more warnings.
    PedanticTools(&'static str, &'static str),
    /// A structural tag's format that is compiled for all single bytes.
    CompiledTag(&'static str),
    /// Tools, and the format of their calls.
    Tools(&'static str, &'static str),
    /// A format of tool calls.
    ToolFormat(&'static str),
    /// A JSON Schema and a keyword that may be ignored.
    Lenient(&'static str, &'static str),
    /// A schema, and the style of its texts.
    Styled(&'static str, &'static str),
    /// A grammar that is compiled for single bytes without these.
    Compiled(&'static str, &'static [u8]),
    /// A grammar, and the depth that its matchers are to have.
    Depth(&'static str, usize),
    /// A grammar that is to be deterministic.
    Deterministic(&'static str),
    /// A grammar in which an ambiguous text is looked for.
    Ambiguous(&'static str),
    /// A grammar whose masks are all different, for a vocabulary of all words of one to four
    /// letters.
    Large,
    /// The name of a vocabulary.
    Vocabulary(&'static str),
    /// A `tokenizer.json`.
    Tokenizer(&'static str),
    /// A build script without a vocabulary.
    Build,
}

/// An example of a code.
pub struct Example {
    /// The code.
    pub code: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What brings it about.
    pub input: Input,
}

const fn example(code: &'static str, meaning: &'static str, input: Input) -> Example {
    Example {
        code,
        meaning,
        input,
    }
}

/// All examples.
pub fn examples() -> impl Iterator<Item = &'static Example> {
    let lists = [
        grammars::EXAMPLES,
        schemas::EXAMPLES,
        tags_and_tools::EXAMPLES,
    ];
    lists.into_iter().flatten()
}
