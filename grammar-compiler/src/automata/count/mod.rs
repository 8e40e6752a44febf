//! Counted repetition in digits.
//!
//! In: a [`Grammar`]. Out: [`Counted`]: the same language, in which no repetition counts far.
//! `X{0,4096}` becomes calls of rules over *blocks*: with blocks of B iterations
//! ([`Tuning::block`]), `W1` is `X{B}`, a whole block, and `P1` is `X{0,B-1}`, a part of one; `W2`
//! is `W1{B}`, and `P2` is `W1{0,B-1} P1`; and so on. At each point both a whole block and a part
//! may begin. They begin with the same byte, so they share a frame and run in lockstep. At the end
//! of a block only the whole is left, and returns at once; where the repetition ends within a
//! block, the part returns. So a state holds the lowest digit of the count, and the frames hold the
//! others. That takes about B copies of `X`, and B frames a digit, whatever the bound; all bounds
//! on one `X` share them.
//!
//! A bound need not be a multiple of B: the remainder comes first, in a short block of its own.
//!
//! Bounds on the characters of an automaton are counted in the same way (`bounded`), those of one
//! with many states in blocks that all states share (`beside`).
//!
//! A repetition is written out later if that is cheap, or if its count is not decided byte by byte:
//! some word of `X` may go on with a byte that could also begin the next `X` or what follows, or
//! the next `X` may begin with the same byte as what follows.

mod beside;
mod bounded;
mod facts;
mod follow;
mod size;

use std::rc::Rc;
use std::sync::Arc;

use super::ways::WayMarks;
use super::{Dfa, MachineId, PassBounds, thompson};
use crate::grammar::bounded_plan::BoundPlan;
use crate::grammar::words::{GraphState, WordState};
use crate::grammar::{BoundedWords, Expr, Grammar, Graph, Rule, RuleId, Words};
use crate::limits::{LimitExceeded, Tuning};
use crate::maps::IdMap;
use beside::{BlockKey, CoreBlock};
use bounded::StateBlocks;
use facts::{Analysis, ByteSet, PartFacts};
use follow::follow;
use size::{Radix, Sizes};

/// A grammar without long repetitions.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The rules of the grammar under their old numbers, then those of the blocks.
    pub grammar: Grammar,
    /// The machines of the rules over blocks, which must be called.
    pub blocks: Vec<MachineId>,
    /// The ways through those of them that have several.
    pub ways: Vec<WayMarks>,
}

/// Writes the long repetitions of `grammar` in digits.
///
/// # Errors
///
/// If the deadline passes.
pub fn count(
    grammar: Grammar,
    tuning: &Tuning,
    bounds: &PassBounds,
) -> Result<Counted, LimitExceeded> {
    count_by(grammar, tuning, bounds, BoundedWords::plan)
}

/// The same, with the plans of bounds.
fn count_by(
    grammar: Grammar,
    tuning: &Tuning,
    bounds: &PassBounds,
    plan: fn(&BoundedWords) -> Option<BoundPlan>,
) -> Result<Counted, LimitExceeded> {
    let radix = Radix::new(tuning);
    let mut sizes = Sizes::new(&grammar, radix, plan);
    if radix.block < 2 || !grammar.rules.iter().any(|rule| sizes.has_long(&rule.expr)) {
        return Ok(Counted {
            grammar,
            blocks: Vec::new(),
            ways: Vec::new(),
        });
    }
    let mut analysis = Analysis::new(&grammar, bounds.deadline)?;
    let follow = follow(&grammar, &mut analysis, bounds.deadline)?;
    let mut writer = CountWriter {
        bounds,
        radix,
        sizes,
        analysis,
        name: String::new(),
        next: grammar.rules.len() as u32,
        rules: Vec::new(),
        bodies: Vec::new(),
        blocks: Vec::new(),
        plan,
        state_blocks: IdMap::default(),
        core_blocks: IdMap::default(),
        ways: Vec::new(),
    };
    let mut rules = Vec::with_capacity(grammar.rules.len());
    for (rule, &after) in grammar.rules.iter().zip(&follow) {
        writer.name.clone_from(&rule.name);
        rules.push(Rule {
            expr: writer.expr(&rule.expr, after),
            ..rule.clone()
        });
    }
    rules.append(&mut writer.rules);
    Ok(Counted {
        blocks: (grammar.rules.len()..rules.len())
            .map(MachineId::at)
            .collect(),
        grammar: Grammar::new(rules, grammar.root),
        ways: writer.ways,
    })
}

/// The rules over one kind of block.
#[derive(Clone, Copy)]
struct BlockRules {
    /// `X{n}`.
    whole: RuleId,
    /// `X{0,n-1}`.
    part: RuleId,
}

struct CountWriter<'a> {
    bounds: &'a PassBounds<'a>,
    radix: Radix,
    sizes: Sizes<'a>,
    analysis: Analysis<'a>,
    /// The rule being written, for the names of blocks.
    name: String,
    next: u32,
    rules: Vec<Rule>,
    /// What is repeated.
    bodies: Vec<Expr>,
    /// Blocks by body and number of iterations.
    blocks: Vec<((usize, u32), BlockRules)>,
    plan: fn(&BoundedWords) -> Option<BoundPlan>,
    /// Blocks of the characters of an automaton, by its place in memory and their number.
    state_blocks: IdMap<(usize, u32), Rc<StateBlocks>>,
    core_blocks: IdMap<BlockKey, Rc<CoreBlock>>,
    /// The ways through the blocks of these.
    ways: Vec<WayMarks>,
}

impl<'a> CountWriter<'a> {
    /// Rewrites a part of the grammar after which `after` may come.
    fn expr(&mut self, expr: &'a Expr, after: ByteSet) -> Expr {
        match expr {
            Expr::Seq(items) => {
                let follows = follow::in_sequence(&mut self.analysis, items, after);
                let items = items.iter().zip(follows);
                Expr::Seq(items.map(|(item, after)| self.expr(item, after)).collect())
            }
            Expr::Alt(items) => {
                Expr::Alt(items.iter().map(|item| self.expr(item, after)).collect())
            }
            Expr::Repeat {
                expr: body,
                min,
                max,
            } => self.repeat(body, *min, *max, after),
            Expr::Graph(graph) => {
                let follows = follow::in_graph(&mut self.analysis, graph, after);
                let states = graph.states.iter().zip(follows).map(|(state, follows)| {
                    let edges = state.edges.iter().zip(follows);
                    GraphState {
                        is_final: state.is_final,
                        edges: edges
                            .map(|((part, to), after)| (self.expr(part, after), *to))
                            .collect(),
                    }
                });
                Expr::Graph(Arc::new(Graph {
                    states: states.collect(),
                }))
            }
            Expr::Literal(_)
            | Expr::Class(_)
            | Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Words(_)
            | Expr::Ref(_) => expr.clone(),
            Expr::Bounded(words) => self.bounded(words, after),
        }
    }

    fn repeat(&mut self, body: &'a Expr, min: u32, max: Option<u32>, after: ByteSet) -> Expr {
        let facts = self.analysis.facts(body);
        let is_long = self.sizes.is_long(body, min, max);
        let inner = self.expr(body, follow::in_repeat(facts, max, after));
        let expanded = |inner: Expr| Expr::Repeat {
            expr: Box::new(inner),
            min,
            max,
        };
        if !is_long || !is_decided(facts, min, max, after) {
            return expanded(inner);
        }
        // An empty iteration counts like any other, so with it every number up to the bound is
        // possible.
        let (inner, min) = match facts.nullable {
            true => match self.without_empty(&inner) {
                Some(words) => (words, 0),
                None => return expanded(inner),
            },
            false => (inner, min),
        };
        let size = self.sizes.of(body);
        let body = self.body(&inner);
        let mut items = vec![self.exactly(body, min, size)];
        items.push(match max {
            None => Expr::Repeat {
                expr: Box::new(inner),
                min: 0,
                max: None,
            },
            Some(max) => self.at_most(body, max.saturating_sub(min), size),
        });
        Expr::Seq(items)
    }

    fn body(&mut self, expr: &Expr) -> usize {
        let known = self.bodies.iter().position(|body| body == expr);
        known.unwrap_or_else(|| {
            self.bodies.push(expr.clone());
            self.bodies.len() - 1
        })
    }

    /// `X{count}`.
    fn exactly(&mut self, body: usize, count: u32, size: u64) -> Expr {
        if self.radix.is_short(count, size) {
            return self.times(body, count, count);
        }
        let (length, blocks, rest) = self.radix.digits(count);
        let mut items = Vec::new();
        if rest > 0 {
            items.push(Expr::Ref(self.block(body, rest).whole));
        }
        let block = self.block(body, length);
        items.push(repeat(Expr::Ref(block.whole), blocks, blocks));
        Expr::Seq(items)
    }

    /// `X{0,count}`.
    fn at_most(&mut self, body: usize, count: u32, size: u64) -> Expr {
        if self.radix.is_short(count, size) {
            return self.times(body, 0, count);
        }
        let (length, blocks, rest) = self.radix.digits(count);
        let BlockRules { whole, part } = self.block(body, length);
        let (whole, part) = (Expr::Ref(whole), Expr::Ref(part));
        let last = Expr::Alt(vec![part, whole.clone()]);
        let aligned = Expr::Seq(vec![repeat(whole, 0, blocks - 1), last]);
        self.after_rest(body, rest, aligned)
    }

    /// The rules `X{count}` and `X{0,count-1}`.
    fn block(&mut self, body: usize, count: u32) -> BlockRules {
        if let Some(known) = self.blocks.iter().find(|b| b.0 == (body, count)) {
            return known.1;
        }
        let (whole, part) = if count <= self.radix.block {
            (
                self.times(body, count, count),
                self.times(body, 0, count - 1),
            )
        } else {
            let (length, blocks, rest) = self.radix.digits(count);
            let inner = self.block(body, length);
            let (whole, part) = (Expr::Ref(inner.whole), Expr::Ref(inner.part));
            let mut items = Vec::new();
            if rest > 0 {
                items.push(Expr::Ref(self.block(body, rest).whole));
            }
            items.push(repeat(whole.clone(), blocks, blocks));
            let tail = Expr::Seq(vec![repeat(whole, 0, blocks - 1), part]);
            (Expr::Seq(items), self.after_rest(body, rest, tail))
        };
        let block = BlockRules {
            whole: self.rule(format!("{} {{{count}}}", self.name), whole),
            part: self.rule(format!("{} {{0,{}}}", self.name, count - 1), part),
        };
        self.blocks.push(((body, count), block));
        block
    }

    /// Fewer than `rest` iterations, or `rest` iterations and then `aligned`.
    fn after_rest(&mut self, body: usize, rest: u32, aligned: Expr) -> Expr {
        if rest == 0 {
            return aligned;
        }
        let BlockRules { whole, part } = self.block(body, rest);
        Expr::Alt(vec![
            Expr::Ref(part),
            Expr::Seq(vec![Expr::Ref(whole), aligned]),
        ])
    }

    fn times(&self, body: usize, min: u32, max: u32) -> Expr {
        repeat(self.bodies[body].clone(), min, max)
    }

    fn rule(&mut self, name: String, expr: Expr) -> RuleId {
        self.rules.push(Rule {
            name,
            expr,
            span: Default::default(),
            places: Vec::new(),
        });
        self.next += 1;
        RuleId(self.next - 1)
    }

    /// The words of a part without references but the empty one.
    fn without_empty(&self, expr: &Expr) -> Option<Expr> {
        let nfa = thompson::build(
            expr,
            self.bounds.limits.automaton_states,
            self.bounds.deadline,
        );
        let nfa = nfa.ok()?;
        let dfa = self.bounds.minimal(&nfa, &self.name).ok()?;
        dfa.calls()
            .is_empty()
            .then(|| Expr::Words(Arc::new(without_empty(&dfa))))
    }
}

/// Whether each byte decides if an iteration goes on, another one begins, or the repetition ends.
fn is_decided(facts: PartFacts, min: u32, max: Option<u32>, after: ByteSet) -> bool {
    let is_exact = max == Some(min);
    !facts.more.meets(&facts.first)
        && !facts.more.meets(&after)
        && (is_exact || max.is_none() || !facts.first.meets(&after))
}

fn repeat(expr: Expr, min: u32, max: u32) -> Expr {
    Expr::Repeat {
        expr: Box::new(expr),
        min,
        max: Some(max),
    }
}

fn without_empty(dfa: &Dfa) -> Words {
    let mut states: Vec<WordState> = dfa
        .states()
        .map(|s| WordState {
            is_final: s.is_final,
            edges: s.bytes.to_vec(),
        })
        .collect();
    // A fresh start, since the old one may be entered again; a minimal automaton starts in state 0.
    let first = states.len() as u32;
    let old = states.first().cloned().unwrap_or_default();
    states.push(old);
    states.swap(0, first as usize);
    for state in &mut states {
        state
            .edges
            .iter_mut()
            .filter(|e| e.2 == 0)
            .for_each(|e| e.2 = first);
    }
    states[0].is_final = false;
    Words { states }
}
