//! How counts are written, and the cost of writing them out.

use crate::grammar::bounded_plan::BoundPlan;
use crate::grammar::check::for_each_ref;
use crate::grammar::{BoundedWords, Expr, Grammar, RuleId};
use crate::limits::Tuning;

/// The longest block. Longer ones would save few frames and cost many states.
const MAX_BLOCK: u32 = 1 << 12;

/// How counts are written.
#[derive(Clone, Copy)]
pub struct Radix {
    /// Iterations in a block.
    pub block: u32,
    /// Repetitions that would take at most about this many states are written out.
    expansion: u64,
}

impl Radix {
    /// As the options say.
    pub fn new(tuning: &Tuning) -> Self {
        Radix {
            block: tuning.block.min(MAX_BLOCK),
            expansion: tuning.expansion,
        }
    }

    /// Whether this number of iterations of a part of this size is written out.
    pub fn is_short(&self, count: u32, size: u64) -> bool {
        count <= self.block || size.saturating_mul(count as u64) <= self.expansion
    }

    /// Whether all texts of an automaton are written out.
    pub fn is_short_text(&self, words: &BoundedWords) -> bool {
        self.is_short(words.max(), words.words().states.len() as u64)
    }

    /// For a count beyond one block: the block length, the number of such blocks, and the
    /// iterations that are left over.
    pub fn digits(&self, count: u32) -> (u32, u32, u32) {
        let mut length = self.block;
        while count / length > 2 * self.block {
            length *= self.block;
        }
        (length, count / length, count % length)
    }
}

/// Estimates of how many states parts take.
pub struct Sizes<'a> {
    grammar: &'a Grammar,
    radix: Radix,
    rules: Vec<RuleSize>,
    plan: fn(&BoundedWords) -> Option<BoundPlan>,
}

/// What is known of a rule's size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleSize {
    Nothing,
    /// It waits for the rules that it refers to.
    Begun,
    Size(u64),
}

impl<'a> Sizes<'a> {
    /// No size is known yet.
    pub fn new(
        grammar: &'a Grammar,
        radix: Radix,
        plan: fn(&BoundedWords) -> Option<BoundPlan>,
    ) -> Self {
        Sizes {
            grammar,
            radix,
            rules: vec![RuleSize::Nothing; grammar.rules.len()],
            plan,
        }
    }

    /// The states of a part, about.
    pub fn of(&mut self, expr: &Expr) -> u64 {
        match expr {
            Expr::Literal(text) => text.len() as u64,
            Expr::Class(ranges) => match ranges.last() {
                Some(last) => 3 * last.1.len_utf8() as u64 - 2,
                None => 0,
            },
            Expr::Bytes(_) | Expr::Tokens(_) | Expr::Terminal(_) => 1,
            Expr::Words(words) => words.states.len() as u64,
            Expr::Bounded(words) => words.count(),
            Expr::Seq(items) | Expr::Alt(items) => items
                .iter()
                .fold(0, |sum: u64, item| sum.saturating_add(self.of(item))),
            Expr::Graph(graph) => {
                let parts = graph.states.iter().flat_map(|s| &s.edges);
                parts.fold(graph.states.len() as u64, |sum, (part, _)| {
                    sum.saturating_add(self.of(part))
                })
            }
            Expr::Repeat { expr, min, max } => {
                let count = max.unwrap_or(*min).max(1) as u64;
                self.of(expr).saturating_mul(count)
            }
            Expr::Ref(rule) => match self.rules.get(rule.0 as usize) {
                Some(RuleSize::Nothing) => self.rule(rule.0 as usize),
                Some(&RuleSize::Size(size)) => size,
                Some(RuleSize::Begun) | None => 1,
            },
        }
    }

    /// The size of a rule; one that is recursive counts as small, since it is called. Chains of
    /// rules may be long, so rules wait on a stack of their own for those that they refer to.
    fn rule(&mut self, rule: usize) -> u64 {
        let grammar = self.grammar;
        let mut waiting = vec![rule];
        while let Some(&rule) = waiting.last() {
            let Some(found) = grammar.rules.get(rule) else {
                return 1;
            };
            if self.rules[rule] == RuleSize::Nothing {
                self.rules[rule] = RuleSize::Begun;
                for_each_ref(&found.expr, &mut |callee| {
                    if self.rules.get(callee.0 as usize) == Some(&RuleSize::Nothing) {
                        waiting.push(callee.0 as usize);
                    }
                });
                continue;
            }
            if self.rules[rule] == RuleSize::Begun {
                self.rules[rule] = RuleSize::Size(self.of(&found.expr));
            }
            waiting.pop();
        }
        self.of(&Expr::Ref(RuleId(rule as u32)))
    }

    /// Whether a repetition is too long to be written out.
    pub fn is_long(&mut self, body: &Expr, min: u32, max: Option<u32>) -> bool {
        let size = self.of(body);
        !self.radix.is_short(max.unwrap_or(min), size)
    }

    /// Whether a part holds such a repetition.
    pub fn has_long(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Seq(items) | Expr::Alt(items) => items.iter().any(|item| self.has_long(item)),
            Expr::Repeat { expr, min, max } => {
                self.is_long(expr, *min, *max) || self.has_long(expr)
            }
            Expr::Graph(graph) => {
                let mut parts = graph.states.iter().flat_map(|s| &s.edges);
                parts.any(|(part, _)| self.has_long(part))
            }
            Expr::Bounded(words) => match (self.plan)(words) {
                Some(BoundPlan::Beside(_)) => !self.radix.is_short_text(words),
                Some(BoundPlan::Digits) => true,
                Some(BoundPlan::Pairs) | None => false,
            },
            _ => false,
        }
    }
}
