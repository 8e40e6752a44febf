//! A short text with two readings.
//!
//! In: a [`Grammar`]. Out: [`Ambiguous`]: a sentence with two trees, as short as the search finds
//! one.
//!
//! If a sentence has two trees, some rule in both has two different lists of children over the same
//! text. So the search runs the bodies of the rules twice in lockstep, beginning with each rule in
//! a short context. First both runs are the same. Where they do different things before the same
//! byte, they have *parted*. When both are at the rule's end, there is a candidate. A rule that
//! both call at the same place is passed over by its shortest text, so the candidate stays short.
//! The search is A*, by the length so far and the least length to come. Each candidate is checked
//! by `Forest`. Steps are counted, so whether a long ambiguity is found does not depend on the
//! machine.

mod shortest;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::maps::{IdSet, KeyedSet, own_keys};

use super::forest::Forest;
use super::readings::{Parting, parting};
use crate::automata::{MachineId, PassBounds};
use crate::grammar::Grammar;
use crate::limits::{Deadline, Limits};
use shortest::{DOING, MAX_LENGTH, NEVER, Shortest, TextAround, readable};

/// Pairs of stacks that are compared.
const MAX_STEPS: usize = 1_000_000;
/// Calls within calls that a run follows.
const MAX_HEIGHT: usize = 16;
/// Calls within calls before the runs part.
const MAX_SHARED: usize = 6;
/// Stacks that one run can reach without consuming anything.
const MAX_CLOSURE: usize = 100;
/// Calls of the same rule that begin within each other at one place.
const MAX_REPEATED: usize = 2;
/// Candidates that are parsed.
const MAX_CANDIDATES: usize = 50;
/// Expressions that the parser of a candidate may look at.
const FOREST_BUDGET: usize = 500_000;

/// A sentence with two readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguous {
    /// The sentence.
    pub text: Vec<u8>,
    /// Where the readings come apart.
    pub parting: Parting,
}

/// Looks for an ambiguous sentence.
pub fn find(grammar: &Grammar, limits: &Limits, deadline: &Deadline) -> Option<Ambiguous> {
    let bounds = PassBounds { limits, deadline };
    let shortest = Shortest::new(grammar, &bounds)?;
    let around = shortest.around(grammar.root.into(), deadline);
    let mut search = AmbiguitySearch {
        shortest: &shortest,
        deadline,
        nodes: Vec::new(),
        queue: BinaryHeap::new(),
        seen: IdSet::default(),
        steps: 0,
    };
    for (rule, around) in around.iter().enumerate() {
        if let Some(around) = around {
            search.begin(MachineId::at(rule), around);
        }
    }
    let mut tried = KeyedSet::default();
    while let Some((rule, text)) = search.next() {
        let Some(Some(TextAround { before, after })) = around.get(rule.index()) else {
            continue;
        };
        let text = [before.as_slice(), &text, after].concat();
        if !tried.insert(text.clone()) {
            continue;
        }
        if let Some(parting) = two_trees(grammar, &text, deadline) {
            return Some(Ambiguous { text, parting });
        }
        if tried.len() >= MAX_CANDIDATES {
            return None;
        }
    }
    None
}

/// Where two trees of `text` come apart, if it has two and the time is enough to find them.
pub fn two_trees(grammar: &Grammar, text: &[u8], deadline: &Deadline) -> Option<Parting> {
    let forest = Forest::new(grammar, text, FOREST_BUDGET, deadline)?;
    match forest.roots() {
        &[one, other] => parting((&forest, one), (&forest, other)),
        _ => None,
    }
}

/// A run of rules: a rule and a state of its body for each call, the outermost first; empty when
/// all have ended.
type RuleStack = Vec<(MachineId, u32)>;

/// Two runs over the same text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct StackPair {
    one: RuleStack,
    other: RuleStack,
    parted: bool,
}

own_keys!(StackPair);

struct SearchNode {
    pair: StackPair,
    /// The rule that the runs began with.
    rule: MachineId,
    length: u32,
    /// The node before and the text since.
    parent: Option<(usize, Vec<u8>)>,
}

struct AmbiguitySearch<'a> {
    shortest: &'a Shortest,
    deadline: &'a Deadline,
    nodes: Vec<SearchNode>,
    queue: BinaryHeap<Reverse<(u32, Reverse<u32>, usize)>>,
    seen: IdSet<StackPair>,
    steps: usize,
}

/// A run after steps that consume nothing.
struct Ready {
    run: RuleStack,
    /// Some call has ended on the way.
    returned: bool,
}

impl AmbiguitySearch<'_> {
    fn begin(&mut self, rule: MachineId, around: &TextAround) {
        let run = vec![(rule, self.shortest.bodies[rule.index()].start)];
        let pair = StackPair {
            one: run.clone(),
            other: run,
            parted: false,
        };
        let length = (around.before.len() + around.after.len()) as u32;
        self.add(pair, rule, length, None);
    }

    fn add(
        &mut self,
        mut pair: StackPair,
        rule: MachineId,
        length: u32,
        parent: Option<(usize, Vec<u8>)>,
    ) {
        if pair.one > pair.other {
            std::mem::swap(&mut pair.one, &mut pair.other);
        }
        let rest = self.rest(&pair.one).max(self.rest(&pair.other));
        let whole = length.saturating_add(rest);
        if whole > MAX_LENGTH || !self.seen.insert(pair.clone()) {
            return;
        }
        self.queue
            .push(Reverse((whole, Reverse(length), self.nodes.len())));
        self.nodes.push(SearchNode {
            pair,
            rule,
            length,
            parent,
        });
    }

    /// The least length that a run still takes.
    fn rest(&self, run: &RuleStack) -> u32 {
        let rests = run
            .iter()
            .map(|&(rule, state)| self.shortest.rest[rule.index()][state as usize]);
        rests.fold(0, u32::saturating_add)
    }

    /// The next candidate: a rule and a text for which it may have two lists of children.
    fn next(&mut self) -> Option<(MachineId, Vec<u8>)> {
        while let Some(Reverse((_, _, at))) = self.queue.pop() {
            self.deadline.check(DOING).ok()?;
            if self.steps > MAX_STEPS {
                return None;
            }
            let SearchNode { pair, rule, .. } = &self.nodes[at];
            if pair.parted && pair.one.is_empty() && pair.other.is_empty() {
                return Some((*rule, self.text(at)));
            }
            self.expand(at);
        }
        None
    }

    fn text(&self, mut at: usize) -> Vec<u8> {
        let mut pieces = Vec::new();
        while let Some((parent, piece)) = &self.nodes[at].parent {
            pieces.push(piece.as_slice());
            at = *parent;
        }
        pieces.reverse();
        pieces.concat()
    }

    fn expand(&mut self, at: usize) {
        let pair = self.nodes[at].pair.clone();
        let one = self.closure(&pair.one);
        let other = self.closure(&pair.other);
        for a in &one {
            for b in &other {
                self.steps += 1;
                if self.deadline.stops(DOING) {
                    return;
                }
                let same = a.run == b.run;
                // Until the runs part, a call matters only if the runs end it differently;
                // otherwise it is passed over.
                let useless = same && !pair.parted && (a.returned || a.run.len() > MAX_SHARED);
                if !useless {
                    self.consume(at, &a.run, &b.run, pair.parted || !same);
                }
            }
        }
    }

    /// The bytes that both runs can consume.
    fn consume(&mut self, at: usize, one: &RuleStack, other: &RuleStack, parted: bool) {
        let (shortest, deadline) = (self.shortest, self.deadline);
        let SearchNode { rule, length, .. } = self.nodes[at];
        let mut add = |one: RuleStack, other: RuleStack, text: Vec<u8>| {
            let length = length + text.len() as u32;
            let pair = StackPair { one, other, parted };
            self.add(pair, rule, length, Some((at, text)));
        };
        let (Some(&(m, p)), Some(&(n, q))) = (one.last(), other.last()) else {
            if one.is_empty() && other.is_empty() {
                add(RuleStack::new(), RuleStack::new(), Vec::new());
            }
            return;
        };
        let moved = |run: &RuleStack, to: u32| {
            let mut run = run.clone();
            if let Some(top) = run.last_mut() {
                top.1 = to;
            }
            run
        };
        let p = shortest.bodies[m.index()].state(p);
        let q = shortest.bodies[n.index()].state(q);
        for &(low, high, to) in p.bytes {
            for &(other_low, other_high, other_to) in q.bytes {
                let (low, high) = (low.max(other_low), high.min(other_high));
                if low <= high {
                    let byte = readable(low, high);
                    add(moved(one, to), moved(other, other_to), vec![byte]);
                }
            }
        }
        for &(callee, to) in p.calls {
            if deadline.stops_after(q.calls.len(), DOING) {
                return;
            }
            let of_other = q.calls.iter().find(|call| call.0 == callee);
            if let Some(&(_, other_to)) = of_other
                && let Some(text) = shortest.text(callee)
            {
                add(moved(one, to), moved(other, other_to), text);
            }
        }
    }

    /// The runs that a run can become by beginning and ending calls.
    fn closure(&self, run: &RuleStack) -> Vec<Ready> {
        let before = run.len();
        let mut seen = BTreeSet::from([run.clone()]);
        let mut out = vec![Ready {
            run: run.clone(),
            returned: false,
        }];
        let mut at = 0;
        while at < out.len() && out.len() < MAX_CLOSURE {
            let Ready { run, returned } = &out[at];
            let (mut run, returned) = (run.clone(), *returned);
            at += 1;
            let Some((rule, state)) = run.pop() else {
                continue;
            };
            let body = self.shortest.bodies[rule.index()].state(state);
            let mut next = Vec::new();
            if body.is_final {
                next.push((run.clone(), true));
            }
            for &(callee, to) in body.calls {
                let begun = run
                    .get(before..)
                    .unwrap_or(&[])
                    .iter()
                    .filter(|call| call.0 == callee);
                let is_again = rule == callee && run.len() >= before;
                let too_often = begun.count() + usize::from(is_again) >= MAX_REPEATED;
                if too_often || run.len() + 2 > MAX_HEIGHT || self.shortest.length(callee) == NEVER
                {
                    continue;
                }
                let start = self.shortest.bodies[callee.index()].start;
                let inner = [run.as_slice(), &[(rule, to), (callee, start)]].concat();
                next.push((inner, returned));
            }
            for (run, returned) in next {
                if seen.insert(run.clone()) {
                    out.push(Ready { run, returned });
                }
            }
        }
        out
    }
}
