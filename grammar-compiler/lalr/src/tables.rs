//! Tables, as they come out.

/// The tables of a parser that reads a text from left to right with one symbol of look-ahead.
///
/// All lists are sorted. In a state no symbol is both shifted and reduced on, and no symbol has two
/// reductions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// The states.
    pub states: Vec<State>,
    /// The state to begin with.
    pub start: u32,
    /// The productions.
    pub productions: Vec<Production>,
    /// For each production its symbols.
    pub rights: Vec<Vec<Part>>,
    /// For each nonterminal the rule of the grammar that it comes from.
    pub rules: Vec<u32>,
}

/// One symbol of a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A terminal.
    Terminal(u32),
    /// A nonterminal.
    Nonterminal(u32),
}

/// What a state does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The terminals that it takes, each with the next state.
    pub shifts: Vec<(u32, u32)>,
    /// The symbols of look-ahead on which it reduces, each with the production.
    pub reductions: Vec<(Symbol, u32)>,
    /// The reductions that a conflict has cost it: the production could be reduced on the symbol,
    /// and something else is done.
    pub dropped: Vec<(Symbol, u32)>,
    /// The nonterminals after whose reduction it is uncovered, each with the next state.
    pub gotos: Vec<(u32, u32)>,
    /// Whether the text is accepted if it ends here. Such a state has no reduction on
    /// [`Symbol::End`].
    pub accepts: bool,
}

/// A symbol of look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A terminal.
    Terminal(u32),
    /// The end of the text.
    End,
}

/// One alternative of a nonterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Production {
    /// The nonterminal. Those below the number of the grammar's rules are these rules, others stand
    /// for repetitions and, last, for the union of several starts.
    pub nonterminal: u32,
    /// How many symbols it has, so how many states a reduction takes off the stack.
    pub length: u32,
}
