//! Bounds on the number of characters of an automaton, as its [`BoundPlan`] says.
//!
//! In digits, a block of so many characters is a rule for each two states that it leads between,
//! and a part of a block one for each state that it begins in: the words to an end with fewer
//! characters. All rules that begin in a state run in lockstep, since the automaton is
//! deterministic, and which state a block ends in is told by the one that returns. So a state holds
//! the lowest digit and the automaton's own state, and the frames hold the other digits.

use std::rc::Rc;
use std::sync::Arc;

use super::CountWriter;
use super::facts::ByteSet;
use crate::grammar::bounded_plan::BoundPlan;
use crate::grammar::words::{GraphState, WordState};
use crate::grammar::{BoundedWords, Expr, Graph, RuleId, Words};
use crate::maps::IdMap;

/// The rules of a block of some number of characters.
pub(super) struct StateBlocks {
    /// For each state those that a block leads to, each with the rule of the words.
    whole: Vec<Vec<(u32, RuleId)>>,
    /// For each state the rule of the words of fewer characters that end behind it, if there are
    /// some.
    part: Vec<Option<RuleId>>,
}

impl CountWriter<'_> {
    /// The words of an automaton with a bound, after which `after` may come.
    pub(super) fn bounded(&mut self, words: &Arc<BoundedWords>, after: ByteSet) -> Expr {
        let plan = (self.plan)(words).filter(|_| is_decided(words.words(), after));
        match plan {
            Some(BoundPlan::Digits) => self.in_digits(words),
            Some(BoundPlan::Beside(core)) if !self.radix.is_short_text(words) => {
                self.beside(words, &core)
            }
            Some(BoundPlan::Beside(_) | BoundPlan::Pairs) | None => {
                Expr::Bounded(Arc::clone(words))
            }
        }
    }

    fn in_digits(&mut self, words: &Arc<BoundedWords>) -> Expr {
        let (length, count, rest) = self.radix.digits(words.max());
        let rest = (rest > 0).then(|| self.state_blocks(words, rest));
        let blocks = self.state_blocks(words, length);
        let mut chain = Chain::new(words, count, rest.as_deref(), 0);
        chain.lead_on(&blocks, count);
        chain.add_parts(&blocks, rest.as_deref(), 0);
        // With all of the characters a word may end too.
        for state in (0..words.boundaries()).filter(|&state| words.words().is_final(state)) {
            chain.end_at(count, state);
        }
        chain.into_expr()
    }

    /// The rules of blocks of `length` characters.
    fn state_blocks(&mut self, words: &Arc<BoundedWords>, length: u32) -> Rc<StateBlocks> {
        let key = (Arc::as_ptr(words.words()).addr(), length);
        if let Some(known) = self.state_blocks.get(&key) {
            return Rc::clone(known);
        }
        let made = match length <= self.radix.block {
            true => self.lowest_blocks(words, length),
            false => self.higher_blocks(words, length),
        };
        let made = Rc::new(made);
        self.state_blocks.insert(key, Rc::clone(&made));
        made
    }

    fn lowest_blocks(&mut self, words: &BoundedWords, length: u32) -> StateBlocks {
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        for state in 0..words.boundaries() {
            let all = Reached::new(words, state, length);
            let targets = all.met.iter().filter(|at| at.1 == length);
            let mut targets: Vec<u32> = targets.map(|at| at.0).collect();
            targets.sort_unstable();
            let rules = targets.into_iter().map(|to| {
                let words = all.to_words(|at| at == (to, length));
                let name = format!("{} {{{length}}}", self.name);
                (to, self.rule(name, Expr::Words(Arc::new(words))))
            });
            whole.push(rules.collect());
            let is_boundary = |at: u32| at < words.boundaries();
            let shorter = all.to_words(|(at, count)| {
                count < length && is_boundary(at) && words.words().is_final(at)
            });
            part.push(self.part(words, state, length, Expr::Words(Arc::new(shorter))));
        }
        StateBlocks { whole, part }
    }

    fn higher_blocks(&mut self, words: &Arc<BoundedWords>, length: u32) -> StateBlocks {
        let (inner, count, rest) = self.radix.digits(length);
        let rest = (rest > 0).then(|| self.state_blocks(words, rest));
        let blocks = self.state_blocks(words, inner);
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        for state in 0..words.boundaries() {
            let mut chain = Chain::new(words, count, rest.as_deref(), state);
            chain.lead_on(&blocks, count);
            let rules = chain.last(count).into_iter().map(|to| {
                let mut chain = chain.clone();
                chain.end_at(count, to);
                let name = format!("{} {{{length}}}", self.name);
                (to, self.rule(name, chain.into_expr()))
            });
            whole.push(rules.collect());
            chain.add_parts(&blocks, rest.as_deref(), state);
            part.push(self.part(words, state, length, chain.into_expr()));
        }
        StateBlocks { whole, part }
    }

    /// The rule of a part of a block of `length` characters, if a word is so short.
    fn part(
        &mut self,
        words: &BoundedWords,
        state: u32,
        length: u32,
        expr: Expr,
    ) -> Option<RuleId> {
        let name = format!("{} {{0,{}}}", self.name, length - 1);
        (words.least(state) < length).then(|| self.rule(name, expr))
    }
}

/// Whether each byte decides how a word goes on, or that it has ended.
fn is_decided(words: &Words, after: ByteSet) -> bool {
    words.states.iter().all(|state| {
        let mut edges: Vec<(u8, u8)> = state.edges.iter().map(|edge| (edge.0, edge.1)).collect();
        edges.sort_unstable();
        let mut more = ByteSet::default();
        edges.iter().for_each(|&(low, high)| more.add(low, high));
        edges.windows(2).all(|pair| pair[0].1 < pair[1].0)
            && !(state.is_final && more.meets(&after))
    })
}

/// The states of an automaton with the numbers of characters that have led to them from one state.
struct Reached {
    /// In the order in which they are met; the first is the start.
    met: Vec<(u32, u32)>,
    edges: Vec<Vec<(u8, u8, u32)>>,
}

impl Reached {
    /// Up to `most` characters.
    fn new(words: &BoundedWords, from: u32, most: u32) -> Self {
        let (mut met, mut numbers) = (vec![(from, 0)], IdMap::from_iter([((from, 0), 0)]));
        let mut edges = Vec::new();
        while let Some(&(at, count)) = met.get(edges.len()) {
            let mut of = Vec::new();
            let all = words.words().states[at as usize].edges.iter();
            for &(low, high, to) in all.filter(|_| count < most) {
                let next = (to, count + u32::from(to < words.boundaries()));
                let number = *numbers.entry(next).or_insert_with(|| {
                    met.push(next);
                    met.len() as u32 - 1
                });
                of.push((low, high, number));
            }
            edges.push(of);
        }
        Reached { met, edges }
    }

    /// The words that end where `is_end` holds.
    fn to_words(&self, is_end: impl Fn((u32, u32)) -> bool) -> Words {
        let states = self.met.iter().zip(&self.edges);
        Words {
            states: states
                .map(|(&at, edges)| WordState {
                    is_final: is_end(at),
                    edges: edges.clone(),
                })
                .collect(),
        }
    }
}

/// Blocks in a row: states are numbers of blocks, each with a state of the automaton; the last one
/// is an end.
#[derive(Clone)]
struct Chain {
    width: u32,
    start: u32,
    states: Vec<GraphState>,
    /// The states of the automaton before the first block.
    first: Vec<u32>,
    /// Those that a number of blocks has led to.
    reached: Vec<Vec<u32>>,
}

impl Chain {
    /// No block yet, or what is left over, from a state on.
    fn new(words: &BoundedWords, count: u32, rest: Option<&StateBlocks>, from: u32) -> Self {
        let width = words.boundaries();
        // Behind the states of all numbers come the start and the end.
        let all = (count + 1) * width + 2;
        let mut chain = Chain {
            width,
            start: from,
            states: vec![GraphState::default(); all as usize],
            first: vec![from],
            reached: Vec::new(),
        };
        let end = all as usize - 1;
        chain.states[end].is_final = true;
        if let Some(rest) = rest {
            chain.start = all - 2;
            let whole = &rest.whole[from as usize];
            chain.first = whole.iter().map(|way| way.0).collect();
            let edges = whole.iter().map(|&(to, rule)| (Expr::Ref(rule), to));
            chain.states[all as usize - 2].edges.extend(edges);
        }
        chain
    }

    /// Up to `count` blocks.
    fn lead_on(&mut self, blocks: &StateBlocks, count: u32) {
        self.reached.push(self.first.clone());
        for read in 0..count {
            let mut next = Vec::new();
            for &at in &self.reached[read as usize] {
                for &(to, rule) in &blocks.whole[at as usize] {
                    let target = (read + 1) * self.width + to;
                    let from = (read * self.width + at) as usize;
                    self.states[from].edges.push((Expr::Ref(rule), target));
                    next.push(to);
                }
            }
            next.sort_unstable();
            next.dedup();
            self.reached.push(next);
        }
    }

    /// The states that `count` blocks lead to.
    fn last(&self, count: u32) -> Vec<u32> {
        self.reached
            .get(count as usize)
            .cloned()
            .unwrap_or_default()
    }

    /// A word may end within a block, and within what is left over from the state `from` on.
    fn add_parts(&mut self, blocks: &StateBlocks, rest: Option<&StateBlocks>, from: u32) {
        let end = self.states.len() as u32 - 1;
        let rest = rest.and_then(|rest| rest.part[from as usize]);
        let rest = rest.map(|part| (Expr::Ref(part), end));
        self.states[self.start as usize].edges.extend(rest);
        let count = self.reached.len().saturating_sub(1);
        for read in 0..count as u32 {
            for &at in &self.reached[read as usize] {
                let from = (read * self.width + at) as usize;
                let part = blocks.part[at as usize].map(|part| (Expr::Ref(part), end));
                self.states[from].edges.extend(part);
            }
        }
    }

    /// A word may end behind `count` blocks in a state.
    fn end_at(&mut self, count: u32, state: u32) {
        let at = (count * self.width + state) as usize;
        self.states[at].is_final = true;
    }

    /// The start comes first.
    fn into_expr(self) -> Expr {
        let (start, mut states) = (self.start as usize, self.states);
        states.swap(0, start);
        let turned = |to: u32| match to as usize {
            0 => start as u32,
            at if at == start => 0,
            _ => to,
        };
        let edges = states.iter_mut().flat_map(|state| &mut state.edges);
        edges.for_each(|edge| edge.1 = turned(edge.1));
        Expr::Graph(Arc::new(Graph { states }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automata::PassBounds;
    use crate::automata::count::count_by;
    use crate::grammar::interpret::accepts_bytes;
    use crate::grammar::{Grammar, Rule};
    use crate::limits::{Deadline, Limits, Tuning};

    /// States, each with whether a word may end there, and its edges.
    fn automaton(states: &[(bool, &[(u8, u32)])], boundaries: u32, max: u32) -> BoundedWords {
        let states = states.iter().map(|&(is_final, edges)| WordState {
            is_final,
            edges: edges.iter().map(|&(byte, to)| (byte, byte, to)).collect(),
        });
        let states = states.collect();
        BoundedWords::new(Arc::new(Words { states }), boundaries, max).unwrap()
    }

    /// All texts of these letters up to a length.
    fn texts(letters: &[u8], length: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..length {
            let until = all.len();
            for at in from..until {
                for &letter in letters {
                    all.push([&all[at][..], &[letter]].concat());
                }
            }
            from = until;
        }
        all
    }

    fn check(
        words: BoundedWords,
        letters: &[u8],
        length: usize,
        plan: fn(&BoundedWords) -> Option<BoundPlan>,
    ) {
        let quote = || Expr::Literal("|".into());
        let body = Expr::Seq(vec![quote(), Expr::Bounded(Arc::new(words)), quote()]);
        let grammar = Grammar::new(vec![Rule::new("root", body)], RuleId(0));
        let (limits, deadline) = (Limits::default(), Deadline::never());
        let bounds = PassBounds {
            limits: &limits,
            deadline: &deadline,
        };
        let tuning = Tuning::default().block(2);
        let counted = count_by(grammar.clone(), &tuning, &bounds, plan).unwrap();
        assert!(!counted.blocks.is_empty());
        for text in texts(letters, length) {
            let text = [b"|", &text[..], b"|"].concat();
            let expected = accepts_bytes(&grammar, &text);
            let is_accepted = accepts_bytes(&counted.grammar, &text);
            assert_eq!(is_accepted, expected, "{}", text.escape_ascii());
        }
    }

    /// Characters of one or two bytes, `a` and `bb`; a word ends behind an odd number of them.
    #[test]
    fn digits_count_exactly() {
        let odd: [(bool, &[(u8, u32)]); 4] = [
            (false, &[(b'a', 1), (b'b', 2)]),
            (true, &[(b'a', 0), (b'b', 3)]),
            (false, &[(b'b', 1)]),
            (false, &[(b'b', 0)]),
        ];
        for max in 2..12 {
            check(automaton(&odd, 2, max), b"ab", 12, |_| {
                Some(BoundPlan::Digits)
            });
        }
    }
}
