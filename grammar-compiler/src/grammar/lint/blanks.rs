//! Loops over blanks.
//!
//! In: a rule and [`Facts`]. Out: whether it holds a loop that consumes blanks only and need not end: `[ \t]*`, or a rule of
//! blanks that calls itself beside some blank, as in `ws ::= ([ \t] ws)?`.

use super::facts::Facts;
use crate::grammar::{Expr, Grammar};

/// Whether the rule lets blanks go on without end.
pub(super) fn run_on(grammar: &Grammar, rule: usize, facts: &Facts) -> bool {
    let Some(expr) = grammar.rules.get(rule).map(|rule| &rule.expr) else {
        return false;
    };
    let calls_itself = || facts.is_blank(expr) && grows(expr, rule, facts);
    loops(expr, facts) || calls_itself()
}

/// Whether some part is repeated without a bound and consumes blanks only.
fn loops(expr: &Expr, facts: &Facts) -> bool {
    match expr {
        Expr::Repeat { expr, max, .. } => {
            let here = max.is_none() && facts.is_blank(expr) && facts.consumes_some(expr);
            here || loops(expr, facts)
        }
        Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().any(|part| loops(part, facts)),
        _ => false,
    }
}

/// Whether `expr` leads back to `rule` beside a part that can consume something.
fn grows(expr: &Expr, rule: usize, facts: &Facts) -> bool {
    match expr {
        Expr::Seq(parts) => parts.iter().enumerate().any(|(at, part)| {
            let others = || parts.iter().enumerate().filter(|other| other.0 != at);
            let beside = || others().any(|other| facts.consumes_some(other.1));
            grows(part, rule, facts) || leads_back(part, rule, facts) && beside()
        }),
        Expr::Alt(parts) => parts.iter().any(|part| grows(part, rule, facts)),
        Expr::Repeat { expr, .. } => grows(expr, rule, facts),
        _ => false,
    }
}

fn leads_back(expr: &Expr, rule: usize, facts: &Facts) -> bool {
    match expr {
        Expr::Ref(id) => facts.in_one_circle(rule, *id),
        Expr::Seq(parts) | Expr::Alt(parts) => {
            parts.iter().any(|part| leads_back(part, rule, facts))
        }
        Expr::Repeat { expr, max, .. } => *max != Some(0) && leads_back(expr, rule, facts),
        _ => false,
    }
}
