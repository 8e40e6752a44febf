//! Rules → productions.
//!
//! In: a [`Grammar`]. Out: a [`Bnf`]. What holds after: only productions that can be reached from a
//! start are there; equal alternatives of a rule are one; nonterminals are numbered by rule, then
//! by repetition in the order in which they are met, then come the union of several starts and the
//! root; the productions of a nonterminal stand together. Terminals are numbered without gaps.
//!
//! Stages: `repeat` takes repetitions out, `tree` stores the rest, `alternatives` multiplies it
//! out, `items` lays the productions down.

mod alternatives;
mod items;
mod repeat;
mod tree;

pub(crate) use items::{Bnf, Item, Laid, Next};

use crate::Options;
use crate::budget::Budget;
use crate::error::Error;
use crate::grammar::{Expr, Grammar};
use alternatives::{Alternative, Expander};
use repeat::Repetitions;
use tree::{NodeId, Sym, Trees};

/// How deep expressions may nest.
const NESTING: usize = 1_000;

/// Symbols that may be written for each production that is allowed.
const SYMBOLS: usize = 16;

/// The alternatives of a nonterminal.
struct Derived {
    nonterminal: u32,
    alternatives: Vec<Alternative>,
    /// The rule, or that in which the repetition is met first.
    rule: usize,
    priority: i32,
}

/// The productions of a grammar.
pub(crate) fn productions(
    grammar: &Grammar,
    options: &Options,
    budget: &mut Budget,
) -> Result<Bnf, Error> {
    let mut converter = Converter::new(grammar, options);
    for &start in &grammar.starts {
        converter.reach(start, None)?;
    }
    while let Some(&rule) = converter.reached.get(converter.converted) {
        converter.converted += 1;
        converter.rule(rule, budget)?;
    }
    let mut starts = grammar.starts.clone();
    starts.sort_unstable();
    starts.dedup();
    let mut next = converter.repetitions.next;
    let start = match starts.as_slice() {
        [only] => *only as u32,
        several => {
            let start = |&start: &usize| vec![Sym::Nonterminal(start as u32)];
            let alternatives = several.iter().map(start).collect();
            let rule = several.first().copied().unwrap_or(0);
            converter.add(next, alternatives, rule, 0)?;
            next += 1;
            next - 1
        }
    };
    converter.derived.push(Derived {
        nonterminal: next,
        alternatives: vec![vec![Sym::Nonterminal(start)]],
        rule: starts.first().copied().unwrap_or(0),
        priority: 0,
    });
    items::lay_down(converter.derived, next + 1, budget)
}

struct Converter<'g> {
    grammar: &'g Grammar,
    limit: usize,
    trees: Trees,
    repetitions: Repetitions,
    expander: Expander,
    is_reached: Vec<bool>,
    /// Rules that can be reached, the first `converted` of them converted.
    reached: Vec<usize>,
    converted: usize,
    derived: Vec<Derived>,
    productions: usize,
}

impl<'g> Converter<'g> {
    fn new(grammar: &'g Grammar, options: &Options) -> Self {
        Self {
            grammar,
            limit: options.productions,
            trees: Trees::default(),
            repetitions: Repetitions::new(grammar.rules.len() as u32),
            expander: Expander::new(options.productions.saturating_mul(SYMBOLS)),
            is_reached: vec![false; grammar.rules.len()],
            reached: Vec::new(),
            converted: 0,
            derived: Vec::new(),
            productions: 0,
        }
    }

    /// Notes that `index` is used, by `rule` if not as a start.
    fn reach(&mut self, index: usize, rule: Option<usize>) -> Result<(), Error> {
        match self.is_reached.get_mut(index) {
            None => Err(Error::undefined(index, rule)),
            Some(reached) => {
                if !std::mem::replace(reached, true) {
                    self.reached.push(index);
                }
                Ok(())
            }
        }
    }

    fn rule(&mut self, rule: usize, budget: &mut Budget) -> Result<(), Error> {
        let grammar = self.grammar;
        let body = self.node(&grammar.rules[rule].body, rule, 0, budget)?;
        self.derive(
            rule as u32,
            body,
            rule,
            grammar.rules[rule].priority,
            budget,
        )?;
        // Lark gives repetitions no priority, whatever their rule has.
        for (number, body) in std::mem::take(&mut self.repetitions.new) {
            self.derive(number, body, rule, 0, budget)?;
        }
        Ok(())
    }

    fn derive(
        &mut self,
        nonterminal: u32,
        body: NodeId,
        rule: usize,
        priority: i32,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        let alternatives = self.expander.expand(&self.trees, body, rule, budget)?;
        self.add(nonterminal, alternatives, rule, priority)
    }

    fn add(
        &mut self,
        nonterminal: u32,
        alternatives: Vec<Alternative>,
        rule: usize,
        priority: i32,
    ) -> Result<(), Error> {
        self.productions += alternatives.len();
        if self.productions > self.limit {
            let message = format!("the grammar has more than {} productions", self.limit);
            return Err(Error::too_large(message, Some(rule)));
        }
        self.derived.push(Derived {
            nonterminal,
            alternatives,
            rule,
            priority,
        });
        Ok(())
    }

    /// An expression without its repetitions.
    fn node(
        &mut self,
        expr: &Expr,
        rule: usize,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<NodeId, Error> {
        budget.spend(1)?;
        if depth == NESTING {
            let message = format!("expressions nest more than {NESTING} deep");
            return Err(Error::too_large(message, Some(rule)));
        }
        match expr {
            Expr::Terminal(terminal) => Ok(self.trees.symbol(Sym::Terminal(*terminal))),
            Expr::Rule(index) => {
                self.reach(*index, Some(rule))?;
                Ok(self.trees.nonterminal(*index as u32))
            }
            Expr::Sequence(parts) => {
                let parts = self.nodes(parts, rule, depth + 1, budget)?;
                Ok(self.trees.sequence(parts))
            }
            Expr::Union(parts) => {
                let parts = self.nodes(parts, rule, depth + 1, budget)?;
                Ok(self.trees.union(parts))
            }
            Expr::Repeat { of, min, max } => {
                let of = self.node(of, rule, depth + 1, budget)?;
                self.expander.pay(repeat::size(*min, *max), rule, budget)?;
                Ok(self.repetitions.repeat(&mut self.trees, of, *min, *max))
            }
        }
    }

    fn nodes(
        &mut self,
        parts: &[Expr],
        rule: usize,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Vec<NodeId>, Error> {
        let nodes = parts.iter();
        nodes
            .map(|part| self.node(part, rule, depth, budget))
            .collect()
    }
}
