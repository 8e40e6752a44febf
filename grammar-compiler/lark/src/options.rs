//! How a grammar is read.

/// How a grammar is read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The rules with which a text can begin; `start` if not set.
    pub start: Vec<String>,
    /// Whether terminals stay that no rule uses.
    pub all_terminals: bool,
    /// Whether the alternatives of a terminal are put into the order in which Lark joins them,
    /// longest first; else they stay as written. The order decides only which match a
    /// backtracking engine prefers.
    pub lalr_order: bool,
    /// Whether rules may have priorities.
    pub allow_rule_priorities: bool,
    /// Whether terminals may have priorities.
    pub allow_terminal_priorities: bool,
    /// What a grammar may cost.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            start: vec!["start".to_owned()],
            all_terminals: false,
            lalr_order: false,
            allow_rule_priorities: true,
            allow_terminal_priorities: true,
            limits: Limits::default(),
        }
    }
}

/// What a grammar may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rules, with those made from templates and parametric rules.
    pub rules: usize,
    /// Terminals, with those without a name.
    pub terminals: usize,
    /// Nodes of all expressions, written out.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rules: 100_000,
            terminals: 100_000,
            nodes: 1_000_000,
        }
    }
}
