//! A grammar, as it comes in.

/// Rules over terminals, which are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// The rules; [`Expr::Rule`] holds an index into these.
    pub rules: Vec<Rule>,
    /// The indices of the rules that a text may derive from.
    pub starts: Vec<usize>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, for messages.
    pub name: String,
    /// What it derives.
    pub body: Expr,
    /// Its priority, which resolves collisions of two reductions; 0 in a grammar without any.
    pub priority: i32,
}

/// What a rule derives.
///
/// Lark makes one nonterminal of each distinct expression under `*` or `+`, wherever it stands, and
/// tells `("x")+` from `"x"+`: the first is a group of one alternative with one element. So does
/// this crate: `Union([Sequence([x])])`, `Sequence([x])` and `x` are three expressions, with one
/// language but with tables of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A terminal.
    Terminal(u32),
    /// The rule at this index.
    Rule(usize),
    /// All of these, one after the other; without any, the empty text.
    Sequence(Vec<Expr>),
    /// One of these; without any, nothing, not even the empty text.
    Union(Vec<Expr>),
    /// The expression, from `min` to `max` times.
    Repeat {
        /// What is repeated.
        of: Box<Expr>,
        /// The least number of times.
        min: u32,
        /// The largest number of times, if there is one.
        max: Option<u32>,
    },
}
