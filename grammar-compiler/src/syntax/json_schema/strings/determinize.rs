//! Subset construction: from a nondeterministic automaton to a [`Language`].
//!
//! In: [`StringNfa`], whose edges may overlap or be empty. Out: the minimal automaton, or
//! [`LanguageError`].

use super::bounds::{Budget, LanguageError};
use super::class::{self, CharEdge};
use super::intern::SequenceInterner;
use super::{Language, LanguageState, minimize};
use crate::grammar::characters::{next, previous};

/// A nondeterministic automaton; its start states are given with it.
#[derive(Debug, Default)]
pub(super) struct StringNfa {
    pub(super) states: Vec<NfaState>,
}

/// A state of an [`StringNfa`].
#[derive(Clone, Debug, Default)]
pub(super) struct NfaState {
    pub(super) is_final: bool,
    pub(super) edges: Vec<CharEdge>,
    pub(super) empty: Vec<u32>,
}

impl StringNfa {
    /// Adds the states of `language`; returns the number of its start.
    pub(super) fn add(
        &mut self,
        language: &Language,
        budget: &mut Budget<'_>,
    ) -> Result<u32, LanguageError> {
        let base = self.states.len() as u32;
        for state in language.states() {
            budget.state()?;
            budget.work(state.edges.len())?;
            let edges = state.edges.iter().map(|&(l, h, to)| (l, h, to + base));
            self.states.push(NfaState {
                is_final: state.is_final,
                edges: edges.collect(),
                empty: Vec::new(),
            });
        }
        Ok(base)
    }

    /// The strings that lead from one of `starts` to a final state.
    pub(super) fn determinize(
        &self,
        starts: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Language, LanguageError> {
        let mut subsets = SequenceInterner::new();
        let mut seen = vec![false; self.states.len()];
        let start = self.close(starts.to_vec(), &mut seen);
        subsets.number(start);
        let mut states: Vec<LanguageState> = Vec::new();
        while let Some(subset) = subsets.get(states.len() as u32) {
            let members = || subset.iter().map(|&s| &self.states[s as usize]);
            let edges: Vec<CharEdge> = members().flat_map(|s| s.edges.iter().copied()).collect();
            budget.work(subset.len() + edges.len())?;
            let mut state = LanguageState {
                is_final: members().any(|s| s.is_final),
                edges: Vec::new(),
            };
            for (low, high, targets) in pieces(&edges, budget)? {
                let targets = self.close(targets, &mut seen);
                budget.work(targets.len())?;
                let (to, is_new) = subsets.number(targets);
                if is_new {
                    budget.state()?;
                }
                class::push(&mut state.edges, (low, high, to));
            }
            states.push(state);
        }
        minimize::minimize(states, budget.deadline())
    }

    /// The states that empty edges lead to from `states`, sorted.
    fn close(&self, mut states: Vec<u32>, seen: &mut [bool]) -> Vec<u32> {
        states.retain(|&s| !std::mem::replace(&mut seen[s as usize], true));
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            at += 1;
            for &to in &self.states[state as usize].empty {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    states.push(to);
                }
            }
        }
        states.iter().for_each(|&s| seen[s as usize] = false);
        // A state that only has empty edges says nothing more.
        states.retain(|&s| {
            let state = &self.states[s as usize];
            state.is_final || !state.edges.is_empty()
        });
        states.sort_unstable();
        states
    }
}

/// The pieces that edges cut the characters into, each with all its targets; neighbours differ.
pub(super) fn pieces(
    edges: &[CharEdge],
    budget: &mut Budget<'_>,
) -> Result<Vec<(char, char, Vec<u32>)>, LanguageError> {
    let mut cuts: Vec<char> = edges.iter().map(|e| e.0).collect();
    cuts.extend(edges.iter().filter_map(|e| next(e.1)));
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<(char, char, Vec<u32>)> = (cuts.iter().enumerate())
        .map(|(at, &low)| {
            let high = cuts.get(at + 1).and_then(|&c| previous(c));
            (low, high.unwrap_or(char::MAX), Vec::new())
        })
        .collect();
    for &(low, high, to) in edges {
        let first = pieces.partition_point(|p| p.0 < low);
        let covered = (pieces.iter_mut().skip(first)).take_while(|p| p.0 <= high);
        let mut count = 0;
        for piece in covered {
            piece.2.push(to);
            count += 1;
        }
        budget.work(count)?;
    }
    for piece in &mut pieces {
        piece.2.sort_unstable();
        piece.2.dedup();
    }
    pieces.retain(|p| !p.2.is_empty());
    pieces.dedup_by(|later, earlier| {
        let joins = earlier.2 == later.2 && next(earlier.1) == Some(later.0);
        if joins {
            earlier.1 = later.1;
        }
        joins
    });
    Ok(pieces)
}
