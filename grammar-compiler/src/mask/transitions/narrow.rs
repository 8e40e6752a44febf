//! Narrow states: those that take only a few symbols, as in the middle of a literal.
//!
//! In: the automaton. Out: [`NarrowStates`]. Walks look for these symbols among the children of a
//! trie node, instead of trying each child.

use crate::csr::Csr;
use crate::pda::{Class, Pda, StateId};

/// The greatest number of symbols that a narrow state takes.
const MAX_SYMBOLS: usize = 4;

/// For each narrow state its symbols.
pub struct NarrowStates {
    /// The number of states of the automaton.
    states: usize,
    symbols: Csr<u16>,
}

impl NarrowStates {
    /// The narrow states of `pda`.
    pub fn new(pda: &Pda) -> Self {
        let classes = pda.classes.of_symbols();
        let symbols = (0..).zip(&classes);
        let symbols = symbols.map(|(symbol, &class)| (class.into(), symbol));
        let of_class: Csr<u16> = Csr::new(pda.classes.count.into(), symbols);
        let of_class = |class: Class| of_class.of(class.into());
        let states = (0..).zip(&pda.states);
        let narrow = states.filter(|(_, state)| {
            let counts = state.edges.iter().map(|edge| of_class(edge.0).len());
            state.edges.len() <= MAX_SYMBOLS && counts.sum::<usize>() <= MAX_SYMBOLS
        });
        let symbols = narrow.flat_map(|(at, state)| {
            let symbols = state.edges.iter().flat_map(|edge| of_class(edge.0));
            symbols.map(move |&symbol| (at, symbol))
        });
        NarrowStates {
            states: pda.states.len(),
            symbols: Csr::new(pda.states.len(), symbols),
        }
    }

    /// The symbols that a narrow state takes; none for another state, for a copy, or for a state
    /// that takes nothing.
    pub fn of(&self, state: StateId) -> &[u16] {
        match state.index() < self.states {
            true => self.symbols.of(state.number()),
            false => &[],
        }
    }
}
