//! The grammar: rules over Unicode text, every name resolved.
//!
//! In: the rules that a front end of [`crate::syntax`] read. Out: [`Grammar`], whose references all
//! point at a rule, whose classes are sorted and not empty, and whose repetitions have
//! `min <= max`.

mod bounded;
mod bounded_core;
mod bounded_ends;
pub(crate) mod bounded_plan;
#[doc(hidden)]
pub mod characters;
#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod digest;
#[doc(hidden)]
pub mod interpret;
#[cfg(feature = "lark")]
#[doc(hidden)]
pub mod lexer;
#[cfg(not(feature = "lark"))]
#[doc(hidden)]
#[path = "absent/lexer.rs"]
pub mod lexer;
#[doc(hidden)]
pub mod lint;
mod memory;
pub(crate) mod names;
#[doc(hidden)]
pub mod places;
pub mod print;
mod tokens;
#[doc(hidden)]
pub mod words;

use crate::maps::own_keys;
use std::sync::Arc;

use crate::source::Span;
pub use bounded::BoundedWords;
pub(crate) use bounded_core::BoundedCore;
#[doc(hidden)]
pub use lexer::Lexer;
pub use lexer::TerminalId;
pub use tokens::TokenSet;
pub use words::{Graph, GraphState, WordState, Words};

/// Index of a rule in [`Grammar::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);

own_keys!(RuleId);

/// A grammar whose names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grammar {
    /// The rules, in the order of the source.
    pub rules: Vec<Rule>,
    /// The rule that the whole text must match.
    pub root: RuleId,
    /// The lexer that cuts the text into terminals, if the rules are written over terminals.
    #[doc(hidden)]
    pub lexer: Option<Arc<Lexer>>,
}

/// One rule: a name and a regular right part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name, as written.
    pub name: String,
    /// The right part.
    pub expr: Expr,
    /// The place of the name in the source.
    pub span: Span,
    /// The place of each part of the right part, in preorder; empty if the front end has none. The
    /// meaning of the rule does not depend on it.
    pub places: Vec<Span>,
}

impl Grammar {
    /// The grammar of these rules, of which a text must match `root`.
    pub fn new(rules: Vec<Rule>, root: RuleId) -> Self {
        Grammar {
            rules,
            root,
            lexer: None,
        }
    }

    /// The same grammar with the lexer that its [terminals](Expr::Terminal) belong to.
    #[doc(hidden)]
    #[must_use]
    pub fn with_lexer(self, lexer: Lexer) -> Self {
        Grammar {
            lexer: Some(Arc::new(lexer)),
            ..self
        }
    }
}

impl Rule {
    /// A rule that stands in no text.
    pub fn new(name: impl Into<String>, expr: Expr) -> Self {
        Rule {
            name: name.into(),
            expr,
            span: Span::default(),
            places: Vec::new(),
        }
    }

    /// The same with the place of its name, and those of the parts of its right part, in preorder.
    #[must_use]
    pub fn at(self, span: Span, places: Vec<Span>) -> Self {
        Rule {
            span,
            places,
            ..self
        }
    }

    /// The same rule in a grammar in which the rules have other numbers.
    #[must_use]
    pub fn renumbered(self, map: &impl Fn(RuleId) -> RuleId) -> Self {
        Rule {
            expr: self.expr.renumbered(map),
            ..self
        }
    }
}

impl Expr {
    fn renumbered(self, map: &impl Fn(RuleId) -> RuleId) -> Self {
        let all = |parts: Vec<Expr>| parts.into_iter().map(|part| part.renumbered(map)).collect();
        match self {
            Expr::Ref(id) => Expr::Ref(map(id)),
            Expr::Seq(parts) => Expr::Seq(all(parts)),
            Expr::Alt(parts) => Expr::Alt(all(parts)),
            Expr::Repeat { expr, min, max } => Expr::Repeat {
                expr: Box::new(expr.renumbered(map)),
                min,
                max,
            },
            Expr::Graph(graph) => {
                let mut graph = Arc::unwrap_or_clone(graph);
                for state in &mut graph.states {
                    for (part, _) in &mut state.edges {
                        let whole = std::mem::replace(part, Expr::Seq(Vec::new()));
                        *part = whole.renumbered(map);
                    }
                }
                Expr::Graph(Arc::new(graph))
            }
            Expr::Literal(_)
            | Expr::Class(_)
            | Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Words(_)
            | Expr::Bounded(_) => self,
        }
    }
}

/// A regular right part: a regular expression over characters and rule references.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expr {
    /// These characters in order; the empty literal matches the empty text.
    Literal(String),
    /// One character of these inclusive ranges; sorted, disjoint, not adjacent.
    /// The empty class matches nothing.
    Class(Vec<(char, char)>),
    /// One byte of these inclusive ranges: for patterns that are not about Unicode text.
    Bytes(Vec<(u8, u8)>),
    /// One token of a vocabulary, whatever its text.
    Tokens(TokenSet),
    /// A terminal of the grammar's [lexer](Grammar::lexer).
    Terminal(TerminalId),
    /// The words of a finite automaton over bytes, which a front end has computed.
    Words(Arc<Words>),
    /// Those of them that have at most so many characters.
    Bounded(Arc<BoundedWords>),
    /// The words of a finite automaton over right parts.
    Graph(Arc<Graph>),
    /// All in order; the empty sequence matches the empty text.
    Seq(Vec<Expr>),
    /// Any one; the empty alternation matches nothing.
    Alt(Vec<Expr>),
    /// `min` to `max` times, without an upper bound if `max` is `None`.
    Repeat {
        /// What is repeated.
        expr: Box<Expr>,
        /// The least number of times.
        min: u32,
        /// The greatest number of times.
        max: Option<u32>,
    },
    /// A rule.
    Ref(RuleId),
}
