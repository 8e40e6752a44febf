//! Sets of tokens as strings of two bytes.
//!
//! In: the right parts of a grammar. Out: bytes that they leave free, and right parts with such
//! strings in the place of sets.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::NOT_TEXT;
use crate::grammar::{Expr, Graph, GraphState, TokenSet, WordState, Words};
use crate::vocabulary::Vocabulary;

/// The bytes that tokens of several bytes have. None of them leads terminals.
#[derive(Clone, Debug)]
pub struct LongTokenBytes([bool; 256]);

impl LongTokenBytes {
    /// Looks at all tokens.
    pub fn of(vocabulary: &Vocabulary) -> Self {
        let mut within = [false; 256];
        for token in vocabulary.iter().filter(|token| token.len() > 1) {
            token.iter().for_each(|&byte| within[byte as usize] = true);
        }
        LongTokenBytes(within)
    }
}

/// The byte that leads terminals, a byte that never occurs, and the bytes for symbols. Bytes that
/// no text contains are used first.
pub(super) fn choose_bytes(
    used: &[bool; 256],
    LongTokenBytes(within): &LongTokenBytes,
) -> Option<(u8, u8, Vec<u8>)> {
    let mut free = NOT_TEXT.into_iter().filter(|&byte| !used[byte as usize]);
    let lead = free.find(|&byte| !within[byte as usize])?;
    let mut free = (NOT_TEXT.into_iter()).filter(|&byte| byte != lead && !used[byte as usize]);
    let dead = free.next()?;
    // Continuation bytes are not used, because walks treat them as parts of a character.
    let others =
        (0..=255u8).filter(|byte| !NOT_TEXT.contains(byte) && !(0x80..=0xBF).contains(byte));
    Some((lead, dead, free.chain(others).collect()))
}

/// The string of the lead and one of these symbols.
pub(super) fn spelled(lead: u8, symbols: impl Iterator<Item = u8>) -> Expr {
    let mut symbols: Vec<u8> = symbols.collect();
    symbols.sort_unstable();
    if symbols.is_empty() {
        return Expr::Class(Vec::new());
    }
    let state = |edges, is_final| WordState { is_final, edges };
    let symbols = symbols.into_iter().map(|symbol| (symbol, symbol, 2));
    Expr::Words(Arc::new(Words {
        states: vec![
            state(vec![(lead, lead, 1)], false),
            state(symbols.collect(), false),
            state(Vec::new(), true),
        ],
    }))
}

/// Collects the sets of an expression, and the bytes beyond UTF-8 that it uses.
pub(super) fn collect(expr: &Expr, sets: &mut BTreeSet<TokenSet>, used: &mut [bool; 256]) {
    let mut mark = |low: u8, high: u8| (low..=high).for_each(|byte| used[byte as usize] = true);
    match expr {
        Expr::Tokens(set) => drop(sets.insert(set.clone())),
        Expr::Bytes(ranges) => ranges.iter().for_each(|&(low, high)| mark(low, high)),
        Expr::Words(words) => words.edges().for_each(|&(low, high, _)| mark(low, high)),
        Expr::Bounded(words) => {
            let edges = words.words().edges();
            edges.for_each(|&(low, high, _)| mark(low, high));
        }
        Expr::Seq(parts) | Expr::Alt(parts) => {
            parts.iter().for_each(|part| collect(part, sets, used));
        }
        Expr::Repeat { expr, .. } => collect(expr, sets, used),
        Expr::Graph(graph) => {
            let parts = graph.states.iter().flat_map(|state| &state.edges);
            parts.for_each(|(part, _)| collect(part, sets, used));
        }
        // Characters: never one of these bytes.
        Expr::Literal(_) | Expr::Class(_) | Expr::Terminal(_) | Expr::Ref(_) => {}
    }
}

pub(crate) fn rewrite(expr: &Expr, words: &impl Fn(&TokenSet) -> Expr) -> Expr {
    let all = |parts: &[Expr]| parts.iter().map(|part| rewrite(part, words)).collect();
    match expr {
        Expr::Tokens(set) => words(set),
        Expr::Seq(parts) => Expr::Seq(all(parts)),
        Expr::Alt(parts) => Expr::Alt(all(parts)),
        Expr::Repeat { expr, min, max } => Expr::Repeat {
            expr: Box::new(rewrite(expr, words)),
            min: *min,
            max: *max,
        },
        Expr::Graph(graph) => {
            let states = graph.states.iter().map(|state| GraphState {
                is_final: state.is_final,
                edges: (state.edges.iter())
                    .map(|(part, to)| (rewrite(part, words), *to))
                    .collect(),
            });
            Expr::Graph(Arc::new(Graph {
                states: states.collect(),
            }))
        }
        Expr::Literal(_)
        | Expr::Class(_)
        | Expr::Bytes(_)
        | Expr::Terminal(_)
        | Expr::Words(_)
        | Expr::Bounded(_)
        | Expr::Ref(_) => expr.clone(),
    }
}
