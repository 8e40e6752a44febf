//! Minimization: drops states that cannot finish and merges equivalent ones.
//!
//! In: a [`Dfa`]. Out: the minimal one with the same words, its states numbered breadth-first from
//! the start, so that equal languages give equal automata. States are told apart by where their ranges of bytes lead: most
//! have few, though the ranges of all together cut the bytes into many classes.

use super::{Dfa, State};
use crate::grouped::Grouped;
use crate::limits::{Deadline, LimitExceeded};
use crate::partition;
use rustc_hash::FxHashMap as HashMap;
use std::convert::Infallible;

/// The end of a state that has none.
const DEAD: u32 = u32::MAX;
/// What parts the ranges of a signature from the calls.
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
fn minimal<E>(dfa: &Dfa, go_on: impl FnMut() -> Result<(), E>) -> Result<Dfa, E> {
    let predecessors = predecessors(dfa);
    let ends = ends(dfa, &predecessors);
    if ends[dfa.start as usize] == DEAD {
        let mut nothing = Dfa::default();
        nothing.push(false, [], []);
        return Ok(nothing);
    }
    let blocks = refine(dfa, &ends, &predecessors, go_on)?;
    Ok(renumber(dfa, &ends, &blocks))
}

/// For each state those with an edge to it.
fn predecessors(dfa: &Dfa) -> Grouped {
    let edges = (0..).zip(dfa.states());
    let edges = edges.flat_map(|(from, state)| state.targets().map(move |to| (to, from)));
    Grouped::new(dfa.len(), edges)
}

/// A number for the least of the shortest words that each state can end with: states with different ones are not
/// equivalent, and few with the same are not, so nearly all is known before anything is refined.
fn ends(dfa: &Dfa, predecessors: &Grouped) -> Vec<u32> {
    let mut ends = vec![DEAD; dfa.len()];
    let is_final = |s: &u32| dfa.state(*s).is_final;
    let mut nearest: Vec<u32> = (0..dfa.len() as u32).filter(is_final).collect();
    nearest.iter().for_each(|&s| ends[s as usize] = 0);
    let mut words: HashMap<(u32, u32), u32> = HashMap::default();
    let mut seen = vec![false; dfa.len()];
    while !nearest.is_empty() {
        let before = nearest.iter().flat_map(|&s| predecessors.of(s)).copied();
        let is_next =
            |&s: &u32| ends[s as usize] == DEAD && !std::mem::replace(&mut seen[s as usize], true);
        let next: Vec<(u32, (u32, u32))> = (before.filter(is_next))
            .filter_map(|s| Some((s, first(dfa.state(s), &ends)?)))
            .collect();
        nearest.clear();
        for (state, word) in next {
            let new = words.len() as u32 + 1;
            ends[state as usize] = *words.entry(word).or_insert(new);
            nearest.push(state);
        }
    }
    ends
}

/// The first label that leads to a state with an end, and that end.
fn first(state: State, ends: &[u32]) -> Option<(u32, u32)> {
    let bytes = (state.bytes.iter()).map(|&(low, _, to)| (u32::from(low), to));
    let calls = (state.calls.iter()).map(|&(machine, to)| (256 + machine, to));
    let ended = |(label, to)| (label, ends[to as usize]);
    bytes.chain(calls).map(ended).find(|word| word.1 != DEAD)
}

/// The block of each state.
fn refine<E>(
    dfa: &Dfa,
    ends: &[u32],
    predecessors: &Grouped,
    go_on: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let sign = |state, blocks: &[u32], words: &mut Vec<u32>| {
        let State { bytes, calls, .. } = dfa.state(state);
        for &(low, high, to) in bytes.iter().filter(|e| ends[e.2 as usize] != DEAD) {
            let (range, block) = (u32::from(low) << 8 | u32::from(high), blocks[to as usize]);
            match words.as_mut_slice() {
                [.., before, same] if *same == block && (*before & 0xff) + 1 == range >> 8 => {
                    *before = *before & 0xff00 | range & 0xff;
                }
                _ => words.extend([range, block]),
            }
        }
        // No range: it would end before it begins.
        words.push(CALLS);
        let calls = calls.iter().filter(|e| ends[e.1 as usize] != DEAD);
        words.extend(calls.flat_map(|&(machine, to)| [machine, blocks[to as usize]]));
    };
    partition::coarsest(ends, predecessors, sign, go_on)
}

/// The quotient without what is dead or not reached, numbered breadth-first.
fn renumber(dfa: &Dfa, ends: &[u32], blocks: &[u32]) -> Dfa {
    const NONE: u32 = u32::MAX;
    let mut ids = vec![NONE; dfa.len()];
    // Of each block the state that was met first.
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
