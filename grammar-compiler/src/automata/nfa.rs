//! Nondeterministic automata.

use super::{Dfa, MachineId};

/// A nondeterministic automaton over bytes and calls, with empty edges. Edges are in no order.
#[derive(Clone, Debug, Default)]
pub struct Nfa {
    /// The state to start in.
    pub start: u32,
    /// For each state whether a word may end there.
    pub finals: Vec<bool>,
    /// Edges that consume nothing: from and to.
    pub empty: Vec<(u32, u32)>,
    /// Edges that consume a byte: from, and `(low, high, target)`.
    pub bytes: Vec<(u32, (u8, u8, u32))>,
    /// Edges that consume a sentence of a machine: from, and `(machine, target)`.
    pub calls: Vec<(u32, (MachineId, u32))>,
}

impl Nfa {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.finals.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.finals.is_empty()
    }

    /// Adds a state without edges.
    pub fn push(&mut self) -> u32 {
        self.finals.push(false);
        self.finals.len() as u32 - 1
    }

    /// Adds the states of a deterministic automaton; returns its start.
    pub fn add(&mut self, dfa: &Dfa) -> u32 {
        let offset = self.len() as u32;
        for (from, state) in (offset..).zip(dfa.states()) {
            self.finals.push(state.is_final);
            let bytes = state.bytes.iter();
            let calls = state.calls.iter();
            self.bytes
                .extend(bytes.map(|&(low, high, to)| (from, (low, high, offset + to))));
            self.calls
                .extend(calls.map(|&(machine, to)| (from, (machine, offset + to))));
        }
        offset + dfa.start
    }
}

impl Dfa {
    /// The same automaton with room for empty edges.
    pub fn to_nfa(&self) -> Nfa {
        let mut nfa = Nfa::default();
        nfa.start = nfa.add(self);
        nfa
    }
}
