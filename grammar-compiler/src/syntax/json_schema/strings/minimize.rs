//! Minimization: trims states that cannot finish, merges equivalent ones, numbers them canonically.
//!
//! In: deterministic states, the first the start. Out: a [`Language`], equal for equal sets.
//!
//! States with finitely many strings are merged from their ends; blocks of the others are split by
//! signature (where the edges lead, by block) until none splits.

use super::bounds::{DOING, LanguageError};
use super::class::{self, CharEdge};
use super::{Language, LanguageState};
use crate::csr::Csr;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};
use crate::partition;

/// The language of deterministic `states`, which are sorted and disjoint in their edges.
pub(super) fn minimize(
    states: Vec<LanguageState>,
    deadline: &Deadline,
) -> Result<Language, LanguageError> {
    minimize_of(states, 0, deadline)
}

/// The same for what has been made of sets of so many states: it may have as many.
pub(super) fn minimize_of(
    states: Vec<LanguageState>,
    of: usize,
    deadline: &Deadline,
) -> Result<Language, LanguageError> {
    let states = trim(states);
    let block = refine(&states, deadline)?;
    let states = renumber(&states, &block);
    LanguageError::check(&states, of)?;
    Ok(Language::from_canonical(states))
}

/// The language of states that are already minimal, trimmed and renumbered.
pub(super) fn canonical(states: Vec<LanguageState>) -> Language {
    let states = trim(states);
    Language::from_canonical(renumber_all(&states))
}

/// The language of states that are already minimal and trimmed.
pub(super) fn minimal(states: Vec<LanguageState>) -> Language {
    Language::from_canonical(renumber_all(&states))
}

/// Drops edges to states that cannot reach a final one.
fn trim(mut states: Vec<LanguageState>) -> Vec<LanguageState> {
    let reverse = predecessors(&states);
    let mut live: Vec<bool> = states.iter().map(|s| s.is_final).collect();
    let mut stack: Vec<u32> = (0..states.len() as u32)
        .filter(|&s| live[s as usize])
        .collect();
    while let Some(state) = stack.pop() {
        for &from in reverse.of(state) {
            if !std::mem::replace(&mut live[from as usize], true) {
                stack.push(from);
            }
        }
    }
    for state in &mut states {
        state.edges.retain(|e| live[e.2 as usize]);
    }
    states
}

/// For each state, the states with an edge to it.
fn predecessors(states: &[LanguageState]) -> Csr {
    let edges = (0..).zip(states);
    let edges = edges.flat_map(|(from, state)| state.edges.iter().map(move |e| (e.2, from)));
    Csr::new(states.len(), edges)
}

/// The block of each state: those of a block are equivalent.
fn refine(states: &[LanguageState], deadline: &Deadline) -> Result<Vec<u32>, LimitExceeded> {
    let reverse = predecessors(states);
    let group = match group_finite(states, &reverse, deadline)? {
        Grouped::All(blocks) => return Ok(blocks),
        Grouped::Finite(group) => group,
    };
    let mut edges: Vec<CharEdge> = Vec::new();
    let sign = |state: u32, blocks: &[u32], words: &mut Vec<u32>| {
        // The next round finds that the time is over.
        let _ = deadline.ticks(states[state as usize].edges.len(), DOING);
        sign(&states[state as usize], blocks, &mut edges, words);
    };
    partition::coarsest(&group, &reverse, sign, || deadline.confirm(DOING))
}

/// The group of each state.
enum Grouped {
    /// No cycle can be reached, so these are blocks.
    All(Vec<u32>),
    /// The groups of states from which a cycle can be reached may fall apart.
    Finite(Vec<u32>),
}

/// Groups the states from which no cycle can be reached, each behind those that it leads to: D.
/// Revuz, *Minimisation of acyclic deterministic automata in linear time* (1992).
///
/// Gives their blocks if these are all states. Otherwise the others are grouped only by whether a
/// string may end there; none of them is equivalent to one of these, for each has infinitely many
/// strings.
fn group_finite(
    states: &[LanguageState],
    reverse: &Csr,
    deadline: &Deadline,
) -> Result<Grouped, LimitExceeded> {
    /// The groups of states from which a cycle can be reached.
    const INFINITE: u32 = 2;
    let mut group: Vec<u32> = states.iter().map(|s| s.is_final.into()).collect();
    let mut ahead: Vec<usize> = states.iter().map(|s| s.edges.len()).collect();
    let mut finite: Vec<u32> = (0..states.len() as u32)
        .filter(|&state| ahead[state as usize] == 0)
        .collect();
    let mut blocks = Sequences::with_capacity(states.len());
    let (mut edges, mut words) = (Vec::new(), Vec::new());
    let mut done = 0;
    while let Some(&state) = finite.get(done) {
        done += 1;
        deadline.ticks(states[state as usize].edges.len(), DOING)?;
        words.clear();
        words.push(group[state as usize]);
        sign(&states[state as usize], &group, &mut edges, &mut words);
        group[state as usize] = INFINITE + blocks.intern(&words);
        for &from in reverse.of(state) {
            ahead[from as usize] -= 1;
            if ahead[from as usize] == 0 {
                finite.push(from);
            }
        }
    }
    Ok(match done == states.len() {
        true => Grouped::All(group),
        false => Grouped::Finite(group),
    })
}

/// Adds the edges of a state to `words`, each with the block that it leads to; `edges` is room for
/// them.
fn sign(state: &LanguageState, blocks: &[u32], edges: &mut Vec<CharEdge>, words: &mut Vec<u32>) {
    edges.clear();
    for &(low, high, to) in &state.edges {
        class::push(edges, (low, high, blocks[to as usize]));
    }
    let edges = edges.iter();
    words.extend(edges.flat_map(|&(low, high, to)| [low as u32, high as u32, to]));
}

/// All states, numbered breadth-first from the start.
fn renumber_all(states: &[LanguageState]) -> Vec<LanguageState> {
    let block: Vec<u32> = (0..states.len() as u32).collect();
    renumber(states, &block)
}

/// One state a block, numbered breadth-first from the start.
fn renumber(states: &[LanguageState], block: &[u32]) -> Vec<LanguageState> {
    const NONE: u32 = u32::MAX;
    let blocks = block.iter().max().map_or(1, |&last| last as usize + 1);
    let mut ids = vec![NONE; blocks];
    ids[block.first().copied().unwrap_or(0) as usize] = 0;
    let mut order = vec![0u32];
    let mut result: Vec<LanguageState> = Vec::new();
    while let Some(&from) = order.get(result.len()) {
        let Some(state) = states.get(from as usize) else {
            return vec![LanguageState::default()];
        };
        let mut edges = Vec::with_capacity(state.edges.len());
        for &(low, high, to) in &state.edges {
            let id = &mut ids[block[to as usize] as usize];
            if *id == NONE {
                *id = order.len() as u32;
                order.push(to);
            }
            class::push(&mut edges, (low, high, *id));
        }
        edges.shrink_to_fit();
        result.push(LanguageState {
            is_final: state.is_final,
            edges,
        });
    }
    result
}
