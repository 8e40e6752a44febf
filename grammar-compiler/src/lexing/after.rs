//! What the parser can take after each symbol, in the states of the automaton.
//!
//! In: the automaton over the symbols of a [`SplitGrammar`], each of which is a terminal and what
//! can be taken after it. Out: the automaton over terminals: a state is one before together with
//! what can be taken in it.
//!
//! Of the symbols of one terminal the parser can take only one, since its run is determined. So the
//! edge for the terminal is that of all of them together.

use super::exact::Parser;
use crate::bits::Bits;
use crate::intern::Interner;
use crate::lalr::SplitGrammar;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, Class, Classes, Pda, State, StateId, Tree, TreeId};

/// The stage, as a passed limit names it.
const DOING: &str = "finding which terminals compete";

/// In place of the number of a set: the state takes a symbol again, so it begins no terminal.
const NO_SET: u32 = u32::MAX;

/// The automaton over terminals, of which there are `terminals`.
///
/// # Errors
///
/// If the deadline passes.
pub(super) fn after_symbols(
    pda: &Pda,
    split: &SplitGrammar,
    terminals: usize,
    deadline: &Deadline,
) -> Result<Parser, LimitExceeded> {
    let mut of_terminal: Vec<Vec<(u8, u32)>> = vec![Vec::new(); terminals];
    for (symbol, &(terminal, set)) in (0u8..=255).zip(&split.symbols) {
        of_terminal[terminal as usize].push((symbol, set));
    }
    let mut builder = AfterBuilder {
        pda,
        of_terminal,
        states: Interner::new(),
        trees: TreeBuilder::new(),
        edges: vec![None; pda.states.len()],
    };
    builder.states.intern((pda.start, split.at_start));
    let mut states = Vec::new();
    while let Some(&(state, _)) = builder.states.values.get(states.len()) {
        deadline.ticks(1 + terminals, DOING)?;
        states.push(State {
            edges: builder.edges(state),
            top: pda.states[state.index()].top.clone(),
        });
    }
    let set = |set: u32| {
        let mut bits = Bits::default();
        let terminals = split.sets.get(set as usize);
        bits.extend(terminals.into_iter().flatten().map(|&of| of as usize));
        bits
    };
    let mut of_byte = [0; 256];
    for (byte, _) in (0u8..=255).zip(0..terminals) {
        of_byte[usize::from(byte)] = byte;
    }
    let of_states = builder.states.values.iter();
    Ok(Parser {
        competing: of_states.clone().map(|of| set(of.1)).collect(),
        origins: of_states.map(|of| vec![of.0]).collect(),
        pda: Pda {
            classes: Classes {
                of_byte,
                count: terminals as Class + 1,
                token_lead: None,
                limits: Vec::new(),
            },
            start: StateId::new(0),
            states,
            trees: builder.trees.into_all(),
            under: pda.under.clone(),
        },
    })
}

struct AfterBuilder<'a> {
    pda: &'a Pda,
    /// For each terminal its symbols, each with the number of the set of what can be taken after.
    of_terminal: Vec<Vec<(u8, u32)>>,
    states: Interner<(StateId, u32)>,
    trees: TreeBuilder,
    /// The edges of each state of the automaton before.
    edges: Vec<Option<Vec<(Class, TreeId)>>>,
}

impl AfterBuilder<'_> {
    fn edges(&mut self, state: StateId) -> Vec<(Class, TreeId)> {
        if let Some(known) = &self.edges[state.index()] {
            return known.clone();
        }
        let mut edges = Vec::new();
        for terminal in 0..self.of_terminal.len() {
            let mut all = TreeBuilder::REFUSES;
            for (symbol, set) in self.of_terminal[terminal].clone() {
                if let Some(tree) = self.pda.edge(state, self.pda.classes.of(symbol)) {
                    let tree = self.tree(tree, set);
                    all = self.trees.join(all, tree);
                }
            }
            if all != TreeBuilder::REFUSES {
                edges.push((terminal as Class, all));
            }
        }
        if let Some(tree) = self.pda.edge(state, self.pda.classes.end()) {
            let tree = self.tree(tree, NO_SET);
            edges.push((self.of_terminal.len() as Class, tree));
        }
        self.edges[state.index()] = Some(edges.clone());
        edges
    }

    /// A tree whose leaves lead to states in which a set can be taken.
    fn tree(&mut self, tree: TreeId, set: u32) -> TreeId {
        let pda = self.pda;
        match &pda.trees[tree.index()] {
            Tree::Leaf(alternatives) => {
                let mapped = alternatives.iter().map(|of| {
                    let set = if of.again { NO_SET } else { set };
                    Alternative {
                        next: StateId::new(self.states.intern((of.next, set))),
                        ..*of
                    }
                });
                let mapped = mapped.collect();
                self.trees.leaf(mapped)
            }
            Tree::Look { depth, branches } => {
                let branches = branches.iter();
                let branches = branches.map(|&(frame, branch)| (frame, self.tree(branch, set)));
                let branches = branches.collect();
                self.trees.look(*depth, branches)
            }
        }
    }
}
