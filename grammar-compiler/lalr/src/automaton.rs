//! Productions → the LR(0) automaton.
//!
//! What holds after: state 0 is the start; states are numbered breadth first, symbols in order; two
//! states differ in their kernels; the transitions of a state are sorted, terminals first.

use crate::Options;
use crate::bnf::{Bnf, Item, Next};
use crate::budget::Budget;
use crate::error::Error;
use std::collections::HashMap;

/// Items of kernels and transitions that an automaton may have, counted together.
const LARGEST: usize = 1 << 24;

/// The LR(0) automaton of a grammar.
pub(crate) struct Automaton {
    /// The items of each state that are not in front of a production (the root's aside), sorted.
    pub(crate) kernels: Vec<Box<[Item]>>,
    /// The transitions of each state, never on [`Next::End`].
    pub(crate) transitions: Vec<Vec<(Next, u32)>>,
}

impl Automaton {
    /// The state after a symbol.
    pub(crate) fn after(&self, state: u32, symbol: Next) -> Option<u32> {
        let transitions = &self.transitions[state as usize];
        let place = transitions.binary_search_by_key(&symbol, |&(symbol, _)| symbol);
        place.ok().map(|place| transitions[place].1)
    }
}

/// Builds the automaton.
pub(crate) fn build(bnf: &Bnf, options: &Options, budget: &mut Budget) -> Result<Automaton, Error> {
    let start: Box<[Item]> = Box::new([bnf.root().first]);
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut automaton = Automaton {
        kernels: vec![start],
        transitions: Vec::new(),
    };
    let mut closer = Closer::new(bnf);
    let mut left = LARGEST;
    while let Some(kernel) = automaton.kernels.get(automaton.transitions.len()) {
        let items = closer.closure(kernel, budget)?;
        let mut edges = Vec::new();
        for (symbol, kernel) in successors(bnf, items) {
            let next = automaton.kernels.len();
            let state = *known.entry(kernel.clone()).or_insert(next as u32);
            if state as usize == next {
                if next == options.states {
                    return Err(too_many(bnf, &kernel, "states", options.states));
                }
                automaton.kernels.push(kernel);
            }
            edges.push((symbol, state));
        }
        let kernel = &automaton.kernels[automaton.transitions.len()];
        left = left
            .checked_sub(kernel.len() + edges.len())
            .ok_or_else(|| too_many(bnf, kernel, "items and transitions", LARGEST))?;
        automaton.transitions.push(edges);
    }
    Ok(automaton)
}

fn too_many(bnf: &Bnf, kernel: &[Item], what: &str, limit: usize) -> Error {
    let rule = kernel.first().map(|&item| bnf.production(item).rule);
    Error::too_large(
        format!("the LALR tables have more than {limit} {what}"),
        rule,
    )
}

/// The kernels after each symbol, sorted by symbol.
fn successors(bnf: &Bnf, items: &[Item]) -> Vec<(Next, Box<[Item]>)> {
    let mut moves: Vec<(Next, Item)> = items
        .iter()
        .map(|&item| (bnf.next[item as usize], item + 1))
        .filter(|(symbol, _)| !matches!(symbol, Next::End(_)))
        .collect();
    moves.sort_unstable();
    let groups = moves.chunk_by(|a, b| a.0 == b.0);
    let kernel = |group: &[(Next, Item)]| group.iter().map(|&(_, item)| item).collect();
    groups.map(|group| (group[0].0, kernel(group))).collect()
}

/// Closes sets of items.
pub(crate) struct Closer<'b> {
    bnf: &'b Bnf,
    /// The round in which the productions of a nonterminal were added last.
    added: Vec<u32>,
    round: u32,
    items: Vec<Item>,
}

impl<'b> Closer<'b> {
    pub(crate) fn new(bnf: &'b Bnf) -> Self {
        Self {
            bnf,
            added: vec![0; bnf.of.len()],
            round: 0,
            items: Vec::new(),
        }
    }

    /// All items of a state, those of the kernel first.
    pub(crate) fn closure(
        &mut self,
        kernel: &[Item],
        budget: &mut Budget,
    ) -> Result<&[Item], Error> {
        self.round += 1;
        self.items.clear();
        self.items.extend(kernel);
        let mut at = 0;
        while let Some(&item) = self.items.get(at) {
            at += 1;
            budget.spend(1)?;
            let Next::Nonterminal(nonterminal) = self.bnf.next[item as usize] else {
                continue;
            };
            let nonterminal = nonterminal as usize;
            if std::mem::replace(&mut self.added[nonterminal], self.round) != self.round {
                let productions = self.bnf.of[nonterminal].clone();
                let first = productions.map(|p| self.bnf.productions[p as usize].first);
                self.items.extend(first);
            }
        }
        Ok(&self.items)
    }
}
