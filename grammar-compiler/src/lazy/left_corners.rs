//! Automata of rules that do not begin by calling themselves.
//!
//! In: the automata of rules that begin with each other. Out: the automaton of one of them, which
//! takes a byte, or the text of another rule, before it calls any of them. What holds: its words
//! are the same, but for the empty one, if that is left out.
//!
//! This is the left-corner transform (Rosenkrantz and Lewis, 1970) of automata in place of
//! productions. A text of a rule begins with what one of the rules takes first: its left corner.
//! That rule is then read to its end. There, a rule that begins with a call of it goes on behind
//! that call, until the rule that was asked for ends. `A ::= A x | b` becomes `b x*`.

use crate::automata::{MachineId, Nfa};
use crate::csr::Csr;
use crate::maps::IdMap;

/// What the construction has to know of rules that are called.
pub(super) trait Rules {
    /// Whether a rule may take the empty text.
    fn may_be_empty(&self, rule: MachineId) -> bool;

    /// A rule without its empty text.
    fn filled(&mut self, rule: MachineId) -> MachineId;
}

/// The automaton of a rule among `members`: a rule with all that it begins with and that begin with
/// it, or a rule alone. `may_be_empty` says whether it takes the empty text.
pub(super) fn from_left_corners(
    members: &[(MachineId, Nfa)],
    rule: MachineId,
    may_be_empty: bool,
    rules: &mut impl Rules,
) -> Nfa {
    let mut nfa = Nfa::default();
    let start = nfa.push();
    nfa.finals[start as usize] = may_be_empty;
    let firsts: Vec<u32> = members
        .iter()
        .map(|(_, member)| append(&mut nfa, member))
        .collect();
    let places = (0..).zip(members).map(|(place, of)| (of.0, place));
    let places: IdMap<MachineId, u32> = places.collect();
    // The calls with which members begin: of which member, and the state behind.
    let mut left_calls: Vec<(u32, u32)> = Vec::new();
    for ((_, member), &first) in members.iter().zip(&firsts) {
        let before_text = before_text(member, rules);
        let is_left = |from: u32| before_text[from as usize];
        let bytes = member.bytes.iter().filter(|edge| is_left(edge.0));
        (nfa.bytes).extend(bytes.map(|&(_, (low, high, to))| (start, (low, high, first + to))));
        for &(_, (called, to)) in member.calls.iter().filter(|call| is_left(call.0)) {
            match places.get(&called) {
                Some(&of) => left_calls.push((of, first + to)),
                None => {
                    let called = match rules.may_be_empty(called) {
                        true => rules.filled(called),
                        false => called,
                    };
                    nfa.calls.push((start, (called, first + to)));
                }
            }
        }
    }
    let left_calls = Csr::new(members.len(), left_calls.iter().copied());
    for ((at, (of, member)), &first) in (0..).zip(members).zip(&firsts) {
        let finals = (first..).zip(&member.finals).filter(|end| *end.1);
        for (end, _) in finals {
            nfa.finals[end as usize] = *of == rule;
            let behind = left_calls.of(at).iter();
            nfa.empty.extend(behind.map(|&to| (end, to)));
        }
    }
    nfa
}

/// Adds the states and edges of an automaton, none of them final; returns the first state.
fn append(nfa: &mut Nfa, member: &Nfa) -> u32 {
    let first = nfa.len() as u32;
    nfa.finals.resize(nfa.len() + member.len(), false);
    let empty = member.empty.iter();
    nfa.empty
        .extend(empty.map(|&(from, to)| (first + from, first + to)));
    let bytes = member.bytes.iter();
    nfa.bytes
        .extend(bytes.map(|&(from, (low, high, to))| (first + from, (low, high, first + to))));
    let calls = member.calls.iter();
    nfa.calls
        .extend(calls.map(|&(from, (called, to))| (first + from, (called, first + to))));
    first
}

/// For each state whether it is reached without a byte.
fn before_text(nfa: &Nfa, rules: &impl Rules) -> Vec<bool> {
    let calls = nfa
        .calls
        .iter()
        .filter(|(_, call)| rules.may_be_empty(call.0));
    let edges = calls.map(|&(from, (_, to))| (from, to));
    let edges = Csr::new(nfa.len(), nfa.empty.iter().copied().chain(edges));
    reached(vec![nfa.start], nfa.len(), &edges)
}

/// For each of so many states whether it is reached by some edges.
pub(super) fn reached(mut pending: Vec<u32>, states: usize, edges: &Csr<u32>) -> Vec<bool> {
    let mut reached = vec![false; states];
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            pending.extend_from_slice(edges.of(state));
        }
    }
    reached
}
