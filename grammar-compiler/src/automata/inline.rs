//! Rewritings of one machine's body: inlining, left recursion, tail calls.
//!
//! In: a [`Dfa`]. Out: an [`Nfa`] or a simpler [`Dfa`] with the same sentences.

use rustc_hash::FxHashMap as HashMap;

use super::{Dfa, DfaState, Label, Machine, MachineId, Nfa, Work};
use crate::limits::LimitExceeded;

/// The body in which every call of a machine chosen by `inlined` is replaced by that machine's body, and so on in
/// what has been put in its place.
///
/// A copy is shared by all calls of one machine that go on at the same state, so that a chain of optional parts
/// grows linearly.
pub fn inline(dfa: &Dfa, machines: &[Machine], inlined: impl Fn(MachineId) -> bool) -> Nfa {
    let mut nfa = dfa.to_nfa();
    let mut copies: HashMap<(MachineId, u32), u32> = HashMap::default();
    let mut from = 0;
    while let Some(state) = nfa.states.get_mut(from) {
        let mut calls = Vec::new();
        state.edges.retain(|&(label, to)| match label {
            Label::Call(machine) if inlined(machine) => {
                calls.push((machine, to));
                false
            }
            _ => true,
        });
        for (machine, to) in calls {
            let entry = *copies
                .entry((machine, to))
                .or_insert_with(|| copy(&mut nfa, &machines[machine as usize].body, to));
            nfa.states[from].empty.push(entry);
        }
        from += 1;
    }
    nfa
}

/// Adds a copy of `body` whose words lead to `to`; returns its start.
fn copy(nfa: &mut Nfa, body: &Dfa, to: u32) -> u32 {
    let offset = nfa.states.len() as u32;
    for mut state in body.to_nfa().states {
        state.edges.iter_mut().for_each(|e| e.1 += offset);
        if std::mem::take(&mut state.is_final) {
            state.empty.push(to);
        }
        nfa.states.push(state);
    }
    body.start + offset
}

/// Turns left recursion and tail calls of machine `id` into loops, as far as that is exact.
///
/// * `A → A α | β` is `β α*`: the call at the start is dropped, and a word of A may go on with α.
/// * A call of A at `q` that leads to `r` is a jump to A's start, if a word of A may end wherever the
///   inner one does, and go on there in every way that it could from `r`.
///
/// Left recursion goes first: in `E → E op E` it is what makes the right operand a tail call.
pub fn loops(mut dfa: Dfa, id: MachineId, work: &Work, name: &str) -> Result<Dfa, LimitExceeded> {
    if let Some(nfa) = drop_left_recursion(&dfa, id) {
        dfa = work.minimal(&nfa, name)?;
    }
    while let Some(nfa) = drop_tail_call(&dfa, id) {
        dfa = work.minimal(&nfa, name)?;
    }
    Ok(dfa)
}

fn drop_left_recursion(dfa: &Dfa, id: MachineId) -> Option<Nfa> {
    let start = &dfa.states[dfa.start as usize];
    let &(_, resume) = start.calls.iter().find(|e| e.0 == id)?;
    let mut nfa = dfa.to_nfa();
    // A fresh start: the old one may be entered again, and there the call is not at the start.
    let mut fresh = nfa.states[dfa.start as usize].clone();
    fresh.edges.retain(|e| e.0 != Label::Call(id));
    nfa.start = nfa.push();
    nfa.states[nfa.start as usize] = fresh;
    nfa.states
        .iter_mut()
        .filter(|s| s.is_final)
        .for_each(|s| s.empty.push(resume));
    Some(nfa)
}

fn drop_tail_call(dfa: &Dfa, id: MachineId) -> Option<Nfa> {
    let finals: Vec<&DfaState> = dfa.states.iter().filter(|s| s.is_final).collect();
    let is_tail = |to: u32| {
        let resume = &dfa.states[to as usize];
        resume.is_final && finals.iter().all(|f| covers(f, resume))
    };
    let (from, _) = dfa
        .states
        .iter()
        .enumerate()
        .find(|(_, s)| s.calls.iter().any(|e| e.0 == id && is_tail(e.1)))?;
    let mut nfa = dfa.to_nfa();
    nfa.states[from].edges.retain(|e| e.0 != Label::Call(id));
    nfa.states[from].empty.push(dfa.start);
    Some(nfa)
}

/// Whether `state` has every edge of `other`, to the same targets.
fn covers(state: &DfaState, other: &DfaState) -> bool {
    other.calls.iter().all(|call| state.calls.contains(call))
        && other
            .bytes
            .iter()
            .all(|&(low, high, to)| (low..=high).all(|byte| state.step(byte) == Some(to)))
}
