//! Front ends: from what a user wrote to a [`Grammar`].
//!
//! In: a [`GrammarText`], the one door for build scripts, the macro, the command line and the
//! judging of test suites. Out: [`Parsed`]: a grammar whose names are resolved and whose rules can
//! all finish, or an [`Error`] that marks the places.
//!
//! | kind | parser | its text |
//! |---|---|---|
//! | [`Kind::Ebnf`] | [`ebnf::parse`] | rules, in the EBNF of llama.cpp and XGrammar |
//! | [`Kind::Lark`] | [`lark::parse`] | rules and terminals, in the dialects of Lark |
//! | [`Kind::Regex`] | [`regex::parse`] | one regular expression |
//! | [`Kind::JsonSchema`] | [`json_schema::parse`] | a JSON Schema: the texts of its values |
//! | [`Kind::StructuralTag`] | [`structural_tag::parse`] | a structural tag: free text with tags in it |
//! | [`Kind::Tools`] | [`tools::parse`] | the tools of a request: what a model writes that can call them |
//!
//! All parsers have one signature. A grammar of one kind can be embedded in another one: see
//! [`embed`].
//!
//! Most kinds can be left out, by cargo features: see [`Kind::feature`]. In the place of a front
//! end that is not there stands a file of the folder `absent`, which refuses its texts and has
//! empty options, so that nothing else has to ask.
//!
//! Errors and warnings have stable codes: [`Code`]. docs/diagnostics.md shows
//! each of them.

#[cfg(feature = "tags")]
mod affixes;
mod control_tokens;
pub mod ebnf;
#[doc(hidden)]
pub mod embed;
#[cfg(feature = "tags")]
mod fields;
mod finish;
#[cfg(feature = "json-schema")]
pub mod json_schema;
#[cfg(not(feature = "json-schema"))]
#[path = "absent/json_schema.rs"]
pub mod json_schema;
#[cfg(feature = "tags")]
mod kinds;
#[cfg(feature = "lark")]
pub mod lark;
#[cfg(not(feature = "lark"))]
#[path = "absent/lark.rs"]
pub mod lark;
mod pedantic;
pub mod regex;
#[cfg(feature = "json-schema")]
mod region;
mod settings;
mod slashes;
mod spell;
#[cfg(feature = "tags")]
pub mod structural_tag;
#[cfg(not(feature = "tags"))]
#[path = "absent/structural_tag.rs"]
pub mod structural_tag;
mod text;
#[cfg(feature = "tags")]
pub mod tools;
#[cfg(not(feature = "tags"))]
#[path = "absent/tools.rs"]
pub mod tools;
mod trie;

pub use settings::{SetError, Setting, Settings, Values};
pub use text::GrammarText;

use std::borrow::Cow;
use std::path::PathBuf;

use self::embed::Unjoined;
use self::json_schema::SchemaOptions;
use self::lark::LarkOptions;
use self::structural_tag::TagOptions;
use self::tools::{ToolCalls, ToolOptions};
use crate::digest::{DigestFields, Digester};
use crate::documents::SharedDocuments;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::setters::setters;
use crate::source::{Source, Sources};
use crate::vocabulary::TokenNames;

/// The language that a grammar is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Rules, in the EBNF of llama.cpp and XGrammar.
    Ebnf,
    /// Rules and terminals, in the dialects of Lark.
    Lark,
    /// A regular expression, which the whole text must match.
    Regex,
    /// A JSON Schema: the texts of its values.
    JsonSchema,
    /// A structural tag: free text with tags in it.
    StructuralTag,
    /// The tools of a request: what a model writes that can call them.
    Tools,
}

impl DigestFields for Kind {
    fn write_fields(&self, to: &mut Digester) {
        to.small(match self {
            Kind::Ebnf => 0,
            Kind::Regex => 1,
            Kind::JsonSchema => 2,
            Kind::StructuralTag => 3,
            Kind::Tools => 4,
            Kind::Lark => 5,
        });
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [
        Kind::Ebnf,
        Kind::Lark,
        Kind::Regex,
        Kind::JsonSchema,
        Kind::StructuralTag,
        Kind::Tools,
    ];

    /// How options of the macro and calls in grammars name it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ebnf => "ebnf",
            Kind::Lark => "lark",
            Kind::Regex => "regex",
            Kind::JsonSchema => "schema",
            Kind::StructuralTag => "structural_tag",
            Kind::Tools => "tools",
        }
    }

    /// How the command line names it, without its hyphens.
    pub fn flag(self) -> &'static str {
        match self {
            Kind::StructuralTag => "structural-tag",
            kind => kind.name(),
        }
    }

    /// What a text of this kind is, in a sentence without the full stop.
    pub fn about(self) -> &'static str {
        match self {
            Kind::Ebnf => "A grammar in the EBNF of llama.cpp and XGrammar",
            Kind::Lark => "A grammar in the dialects of Lark, llguidance and XGrammar",
            Kind::Regex => "A regular expression that the whole text must match",
            Kind::JsonSchema => "A JSON Schema, whose values' texts are the sentences",
            Kind::StructuralTag => {
                "A structural tag, or a request of an engine that has one: free text with tags in it"
            }
            Kind::Tools => {
                "The tools of a request, as OpenAI, Anthropic or MCP write them: text with calls of them in it"
            }
        }
    }

    /// Whether it may also be given as a file, as all that takes more than a line may.
    pub fn has_files(self) -> bool {
        !matches!(self, Kind::Regex)
    }

    /// What errors call a text of this kind that has no name of its own.
    pub fn source_name(self) -> &'static str {
        match self {
            Kind::Ebnf | Kind::Lark => "<grammar>",
            Kind::Regex => "<pattern>",
            Kind::JsonSchema => "<schema>",
            Kind::StructuralTag => "<structural tag>",
            Kind::Tools => "<tools>",
        }
    }

    /// The cargo feature without which a text of this kind is refused, here and in the crate
    /// `maskwright`.
    pub fn feature(self) -> Option<&'static str> {
        match self {
            Kind::Ebnf | Kind::Regex => None,
            Kind::Lark => Some("lark"),
            Kind::JsonSchema => Some("json-schema"),
            Kind::StructuralTag | Kind::Tools => Some("tags"),
        }
    }

    /// Whether this compiler was built with the [feature](Self::feature) of this kind.
    pub fn is_built(self) -> bool {
        match self {
            Kind::Ebnf | Kind::Regex => true,
            Kind::Lark => cfg!(feature = "lark"),
            Kind::JsonSchema => cfg!(feature = "json-schema"),
            Kind::StructuralTag | Kind::Tools => cfg!(feature = "tags"),
        }
    }

    /// The error of a word that needs the feature of this kind, where it is off.
    pub(crate) fn absent(self, word: &str) -> Diagnostic {
        let feature = self.feature().unwrap_or_default();
        let message = format!("`{word}` needs the cargo feature `{feature}`");
        let help = format!(
            "add it to the features of `maskwright` for `grammar!`, else of `maskwright-compiler`: \
             `features = [\"{feature}\"]`"
        );
        Diagnostic::error(Code::Build, message).help(help)
    }

    /// Whether its text has rules, one of which is chosen by [`ParseOptions::root`].
    pub fn takes_root(self) -> bool {
        matches!(self, Kind::Ebnf)
    }

    /// Whether [`ParseOptions::schema`] may change what its text means: it is a schema, or can
    /// embed one.
    pub fn takes_schema_options(self) -> bool {
        !matches!(self, Kind::Regex)
    }

    /// Whether [`ParseOptions::tags`] may change what its text means.
    pub fn takes_tag_options(self) -> bool {
        matches!(self, Kind::Ebnf | Kind::StructuralTag | Kind::Tools)
    }

    /// Whether [`ParseOptions::tools`] may change what its text means.
    pub fn takes_tool_options(self) -> bool {
        matches!(self, Kind::Tools)
    }

    /// Whether [`ParseOptions::lark`] may change what its text means.
    pub fn takes_lark_options(self) -> bool {
        matches!(self, Kind::Lark)
    }

    /// The names of all options of its texts.
    pub fn option_names(self) -> Vec<&'static str> {
        let root = self.takes_root().then_some("root");
        let tools = ToolOptions::names().filter(|_| self.takes_tool_options());
        let tags = TagOptions::names().filter(|_| self.takes_tag_options());
        let schema = SchemaOptions::names().filter(|_| self.takes_schema_options());
        let lark = LarkOptions::names().filter(|_| self.takes_lark_options());
        root.into_iter()
            .chain(lark)
            .chain(tools)
            .chain(tags)
            .chain(schema)
            .collect()
    }
}

/// How a grammar is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The name of the rule that the whole text must match. Default `root`.
    pub root: String,
    /// How JSON Schemas are read.
    pub schema: SchemaOptions,
    /// How structural tags are read.
    pub tags: TagOptions,
    /// How tools are read.
    pub tools: ToolOptions,
    /// How Lark grammars are read.
    pub lark: LarkOptions,
    /// The tokens that the text can name. Default: none.
    pub tokens: TokenNames,
    /// Bounds on the text; those that concern it are `grammar_bytes`, `nesting`, `repetition` and
    /// `time`.
    pub limits: Limits,
    /// Where documents come from that rules name. Default: from nowhere, so that a rule that names
    /// one is refused.
    pub documents: Option<SharedDocuments>,
    /// What stands before a relative path of a format of tool calls, and is not
    /// shown: the folder of a package, if it is not the current one.
    pub package: PathBuf,
}

setters!(ParseOptions {
    root: String,
    schema: SchemaOptions,
    tags: TagOptions,
    tools: ToolOptions,
    lark: LarkOptions,
    tokens: TokenNames,
    limits: Limits,
    documents: Option<SharedDocuments>,
    package: PathBuf,
});

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            root: "root".to_owned(),
            schema: SchemaOptions::default(),
            tags: TagOptions::default(),
            tools: ToolOptions::default(),
            lark: LarkOptions::default(),
            tokens: TokenNames::default(),
            limits: Limits::default(),
            documents: None,
            package: PathBuf::new(),
        }
    }
}

impl From<SchemaOptions> for ParseOptions {
    fn from(schema: SchemaOptions) -> Self {
        ParseOptions {
            schema,
            ..ParseOptions::default()
        }
    }
}

impl From<Limits> for ParseOptions {
    fn from(limits: Limits) -> Self {
        ParseOptions {
            limits,
            ..ParseOptions::default()
        }
    }
}

impl ParseOptions {
    /// The same for a request that begins now, unless one has begun.
    fn begun(&self) -> Cow<'_, Self> {
        match self.limits.has_begun() {
            true => Cow::Borrowed(self),
            false => Cow::Owned(ParseOptions {
                limits: self.limits.begun(),
                ..self.clone()
            }),
        }
    }
}

/// A grammar that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed {
    /// The grammar: the rules in the order of the source, then those that macros and embedded
    /// grammars needed.
    pub grammar: Grammar,
    /// The texts that its places lie in: the one that was named, then those that are embedded.
    pub sources: Sources,
    /// What is probably not meant, in the order of the sources.
    pub warnings: Vec<Diagnostic>,
    /// Files that were read on the way, in the order in which they were asked for: embedded
    /// grammars, and documents that schemas refer to.
    pub files: Vec<PathBuf>,
    /// Whether a JSON Schema was among what was read, so that [`ParseOptions::schema`] counted.
    pub has_schema: bool,
    /// Whether the sentences of a schema have the text behind them that ends its value.
    pub(crate) holds_end: bool,
    /// What a reader of the sentences has to know, if they are outputs with tool calls.
    pub calls: Option<Box<ToolCalls>>,
}

impl Parsed {
    /// The same error with these texts, where a later stage did not know them.
    pub fn locate(&self, error: Error) -> Error {
        error.or_in_sources(&self.sources)
    }
}

/// Reads a text of any kind that is embedded in another one. The texts that a text in the grammar
/// language embeds in turn are not read yet.
///
/// # Errors
/// As the parser of that kind.
fn parse_embedded(kind: Kind, source: &Source, options: &ParseOptions) -> Result<Embedded, Error> {
    match kind {
        Kind::Ebnf => ebnf::read(source, options).map(Embedded::Open),
        kind => parse(kind, source, options).map(Embedded::Whole),
    }
}

/// An embedded text.
enum Embedded {
    /// It may embed others.
    Open(Unjoined),
    /// It has all that it embeds.
    Whole(Parsed),
}

/// Reads a text of any kind.
///
/// # Errors
/// What the parser of that kind says.
pub fn parse(kind: Kind, source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    match kind {
        Kind::Ebnf => ebnf::parse(source, options),
        Kind::Lark => lark::parse(source, options),
        Kind::Regex => regex::parse(source, options),
        Kind::JsonSchema => json_schema::parse(source, options),
        Kind::StructuralTag => structural_tag::parse(source, options),
        Kind::Tools => tools::parse(source, options),
    }
}
