//! Rewritings of one machine's body: inlining, left recursion, tail calls.
//!
//! In: a [`Dfa`]. Out: an [`Nfa`] or a simpler [`Dfa`] with the same sentences.

use crate::maps::IdMap;

use super::{Dfa, DfaState, Machine, MachineId, Nfa, PassBounds};
use crate::limits::LimitExceeded;

/// The body in which every call of a machine chosen by `inlined` is replaced by that machine's
/// body, calls within that body included.
///
/// A copy is shared by all calls of one machine that go on at the same state, so that a chain of
/// optional parts grows linearly.
pub fn inline(dfa: &Dfa, machines: &[Machine], inlined: impl Fn(MachineId) -> bool) -> Nfa {
    let mut nfa = dfa.to_nfa();
    let mut copies: IdMap<(MachineId, u32), u32> = IdMap::default();
    let mut at = 0;
    while let Some(&(from, (machine, to))) = nfa.calls.get(at) {
        if !inlined(machine) {
            at += 1;
            continue;
        }
        nfa.calls.swap_remove(at);
        let entry = *copies
            .entry((machine, to))
            .or_insert_with(|| copy(&mut nfa, &machines[machine.index()].body, to));
        nfa.empty.push((from, entry));
    }
    nfa
}

/// Adds a copy of `body` whose words lead to `to`; returns its start.
fn copy(nfa: &mut Nfa, body: &Dfa, to: u32) -> u32 {
    let first = nfa.len();
    let start = nfa.add(body);
    for (from, is_final) in (first as u32..).zip(&mut nfa.finals[first..]) {
        if std::mem::take(is_final) {
            nfa.empty.push((from, to));
        }
    }
    start
}

/// Turns left recursion and tail calls of machine `id` into loops, as far as that is exact.
///
/// * `A → A α | β` is `β α*`: the call at the start is dropped, and a word of A may go on with α.
/// * A call of A at `q` that leads to `r` becomes a jump to A's start, if a word of A may end
///   wherever the inner one ends, and may go on there in every way in which it could go on from
///   `r`.
///
/// Left recursion goes first: in `E → E op E` it is what makes the right operand a tail call.
pub fn loops(
    mut dfa: Dfa,
    id: MachineId,
    bounds: &PassBounds,
    name: &str,
) -> Result<Dfa, LimitExceeded> {
    if let Some(nfa) = drop_left_recursion(&dfa, id) {
        dfa = bounds.minimal(&nfa, name)?;
    }
    while let Some(nfa) = drop_tail_call(&dfa, id) {
        dfa = bounds.minimal(&nfa, name)?;
    }
    Ok(dfa)
}

fn drop_left_recursion(dfa: &Dfa, id: MachineId) -> Option<Nfa> {
    let start = dfa.state(dfa.start);
    let &(_, resume) = start.calls.iter().find(|e| e.0 == id)?;
    let mut nfa = dfa.to_nfa();
    // A fresh start: the old one may be entered again, and there the call is not at the start.
    nfa.start = nfa.push();
    nfa.finals[nfa.start as usize] = start.is_final;
    let others = start.calls.iter().filter(|e| e.0 != id);
    let edges = start.bytes.iter();
    nfa.bytes.extend(edges.map(|&edge| (nfa.start, edge)));
    nfa.calls.extend(others.map(|&call| (nfa.start, call)));
    let ends = (0..).zip(&nfa.finals).filter(|(_, is_final)| **is_final);
    nfa.empty.extend(ends.map(|(end, _)| (end, resume)));
    Some(nfa)
}

fn drop_tail_call(dfa: &Dfa, id: MachineId) -> Option<Nfa> {
    let finals: Vec<DfaState> = dfa.states().filter(|s| s.is_final).collect();
    let is_tail = |to: u32| {
        let resume = dfa.state(to);
        resume.is_final && finals.iter().all(|&f| covers(f, resume))
    };
    let mut states = (0..).zip(dfa.states());
    let (from, _) = states.find(|(_, s)| s.calls.iter().any(|e| e.0 == id && is_tail(e.1)))?;
    let mut nfa = dfa.to_nfa();
    nfa.calls.retain(|call| call.0 != from || call.1.0 != id);
    nfa.empty.push((from, dfa.start));
    Some(nfa)
}

/// Whether `state` has every edge of `other`, to the same targets.
fn covers(state: DfaState, other: DfaState) -> bool {
    other.calls.iter().all(|call| state.calls.contains(call))
        && other
            .bytes
            .iter()
            .all(|&(low, high, to)| (low..=high).all(|byte| state.step(byte) == Some(to)))
}
