//! What a file says: its items, not yet looked up.

use crate::grammar::Token;
use maskwright_regular::Flags;
use std::ops::Range;
use std::sync::Arc;

/// A place in the text of a file, in bytes.
pub(crate) type Span = Range<usize>;

/// A name and its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Name {
    /// Whether it names a terminal: its first letter is a capital.
    pub(crate) fn is_terminal(&self) -> bool {
        is_terminal(&self.text)
    }
}

/// Whether a name is a terminal's.
pub(crate) fn is_terminal(name: &str) -> bool {
    name.trim_start_matches('_')
        .starts_with(|c: char| c.is_ascii_uppercase())
}

/// A part of a file.
#[derive(Debug)]
pub(crate) enum Item {
    /// `name: …`, and with `%override` and `%extend`.
    Definition(Box<Definition>),
    /// `%ignore …`.
    Ignore(Ast),
    /// `%declare NAME …`.
    Declare(Vec<Name>),
    /// `%import …`.
    Import(Import),
    /// `%llguidance {…}` or `%grammar_options {…}`: one setting and the place of its key.
    Setting(Setting, bool),
}

/// What `%llguidance` and `%grammar_options` set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    AllowInitialSkip,
    IgnoreOnce,
    NoForcing,
    AllowInvalidUtf8,
}

/// What a definition does to one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    New,
    Override,
    Extend,
}

/// A definition of a rule or terminal.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) mode: Mode,
    pub(crate) name: Name,
    /// The parameters of a template.
    pub(crate) parameters: Vec<Name>,
    /// Where `::_` stands, if the rule is parametric.
    pub(crate) parametric: Option<Span>,
    pub(crate) options: Options,
    pub(crate) priority: Option<(i32, Span)>,
    pub(crate) body: Ast,
}

/// `%import path.name -> alias` and its other forms.
#[derive(Debug)]
pub(crate) struct Import {
    /// Whether the path begins with a dot.
    pub(crate) is_relative: bool,
    pub(crate) path: Vec<String>,
    /// Names there and names here.
    pub(crate) names: Vec<(Name, Name)>,
    pub(crate) span: Span,
}

/// Where a rule ends, from its options.
#[derive(Debug)]
pub(crate) enum Ending {
    /// `lazy`: at the first possible place.
    Lazy,
    /// `suffix=X`, `stop=X`: behind the first X.
    Marker(Box<Ast>),
}

/// The options of a rule as they are written.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Where the first that is not `capture` stands.
    pub(crate) beyond_capture: Option<(String, Span)>,
    pub(crate) ending: Option<Ending>,
    /// `capture`, with its name if it has one.
    pub(crate) capture: Option<Option<String>>,
    pub(crate) stop_capture: Option<String>,
    pub(crate) temperature: Option<f64>,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) max_chars: Option<u32>,
}

/// An expression and its place.
#[derive(Debug)]
pub(crate) struct Ast {
    pub(crate) node: Node,
    pub(crate) span: Span,
}

/// An expression.
#[derive(Debug)]
pub(crate) enum Node {
    String {
        text: String,
        ignore_case: bool,
    },
    /// `length` is that of both ends as written, in characters.
    Range {
        first: char,
        last: char,
        length: usize,
    },
    /// `start` is where `source` stands.
    Regex {
        source: String,
        flags: Flags,
        start: usize,
    },
    /// A rule, terminal or parameter.
    Name(Name),
    /// `name{…}`.
    Template {
        name: Name,
        arguments: Vec<Ast>,
    },
    /// `name::…`.
    Call {
        name: Name,
        argument: Value,
    },
    Sequence(Vec<Ast>),
    Union(Vec<Ast>),
    Repeat {
        of: Box<Ast>,
        repeat: Repeat,
    },
    And(Vec<Ast>),
    Not(Box<Ast>),
    /// `… %if condition`.
    If {
        of: Box<Ast>,
        condition: Condition,
    },
    Token(Token),
    /// The text with its braces.
    Json(String),
    /// The text between the braces.
    Lark(String),
    /// `@name`.
    Grammar(String),
    Substring(Arc<[String]>),
}

/// How often something is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
    /// The length of the operator in Lark's regular expression: 1 for `*`, 5 for `{2,3}`.
    pub(crate) length: usize,
}

impl Repeat {
    /// `?`, `[…]`.
    pub(crate) const OPTIONAL: Self = Self {
        min: 0,
        max: Some(1),
        length: 1,
    };
}

/// The bits `from ≤ i < to` of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The argument of a call of a parametric rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Constant(u64),
    Same,
    And(u64),
    Or(u64),
    Increment(Bits),
    Decrement(Bits),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The condition of an alternative.
#[derive(Debug)]
pub(crate) enum Condition {
    True,
    /// The number that these bits are.
    Bits(Bits, Compare, u64),
    /// How many of these bits are set.
    Count(Bits, Compare, u64),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
}

impl Node {
    /// What it costs to copy or look up this node without its parts, in nodes.
    pub(crate) fn cost(&self) -> usize {
        let bytes = match self {
            Node::String { text, .. } | Node::Json(text) | Node::Lark(text) => text.len(),
            Node::Grammar(name) => name.len(),
            Node::Token(token) => token.bytes(),
            Node::Regex { source, .. } => source.len(),
            Node::Substring(chunks) => chunks.iter().map(|chunk| chunk.len() + 16).sum(),
            _ => 0,
        };
        1 + bytes / BYTES_PER_NODE
    }
}

/// The bytes of a text that count as one more node.
pub(crate) const BYTES_PER_NODE: usize = 64;

impl Ast {
    /// The parts of an expression.
    pub(crate) fn children(&self) -> &[Ast] {
        match &self.node {
            Node::Sequence(parts) | Node::Union(parts) | Node::And(parts) => parts,
            Node::Template { arguments, .. } => arguments,
            Node::Repeat { of, .. } | Node::Not(of) | Node::If { of, .. } => {
                std::slice::from_ref(of)
            }
            _ => &[],
        }
    }
}
