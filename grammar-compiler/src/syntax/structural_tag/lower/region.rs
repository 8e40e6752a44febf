//! Free text up to what ends it, as a graph.
//!
//! In: delimiters and what follows each. Out: an automaton over right parts: its states are those of the delimiters' [`Trie`], so a state is the longest part of a delimiter that the text
//! ends with. What holds: the text ends where the first delimiter is complete; if several are complete at once, with the one that began first; a delimiter that another one
//! begins with leaves both open, but then the text cannot go on freely.
//!
//! ```text
//! free text at a node, one character: the next node, if no delimiter is complete there
//!                                     otherwise the longest one's node, no longer free
//! free text at a node, one token:     as a character, but the text cannot go on freely: tokens that are named are no text
//! the beginning, at a node of those:  as free text, but no word of `not_first` is completed
//! not free, at a node:                what follows the delimiters that are complete here; or one more symbol of a longer one
//! ```

use super::super::trie::{Node, Symbol, Trie};
use crate::grammar::words::GraphState;
use crate::grammar::{Expr, Graph, TokenSet, characters};
use crate::limits::{LimitExceeded, Limits};
use std::collections::{BTreeMap, HashMap};

/// A word that ends free text, and what then comes.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) word: Vec<Symbol>,
    pub(super) then: Then,
}

/// What follows a delimiter.
#[derive(Clone, Debug)]
pub(super) enum Then {
    /// Nothing can: the text does not contain it.
    Never,
    /// This, and nothing after it.
    Done(Expr),
    /// This, and free text again.
    Again(Expr),
}

/// Free text and what ends it.
#[derive(Debug)]
pub(super) struct Region {
    /// What comes before the free text.
    pub(super) first: Option<Expr>,
    pub(super) patterns: Vec<Pattern>,
    /// What the text does not begin with.
    pub(super) not_first: Vec<Vec<Symbol>>,
    /// Whether it may end without a delimiter.
    pub(super) may_end: bool,
    /// The most characters before the delimiter.
    pub(super) max_chars: Option<u32>,
}

/// A state of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    /// Free text that is this prefix of a word of `not_first`, and ends with this prefix of a delimiter.
    Beginning(Node, Node),
    /// Free text that ends with this prefix, after so many characters if they are counted.
    Free(Node, u32),
    /// Part of a delimiter, or a whole one.
    Within(Node),
    /// Nothing follows.
    Done,
}

impl Region {
    /// The automaton.
    ///
    /// # Errors
    /// If it has more states than `limits.automaton_states`: counted characters are states.
    pub(super) fn lower(self, limits: &Limits) -> Result<Expr, LimitExceeded> {
        let words = self.patterns.iter().map(|pattern| pattern.word.as_slice());
        let trie = Trie::new(words);
        let live = trie.live(|word| !matches!(self.patterns[word].then, Then::Never));
        let mut lowering = Lowering {
            region: &self,
            trie,
            beginnings: Trie::new(self.not_first.iter().map(Vec::as_slice)),
            live,
            graph: Graph::default(),
            numbers: HashMap::new(),
            pending: Vec::new(),
        };
        lowering.run(limits)?;
        trim(&mut lowering.graph);
        Ok(Expr::Graph(lowering.graph.into()))
    }
}

/// Takes out edges to states from which nothing can be finished: the count is full there, or only a text that is forbidden could go on.
fn trim(graph: &mut Graph) {
    let mut sources = vec![Vec::new(); graph.states.len()];
    for (from, state) in graph.states.iter().enumerate() {
        for (_, to) in &state.edges {
            sources[*to as usize].push(from);
        }
    }
    let finals = (0..graph.states.len()).filter(|&at| graph.states[at].is_final);
    let mut pending: Vec<usize> = finals.collect();
    let mut finishes = vec![false; graph.states.len()];
    while let Some(at) = pending.pop() {
        if !std::mem::replace(&mut finishes[at], true) {
            pending.extend(&sources[at]);
        }
    }
    for state in &mut graph.states {
        state.edges.retain(|(_, to)| finishes[*to as usize]);
    }
}

struct Lowering<'r> {
    region: &'r Region,
    trie: Trie,
    /// The words of `not_first`.
    beginnings: Trie,
    /// The nodes from which a delimiter can be completed that something follows.
    live: Vec<bool>,
    graph: Graph,
    numbers: HashMap<State, u32>,
    /// States whose edges are not there yet.
    pending: Vec<(State, u32)>,
}

impl Lowering<'_> {
    fn run(&mut self, limits: &Limits) -> Result<(), LimitExceeded> {
        let start = match self.region.not_first.is_empty() {
            true => State::Free(Trie::ROOT, 0),
            false => State::Beginning(Trie::ROOT, Trie::ROOT),
        };
        if let Some(first) = &self.region.first {
            self.graph.states.push(GraphState::default());
            let edge = (first.clone(), self.number(start));
            self.graph.states[0].edges.push(edge);
        } else {
            self.number(start);
        }
        while let Some((state, number)) = self.pending.pop() {
            let edges = match state {
                State::Beginning(beginning, node) => {
                    self.free(node, self.counted(beginning), Some(beginning))
                }
                State::Free(node, count) => self.free(node, count, None),
                State::Within(node) => self.within(node),
                State::Done => Vec::new(),
            };
            let is_final = match state {
                State::Beginning(beginning, _) => {
                    self.region.may_end && self.may_hold(self.counted(beginning), 0)
                }
                State::Free(_, count) => self.region.may_end && self.may_hold(count, 0),
                State::Within(_) => false,
                State::Done => true,
            };
            if self.graph.states.len() > limits.automaton_states {
                return Err(LimitExceeded {
                    limit: "automaton_states",
                    value: limits.automaton_states as u64,
                    what: "free text of so many characters needs more states".to_owned(),
                });
            }
            self.graph.states[number as usize] = GraphState { is_final, edges };
        }
        Ok(())
    }

    /// Whether a text of `count` characters, the last `delimiter` of which belong to a delimiter, is short enough.
    fn may_hold(&self, count: u32, delimiter: usize) -> bool {
        let most = self.region.max_chars.map(|most| most as usize);
        most.is_none_or(|most| (count as usize).saturating_sub(delimiter) <= most)
    }

    fn number(&mut self, state: State) -> u32 {
        let next = self.graph.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.graph.states.push(GraphState::default());
            self.pending.push((state, number));
        }
        number
    }

    /// The count of characters at a node of `beginnings`, if they are counted.
    fn counted(&self, beginning: Node) -> u32 {
        match self.region.max_chars {
            Some(_) => self.beginnings.characters(beginning) as u32,
            None => 0,
        }
    }

    /// The edges of free text at a node of the delimiters and, in the text's beginning, at one of `not_first`.
    fn free(&mut self, node: Node, count: u32, beginning: Option<Node>) -> Vec<(Expr, u32)> {
        let mut edges = Vec::new();
        let after = count + u32::from(self.region.max_chars.is_some());
        let mut next: BTreeMap<char, (Node, Option<Node>)> = BTreeMap::new();
        for (c, target) in self.trie.next(node) {
            next.insert(c, (target, None));
        }
        for (symbol, child) in beginning
            .into_iter()
            .flat_map(|at| self.beginnings.children(at))
        {
            if let Symbol::Char(c) = symbol {
                next.entry(c).or_insert((Trie::ROOT, None)).1 = Some(child);
            }
        }
        for (&c, &(target, child)) in &next {
            let state = match (self.trie.out(target), child) {
                (Some(whole), _) => self.complete(whole, after),
                (None, Some(child)) if !self.beginnings.words(child).is_empty() => None,
                (None, Some(child)) => self
                    .go_on(target, after)
                    .map(|_| State::Beginning(child, target)),
                (None, None) => self.go_on(target, after),
            };
            if let Some(state) = state {
                edges.push((Expr::Class(vec![(c, c)]), self.number(state)));
            }
        }
        if let Some(state) = self.go_on(Trie::ROOT, after) {
            let others = characters::complement(next.keys().map(|&c| (c, c)));
            edges.push((Expr::Class(others), self.number(state)));
        }
        for (id, nodes) in self.trie.tokens(node) {
            let whole = nodes
                .iter()
                .find(|&&node| !self.trie.words(node).is_empty());
            let targets: Vec<Node> = whole.map_or(nodes.clone(), |&whole| vec![whole]);
            for target in targets {
                if let Some(state) = self.complete(target, count) {
                    edges.push((Expr::Tokens(TokenSet::of([id])), self.number(state)));
                }
            }
        }
        edges
    }

    /// Free text that ends with the prefix of `node`, unless it has become too long.
    fn go_on(&self, node: Node, count: u32) -> Option<State> {
        let pending = self.trie.suffixes(node).find(|&suffix| self.live[suffix]);
        let pending = pending.map_or(0, |suffix| self.trie.characters(suffix));
        self.may_hold(count, pending)
            .then_some(State::Free(node, count))
    }

    /// A delimiter, or the part of one that ends with a token, unless the text before it is too long or nothing can follow.
    fn complete(&self, node: Node, count: u32) -> Option<State> {
        let is_open = self.live[node] && self.may_hold(count, self.trie.characters(node));
        is_open.then_some(State::Within(node))
    }

    fn within(&mut self, node: Node) -> Vec<(Expr, u32)> {
        let mut edges = Vec::new();
        for &word in &self.trie.words(node).to_vec() {
            match &self.region.patterns[word].then {
                Then::Never => {}
                Then::Done(expr) => edges.push((expr.clone(), self.number(State::Done))),
                Then::Again(expr) => {
                    edges.push((expr.clone(), self.number(State::Free(Trie::ROOT, 0))));
                }
            }
        }
        let children: Vec<(Symbol, Node)> = self.trie.children(node).collect();
        for (symbol, child) in children {
            if self.live[child] {
                edges.push((terminal(symbol), self.number(State::Within(child))));
            }
        }
        edges
    }
}

/// A symbol as a right part.
pub(super) fn terminal(symbol: Symbol) -> Expr {
    match symbol {
        Symbol::Char(c) => Expr::Class(vec![(c, c)]),
        Symbol::Token(id) => Expr::Tokens(TokenSet::of([id])),
    }
}

/// Free text of tokens up to one that ends it: `patterns` are tokens and what then comes.
pub(super) fn of_tokens(first: Option<Expr>, patterns: &[(u32, Then)], may_end: bool) -> Expr {
    let mut graph = Graph::default();
    let free = first.is_some() as u32;
    if let Some(first) = first {
        graph.states.push(GraphState {
            is_final: false,
            edges: vec![(first, free)],
        });
    }
    let done = free + 1;
    let others = TokenSet::all_but(patterns.iter().map(|(id, _)| *id));
    let mut edges = vec![(Expr::Tokens(others), free)];
    for (id, then) in patterns {
        let token = Expr::Tokens(TokenSet::of([*id]));
        match then {
            Then::Never => {}
            Then::Done(expr) => edges.push((Expr::Seq(vec![token, expr.clone()]), done)),
            Then::Again(expr) => edges.push((Expr::Seq(vec![token, expr.clone()]), free)),
        }
    }
    graph.states.push(GraphState {
        is_final: may_end,
        edges,
    });
    graph.states.push(GraphState {
        is_final: true,
        edges: Vec::new(),
    });
    Expr::Graph(graph.into())
}
