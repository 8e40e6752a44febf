//! The bytes that the words of a right part begin with, and those with which they may go on.
//!
//! In: a [`Grammar`]. Out: [`PartFacts`] about any of its parts. They err on the safe side: every
//! byte that can occur is listed, and some that cannot may be. The facts about a part without
//! references come from its automaton, those about others from their form.

use crate::maps::IdMap;
use std::marker::PhantomData;

use super::super::{determinize, thompson};
use crate::grammar::{BoundedWords, Expr, Grammar, Graph};
use crate::limits::{Deadline, LimitExceeded};

/// If the automaton of a part would have more states than this, its form is used instead.
const AUTOMATON_STATES: usize = 500;

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// All bytes.
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    /// Adds a range of bytes.
    pub fn add(&mut self, low: u8, high: u8) {
        (low..=high).for_each(|byte| self.0[byte as usize / 64] |= 1 << (byte % 64));
    }

    /// The bytes of either set.
    pub fn or(mut self, other: ByteSet) -> ByteSet {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// Whether the sets share a byte.
    pub fn meets(&self, other: &ByteSet) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }
}

/// What is known of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartFacts {
    /// It may be empty.
    pub nullable: bool,
    /// Bytes that its words begin with.
    pub first: ByteSet,
    /// Bytes with which some word, not the empty one, can go on towards a longer word.
    pub more: ByteSet,
}

impl PartFacts {
    const EMPTY: PartFacts = PartFacts {
        nullable: true,
        first: ByteSet([0; 4]),
        more: ByteSet([0; 4]),
    };

    fn or(self, other: PartFacts) -> PartFacts {
        // With a common first byte, a word of one may be the beginning of a word of the other.
        let apart = !self.first.meets(&other.first);
        PartFacts {
            nullable: self.nullable || other.nullable,
            first: self.first.or(other.first),
            more: if apart {
                self.more.or(other.more)
            } else {
                ByteSet::ALL
            },
        }
    }

    fn then(self, rest: PartFacts) -> PartFacts {
        let apart =
            !(self.more.meets(&rest.first) || self.nullable && self.first.meets(&rest.first));
        let mut first = self.first;
        if self.nullable {
            first = first.or(rest.first);
        }
        let mut more = rest.more;
        if rest.nullable {
            more = more.or(self.more).or(rest.first);
        }
        PartFacts {
            nullable: self.nullable && rest.nullable,
            first,
            more: if apart { more } else { ByteSet::ALL },
        }
    }

    fn repeated(self, min: u32, max: Option<u32>) -> PartFacts {
        let more = match max {
            Some(0) => return PartFacts::EMPTY,
            Some(1) => self.more,
            _ if self.nullable || self.more.meets(&self.first) => ByteSet::ALL,
            Some(max) if max == min => self.more,
            _ => self.more.or(self.first),
        };
        PartFacts {
            nullable: self.nullable || min == 0,
            more,
            ..self
        }
    }
}

/// Facts of a grammar's rules, and of parts on demand.
pub struct Analysis<'a> {
    rules: Vec<PartFacts>,
    /// Facts about parts by address, which is unique as long as the grammar is borrowed: first
    /// about parts without references, and once the rules are settled about all. `None` if an
    /// automaton is too large.
    known: IdMap<*const Expr, Option<PartFacts>>,
    settled: bool,
    deadline: &'a Deadline,
    grammar: PhantomData<&'a Grammar>,
}

impl<'a> Analysis<'a> {
    /// The facts of all rules of `grammar`: a least fixpoint. The rules are gone over forwards and
    /// backwards in turn, since they tend to be written in one of these orders.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub fn new(grammar: &'a Grammar, deadline: &'a Deadline) -> Result<Self, LimitExceeded> {
        let mut analysis = Analysis {
            rules: vec![PartFacts::default(); grammar.rules.len()],
            known: IdMap::default(),
            settled: false,
            deadline,
            grammar: PhantomData,
        };
        let count = grammar.rules.len();
        for round in 0u32.. {
            deadline.check("finding what repetitions begin with")?;
            let mut changed = false;
            for step in 0..count {
                let at = if round % 2 == 0 {
                    count - 1 - step
                } else {
                    step
                };
                let facts = analysis.facts(&grammar.rules[at].expr);
                changed |= std::mem::replace(&mut analysis.rules[at], facts) != facts;
            }
            if !changed {
                break;
            }
        }
        analysis.settled = true;
        Ok(analysis)
    }

    /// The facts of a part of the grammar.
    pub fn facts(&mut self, expr: &'a Expr) -> PartFacts {
        // What the facts are does not matter any more: the next look says so.
        if self.deadline.is_over() {
            return PartFacts::default();
        }
        let key = std::ptr::from_ref(expr);
        let known = match self.known.get(&key) {
            Some(&known) => known,
            None if has_reference(expr) => None,
            None => {
                let facts = by_automaton(expr, self.deadline);
                self.known.insert(key, facts);
                facts
            }
        };
        if let Some(facts) = known {
            return facts;
        }
        let facts = self.by_form(expr);
        if self.settled {
            self.known.insert(key, Some(facts));
        }
        facts
    }

    fn by_form(&mut self, expr: &'a Expr) -> PartFacts {
        match expr {
            Expr::Seq(items) => self.sequence(items),
            Expr::Alt(items) => items
                .iter()
                .map(|item| self.facts(item))
                .reduce(PartFacts::or)
                .unwrap_or_default(),
            Expr::Repeat { expr, min, max } => self.facts(expr).repeated(*min, *max),
            Expr::Graph(graph) => self.graph(graph),
            Expr::Ref(rule) => self.rules.get(rule.0 as usize).copied().unwrap_or_default(),
            Expr::Bounded(words) => of_bounded(words),
            // The automaton of a long literal or of many words. As a safe answer, its words may go
            // on with any byte.
            _ => PartFacts {
                nullable: true,
                first: ByteSet::ALL,
                more: ByteSet::ALL,
            },
        }
    }

    fn graph(&mut self, graph: &'a Graph) -> PartFacts {
        let states = self.states(graph);
        let mut whole = states.first().copied().unwrap_or_default();
        let mut apart = true;
        for state in &graph.states {
            let mut begun = ByteSet::default();
            for (part, to) in &state.edges {
                let (part, to) = (self.facts(part), states[*to as usize]);
                let joined = part.then(to);
                apart &= !(begun.meets(&joined.first)
                    || part.more.meets(&to.first)
                    || part.nullable && part.first.meets(&to.first));
                begun = begun.or(joined.first);
                if to.nullable {
                    whole.more = whole.more.or(part.more).or(to.first);
                }
            }
        }
        if !apart {
            whole.more = ByteSet::ALL;
        }
        whole
    }

    /// For each state of a graph whether a word may end there, and what else may come next: a least
    /// fixpoint.
    pub fn states(&mut self, graph: &'a Graph) -> Vec<PartFacts> {
        let mut states: Vec<PartFacts> = graph
            .states
            .iter()
            .map(|state| PartFacts {
                nullable: state.is_final,
                ..PartFacts::default()
            })
            .collect();
        loop {
            let mut changed = false;
            for at in (0..states.len()).rev() {
                let mut facts = states[at];
                for (part, to) in &graph.states[at].edges {
                    let joined = self.facts(part).then(states[*to as usize]);
                    facts.nullable |= joined.nullable;
                    facts.first = facts.first.or(joined.first);
                }
                changed |= std::mem::replace(&mut states[at], facts) != facts;
            }
            if !changed {
                return states;
            }
        }
    }

    /// The facts of parts in order.
    pub fn sequence(&mut self, items: &'a [Expr]) -> PartFacts {
        let facts = items.iter().rev().map(|item| self.facts(item));
        facts.fold(PartFacts::EMPTY, |rest, item| item.then(rest))
    }
}

/// Whether a part has references, or parts that are not to be spelled out.
fn has_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Ref(_) => true,
        Expr::Bounded(words) => words.core().is_some(),
        Expr::Seq(items) | Expr::Alt(items) => items.iter().any(has_reference),
        Expr::Repeat { expr, .. } => has_reference(expr),
        Expr::Graph(graph) => {
            let mut parts = graph.states.iter().flat_map(|s| &s.edges);
            parts.any(|(part, _)| has_reference(part))
        }
        _ => false,
    }
}

/// The facts of an automaton, whatever its bounds: its words may go on with these bytes at most.
fn of_bounded(words: &BoundedWords) -> PartFacts {
    let mut facts = PartFacts {
        nullable: words.is_final(0),
        ..PartFacts::default()
    };
    let states = &words.words().states;
    let start = states.iter().take(1).flat_map(|state| &state.edges);
    start.for_each(|edge| facts.first.add(edge.0, edge.1));
    let finals = states.iter().filter(|state| state.is_final);
    let more = finals.flat_map(|state| &state.edges);
    more.for_each(|edge| facts.more.add(edge.0, edge.1));
    facts
}

fn by_automaton(expr: &Expr, deadline: &Deadline) -> Option<PartFacts> {
    let nfa = thompson::build(expr, AUTOMATON_STATES, deadline).ok()?;
    let dfa = determinize::determinize(&nfa, AUTOMATON_STATES, deadline).ok()?;
    let mut facts = PartFacts::default();
    let start = dfa.state(dfa.start);
    facts.nullable = start.is_final;
    start.bytes.iter().for_each(|e| facts.first.add(e.0, e.1));
    for state in dfa.states().filter(|s| s.is_final) {
        state.bytes.iter().for_each(|e| facts.more.add(e.0, e.1));
    }
    Some(facts)
}
