//! Deterministic automata.

use super::MachineId;

/// A deterministic automaton over bytes and calls: at most one edge for each byte and for each
/// machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dfa {
    /// The state to start in.
    pub start: u32,
    states: Vec<Ends>,
    /// The edges of all states, those of a state side by side.
    bytes: Vec<(u8, u8, u32)>,
    calls: Vec<(MachineId, u32)>,
}

/// Whether a word may end in a state, and where its edges end in the lists of all edges. They begin
/// where the edges of the state before it end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    is_final: bool,
    bytes: u32,
    calls: u32,
}

/// A state of a [`Dfa`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DfaState<'a> {
    /// Whether a word may end here.
    pub is_final: bool,
    /// Byte edges `(low, high, target)`: ascending and disjoint.
    pub bytes: &'a [(u8, u8, u32)],
    /// Call edges `(machine, target)`: ascending by machine.
    pub calls: &'a [(MachineId, u32)],
}

impl<'a> DfaState<'a> {
    /// The target for a byte.
    pub fn step(&self, byte: u8) -> Option<u32> {
        let at = self.bytes.partition_point(|&(_, high, _)| high < byte);
        let edge = self.bytes.get(at).filter(|&&(low, _, _)| low <= byte);
        edge.map(|&(_, _, to)| to)
    }

    /// All targets, those of byte edges first.
    pub fn targets(self) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let bytes = self.bytes.iter().map(|&(_, _, to)| to);
        bytes.chain(self.calls.iter().map(|&(_, to)| to))
    }

    /// Whether it is final and has no edges: a word that reaches it has ended.
    pub fn is_leaf(&self) -> bool {
        self.is_final && self.bytes.is_empty() && self.calls.is_empty()
    }
}

impl Dfa {
    /// An automaton without states, with memory for `states` of them.
    pub fn with_capacity(states: usize) -> Self {
        Dfa {
            start: 0,
            states: Vec::with_capacity(states),
            bytes: Vec::with_capacity(states),
            calls: Vec::new(),
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// A state.
    pub fn state(&self, state: u32) -> DfaState<'_> {
        let state = state as usize;
        let Ends {
            is_final,
            bytes,
            calls,
        } = self.states[state];
        let before = state.checked_sub(1).map(|before| self.states[before]);
        let from = before.unwrap_or_default();
        DfaState {
            is_final,
            bytes: &self.bytes[from.bytes as usize..bytes as usize],
            calls: &self.calls[from.calls as usize..calls as usize],
        }
    }

    /// All states, by number.
    pub fn states(&self) -> impl Iterator<Item = DfaState<'_>> + Clone {
        (0..self.len() as u32).map(|state| self.state(state))
    }

    /// The call edges of all states, those of a state side by side.
    pub fn calls(&self) -> &[(MachineId, u32)] {
        &self.calls
    }

    /// Adds a state, its edges in order; returns its number.
    pub fn push(
        &mut self,
        is_final: bool,
        bytes: impl IntoIterator<Item = (u8, u8, u32)>,
        calls: impl IntoIterator<Item = (MachineId, u32)>,
    ) -> u32 {
        self.bytes.extend(bytes);
        self.calls.extend(calls);
        self.states.push(Ends {
            is_final,
            bytes: self.bytes.len() as u32,
            calls: self.calls.len() as u32,
        });
        self.states.len() as u32 - 1
    }

    /// The same automaton with each called machine named by what `id` gives for it; without the
    /// calls for which it gives nothing.
    pub fn with_calls(&self, id: impl Fn(MachineId) -> Option<MachineId>) -> Self {
        let mut dfa = Dfa::with_capacity(self.len());
        dfa.start = self.start;
        let mut calls: Vec<(MachineId, u32)> = Vec::new();
        for state in self.states() {
            let named = state.calls.iter();
            calls.extend(named.filter_map(|&(machine, to)| Some((id(machine)?, to))));
            calls.sort_unstable();
            let bytes = state.bytes.iter().copied();
            dfa.push(state.is_final, bytes, calls.drain(..));
        }
        dfa
    }
}
