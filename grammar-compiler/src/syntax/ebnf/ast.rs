//! The syntax tree of the parser: rules as they are written, names not resolved.
//!
//! After parsing, bounds of repetitions are in order and within the limits, classes are sorted and
//! not empty, and no node nests deeper than allowed.

use crate::source::Span;
use crate::syntax::Kind;
use crate::syntax::embed::EmbedContent;
use crate::syntax::json_schema::SchemaOptions;
use crate::syntax::regex::PatternReading;

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

/// `name ::= body`.
#[derive(Clone, Debug)]
pub(super) struct AstRule {
    pub(super) name: Name,
    pub(super) body: AstNode,
}

/// A right part or a part of one.
#[derive(Clone, Debug)]
pub(super) struct AstNode {
    pub(super) kind: NodeKind,
    /// Its place, with the parentheses of a group.
    pub(super) span: Span,
    /// How many groups and repetitions lie inside each other here.
    pub(super) nesting: usize,
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Literal(String),
    /// Sorted, disjoint, not adjacent, not empty.
    Class(Vec<(char, char)>),
    Name(Name),
    Regex(Regex),
    Substring(Vec<String>),
    Embed(AstEmbed),
    Tokens(AstTokens),
    Dispatch(AstDispatch),
    Seq(Vec<AstNode>),
    Alt(Vec<AstNode>),
    Repeat {
        node: Box<AstNode>,
        min: u32,
        max: Option<u32>,
    },
}

/// A regular expression and how its places map to the source.
#[derive(Clone, Debug)]
pub(super) struct Regex {
    pub(super) pattern: String,
    pub(super) reading: PatternReading,
    /// The place of the pattern, without its delimiters.
    pub(super) span: Span,
    /// Whether the pattern stands in a string literal, with escapes of its own.
    pub(super) escaped: bool,
}

/// A token, by its name or its id, and where it is named.
#[derive(Clone, Debug)]
pub(super) enum TokenName {
    Text(String, Span),
    Id(u32, Span),
}

/// One of these tokens, or any but these.
#[derive(Clone, Debug)]
pub(super) struct AstTokens {
    pub(super) names: Vec<TokenName>,
    pub(super) all_but: bool,
}

/// What ends free text.
#[derive(Clone, Debug)]
pub(super) enum Trigger {
    Text(String, Span),
    Token(TokenName),
}

/// Free text, and rules behind triggers.
#[derive(Clone, Debug)]
pub(super) struct AstDispatch {
    /// Whether it is about tokens, not characters.
    pub(super) of_tokens: bool,
    pub(super) rules: Vec<(Trigger, Name)>,
    pub(super) excludes: Vec<Trigger>,
    pub(super) is_loop: bool,
}

/// A grammar that is embedded.
#[derive(Clone, Debug)]
pub(super) struct AstEmbed {
    pub(super) kind: Kind,
    pub(super) content: EmbedContent,
    pub(super) root: Option<String>,
    pub(super) schema: Option<SchemaOptions>,
}

impl AstNode {
    /// The node that matches the empty text.
    pub(super) fn empty() -> Self {
        AstNode::leaf(NodeKind::Seq(Vec::new()))
    }

    /// A node without parts.
    pub(super) fn leaf(kind: NodeKind) -> Self {
        AstNode {
            kind,
            span: Span::default(),
            nesting: 0,
        }
    }

    /// The same at a place, from `start` to `end`; what is empty stands where the text before it
    /// ends.
    pub(super) fn at(self, start: usize, end: usize) -> Self {
        let span = Span::new(start.min(end), end);
        AstNode { span, ..self }
    }

    /// These in order; one alone is itself.
    pub(super) fn seq(parts: Vec<AstNode>) -> Self {
        AstNode::list(parts, NodeKind::Seq)
    }

    /// Any of these; one alone is itself.
    pub(super) fn alt(parts: Vec<AstNode>) -> Self {
        AstNode::list(parts, NodeKind::Alt)
    }

    fn list(mut parts: Vec<AstNode>, kind: impl FnOnce(Vec<AstNode>) -> NodeKind) -> Self {
        if parts.len() == 1
            && let Some(only) = parts.pop()
        {
            return only;
        }
        let nesting = parts.iter().map(|part| part.nesting).max().unwrap_or(0);
        AstNode {
            kind: kind(parts),
            span: Span::default(),
            nesting,
        }
    }
}
