//! Minimization: drops states that cannot finish and merges equivalent ones.
//!
//! In: a [`Dfa`]. Out: the minimal one with the same words, its states numbered breadth-first from
//! the start, so that equal languages give equal automata. States are compared by their ranges of
//! bytes: most states have few ranges, though the ranges of all states together cut the bytes into
//! many classes.

use super::{Dfa, DfaState};
use crate::csr::Csr;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};
use crate::partition;
use std::convert::Infallible;

/// The end of a state that has none.
const DEAD: u32 = u32::MAX;
/// Separates ranges from calls in a signature.
const CALLS: u32 = 0xff00;

/// The minimal automaton of `dfa`; one state without edges if it has no words.
pub fn minimize(dfa: &Dfa) -> Dfa {
    let Ok(minimal) = minimal(dfa, || Ok::<(), Infallible>(()));
    minimal
}

/// The same, of an automaton that may be large.
///
/// # Errors
///
/// If the deadline passes.
pub fn minimize_within(dfa: &Dfa, deadline: &Deadline) -> Result<Dfa, LimitExceeded> {
    minimal(dfa, || deadline.check("minimizing a rule"))
}

/// Minimizes; asks `go_on` whether there is time.
fn minimal<E>(dfa: &Dfa, mut go_on: impl FnMut() -> Result<(), E>) -> Result<Dfa, E> {
    let predecessors = predecessors(dfa);
    go_on()?;
    let ends = ends(dfa, &predecessors);
    if ends[dfa.start as usize] == DEAD {
        let mut nothing = Dfa::default();
        nothing.push(false, [], []);
        return Ok(nothing);
    }
    let blocks = refine(dfa, &ends, &predecessors, go_on)?;
    Ok(renumber(dfa, &ends, &blocks))
}

/// For each state the states with an edge to it.
fn predecessors(dfa: &Dfa) -> Csr {
    let edges = (0..).zip(dfa.states());
    let edges = edges.flat_map(|(from, state)| state.targets().map(move |to| (to, from)));
    Csr::new(dfa.len(), edges)
}

/// The length of the shortest word from each state to an end, and the states that have one, by
/// ascending length.
fn distances(dfa: &Dfa, predecessors: &Csr) -> (Vec<u32>, Vec<u32>) {
    let mut distances = vec![DEAD; dfa.len()];
    let finals = (0..).zip(dfa.states()).filter(|(_, s)| s.is_final);
    let mut order = Vec::with_capacity(dfa.len());
    order.extend(finals.map(|(state, _)| state));
    order.iter().for_each(|&s: &u32| distances[s as usize] = 0);
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        let distance = distances[state as usize] + 1;
        for &before in predecessors.of(state) {
            if distances[before as usize] == DEAD {
                distances[before as usize] = distance;
                order.push(before);
            }
        }
    }
    (distances, order)
}

/// A first partition, by edges: a target counts by its own number if it is nearer to an end,
/// otherwise by its distance to an end. States with different numbers are not equivalent, and most
/// states with the same number are, so little is left to refine.
fn ends(dfa: &Dfa, predecessors: &Csr) -> Vec<u32> {
    let (distances, order) = distances(dfa, predecessors);
    let mut ends = vec![DEAD; dfa.len()];
    let mut known = Sequences::with_capacity(order.len());
    let mut words = Vec::new();
    for state in order {
        let distance = distances[state as usize];
        words.clear();
        words.push(distance);
        let lead = |to: u32| match distances[to as usize] {
            DEAD => None,
            near if near < distance => Some(ends[to as usize] << 1),
            far => Some(far << 1 | 1),
        };
        sign(dfa.state(state), lead, &mut words);
        ends[state as usize] = known.intern(&words);
    }
    ends
}

/// Writes the signature of a state: its edges, with their targets replaced by what `lead` says;
/// edges for which `lead` says nothing are left out.
fn sign(state: DfaState, lead: impl Fn(u32) -> Option<u32>, words: &mut Vec<u32>) {
    for &(low, high, to) in state.bytes {
        let Some(to) = lead(to) else { continue };
        let range = u32::from(low) << 8 | u32::from(high);
        match words.as_mut_slice() {
            [.., before, same] if *same == to && (*before & 0xff) + 1 == range >> 8 => {
                *before = *before & 0xff00 | range & 0xff;
            }
            _ => words.extend([range, to]),
        }
    }
    // This is no range, since it would end before it begins.
    words.push(CALLS);
    for &(machine, to) in state.calls {
        words.extend(lead(to).into_iter().flat_map(|to| [machine.number(), to]));
    }
}

/// The block of each state.
fn refine<E>(
    dfa: &Dfa,
    ends: &[u32],
    predecessors: &Csr,
    go_on: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let sign = |state, blocks: &[u32], words: &mut Vec<u32>| {
        let lead = |to: u32| (ends[to as usize] != DEAD).then(|| blocks[to as usize]);
        sign(dfa.state(state), lead, words);
    };
    partition::coarsest(ends, predecessors, sign, go_on)
}

/// The quotient without dead and unreachable states, numbered breadth-first.
fn renumber(dfa: &Dfa, ends: &[u32], blocks: &[u32]) -> Dfa {
    const NONE: u32 = u32::MAX;
    let mut ids = vec![NONE; dfa.len()];
    // For each block the state that was met first.
    let mut order = vec![dfa.start];
    ids[blocks[dfa.start as usize] as usize] = 0;
    let mut minimal = Dfa::with_capacity(dfa.len());
    let mut bytes: Vec<(u8, u8, u32)> = Vec::new();
    while let Some(&met) = order.get(minimal.len()) {
        let state = dfa.state(met);
        let mut id = |to: u32| {
            let id = &mut ids[blocks[to as usize] as usize];
            if *id == NONE {
                *id = order.len() as u32;
                order.push(to);
            }
            *id
        };
        for &(low, high, to) in state.bytes.iter().filter(|e| ends[e.2 as usize] != DEAD) {
            let to = id(to);
            match bytes.last_mut() {
                Some(last) if last.2 == to && last.1 as u16 + 1 == low as u16 => last.1 = high,
                _ => bytes.push((low, high, to)),
            }
        }
        let calls = state.calls.iter().filter(|e| ends[e.1 as usize] != DEAD);
        let calls = calls.map(|&(machine, to)| (machine, id(to)));
        minimal.push(state.is_final, bytes.drain(..), calls);
    }
    minimal
}
