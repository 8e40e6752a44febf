//! A grammar in Lark's dialects, read and resolved.

use maskwright_regular::Pattern;
use std::ops::Range;

/// Index of a rule in [`Lark::rules`].
pub type RuleId = usize;

/// Index of a terminal in [`Lark::terminals`].
pub type TerminalId = usize;

/// A grammar, resolved: templates and parametric rules are written out, imports are in, names are
/// indices.
#[derive(Clone, Debug)]
pub struct Lark {
    /// The rules; each can be reached from a start rule.
    pub rules: Vec<Rule>,
    /// The rules with which a text can begin, at least one.
    pub starts: Vec<RuleId>,
    /// The terminals that rules use or that are ignored, with those without a name (strings and
    /// regular expressions in rules); all, if
    /// [`all_terminals`](crate::ReadOptions::all_terminals) is set.
    pub terminals: Vec<Terminal>,
    /// The terminals that may stand between any two others.
    pub ignored: Vec<TerminalId>,
    /// What the grammar itself asks for.
    pub settings: Settings,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, as messages show it.
    pub name: String,
    /// Where its name stands.
    pub span: Range<usize>,
    /// What it derives.
    pub body: Expr,
    /// Its priority; 0 if it has none.
    pub priority: i32,
    /// Its options.
    pub options: RuleOptions,
}

/// What a rule derives.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A terminal.
    Terminal(TerminalId),
    /// A rule.
    Rule(RuleId),
    /// All of these, one behind the other; none at all is the empty text.
    Sequence(Vec<Expr>),
    /// One of these; none at all matches nothing, not even the empty text.
    Union(Vec<Expr>),
    /// This, from `min` to `max` times.
    Repeat {
        /// What is repeated.
        of: Box<Expr>,
        /// The least number of times.
        min: u32,
        /// The largest number of times, if there is one.
        max: Option<u32>,
    },
    /// One token of the vocabulary.
    Token {
        /// Which.
        token: Token,
        /// Where it stands.
        span: Range<usize>,
    },
    /// Another grammar in this place, without ignored text inside but its own.
    Embedded {
        /// Which.
        grammar: Embedded,
        /// Where it stands.
        span: Range<usize>,
    },
}

/// One token of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `<name>`: the token with this text, brackets included.
    Named(String),
    /// `<[1,3-5]>`: one with these numbers, both ends of a range included.
    Ids(Vec<(u32, u32)>),
    /// `<[^1,3-5]>`: one with none of these numbers.
    NotIds(Vec<(u32, u32)>),
    /// `<[*]>`: any but an end token.
    Any,
}

impl Token {
    /// The bytes that a copy takes besides the token itself.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Token::Named(name) => name.len(),
            Token::Ids(ranges) | Token::NotIds(ranges) => size_of_val(&ranges[..]),
            Token::Any => 0,
        }
    }
}

/// Another grammar.
#[derive(Clone, Debug, PartialEq)]
pub enum Embedded {
    /// `%json {…}`: a JSON Schema. The text with its braces.
    Json(String),
    /// `%lark {…}`: a grammar with separate names. The text between the braces.
    Lark(String),
    /// `@name`: a grammar that the caller gives.
    Named(String),
}

/// The options of a rule that do not change what its terminals match; `lazy`, `suffix` and `stop`
/// have become terminals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleOptions {
    /// `capture`: the name, which is the rule's if none is given.
    pub capture: Option<String>,
    /// `temperature`.
    pub temperature: Option<f64>,
    /// `max_tokens`.
    pub max_tokens: Option<u32>,
    /// `max_chars`.
    pub max_chars: Option<u32>,
    /// `stop_capture`: the name under which what ends the rule is captured.
    pub stop_capture: Option<String>,
}

/// A terminal.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// Its name; for one without a name the one that Lark gives it (`LPAR`, `__ANON_0`).
    pub name: String,
    /// Where it is defined, or where it stands if it has no name.
    pub span: Range<usize>,
    /// What it matches; `None` for one that is declared only (`%declare`).
    pub pattern: Option<Pattern>,
    /// Its priority; 0 if it has none.
    pub priority: i32,
    /// The text, if it is one string without flags: such a terminal is a keyword for Lark's LALR
    /// lexers.
    pub string: Option<String>,
    /// The length in characters of what Lark calls the pattern's value: a string's text, else the
    /// regular expression that it makes of the definition. Its LALR lexers order terminals by
    /// priority, `max_width`, this (all largest first) and name.
    pub pattern_length: usize,
    /// The length in characters of the longest match, as Python's `re` reckons it;
    /// [`UNBOUNDED`](crate::UNBOUNDED) if there is none.
    pub max_width: u64,
}

/// What `%llguidance` and `%grammar_options` set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Ignored text may stand before the first terminal.
    pub allow_initial_skip: bool,
    /// At most one ignored terminal between two others.
    pub ignore_once: bool,
    /// Text that is forced is left to the model.
    pub no_forcing: bool,
    /// Bytes that are no UTF-8 are allowed.
    pub allow_invalid_utf8: bool,
}
