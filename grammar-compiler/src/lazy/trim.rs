//! The automaton of a rule, before its states get positions.
//!
//! In: an automaton. Out: one that does not begin by calling itself, and whose edges lead only where its rule can still end. What holds: its words are the same.

use crate::automata::{MachineId, Nfa};
use crate::bits::Bits;
use crate::csr::Csr;
use crate::grammar::RuleId;

/// Turns the calls with which a rule begins by calling itself into loops: `A ::= A x | b` becomes `b x*`. An automaton that returns to such a call stays as it is.
pub(super) fn without_left_recursion(mut nfa: Nfa, rule: RuleId) -> Nfa {
    if nfa.calls.iter().all(|(_, call)| call.0.number() != rule.0) {
        return nfa;
    }
    let empty = nfa.empty.iter().copied();
    let first = reached(vec![nfa.start], nfa.len(), empty.clone());
    let calls_itself = |&(from, (machine, _)): &(u32, (MachineId, u32))| {
        first[from as usize] && machine.number() == rule.0
    };
    let itself: Vec<(u32, u32)> = (nfa.calls.iter().filter(|call| calls_itself(call)))
        .map(|&(from, (_, to))| (from, to))
        .collect();
    if itself.is_empty() {
        return nfa;
    }
    let from = itself.iter().map(|of| of.0).collect();
    let before = reached(from, nfa.len(), empty.map(|(from, to)| (to, from)));
    let mut targets =
        (nfa.bytes.iter().map(|(_, edge)| edge.2)).chain(nfa.calls.iter().map(|(_, call)| call.1));
    if targets.any(|to| before[to as usize]) {
        return nfa;
    }
    nfa.calls.retain(|call| !calls_itself(call));
    for state in (0..nfa.len() as u32).filter(|&state| nfa.finals[state as usize]) {
        nfa.empty.extend(itself.iter().map(|&(_, to)| (state, to)));
    }
    nfa
}

/// For each of so many states whether it is reached by some edges.
fn reached(
    mut pending: Vec<u32>,
    states: usize,
    edges: impl Iterator<Item = (u32, u32)> + Clone,
) -> Vec<bool> {
    let edges = Csr::new(states, edges);
    let mut reached = vec![false; states];
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            pending.extend_from_slice(edges.of(state));
        }
    }
    reached
}

/// Removes calls of rules without sentences, and edges from and to states from which the rule cannot end.
pub(super) fn trimmed(mut nfa: Nfa, productive: &Bits) -> Nfa {
    nfa.calls
        .retain(|(_, call)| productive.contains(call.0.place()));
    let useful = useful(&nfa);
    if useful.contains(&false) {
        let both = |from: u32, to: u32| useful[from as usize] && useful[to as usize];
        nfa.bytes.retain(|&(from, edge)| both(from, edge.2));
        nfa.empty.retain(|&(from, to)| both(from, to));
        nfa.calls.retain(|&(from, call)| both(from, call.1));
    }
    nfa
}

/// For each state whether a final state can be reached from it.
fn useful(nfa: &Nfa) -> Vec<bool> {
    let edges = (nfa.bytes.iter().map(|&(from, edge)| (edge.2, from)))
        .chain(nfa.empty.iter().map(|&(from, to)| (to, from)))
        .chain(nfa.calls.iter().map(|&(from, call)| (call.1, from)));
    let finals = (0..nfa.len() as u32).filter(|&state| nfa.finals[state as usize]);
    reached(finals.collect(), nfa.len(), edges)
}
