//! Loops over blanks.
//!
//! In: a rule and [`RuleFacts`]. Out: whether it holds a loop that consumes blanks only and need
//! not end: `[ \t]*`, or a rule of blanks that calls itself beside some blank, as in
//! `ws ::= ([ \t] ws)?`.

use super::facts::RuleFacts;
use crate::grammar::{Expr, Grammar};

/// The part of the rule that lets blanks go on without end.
pub(super) fn run_on<'g>(grammar: &'g Grammar, rule: usize, facts: &RuleFacts) -> Option<&'g Expr> {
    let expr = &grammar.rules.get(rule)?.expr;
    let calls_itself = || facts.is_blank(expr).then(|| grows(expr, rule, facts));
    endless(expr, facts).or_else(|| calls_itself().flatten())
}

/// A part that is repeated without a bound and consumes blanks only.
fn endless<'g>(expr: &'g Expr, facts: &RuleFacts) -> Option<&'g Expr> {
    match expr {
        Expr::Repeat {
            expr: inner, max, ..
        } => {
            let here = max.is_none() && facts.is_blank(inner) && facts.consumes_some(inner);
            if here {
                Some(expr)
            } else {
                endless(inner, facts)
            }
        }
        Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().find_map(|part| endless(part, facts)),
        _ => None,
    }
}

/// A part that leads back to `rule` beside a part that can consume something.
fn grows<'g>(expr: &'g Expr, rule: usize, facts: &RuleFacts) -> Option<&'g Expr> {
    match expr {
        Expr::Seq(parts) => parts.iter().enumerate().find_map(|(at, part)| {
            let others = || parts.iter().enumerate().filter(|other| other.0 != at);
            let beside = || others().any(|other| facts.consumes_some(other.1));
            let here = || leads_back(part, rule, facts) && beside();
            grows(part, rule, facts).or_else(|| here().then_some(expr))
        }),
        Expr::Alt(parts) => parts.iter().find_map(|part| grows(part, rule, facts)),
        Expr::Repeat { expr, .. } => grows(expr, rule, facts),
        _ => None,
    }
}

fn leads_back(expr: &Expr, rule: usize, facts: &RuleFacts) -> bool {
    match expr {
        Expr::Ref(id) => facts.in_one_circle(rule, *id),
        Expr::Seq(parts) | Expr::Alt(parts) => {
            parts.iter().any(|part| leads_back(part, rule, facts))
        }
        Expr::Repeat { expr, max, .. } => *max != Some(0) && leads_back(expr, rule, facts),
        _ => false,
    }
}
