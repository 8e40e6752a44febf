//! The last states of a text, to go back to.
//!
//! In: stacks before each token. Out: the stacks some tokens ago. What holds throughout: at most
//! `limit` states are kept, with live heads and live frames only, one after the other in one
//! buffer. So a copy takes two allocations and a step none.

use alloc::collections::VecDeque;
#[cfg(feature = "graph")]
use core::ops::Range;

use crate::head::Head;
use crate::stack::{Stacks, Storage};

/// Half-words of a stack besides its frames.
const HEAD: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct History {
    /// For each stack its state, low half first, its height, its count of tokens, and its frames.
    halves: VecDeque<u16>,
    /// The half-words of each state, the oldest first.
    lens: VecDeque<usize>,
    limit: usize,
}

impl History {
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
    pub(crate) fn push<S: Storage>(&mut self, stacks: &Stacks<S>) {
        if self.limit == 0 {
            return;
        }
        if self.lens.len() >= self.limit
            && let Some(oldest) = self.lens.pop_front()
        {
            self.halves.drain(..oldest.min(self.halves.len()));
        }
        let before = self.halves.len();
        #[cfg(feature = "graph")]
        if stacks.is_graph {
            let heads = stacks.graph_heads();
            self.halves.push_back(heads.len() as u16);
            let heads = heads.map(|head| {
                let [low, high] = [head.state as u16, (head.state >> 16) as u16];
                [low, high, head.height, head.tokens]
            });
            self.halves.extend(heads.flatten());
            self.halves.extend(stacks.graph());
            self.lens.push_back(self.halves.len() - before);
            return;
        }
        for ((state, frames), head) in stacks.iter().zip(stacks.heads()) {
            let height = frames.len() as u16;
            let head = [state as u16, (state >> 16) as u16, height, head.tokens];
            self.halves.extend(head.iter().chain(frames));
        }
        self.lens.push_back(self.halves.len() - before);
    }

    /// Forgets the last `count` states, and writes the first of them to `stacks`; `None` if there
    /// are not so many.
    pub(crate) fn pop<S: Storage>(&mut self, count: usize, stacks: &mut Stacks<S>) -> Option<()> {
        let kept = self.lens.len().checked_sub(count)?;
        let dropped: usize = self.lens.range(kept..).sum();
        let start = self.halves.len().checked_sub(dropped)?;
        let mut rest = start..start + self.lens.get(kept)?;
        #[cfg(feature = "graph")]
        if stacks.is_graph {
            self.pop_graph(rest, stacks)?;
            self.halves.truncate(start);
            self.lens.truncate(kept);
            return Some(());
        }
        stacks.clear();
        while rest.len() >= HEAD {
            let half = |at| self.halves.get(rest.start + at).copied();
            let [low, high, height, tokens] = [0, 1, 2, 3].map(half);
            let head = Head {
                state: u32::from(low?) | u32::from(high?) << 16,
                height: height?,
                tokens: tokens?,
            };
            let end = rest.start + HEAD + head.height as usize;
            stacks.push(head, self.halves.range(rest.start + HEAD..end).copied())?;
            rest.start = end;
        }
        self.halves.truncate(start);
        self.lens.truncate(kept);
        Some(())
    }

    /// Writes a graph that was kept in a range of the buffer to `stacks`.
    #[cfg(feature = "graph")]
    fn pop_graph<S: Storage>(&self, kept: Range<usize>, stacks: &mut Stacks<S>) -> Option<()> {
        let half = |at: usize| self.halves.get(at).copied().unwrap_or(0);
        let heads = kept.start + 1..kept.start + 1 + HEAD * usize::from(half(kept.start));
        let words = heads.end..kept.end;
        let head = |at: usize| Head {
            state: u32::from(half(at)) | u32::from(half(at + 1)) << 16,
            height: half(at + 2),
            tokens: half(at + 3),
        };
        let heads = heads.step_by(HEAD).map(head);
        stacks.put_graph(heads, self.halves.range(words).copied())
    }
}
