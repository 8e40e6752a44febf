//! The automaton of free text, with its characters and tokens counted.
//!
//! In: a [`TextRegion`], its delimiters and the blocks of its characters, if there are many. Out: a
//! [`Graph`], from whose states an end may be out of reach.
//!
//! ```text
//! free text at a node, one character: the next node, if no delimiter is complete there
//!                                     otherwise the longest one's node, no longer free
//! free text at a node, one token:     as a character, but the text cannot go on freely: tokens that are named are no text
//! the beginning, at a node of those:  as free text, but no word of `not_first` is completed
//! not free, at a node:                what follows the delimiters that are complete here; or one more symbol of a longer one
//! closed, at a node:                  one more symbol of a delimiter that began before the text was closed
//! between blocks, at a node:          one block; or what ends within one
//! trimmed, at a line feed:            one that does not count, at the beginning, or before the delimiter of a text that is full
//! ```
//!
//! A text of at most so many tokens can be closed wherever a token can end, within a character too:
//! by the [limit](crate::grammar::TokenSet::limit), which a matcher takes. Behind it the character
//! is finished, and then no character of the text comes any more, only a delimiter. Characters of
//! such a text are written as bytes.

use super::blocks::{End, LONGEST, RegionBlocks};
use super::delimiters::{Delimiters, Next};
use super::{TextRegion, Then, firsts, limit, terminal};
use crate::grammar::{Expr, Graph, GraphState, characters};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::KeyedMap;
use crate::syntax::trie::{PrefixId, Symbol, Trie};
use regex_syntax::utf8::Utf8Sequences;
use std::collections::BTreeMap;

/// A state of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RegionState {
    /// The beginning of a text that is limited in tokens, and cannot be closed yet.
    Opening,
    /// Text that was closed: it ends with this prefix, has so many characters if they are counted,
    /// and so many of the prefix came after it was closed.
    Closed(PrefixId, u32, u32),
    /// Free text that is this prefix of a word of `not_first`, and ends with this prefix of a
    /// delimiter.
    Beginning(PrefixId, PrefixId),
    /// Free text that ends with this prefix, after so many characters if they are counted.
    Free(PrefixId, u32),
    /// The beginning of a text that is trimmed.
    Trimmed,
    /// As free text, but when it was just long enough it ended with a line feed, which would be
    /// trimmed.
    Fed(PrefixId, u32),
    /// As free text, but it has all its characters, and behind them a line feed that is trimmed.
    Full(PrefixId, u32),
    /// Free text that ends with this prefix, after so many [`RegionBlocks`].
    Between(PrefixId, u32),
    /// Part of a delimiter, or a whole one.
    Within(PrefixId),
    /// What comes before the shared part of this number has been read.
    Shared(usize),
    /// Nothing follows.
    Done,
}

/// How line feeds around a text count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum World {
    /// As all characters.
    Plain,
    /// [`RegionState::Trimmed`].
    Start,
    /// [`RegionState::Fed`].
    Fed,
    /// [`RegionState::Full`].
    Full,
}

/// A state within a character: what comes behind it, the bytes that are left, and whether the text
/// can be closed.
type WithinCharacter = (RegionState, Vec<(u8, u8)>, bool);

pub(super) struct RegionLowering<'r> {
    region: &'r TextRegion,
    delimiters: &'r Delimiters,
    blocks: Option<&'r RegionBlocks>,
    /// The words of `not_first`.
    beginnings: Trie,
    graph: Graph,
    numbers: KeyedMap<RegionState, u32>,
    parts: KeyedMap<WithinCharacter, u32>,
    /// States whose edges are not there yet.
    pending: Vec<(RegionState, u32)>,
}

impl<'r> RegionLowering<'r> {
    pub(super) fn new(
        region: &'r TextRegion,
        delimiters: &'r Delimiters,
        blocks: Option<&'r RegionBlocks>,
        limits: &Limits,
    ) -> Result<Self, LimitExceeded> {
        Ok(RegionLowering {
            region,
            delimiters,
            blocks,
            beginnings: Trie::new(region.not_first.iter().map(Vec::as_slice), limits)?,
            graph: Graph::default(),
            numbers: KeyedMap::default(),
            parts: KeyedMap::default(),
            pending: Vec::new(),
        })
    }

    pub(super) fn run(mut self, limits: &Limits) -> Result<Graph, LimitExceeded> {
        let start = match self.region.max_tokens {
            None => self.beginning(),
            Some(0) => RegionState::Closed(Trie::ROOT, 0, 0),
            Some(_) => RegionState::Opening,
        };
        let firsts: Vec<(&Expr, usize)> = firsts(&self.region.shared).collect();
        if firsts.is_empty() {
            self.number(start);
        } else {
            self.graph.states.push(GraphState::default());
        }
        for (first, number) in firsts {
            let edge = (first.clone(), self.number(RegionState::Shared(number)));
            self.graph.states[0].edges.push(edge);
        }
        let deadline = Deadline::start(limits);
        while let Some((state, number)) = self.pending.pop() {
            let mut edges = self.edges(state);
            deadline.ticks(1 + edges.len(), "lowering free text")?;
            if let Some((limit, closed)) = self.limit(state) {
                edges.push((limit, self.number(closed)));
            }
            let is_final = self.is_final(state);
            if self.graph.states.len() > limits.automaton_states {
                return Err(LimitExceeded::new(
                    "automaton_states",
                    limits.automaton_states,
                    "free text of so many characters needs more states",
                ));
            }
            self.graph.states[number as usize] = GraphState { is_final, edges };
        }
        Ok(self.graph)
    }

    /// Where text without a limit in tokens begins.
    fn beginning(&self) -> RegionState {
        match self.region.not_first.is_empty() {
            true if self.region.trimmed => RegionState::Trimmed,
            true => self.counted_to(Trie::ROOT, 0),
            false => RegionState::Beginning(Trie::ROOT, Trie::ROOT),
        }
    }

    /// Free text after `count` characters. Blocks may begin behind it.
    fn counted_to(&self, node: PrefixId, count: u32) -> RegionState {
        match self.blocks {
            Some(blocks) if count == blocks.plan.before => RegionState::Between(node, 0),
            _ => RegionState::Free(node, count),
        }
    }

    fn edges(&mut self, state: RegionState) -> Vec<(Expr, u32)> {
        match state {
            RegionState::Opening => self.edges(self.beginning()),
            RegionState::Beginning(beginning, node) => {
                self.free(node, self.counted(beginning), Some(beginning))
            }
            RegionState::Free(node, count) => self.free(node, count, None),
            RegionState::Trimmed => self.free_in(World::Start, Trie::ROOT, 0, None),
            RegionState::Fed(node, count) => self.free_in(World::Fed, node, count, None),
            RegionState::Full(node, count) => self.free_in(World::Full, node, count, None),
            RegionState::Between(node, blocks) => self.between(node, blocks),
            RegionState::Closed(node, count, since) => self.closed(node, count, since),
            RegionState::Within(node) => self.within(node),
            RegionState::Shared(number) => self.shared(number),
            RegionState::Done => Vec::new(),
        }
    }

    fn is_final(&self, state: RegionState) -> bool {
        let may_end = |count| self.region.may_end && self.may_hold(count, 0);
        match state {
            RegionState::Opening => may_end(0),
            RegionState::Beginning(beginning, _) => may_end(self.counted(beginning)),
            RegionState::Free(_, count) => may_end(count),
            RegionState::Closed(_, count, since) => since == 0 && may_end(count),
            // A text that ends here ends at the beginning of a block.
            RegionState::Between(..) | RegionState::Within(_) | RegionState::Shared(_) => false,
            // Texts that are trimmed have an end.
            RegionState::Trimmed | RegionState::Fed(..) | RegionState::Full(..) => false,
            RegionState::Done => true,
        }
    }

    /// The limit in tokens that can be taken in a state, and the state behind it.
    fn limit(&self, state: RegionState) -> Option<(Expr, RegionState)> {
        Some((limit(self.region.max_tokens?), self.closing(state)?))
    }

    /// The state of a text that is closed in this one; `None` if it is not a text that can be
    /// closed.
    fn closing(&self, state: RegionState) -> Option<RegionState> {
        match state {
            RegionState::Beginning(beginning, node) => {
                Some(RegionState::Closed(node, self.counted(beginning), 0))
            }
            RegionState::Free(node, count) => Some(RegionState::Closed(node, count, 0)),
            // Characters are not counted in blocks where tokens are counted.
            RegionState::Between(..) => None,
            RegionState::Opening
            | RegionState::Trimmed
            | RegionState::Fed(..)
            | RegionState::Full(..)
            | RegionState::Closed(..)
            | RegionState::Within(_)
            | RegionState::Shared(_)
            | RegionState::Done => None,
        }
    }

    /// Edges by characters of free text, which can be closed within each if the text is limited in
    /// tokens.
    fn characters(
        &mut self,
        class: Vec<(char, char)>,
        to: RegionState,
        edges: &mut Vec<(Expr, u32)>,
    ) {
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
    fn part(&mut self, to: RegionState, bytes: &[(u8, u8)], is_open: bool) -> u32 {
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
            edges.push((limit(most), self.part(closed, bytes, false)));
        }
        self.graph.states[number as usize].edges = edges;
        number
    }

    /// Whether a text of `count` characters, the last `delimiter` of which belong to a delimiter,
    /// is short enough.
    fn may_hold(&self, count: u32, delimiter: usize) -> bool {
        let most = self.region.max_chars.map(|most| most as usize);
        most.is_none_or(|most| (count as usize).saturating_sub(delimiter) <= most)
    }

    fn number(&mut self, state: RegionState) -> u32 {
        let next = self.graph.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.graph.states.push(GraphState::default());
            self.pending.push((state, number));
        }
        number
    }

    /// The count of characters at a node of `beginnings`, if they are counted.
    fn counted(&self, beginning: PrefixId) -> u32 {
        match self.region.max_chars {
            Some(_) => self.beginnings.characters(beginning) as u32,
            None => 0,
        }
    }

    /// The count behind one more character, if they are counted.
    fn after(&self, count: u32) -> u32 {
        count + u32::from(self.region.max_chars.is_some())
    }

    /// The edges of free text at a node of the delimiters and, in the text's beginning, at one of
    /// `not_first`.
    fn free(
        &mut self,
        node: PrefixId,
        count: u32,
        beginning: Option<PrefixId>,
    ) -> Vec<(Expr, u32)> {
        self.free_in(World::Plain, node, count, beginning)
    }

    fn free_in(
        &mut self,
        world: World,
        node: PrefixId,
        count: u32,
        beginning: Option<PrefixId>,
    ) -> Vec<(Expr, u32)> {
        let mut edges = Vec::new();
        let after = self.after(count);
        let steps = self.delimiters.steps(node);
        let named = steps.characters.iter().map(|(&c, &next)| (c, (next, None)));
        let mut next: BTreeMap<char, (Next, Option<PrefixId>)> = named.collect();
        if self.region.trimmed {
            next.entry('\n').or_insert((Next::Free(Trie::ROOT), None));
        }
        for (symbol, child) in beginning
            .into_iter()
            .flat_map(|at| self.beginnings.children(at))
        {
            if let Symbol::Char(c) = symbol {
                next.entry(c).or_insert((Next::Free(Trie::ROOT), None)).1 = Some(child);
            }
        }
        for (&c, &(target, child)) in &next {
            let state = match (target, child) {
                (Next::Complete(whole), _) => self.complete_in(world, whole, after),
                (Next::Free(_), Some(child)) if !self.beginnings.words(child).is_empty() => None,
                (Next::Free(target), Some(child)) => self
                    .go_on(target, after)
                    .map(|_| RegionState::Beginning(child, target)),
                (Next::Free(target), None) => self.step(world, c == '\n', target, after),
            };
            if let Some(state) = state {
                self.characters(vec![(c, c)], state, &mut edges);
            }
        }
        if let Some(state) = self.step(world, false, Trie::ROOT, after) {
            let others = characters::complement(next.keys().map(|&c| (c, c)));
            self.characters(others, state, &mut edges);
        }
        self.tokens(world, steps.tokens, count, &mut edges);
        edges
    }

    /// Where a character leads that completes no delimiter.
    fn step(
        &self,
        world: World,
        is_line_feed: bool,
        to: PrefixId,
        after: u32,
    ) -> Option<RegionState> {
        let (least, most) = (self.region.min_chars, self.region.max_chars.unwrap_or(0));
        let is_trimmed = is_line_feed && self.region.trimmed;
        let pending = self.delimiters.pending[to.index()];
        match world {
            World::Start if is_trimmed => return Some(self.counted_to(to, 0)),
            World::Full => {
                let is_short = (after as usize).saturating_sub(pending) <= most as usize + 1;
                return is_short.then_some(RegionState::Full(to, after));
            }
            _ if is_trimmed && after == most + 1 => return Some(RegionState::Full(to, after)),
            _ => {}
        }
        let is_fed = match world {
            World::Fed => u64::from(after) < u64::from(least) + LONGEST,
            _ => is_trimmed && after == least,
        };
        let next = self.go_on(to, after)?;
        Some(if is_fed {
            RegionState::Fed(to, after)
        } else {
            next
        })
    }

    /// The edges by tokens that end prefixes.
    fn tokens(
        &mut self,
        world: World,
        tokens: Vec<(u32, PrefixId)>,
        count: u32,
        edges: &mut Vec<(Expr, u32)>,
    ) {
        for (id, target) in tokens {
            if let Some(state) = self.complete_in(world, target, count) {
                edges.push((terminal(Symbol::Token(id)), self.number(state)));
            }
        }
    }

    /// The edges of free text at a node, after so many blocks.
    fn between(&mut self, node: PrefixId, before: u32) -> Vec<(Expr, u32)> {
        let Some(blocks) = self.blocks else {
            return Vec::new();
        };
        let is_last = before + 1 == blocks.plan.blocks();
        let whole = blocks.whole(node).map(|(rule, to)| {
            let state = match is_last {
                true => RegionState::Free(to, blocks.plan.count),
                false => RegionState::Between(to, before + 1),
            };
            (rule, state)
        });
        let part = blocks.part(node).map(|(rule, end)| {
            let state = match end {
                End::Text => RegionState::Done,
                End::Delimiter(node) => RegionState::Within(node),
            };
            (rule, state)
        });
        let rules = whole.chain(part);
        rules
            .map(|(rule, state)| (Expr::Ref(rule), self.number(state)))
            .collect()
    }

    /// The edges of text that was closed `since` characters ago. A delimiter that began later would
    /// leave characters of the text between.
    fn closed(&mut self, node: PrefixId, count: u32, since: u32) -> Vec<(Expr, u32)> {
        let mut edges = Vec::new();
        let after = self.after(count);
        let trie = &self.delimiters.trie;
        for (c, target) in trie.next(node) {
            let began = |node: PrefixId| trie.characters(node) > since as usize;
            let state = match trie.out(target) {
                Some(whole) if began(whole) => self.complete(whole, after),
                None if began(target) => Some(RegionState::Closed(target, after, since + 1)),
                _ => None,
            };
            if let Some(state) = state {
                edges.push((terminal(Symbol::Char(c)), self.number(state)));
            }
        }
        let mut tokens = Vec::new();
        for (id, mut nodes) in trie.tokens(node) {
            nodes.retain(|&node| trie.characters(node) >= since as usize);
            let ended = self.delimiters.ended(&nodes).into_iter();
            tokens.extend(ended.map(|target| (id, target)));
        }
        self.tokens(World::Plain, tokens, count, &mut edges);
        edges
    }

    /// Free text that ends with the prefix of `node`, unless it has become too long.
    fn go_on(&self, node: PrefixId, count: u32) -> Option<RegionState> {
        self.may_hold(count, self.delimiters.pending[node.index()])
            .then(|| self.counted_to(node, count))
    }

    /// A delimiter, or the part of one that ends with a token, unless the text before it is too
    /// long or nothing can follow.
    fn complete(&self, node: PrefixId, count: u32) -> Option<RegionState> {
        self.complete_in(World::Plain, node, count)
    }

    fn complete_in(&self, world: World, node: PrefixId, count: u32) -> Option<RegionState> {
        let Delimiters { trie, live, .. } = self.delimiters;
        // A line feed that is trimmed is none of the characters that are counted.
        let (fewer, more) = match world {
            World::Fed => (1, 0),
            World::Full => (0, 1),
            World::Plain | World::Start => (0, 0),
        };
        let length = (count as usize).saturating_sub(trie.characters(node));
        let is_long = length >= self.region.min_chars as usize + fewer;
        let most = self.region.max_chars.map(|most| most as usize + more);
        let is_short = most.is_none_or(|most| length <= most);
        let is_open = live[node.index()] && is_long && is_short;
        is_open.then_some(RegionState::Within(node))
    }

    fn within(&mut self, node: PrefixId) -> Vec<(Expr, u32)> {
        let Delimiters { trie, live, .. } = self.delimiters;
        let mut edges = Vec::new();
        for &word in trie.words(node) {
            match &self.region.patterns[word].then {
                Then::Never => {}
                Then::Done(expr) => edges.push((expr.clone(), self.number(RegionState::Done))),
                Then::Again(expr) => {
                    let again = self.counted_to(Trie::ROOT, 0);
                    edges.push((expr.clone(), self.number(again)));
                }
                Then::Shared(expr, shared) => {
                    let shared = RegionState::Shared(*shared);
                    edges.push((expr.clone(), self.number(shared)));
                }
            }
        }
        for (symbol, child) in trie.children(node) {
            if live[child.index()] {
                edges.push((terminal(symbol), self.number(RegionState::Within(child))));
            }
        }
        edges
    }

    fn shared(&mut self, number: usize) -> Vec<(Expr, u32)> {
        let part = &self.region.shared[number];
        let to = match part.goes_on {
            true => self.counted_to(Trie::ROOT, 0),
            false => RegionState::Done,
        };
        vec![(part.expr.clone(), self.number(to))]
    }
}
