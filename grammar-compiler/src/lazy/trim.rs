//! The automaton of a rule, before its states get positions.
//!
//! In: an automaton. Out: one whose edges lead only where its rule can still end. What holds: its
//! words are the same.

use super::left_corners::reached;
use crate::automata::Nfa;
use crate::bits::Bits;
use crate::csr::Csr;

/// Removes calls of rules without sentences, and edges from and to states from which the rule
/// cannot end.
pub(super) fn trimmed(mut nfa: Nfa, productive: &Bits) -> Nfa {
    nfa.calls
        .retain(|(_, call)| productive.contains(call.0.index()));
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
    reached(finals.collect(), nfa.len(), &Csr::new(nfa.len(), edges))
}
