//! Which rules have sentences.
//!
//! In: a [`Grammar`]. Out: a bit for each rule of which some text is a sentence. What holds: a
//! right part whose parts without sentences are left out can be finished from wherever a text has
//! come to in it, so that no mask leads to a dead end.

use std::collections::VecDeque;

use super::GaveUp;
use super::work::Work;
use crate::bits::Bits;
use crate::csr::Csr;
use crate::grammar::{Expr, Grammar, Graph};

/// The rules that have sentences.
///
/// # Errors
/// If rules are read again so often that it takes long.
pub(super) fn productive(
    grammar: &Grammar,
    facts: &Facts,
    work: &mut Work,
) -> Result<Bits, GaveUp> {
    let has = |rule: usize, known: &Bits, units: &mut usize| {
        has_sentence(&grammar.rules[rule].expr, known, units)
    };
    facts.least(work, has)
}

/// What finds out of which rules something holds.
pub(super) struct Facts {
    /// For each rule the rules that refer to it.
    users: Csr<u32>,
    rules: usize,
}

impl Facts {
    /// For the rules of this grammar.
    pub(super) fn new(grammar: &Grammar) -> Self {
        let mut references = Vec::new();
        for (at, rule) in (0..).zip(&grammar.rules) {
            each_part(&rule.expr, &mut |part| {
                if let Expr::Ref(to) = part {
                    references.push((to.0, at));
                }
            });
        }
        let rules = grammar.rules.len();
        Facts {
            users: Csr::new(rules, references.into_iter()),
            rules,
        }
    }

    /// The least set of rules of which something holds: `holds` says whether it does of a rule, if
    /// it does of these, and adds up its work. A rule of which it does not is asked for again after
    /// the rules that it refers to, once for all of them.
    ///
    /// # Errors
    /// If rules are read again so often that it takes long.
    pub(super) fn least(
        &self,
        work: &mut Work,
        mut holds: impl FnMut(usize, &Bits, &mut usize) -> bool,
    ) -> Result<Bits, GaveUp> {
        let mut known = Bits::default();
        // Rules mostly refer to later ones.
        let mut pending: VecDeque<u32> = (0..self.rules as u32).rev().collect();
        let mut is_pending = vec![true; self.rules];
        while let Some(rule) = pending.pop_front() {
            let at = rule as usize;
            is_pending[at] = false;
            let mut units = 1;
            let does = holds(at, &known, &mut units);
            work.spend(units)?;
            if !does {
                continue;
            }
            known.insert(at);
            for &user in self.users.of(rule) {
                let is_known = known.contains(user as usize);
                if !is_known && !std::mem::replace(&mut is_pending[user as usize], true) {
                    pending.push_back(user);
                }
            }
        }
        Ok(known)
    }
}

/// Whether a right part may take the empty text. It says yes where finding out would take long.
pub(super) fn may_be_empty(expr: &Expr, grammar: &Grammar, depth: u32) -> bool {
    let inner = |expr: &Expr| may_be_empty(expr, grammar, depth.saturating_sub(1));
    if depth == 0 {
        return true;
    }
    match expr {
        Expr::Literal(text) => text.is_empty(),
        Expr::Class(_) | Expr::Bytes(_) | Expr::Tokens(_) | Expr::Terminal(_) => false,
        Expr::Words(words) => words.is_final(0),
        Expr::Bounded(words) => words.is_final(0),
        Expr::Seq(parts) => parts.iter().all(inner),
        Expr::Alt(parts) => parts.iter().any(inner),
        Expr::Repeat { expr, min, .. } => *min == 0 || inner(expr),
        // Without a look at the ways to the end.
        Expr::Graph(graph) => {
            let mut edges = graph.states.iter().flat_map(|state| &state.edges);
            (graph.states.first()).is_none_or(|first| first.is_final)
                || edges.any(|(part, _)| inner(part))
        }
        Expr::Ref(rule) => {
            (grammar.rules.get(rule.0 as usize)).is_none_or(|rule| inner(&rule.expr))
        }
    }
}

/// Whether some rule has a token as a terminal.
pub(super) fn has_terminals(grammar: &Grammar) -> bool {
    let mut found = false;
    for rule in &grammar.rules {
        each_part(&rule.expr, &mut |part| {
            found |= matches!(part, Expr::Tokens(_) | Expr::Terminal(_))
        });
    }
    found
}

/// Whether a part of a rule refers to rules.
pub(super) fn refers(expr: &Expr) -> bool {
    let mut refers = false;
    each_part(expr, &mut |part| refers |= matches!(part, Expr::Ref(_)));
    refers
}

/// Calls `visit` with a right part and all parts of it.
pub(super) fn each_part(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    visit(expr);
    match expr {
        Expr::Seq(parts) | Expr::Alt(parts) => {
            parts.iter().for_each(|part| each_part(part, visit));
        }
        Expr::Repeat { expr, .. } => each_part(expr, visit),
        Expr::Graph(graph) => {
            let parts = graph.states.iter().flat_map(|state| &state.edges);
            parts.for_each(|(part, _)| each_part(part, visit));
        }
        Expr::Ref(_)
        | Expr::Literal(_)
        | Expr::Class(_)
        | Expr::Bytes(_)
        | Expr::Tokens(_)
        | Expr::Terminal(_)
        | Expr::Words(_)
        | Expr::Bounded(_) => {}
    }
}

/// Whether a right part has sentences, if these rules have some. The parts that are looked at are
/// added to `looks`.
pub(super) fn has_sentence(expr: &Expr, productive: &Bits, looks: &mut usize) -> bool {
    *looks += 1;
    let mut has = |part: &Expr| has_sentence(part, productive, looks);
    match expr {
        Expr::Literal(_) => true,
        Expr::Class(ranges) => !ranges.is_empty(),
        Expr::Bytes(ranges) => !ranges.is_empty(),
        Expr::Tokens(_) | Expr::Terminal(_) => false,
        Expr::Words(words) => !words.is_empty(),
        Expr::Bounded(words) => !words.is_empty(),
        Expr::Graph(graph) => reaches_end(graph, has),
        Expr::Seq(parts) => parts.iter().all(has),
        Expr::Alt(parts) => parts.iter().any(has),
        Expr::Repeat { expr, min, .. } => *min == 0 || has(expr),
        Expr::Ref(rule) => productive.contains(rule.0 as usize),
    }
}

/// Whether a way leads to an end of a graph through parts of which something holds.
pub(super) fn reaches_end(graph: &Graph, mut has: impl FnMut(&Expr) -> bool) -> bool {
    let mut seen = Bits::default();
    let mut pending = vec![0];
    while let Some(at) = pending.pop() {
        let Some(state) = graph.states.get(at).filter(|_| seen.insert(at)) else {
            continue;
        };
        if state.is_final {
            return true;
        }
        let edges = state.edges.iter().filter(|(part, _)| has(part));
        pending.extend(edges.map(|&(_, to)| to as usize));
    }
    false
}
