//! A rule's right part as a nondeterministic automaton (Thompson's construction).
//!
//! In: an [`Expr`] over code points. Out: an [`Nfa`] over bytes and calls with the same words.
//! Classes become UTF-8 byte sequences; counted repetition is expanded, within the state budget.

use regex_syntax::utf8::Utf8Sequences;

use super::{Blowup, Nfa};
use crate::grammar::{Expr, Graph, RuleId, Words};
use crate::limits::Deadline;

/// Builds the automaton of `expr`, with at most about `budget` states.
///
/// # Errors
/// If it would have more, or the deadline passes.
pub fn build(expr: &Expr, budget: usize, deadline: &Deadline) -> Result<Nfa, Blowup> {
    build_with_calls(expr, budget, deadline, &mut |_| None)
}

/// The same, but for parts of `expr` for which `rule_of` has a rule: they become calls of it.
pub fn build_with_calls(
    expr: &Expr,
    budget: usize,
    deadline: &Deadline,
    rule_of: &mut dyn FnMut(&Expr) -> Option<RuleId>,
) -> Result<Nfa, Blowup> {
    let mut builder = NfaBuilder {
        nfa: Nfa::default(),
        budget: budget.saturating_mul(8).max(1024),
        rule_of,
        deadline,
        steps: 0,
    };
    let start = builder.state()?;
    let end = builder.state()?;
    builder.expr(expr, start, end)?;
    let mut nfa = builder.nfa;
    nfa.start = start;
    nfa.finals[end as usize] = true;
    Ok(nfa)
}

struct NfaBuilder<'a> {
    nfa: Nfa,
    budget: usize,
    rule_of: &'a mut dyn FnMut(&Expr) -> Option<RuleId>,
    deadline: &'a Deadline,
    /// Steps that the deadline was not told of yet. Threads share a deadline, so it is not told of
    /// each.
    steps: usize,
}

/// Steps after which the deadline is told of them.
const STEPS: usize = 1 << 11;

impl NfaBuilder<'_> {
    /// Counts steps.
    fn work(&mut self, steps: usize) -> Result<(), Blowup> {
        self.steps += steps;
        if self.steps < STEPS {
            return Ok(());
        }
        let steps = std::mem::take(&mut self.steps);
        let in_time = self.deadline.ticks(steps, "writing a rule as an automaton");
        in_time.map_err(Blowup::Time)
    }

    fn state(&mut self) -> Result<u32, Blowup> {
        self.work(1)?;
        if self.nfa.len() >= self.budget {
            return Err(Blowup::States);
        }
        Ok(self.nfa.push())
    }

    fn edge(&mut self, from: u32, low: u8, high: u8, to: u32) {
        self.nfa.bytes.push((from, (low, high, to)));
    }

    fn empty(&mut self, from: u32, to: u32) {
        self.nfa.empty.push((from, to));
    }

    fn call(&mut self, rule: RuleId, from: u32, to: u32) {
        self.nfa.calls.push((from, (rule.into(), to)));
    }

    /// Adds paths from `from` to `to` that spell the words of `expr`.
    fn expr(&mut self, expr: &Expr, from: u32, to: u32) -> Result<(), Blowup> {
        self.work(1)?;
        if let Some(rule) = (self.rule_of)(expr) {
            self.call(rule, from, to);
            return Ok(());
        }
        match expr {
            Expr::Literal(text) => self.bytes(text.as_bytes(), from, to),
            Expr::Class(ranges) => ranges
                .iter()
                .try_for_each(|&(low, high)| self.range(low, high, from, to)),
            Expr::Bytes(ranges) => {
                ranges
                    .iter()
                    .for_each(|&(low, high)| self.edge(from, low, high, to));
                Ok(())
            }
            // Terminals but limits are byte strings by now: see `crate::terminals`. A token without
            // a spelling has no words.
            Expr::Tokens(set) => match set.spelling() {
                Some(spelling) => self.bytes(&spelling, from, to),
                None => Ok(()),
            },
            // Terminals of lexers are symbols by now: see `crate::lexing`.
            Expr::Terminal(_) => Ok(()),
            Expr::Words(words) => self.words(words, from, to),
            Expr::Bounded(words) => self.words(&words.to_words(), from, to),
            Expr::Graph(graph) => self.graph(graph, from, to),
            Expr::Ref(rule) => {
                self.call(*rule, from, to);
                Ok(())
            }
            Expr::Seq(items) => self.sequence(items, from, to),
            Expr::Alt(items) => items.iter().try_for_each(|item| self.expr(item, from, to)),
            Expr::Repeat { expr, min, max } => self.repeat(expr, *min, *max, from, to),
        }
    }

    fn bytes(&mut self, bytes: &[u8], from: u32, to: u32) -> Result<(), Blowup> {
        let Some((&last, others)) = bytes.split_last() else {
            self.empty(from, to);
            return Ok(());
        };
        let mut at = from;
        for &byte in others {
            let next = self.state()?;
            self.edge(at, byte, byte, next);
            at = next;
        }
        self.edge(at, last, last, to);
        Ok(())
    }

    fn range(&mut self, low: char, high: char, from: u32, to: u32) -> Result<(), Blowup> {
        for sequence in Utf8Sequences::new(low, high) {
            self.work(1)?;
            let ranges = sequence.as_slice();
            let mut at = from;
            for (index, range) in ranges.iter().enumerate() {
                let next = if index + 1 == ranges.len() {
                    to
                } else {
                    self.state()?
                };
                self.edge(at, range.start, range.end, next);
                at = next;
            }
        }
        Ok(())
    }

    fn words(&mut self, words: &Words, from: u32, to: u32) -> Result<(), Blowup> {
        let first = self.nfa.len() as u32;
        for _ in &words.states {
            self.state()?;
        }
        for (at, state) in words.states.iter().enumerate() {
            let at = first + at as u32;
            self.work(state.edges.len())?;
            for &(low, high, to) in &state.edges {
                self.edge(at, low, high, first + to);
            }
            if state.is_final {
                self.empty(at, to);
            }
        }
        if !words.states.is_empty() {
            self.empty(from, first);
        }
        Ok(())
    }

    fn graph(&mut self, graph: &Graph, from: u32, to: u32) -> Result<(), Blowup> {
        let first = self.nfa.len() as u32;
        for _ in &graph.states {
            self.state()?;
        }
        for (at, state) in graph.states.iter().enumerate() {
            let at = first + at as u32;
            for (part, target) in &state.edges {
                self.expr(part, at, first + target)?;
            }
            if state.is_final {
                self.empty(at, to);
            }
        }
        if !graph.states.is_empty() {
            self.empty(from, first);
        }
        Ok(())
    }

    fn sequence(&mut self, items: &[Expr], from: u32, to: u32) -> Result<(), Blowup> {
        let Some((last, others)) = items.split_last() else {
            self.empty(from, to);
            return Ok(());
        };
        let mut at = from;
        for item in others {
            let next = self.state()?;
            self.expr(item, at, next)?;
            at = next;
        }
        self.expr(last, at, to)
    }

    fn repeat(
        &mut self,
        expr: &Expr,
        min: u32,
        max: Option<u32>,
        from: u32,
        to: u32,
    ) -> Result<(), Blowup> {
        let mut at = from;
        for _ in 0..min {
            let next = self.state()?;
            self.expr(expr, at, next)?;
            at = next;
        }
        match max {
            None => {
                // The loop gets a hub of its own, so that it does not run through a state that
                // other paths share.
                let hub = self.state()?;
                self.empty(at, hub);
                let body = self.state()?;
                self.empty(hub, body);
                let again = self.state()?;
                self.expr(expr, body, again)?;
                self.empty(again, hub);
                self.empty(hub, to);
            }
            Some(max) => {
                for _ in min..max {
                    self.empty(at, to);
                    let next = self.state()?;
                    self.expr(expr, at, next)?;
                    at = next;
                }
                self.empty(at, to);
            }
        }
        Ok(())
    }
}
