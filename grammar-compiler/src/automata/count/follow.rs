//! Which bytes can come after a rule, and after a part of one.
//!
//! In: a [`Grammar`] and its [`Analysis`]. Out: for each rule the bytes that can follow it
//! anywhere.

use super::facts::{Analysis, ByteSet, PartFacts};
use crate::grammar::{Expr, Grammar, Graph};
use crate::limits::{Deadline, LimitExceeded};

/// The bytes that can follow each rule: a least fixpoint.
///
/// # Errors
///
/// If the deadline passes.
pub fn follow<'a>(
    grammar: &'a Grammar,
    analysis: &mut Analysis<'a>,
    deadline: &Deadline,
) -> Result<Vec<ByteSet>, LimitExceeded> {
    let count = grammar.rules.len();
    let mut follow = vec![ByteSet::default(); count];
    for round in 0u32.. {
        deadline.check("finding what repetitions are followed by")?;
        let before = follow.clone();
        for step in 0..count {
            let at = if round % 2 == 0 {
                step
            } else {
                count - 1 - step
            };
            visit(&grammar.rules[at].expr, follow[at], analysis, &mut follow);
        }
        if follow == before {
            break;
        }
    }
    Ok(follow)
}

fn visit<'a>(expr: &'a Expr, after: ByteSet, analysis: &mut Analysis<'a>, follow: &mut [ByteSet]) {
    match expr {
        Expr::Ref(rule) => {
            if let Some(known) = follow.get_mut(rule.0 as usize) {
                *known = known.or(after);
            }
        }
        Expr::Seq(items) => {
            let follows = in_sequence(analysis, items, after);
            for (item, after) in items.iter().zip(follows) {
                visit(item, after, analysis, follow);
            }
        }
        Expr::Alt(items) => items
            .iter()
            .for_each(|item| visit(item, after, analysis, follow)),
        Expr::Repeat { expr, max, .. } => {
            let facts = analysis.facts(expr);
            visit(expr, in_repeat(facts, *max, after), analysis, follow);
        }
        Expr::Graph(graph) => {
            let follows = in_graph(analysis, graph, after);
            for (state, follows) in graph.states.iter().zip(follows) {
                for ((part, _), after) in state.edges.iter().zip(follows) {
                    visit(part, after, analysis, follow);
                }
            }
        }
        Expr::Literal(_)
        | Expr::Class(_)
        | Expr::Bytes(_)
        | Expr::Tokens(_)
        | Expr::Terminal(_)
        | Expr::Words(_)
        | Expr::Bounded(_) => {}
    }
}

/// The bytes that can follow each of these parts in order, with `after` behind the last.
pub fn in_sequence<'a>(
    analysis: &mut Analysis<'a>,
    items: &'a [Expr],
    after: ByteSet,
) -> Vec<ByteSet> {
    let mut behind = after;
    let mut out = Vec::with_capacity(items.len());
    for item in items.iter().rev() {
        out.push(behind);
        let PartFacts {
            nullable, first, ..
        } = analysis.facts(item);
        behind = if nullable { first.or(behind) } else { first };
    }
    out.reverse();
    out
}

/// The bytes that can follow an iteration.
pub fn in_repeat(facts: PartFacts, max: Option<u32>, after: ByteSet) -> ByteSet {
    match max {
        Some(0 | 1) => after,
        _ => after.or(facts.first),
    }
}

/// The bytes that can follow the part on each edge of each state.
pub fn in_graph<'a>(
    analysis: &mut Analysis<'a>,
    graph: &'a Graph,
    after: ByteSet,
) -> Vec<Vec<ByteSet>> {
    let states = analysis.states(graph);
    let behind = |state: u32| {
        let PartFacts {
            nullable, first, ..
        } = states[state as usize];
        if nullable { first.or(after) } else { first }
    };
    let edges = graph.states.iter().map(|state| &state.edges);
    edges
        .map(|edges| edges.iter().map(|&(_, to)| behind(to)).collect())
        .collect()
}
