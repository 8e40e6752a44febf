//! Walks and subset construction on several threads.
//!
//! In: the states, and the threads. Out: [`JoinedParts`], the nodes of each thread.

use super::JoinedParts;
use super::construction::join;
use crate::limits::{Deadline, LimitExceeded};
use crate::mask::equivalence::Equivalence;
use crate::mask::transitions::Table;
use crate::mask::trie::TokenTrie;
use crate::mask::walk::{PlaceId, Walker};
use crate::pda::headroom::Headroom;
use crate::pda::{Pda, StateId};
use crate::threads::Threads;

/// The masks of fewer states than this are made on one thread: another one would start late, and
/// find much of the same again.
const FEW: usize = 128;
/// The least number of states of a thread.
const SHARE: usize = 64;

/// The number of threads that pay for the masks of this many states: one for few states, unless the
/// grammar counts.
pub fn worthwhile(states: usize, counts: bool) -> usize {
    match states {
        ..FEW if !counts => 1,
        _ => (states / SHARE).max(1),
    }
}

/// What walks read.
pub struct Walks<'a> {
    pub pda: &'a Pda,
    pub table: &'a Table,
    pub equivalence: &'a Equivalence,
    pub trie: &'a TokenTrie,
    pub deadline: &'a Deadline,
}

impl Walks<'_> {
    /// Walks from all states whose masks can be asked for, on at most `most` of the threads, and
    /// joins what each found.
    pub fn joined(
        &self,
        headroom: &Headroom,
        threads: &Threads,
        most: usize,
    ) -> Result<JoinedParts, LimitExceeded> {
        // No mask is asked for in a state from which no text can be finished.
        let asked = (0..).map(StateId::new).zip(&headroom.states);
        let mut asked: Vec<(StateId, u8)> = asked
            .filter_map(|(state, need)| Some((state, (*need)?)))
            .collect();
        // Walks from states in strings have much in common, so one thread is to take most of them.
        if threads.count().min(most) > 1 {
            asked.sort_by_key(|&(state, _)| !self.table.is_in_string(state));
        }
        let parts = threads.share(asked.len(), most, |mut share| {
            let mut walker = Walker::new(self.pda, self.trie, self.table, self.equivalence);
            let states = share.by_ref().map(|at| asked[at]);
            let starts = self.walk(&mut walker, states);
            let part = starts.and_then(|starts| join(&walker, &starts, self.deadline));
            if part.is_err() {
                share.stop();
            }
            part
        });
        let parts = parts.into_iter().collect::<Result<_, _>>()?;
        Ok(JoinedParts(parts))
    }

    /// Walks from states, given with their needs, and from every place that a walk comes to, one
    /// state after the other.
    fn walk(
        &self,
        walker: &mut Walker,
        states: impl Iterator<Item = (StateId, u8)>,
    ) -> Result<Vec<(StateId, PlaceId, u8)>, LimitExceeded> {
        let mut starts = Vec::new();
        for (state, need) in states {
            starts.push((state, walker.start(state), need));
            while walker.walk_on() {
                if walker.walked().is_multiple_of(256) {
                    self.deadline.check("walking the vocabulary")?;
                }
            }
        }
        Ok(starts)
    }
}
