//! Free text that is made of tokens.
//!
//! In: tokens that end the text, and what follows each; and right parts that can follow the text
//! anywhere, which are ends that are not one token. Out: a graph in which every other token goes
//! on.

use super::{SharedPart, Then, firsts, limit, terminal};
use crate::grammar::{Expr, Graph, GraphState, TokenSet};
use crate::syntax::trie::Symbol;

/// Free text of tokens up to a token that ends it. `patterns` are such tokens and what follows
/// each; `others` can follow the text anywhere. The patterns of a text that is limited in tokens
/// share nothing.
pub(in crate::syntax) fn of_tokens(
    patterns: &[(u32, Then)],
    shared: &[SharedPart],
    others: &[Expr],
    may_end: bool,
    max_tokens: Option<u16>,
) -> Expr {
    // The free text, in which each token leads back; what follows; and for a limit, where the text
    // begins and where it was closed.
    let (free, done, opening, closed) = (1, 2, 3, 4);
    // Shared parts stand behind the states of a text without a limit.
    let of_shared = |number: usize| 3 + number as u32;
    let free_tokens = TokenSet::all_but(patterns.iter().map(|(id, _)| *id));
    let go_on = (Expr::Tokens(free_tokens), free);
    let others = others.iter().map(|other| (other.clone(), done));
    let mut ends: Vec<(Expr, u32)> = others.collect();
    for (id, then) in patterns {
        let token = terminal(Symbol::Token(*id));
        match then {
            Then::Never => {}
            Then::Done(expr) => ends.push((Expr::Seq(vec![token, expr.clone()]), done)),
            Then::Again(expr) => ends.push((Expr::Seq(vec![token, expr.clone()]), free)),
            Then::Shared(expr, number) => {
                let before = Expr::Seq(vec![token, expr.clone()]);
                ends.push((before, of_shared(*number)));
            }
        }
    }
    let text = |edges: Vec<(Expr, u32)>| GraphState {
        is_final: may_end,
        edges: edges.into_iter().chain(ends.iter().cloned()).collect(),
    };
    let start = match max_tokens {
        None | Some(0) => free,
        Some(_) => opening,
    };
    let firsts = firsts(shared).map(|(first, number)| (first.clone(), of_shared(number)));
    let mut firsts: Vec<(Expr, u32)> = firsts.collect();
    if firsts.is_empty() {
        firsts.push((Expr::Seq(Vec::new()), start));
    }
    let begin = GraphState {
        is_final: false,
        edges: firsts,
    };
    let end = GraphState {
        is_final: true,
        edges: Vec::new(),
    };
    let states = match max_tokens {
        None => {
            let shared = shared.iter().map(|part| GraphState {
                is_final: false,
                edges: vec![(part.expr.clone(), if part.goes_on { free } else { done })],
            });
            let states = [begin, text(vec![go_on]), end].into_iter();
            states.chain(shared).collect()
        }
        // The text is empty: it is closed where it begins.
        Some(0) => vec![begin, text(Vec::new()), end],
        Some(most) => {
            let counted = text(vec![go_on.clone(), (limit(most), closed)]);
            vec![begin, counted, end, text(vec![go_on]), text(Vec::new())]
        }
    };
    Expr::Graph(Graph { states }.into())
}
