//! From LALR(1) tables to the automaton over symbols.
//!
//! In: [`Tables`], as Lark's LALR parser has them, and the terminals of each symbol. Out: a
//! [`Pda`] that takes a sequence of symbols if and only if the parser takes one terminal of each.
//!
//! The stack of the parser is the state and, below it, the states that frames stand for, the top
//! first. A frame stands for one state, or for several where an edge would have to push more than
//! one: after a reduction of nothing, or of a part of such a frame.
//!
//! Which frames can lie where is found by [`crate::pda::marks`] afterwards.

mod edges;
mod frames;
mod split;
#[cfg(test)]
mod tests;

use maskwright_lalr::{Symbol, Tables};

pub(crate) use self::split::{SplitGrammar, split};

use self::edges::EdgeBuilder;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::{Class, Classes, Pda, State, StateId};

/// The stage, as a passed limit names it.
const DOING: &str = "turning LALR tables into an automaton";

/// The automaton over symbols; each symbol is a set of terminals, and a separate class.
///
/// # Errors
///
/// If a limit is passed.
pub(crate) fn automaton(
    tables: &Tables,
    symbols: &[Vec<u16>],
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Pda, LimitExceeded> {
    let mut builder = EdgeBuilder::new(tables, limits, deadline);
    // Frames of several states are found on the way, and then edges may meet them.
    let states = loop {
        let known = builder.frames.len();
        let states = states(&mut builder, symbols)?;
        if builder.frames.len() == known {
            break states;
        }
        builder.forget();
    };
    let mut of_byte = [0; 256];
    for (byte, _) in (0u8..=255).zip(symbols) {
        of_byte[usize::from(byte)] = byte;
    }
    Ok(Pda {
        classes: Classes {
            of_byte,
            count: symbols.len() as Class + 1,
            token_lead: None,
            limits: Vec::new(),
        },
        start: StateId::new(tables.start),
        states,
        under: vec![Vec::new(); builder.frames.len() + 1],
        trees: builder.into_trees(),
    })
}

/// The edges of all nodes.
fn states(
    builder: &mut EdgeBuilder<'_>,
    symbols: &[Vec<u16>],
) -> Result<Vec<State>, LimitExceeded> {
    let mut states = Vec::new();
    while (states.len() as u32) < builder.nodes() {
        let node = states.len() as u32;
        let mut edges = Vec::new();
        for (class, set) in (0..).zip(symbols) {
            let terminals = set
                .iter()
                .map(|&terminal| Symbol::Terminal(terminal.into()));
            if let Some(tree) = builder.edge(node, terminals)? {
                edges.push((class, tree));
            }
        }
        if let Some(tree) = builder.edge(node, [Symbol::End].into_iter())? {
            edges.push((symbols.len() as Class, tree));
        }
        states.push(State {
            edges,
            top: Vec::new(),
        });
    }
    Ok(states)
}
