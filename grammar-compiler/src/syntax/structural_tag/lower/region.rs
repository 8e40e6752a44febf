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
//! closed, at a node:                  one more symbol of a delimiter that began before the text was closed
//! ```
//!
//! A text of at most so many tokens can be closed wherever a token can end, within a character too: by the [limit](TokenSet::limit), which a matcher takes. Behind it the
//! character is finished, and then no character of the text comes any more, only a delimiter. Characters of such a text are written as bytes.

use super::super::trie::{Node, Symbol, Trie};
use crate::grammar::words::GraphState;
use crate::grammar::{Expr, Graph, TokenSet, characters};
use crate::limits::{LimitExceeded, Limits};
use regex_syntax::utf8::Utf8Sequences;
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

impl Then {
    /// `expr`, and free text again if it `goes_on`.
    pub(super) fn new(expr: Expr, goes_on: bool) -> Self {
        match goes_on {
            true => Then::Again(expr),
            false => Then::Done(expr),
        }
    }
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
    /// The most tokens before it.
    pub(super) max_tokens: Option<u16>,
}

/// A state of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    /// The beginning of a text that is limited in tokens, and cannot be closed yet.
    Opening,
    /// Text that was closed: it ends with this prefix, has so many characters if they are counted, and so many of the prefix came after it was closed.
    Closed(Node, u32, u32),
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
            parts: HashMap::new(),
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

/// A state within a character: what comes behind it, the bytes that are left, and whether the text can be closed.
type Part = (State, Vec<(u8, u8)>, bool);

struct Lowering<'r> {
    region: &'r Region,
    trie: Trie,
    /// The words of `not_first`.
    beginnings: Trie,
    /// The nodes from which a delimiter can be completed that something follows.
    live: Vec<bool>,
    graph: Graph,
    numbers: HashMap<State, u32>,
    parts: HashMap<Part, u32>,
    /// States whose edges are not there yet.
    pending: Vec<(State, u32)>,
}

impl Lowering<'_> {
    fn run(&mut self, limits: &Limits) -> Result<(), LimitExceeded> {
        let start = match self.region.max_tokens {
            None => self.beginning(),
            Some(0) => State::Closed(Trie::ROOT, 0, 0),
            Some(_) => State::Opening,
        };
        if let Some(first) = &self.region.first {
            self.graph.states.push(GraphState::default());
            let edge = (first.clone(), self.number(start));
            self.graph.states[0].edges.push(edge);
        } else {
            self.number(start);
        }
        while let Some((state, number)) = self.pending.pop() {
            let mut edges = self.edges(state);
            if let Some((limit, closed)) = self.limit(state) {
                edges.push((limit, self.number(closed)));
            }
            let is_final = self.is_final(state);
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

    /// Where text without a limit in tokens begins.
    fn beginning(&self) -> State {
        match self.region.not_first.is_empty() {
            true => State::Free(Trie::ROOT, 0),
            false => State::Beginning(Trie::ROOT, Trie::ROOT),
        }
    }

    fn edges(&mut self, state: State) -> Vec<(Expr, u32)> {
        match state {
            State::Opening => self.edges(self.beginning()),
            State::Beginning(beginning, node) => {
                self.free(node, self.counted(beginning), Some(beginning))
            }
            State::Free(node, count) => self.free(node, count, None),
            State::Closed(node, count, since) => self.closed(node, count, since),
            State::Within(node) => self.within(node),
            State::Done => Vec::new(),
        }
    }

    fn is_final(&self, state: State) -> bool {
        let may_end = |count| self.region.may_end && self.may_hold(count, 0);
        match state {
            State::Opening => may_end(0),
            State::Beginning(beginning, _) => may_end(self.counted(beginning)),
            State::Free(_, count) => may_end(count),
            State::Closed(_, count, since) => since == 0 && may_end(count),
            State::Within(_) => false,
            State::Done => true,
        }
    }

    /// The limit in tokens that can be taken in a state, and the state behind it.
    fn limit(&self, state: State) -> Option<(Expr, State)> {
        let limit = Expr::Tokens(TokenSet::limit(self.region.max_tokens?));
        Some((limit, self.closing(state)?))
    }

    /// The state of a text that is closed in this one; `None` if it is not a text that can be closed.
    fn closing(&self, state: State) -> Option<State> {
        match state {
            State::Beginning(beginning, node) => {
                Some(State::Closed(node, self.counted(beginning), 0))
            }
            State::Free(node, count) => Some(State::Closed(node, count, 0)),
            State::Opening | State::Closed(..) | State::Within(_) | State::Done => None,
        }
    }

    /// Edges by characters of free text, which can be closed within each if the text is limited in tokens.
    fn characters(&mut self, class: Vec<(char, char)>, to: State, edges: &mut Vec<(Expr, u32)>) {
        if self.region.max_tokens.is_none() {
            edges.push((Expr::Class(class), self.number(to)));
            return;
        }
        for (low, high) in class {
            for sequence in Utf8Sequences::new(low, high) {
                let bytes = sequence.as_slice().iter();
                let bytes: Vec<(u8, u8)> = bytes.map(|range| (range.start, range.end)).collect();
                if let Some((&first, rest)) = bytes.split_first() {
                    edges.push((Expr::Bytes(vec![first]), self.part(to, rest, true)));
                }
            }
        }
    }

    /// The state within a character of which these bytes are left.
    fn part(&mut self, to: State, bytes: &[(u8, u8)], is_open: bool) -> u32 {
        let Some((&first, rest)) = bytes.split_first() else {
            return self.number(to);
        };
        let key = (to, bytes.to_vec(), is_open);
        if let Some(&known) = self.parts.get(&key) {
            return known;
        }
        let number = self.graph.states.len() as u32;
        self.graph.states.push(GraphState::default());
        self.parts.insert(key, number);
        let mut edges = vec![(Expr::Bytes(vec![first]), self.part(to, rest, is_open))];
        if let (true, Some(most)) = (is_open, self.region.max_tokens) {
            let closed = self.closing(to).unwrap_or(to);
            let limit = Expr::Tokens(TokenSet::limit(most));
            edges.push((limit, self.part(closed, bytes, false)));
        }
        self.graph.states[number as usize].edges = edges;
        number
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
                self.characters(vec![(c, c)], state, &mut edges);
            }
        }
        if let Some(state) = self.go_on(Trie::ROOT, after) {
            let others = characters::complement(next.keys().map(|&c| (c, c)));
            self.characters(others, state, &mut edges);
        }
        for (id, nodes) in self.trie.tokens(node) {
            self.token(id, nodes, count, &mut edges);
        }
        edges
    }

    /// The edges by a token that ends these prefixes, longest first.
    fn token(&mut self, id: u32, nodes: Vec<Node>, count: u32, edges: &mut Vec<(Expr, u32)>) {
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

    /// The edges of text that was closed `since` characters ago. A delimiter that began later would leave characters of the text between.
    fn closed(&mut self, node: Node, count: u32, since: u32) -> Vec<(Expr, u32)> {
        let mut edges = Vec::new();
        let after = count + u32::from(self.region.max_chars.is_some());
        let next: Vec<(char, Node)> = self.trie.next(node).collect();
        for (c, target) in next {
            let began = |node: Node| self.trie.characters(node) > since as usize;
            let state = match self.trie.out(target) {
                Some(whole) if began(whole) => self.complete(whole, after),
                None if began(target) => Some(State::Closed(target, after, since + 1)),
                _ => None,
            };
            if let Some(state) = state {
                edges.push((Expr::Class(vec![(c, c)]), self.number(state)));
            }
        }
        for (id, mut nodes) in self.trie.tokens(node) {
            nodes.retain(|&node| self.trie.characters(node) >= since as usize);
            self.token(id, nodes, count, &mut edges);
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
pub(super) fn of_tokens(
    first: Option<Expr>,
    patterns: &[(u32, Then)],
    may_end: bool,
    max_tokens: Option<u16>,
) -> Expr {
    // The free text, in which each token leads back; what follows; and for a limit, where the text begins and where it was closed.
    let (free, done, opening, closed) = (1, 2, 3, 4);
    let others = TokenSet::all_but(patterns.iter().map(|(id, _)| *id));
    let go_on = (Expr::Tokens(others), free);
    let mut ends = Vec::new();
    for (id, then) in patterns {
        let token = Expr::Tokens(TokenSet::of([*id]));
        match then {
            Then::Never => {}
            Then::Done(expr) => ends.push((Expr::Seq(vec![token, expr.clone()]), done)),
            Then::Again(expr) => ends.push((Expr::Seq(vec![token, expr.clone()]), free)),
        }
    }
    let text = |edges: Vec<(Expr, u32)>| GraphState {
        is_final: may_end,
        edges: edges.into_iter().chain(ends.iter().cloned()).collect(),
    };
    let limit = max_tokens.map(|most| (Expr::Tokens(TokenSet::limit(most)), closed));
    let start = match max_tokens {
        None => free,
        Some(0) => closed,
        Some(_) => opening,
    };
    let first = first.unwrap_or_else(|| Expr::Seq(Vec::new()));
    let begin = GraphState {
        is_final: false,
        edges: vec![(first, start)],
    };
    let end = GraphState {
        is_final: true,
        edges: Vec::new(),
    };
    let mut states = vec![
        begin,
        text([go_on.clone()].into_iter().chain(limit).collect()),
        end,
    ];
    if max_tokens.is_some() {
        states.extend([text(vec![go_on]), text(Vec::new())]);
    }
    Expr::Graph(Graph { states }.into())
}
