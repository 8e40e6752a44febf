//! The last states of a text, to go back to.
//!
//! In: stacks before each token. Out: the stacks some tokens ago. What holds throughout: at most
//! `limit` states are kept, with live heads and live frames only, one after the other in one
//! buffer. So a copy takes two allocations and a step none.

use alloc::collections::VecDeque;
use core::ops::Range;

use crate::head::Head;
use crate::stack::{Stacks, Storage, Text};

/// Half-words of a stack besides its frames.
const HEAD: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct History<P> {
    /// For each stack its state, low half first, its height, its count of tokens, and its frames.
    halves: VecDeque<u16>,
    /// The half-words of each state, and where it stood besides; the oldest first.
    lens: VecDeque<(usize, P)>,
    limit: usize,
}

impl<P: Copy> History<P> {
    pub(crate) fn new(limit: usize) -> Self {
        History {
            halves: VecDeque::new(),
            lens: VecDeque::new(),
            limit,
        }
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        self.lens.len()
    }

    /// The most states.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    pub(crate) fn clear(&mut self) {
        self.halves.clear();
        self.lens.clear();
    }

    /// Keeps a state, and forgets the oldest one if there are too many.
    pub(crate) fn push<S: Storage>(&mut self, stacks: &Stacks<S>, place: P) {
        if self.limit == 0 {
            return;
        }
        if self.lens.len() >= self.limit
            && let Some((oldest, _)) = self.lens.pop_front()
        {
            self.halves.drain(..oldest.min(self.halves.len()));
        }
        let before = self.halves.len();
        if stacks.is_graph {
            let heads = stacks.graph_heads();
            self.halves.push_back(heads.len() as u16);
            self.halves.extend(heads.flat_map(Head::to_halves));
            self.halves.extend(stacks.graph());
            self.lens.push_back((self.halves.len() - before, place));
            return;
        }
        for ((_, frames), head) in stacks.iter().zip(stacks.heads()) {
            self.halves.extend(head.to_halves().iter().chain(frames));
        }
        self.lens.push_back((self.halves.len() - before, place));
    }

    /// Forgets the last `count` states, and writes the first of them to `text`; `None` if there are
    /// not so many.
    pub(crate) fn pop<S: Storage>(&mut self, count: usize, text: &mut Text<S, P>) -> Option<()> {
        let kept = self.lens.len().checked_sub(count)?;
        let dropped: usize = self.lens.range(kept..).map(|(len, _)| len).sum();
        let start = self.halves.len().checked_sub(dropped)?;
        let &(len, place) = self.lens.get(kept)?;
        let mut rest = start..start + len;
        let stacks = &mut text.stacks;
        if stacks.is_graph {
            self.pop_graph(rest, stacks)?;
        } else {
            stacks.clear();
            while rest.len() >= HEAD {
                let head = self.head(rest.start);
                let end = rest.start + HEAD + head.height as usize;
                stacks.push(head, self.halves.range(rest.start + HEAD..end).copied())?;
                rest.start = end;
            }
        }
        text.place = place;
        self.halves.truncate(start);
        self.lens.truncate(kept);
        Some(())
    }

    /// Writes a graph that was kept in a range of the buffer to `stacks`.
    fn pop_graph<S: Storage>(&self, kept: Range<usize>, stacks: &mut Stacks<S>) -> Option<()> {
        let count = self.halves.get(kept.start).copied()?;
        let heads = kept.start + 1..kept.start + 1 + HEAD * usize::from(count);
        let words = heads.end..kept.end;
        let heads = heads.step_by(HEAD).map(|at| self.head(at));
        stacks.put_graph(heads, self.halves.range(words).copied())
    }

    /// The head that was kept at a place.
    fn head(&self, at: usize) -> Head {
        let half = |part: usize| self.halves.get(at + part).copied().unwrap_or(0);
        Head::from_halves([half(0), half(1), half(2), half(3)])
    }
}
