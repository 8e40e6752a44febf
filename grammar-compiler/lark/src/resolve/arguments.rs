//! The arguments of templates: which are equal, and what they cost.

use crate::error::Error;
use crate::grammar::{Embedded, Expr};
use crate::syntax::NESTING;
use crate::syntax::tree::{BYTES_PER_NODE, Span};
use std::fmt::Write;

/// Writes an argument so that equal ones are written alike; returns how many nodes it has.
pub(super) fn key(
    expr: &Expr,
    depth: usize,
    text: &mut String,
    span: &Span,
) -> Result<usize, Error> {
    let Some(depth) = depth.checked_sub(1) else {
        let message = format!("arguments of templates nest more than {NESTING} deep");
        return Err(Error::limit(
            message,
            span.clone(),
            "does a template hand on more and more?",
        ));
    };
    let mut nodes = cost(expr);
    // Writing to a string cannot fail.
    let _ = match expr {
        Expr::Terminal(id) => write!(text, "T{id} "),
        Expr::Rule(id) => write!(text, "R{id} "),
        Expr::Sequence(parts) => write!(text, "S{} ", parts.len()),
        Expr::Union(parts) => write!(text, "U{} ", parts.len()),
        Expr::Repeat { min, max, .. } => write!(text, "X{min},{max:?} "),
        Expr::Token { token, .. } => write!(text, "{token:?} "),
        Expr::Embedded { grammar, .. } => write!(text, "{grammar:?} "),
    };
    for part in parts(expr) {
        nodes += key(part, depth, text, span)?;
    }
    Ok(nodes)
}

/// How many nodes an argument has. It nests no deeper than [`key`] allows.
pub(super) fn size(expr: &Expr) -> usize {
    let mut sum = cost(expr);
    for part in parts(expr) {
        sum += size(part);
    }
    sum
}

/// What copying an argument without its parts costs, in nodes.
fn cost(expr: &Expr) -> usize {
    let bytes = match expr {
        Expr::Embedded { grammar, .. } => match grammar {
            Embedded::Json(text) | Embedded::Lark(text) | Embedded::Named(text) => text.len(),
        },
        Expr::Token { token, .. } => token.bytes(),
        _ => 0,
    };
    1 + bytes / BYTES_PER_NODE
}

/// The parts of an argument.
fn parts(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Sequence(parts) | Expr::Union(parts) => parts,
        Expr::Repeat { of, .. } => std::slice::from_ref(of),
        _ => &[],
    }
}
