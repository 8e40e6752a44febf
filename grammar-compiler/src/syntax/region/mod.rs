//! Free text up to what ends it, as a graph.
//!
//! In: delimiters and what follows each. Out: an automaton over right parts: its states are those
//! of the delimiters' [`Trie`], so a state is the longest part of a delimiter that the text ends
//! with. What holds: the text ends where the first delimiter is complete; if several are complete
//! at once, with the one that began first; a delimiter that another one begins with leaves both
//! open, but then the text cannot go on freely.
//!
//! - [`delimiters`]: what each symbol leads to, whatever is counted;
//! - [`states`]: the automaton, with characters and tokens counted;
//! - [`blocks`]: many characters, counted by rules over blocks of them;
//! - [`tokens`]: text that is made of tokens.

mod blocks;
mod delimiters;
mod states;
mod tokens;

use crate::error::{Code, Diagnostic};
use crate::grammar::{Expr, Graph, GraphState, RuleId, TokenSet};
use crate::limits::{LimitExceeded, Limits};
use crate::syntax::trie::{Symbol, Trie};
use delimiters::Delimiters;
use states::RegionLowering;
pub(in crate::syntax) use tokens::of_tokens;

/// A word that ends free text, and what follows it.
#[derive(Clone, Debug)]
pub(in crate::syntax) struct EndPattern {
    pub(in crate::syntax) word: Vec<Symbol>,
    pub(in crate::syntax) then: Then,
}

/// What follows a delimiter.
#[derive(Clone, Debug)]
pub(in crate::syntax) enum Then {
    /// Nothing: the text does not contain it.
    Never,
    /// This, and nothing after it.
    Done(Expr),
    /// This, and free text again.
    Again(Expr),
    /// This, and the shared part of this number.
    Shared(Expr, usize),
}

/// What follows several delimiters, and stands in the automaton once.
#[derive(Clone, Debug)]
pub(in crate::syntax) struct SharedPart {
    /// What comes before it where the free text begins with it; otherwise the text does not begin
    /// with it.
    pub(in crate::syntax) first: Option<Expr>,
    pub(in crate::syntax) expr: Expr,
    /// Whether free text follows again.
    pub(in crate::syntax) goes_on: bool,
}

/// The parts that free text may begin with: what comes before each, and its number.
fn firsts(shared: &[SharedPart]) -> impl Iterator<Item = (&Expr, usize)> {
    let numbered = shared.iter().enumerate();
    numbered.filter_map(|(number, part)| Some((part.first.as_ref()?, number)))
}

impl Then {
    /// `expr`, and free text again if it `goes_on`.
    pub(in crate::syntax) fn new(expr: Expr, goes_on: bool) -> Self {
        match goes_on {
            true => Then::Again(expr),
            false => Then::Done(expr),
        }
    }
}

/// Free text and what ends it.
#[derive(Debug)]
pub(in crate::syntax) struct TextRegion {
    pub(in crate::syntax) patterns: Vec<EndPattern>,
    /// What the patterns share. If the text may begin with some, it does.
    pub(in crate::syntax) shared: Vec<SharedPart>,
    /// The words that the text does not begin with.
    pub(in crate::syntax) not_first: Vec<Vec<Symbol>>,
    /// Whether it may end without a delimiter.
    pub(in crate::syntax) may_end: bool,
    /// The fewest characters before the delimiter. Not beside a limit in tokens, `not_first` or
    /// text that may end.
    pub(in crate::syntax) min_chars: u32,
    /// Whether a line feed at the beginning and one before the delimiter do not count, if
    /// characters are counted. Where `min_chars` is, too.
    pub(in crate::syntax) trimmed: bool,
    /// The most characters before the delimiter.
    pub(in crate::syntax) max_chars: Option<u32>,
    /// The most tokens before it.
    pub(in crate::syntax) max_tokens: Option<u16>,
}

impl TextRegion {
    /// The automaton, and the rules that it needs, which are to have the numbers from `next` on.
    /// Where characters are counted in blocks, `block` is the number in one, or 0 for as many as
    /// suit.
    ///
    /// # Errors
    /// If it has more states than `limits.automaton_states`: each counted character that is in no
    /// block is a state. If a text that is limited in tokens could not end where it is closed.
    pub(in crate::syntax) fn lower(
        self,
        limits: &Limits,
        block: u32,
        next: RuleId,
    ) -> Result<(Expr, Vec<Expr>), TextRefusal> {
        if let Some(counted) = self.without_delimiters() {
            return Ok((counted, Vec::new()));
        }
        let words = self.patterns.iter().map(|pattern| pattern.word.as_slice());
        let trie = Trie::new(words, limits)?;
        let live = trie.live(|word| !matches!(self.patterns[word].then, Then::Never));
        let delimiters = Delimiters::new(trie, live);
        let blocks = blocks::write(&self, &delimiters, block, limits, next);
        let mut graph =
            RegionLowering::new(&self, &delimiters, blocks.as_ref(), limits)?.run(limits)?;
        let limits = |graph: &Graph| graph.states.iter().map(GraphState::is_limited).collect();
        let before: Vec<bool> = limits(&graph);
        graph.trim();
        // A limit was taken out of a state that is still there: closed here, the text could not
        // end.
        let mut states = graph.states.iter().zip(before);
        if states.any(|(state, was)| was && !state.is_limited() && !state.edges.is_empty()) {
            return Err(TextRefusal::NeverEnds);
        }
        let rules = blocks.map_or_else(Vec::new, |blocks| blocks.rules);
        Ok((Expr::Graph(graph.into()), rules))
    }

    /// Text whose characters are only counted. The compiler counts those in blocks itself.
    fn without_delimiters(&self) -> Option<Expr> {
        let TextRegion {
            patterns,
            shared,
            not_first,
            may_end,
            min_chars,
            trimmed,
            max_chars,
            max_tokens,
        } = self;
        let has_delimiters = !patterns.is_empty() || !shared.is_empty();
        let is_plain =
            !has_delimiters && not_first.is_empty() && *may_end && *min_chars == 0 && !trimmed;
        let text = Expr::Repeat {
            expr: Box::new(Expr::Class(vec![('\0', char::MAX)])),
            min: 0,
            max: Some((*max_chars)?),
        };
        (is_plain && max_tokens.is_none()).then_some(text)
    }
}

/// Why free text is refused.
pub(in crate::syntax) enum TextRefusal {
    /// It is too large.
    TooLarge(LimitExceeded),
    /// Closed by its limit in tokens, it could not end everywhere.
    NeverEnds,
}

impl TextRefusal {
    pub(in crate::syntax) fn diagnostic(&self) -> Diagnostic {
        match self {
            TextRefusal::TooLarge(limit) => limit.into(),
            TextRefusal::NeverEnds => {
                let message = "a text that has had its tokens cannot end everywhere: an exclude lies across its end";
                let help = "leave the exclude out, or the limit";
                Diagnostic::error(Code::TokenLimit, message).help(help)
            }
        }
    }
}

impl From<LimitExceeded> for TextRefusal {
    fn from(limit: LimitExceeded) -> Self {
        TextRefusal::TooLarge(limit)
    }
}

impl GraphState {
    /// Whether a limit in tokens can be taken.
    fn is_limited(&self) -> bool {
        let mut parts = self.edges.iter().map(|(part, _)| part);
        parts.any(|part| matches!(part, Expr::Tokens(set) if set.tokens_before().is_some()))
    }
}

/// The place where a limit in tokens closes the text.
fn limit(tokens: u16) -> Expr {
    Expr::Tokens(TokenSet::limit(tokens))
}

/// A symbol as a right part.
pub(in crate::syntax) fn terminal(symbol: Symbol) -> Expr {
    match symbol {
        Symbol::Char(c) => Expr::Class(vec![(c, c)]),
        Symbol::Token(id) => Expr::Tokens(TokenSet::of([id])),
    }
}

impl Graph {
    /// Takes out edges to states from which nothing can be finished: the count is full there, or
    /// only a text that is forbidden could go on.
    fn trim(&mut self) {
        let mut sources = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            for (_, to) in &state.edges {
                sources[*to as usize].push(from);
            }
        }
        let finals = (0..self.states.len()).filter(|&at| self.states[at].is_final);
        let mut pending: Vec<usize> = finals.collect();
        let mut finishes = vec![false; self.states.len()];
        while let Some(at) = pending.pop() {
            if !std::mem::replace(&mut finishes[at], true) {
                pending.extend(&sources[at]);
            }
        }
        for state in &mut self.states {
            state.edges.retain(|(_, to)| finishes[*to as usize]);
        }
    }
}
