//! Threads, and what they reach without a byte.
//!
//! In: positions with stacks. Out: the [`Thread`]s that wait for a byte, ascending, and whether the
//! text may end. What holds: each thread can be finished, and no two threads have one position: the
//! stacks of all that have come to a position are one set.

use crate::maps::IdMap;

use super::position::PositionId;
use super::rules::Rules;
use super::stacks::StackSets;
use super::thread::{BOTTOM, NO_FRAME, StackId, Thread};
use super::{GaveUp, MAX_THREADS};

/// Computes closures. Its buffers are kept from one closure to the next.
#[derive(Clone, Debug)]
pub(super) struct Closures {
    pub(super) rules: Rules,
    stacks: StackSets,
    pending: Vec<Thread>,
    /// Calls that wait for those of the same rule: where the rule starts, and the frame.
    calls: Vec<(PositionId, Thread)>,
    frames: Vec<Thread>,
    seen: SeenThreads,
}

/// The threads that a closure has come to, one for each position. Mostly they are a few.
#[derive(Clone, Debug, Default)]
struct SeenThreads {
    threads: Vec<Thread>,
    /// The places of those after the first [`FEW`](Self::FEW).
    places: IdMap<PositionId, u32>,
}

impl SeenThreads {
    /// So many are compared one by one.
    const FEW: usize = 24;

    fn clear(&mut self) {
        self.threads.clear();
        self.places.clear();
    }

    /// The stacks that have come to a position.
    fn stacks(&mut self, at: PositionId) -> Option<&mut StackId> {
        let few = &self.threads[..self.threads.len().min(Self::FEW)];
        let place = match few.iter().position(|seen| seen.at == at) {
            Some(place) => place,
            None => *self.places.get(&at)? as usize,
        };
        Some(&mut self.threads.get_mut(place)?.stack)
    }

    /// Adds a thread at a position that none has come to.
    fn add(&mut self, thread: Thread) {
        let place = self.threads.len();
        if place >= Self::FEW {
            self.places.insert(thread.at, place as u32);
        }
        self.threads.push(thread);
    }
}

impl Closures {
    pub(super) fn new(rules: Rules) -> Self {
        Closures {
            rules,
            stacks: StackSets::new(),
            pending: Vec::new(),
            calls: Vec::new(),
            frames: Vec::new(),
            seen: SeenThreads::default(),
        }
    }

    /// The root's start, on the stack without frames.
    ///
    /// # Errors
    /// If its automaton is too large.
    pub(super) fn start(&mut self) -> Result<Thread, GaveUp> {
        Ok(Thread {
            at: self.rules.root()?,
            stack: BOTTOM,
        })
    }

    /// The thread with rules that do not count in place of those whose bounds cannot be reached in
    /// so many iterations. `known` keeps what was found for each stack.
    ///
    /// # Errors
    /// If the stacks are too many.
    pub(super) fn endless(
        &mut self,
        Thread { at, stack }: Thread,
        iterations: u32,
        known: &mut IdMap<StackId, StackId>,
    ) -> Result<Thread, GaveUp> {
        for set in self.stacks.unknown(stack, known) {
            let mut all = None;
            for nth in 0..self.stacks.frames(set).len() {
                let mut frame = self.stacks.frames(set)[nth];
                if frame != NO_FRAME {
                    let at = self.rules.endless(frame.at, iterations)?;
                    let stack = known.get(&frame.stack).copied().unwrap_or(frame.stack);
                    frame = Thread {
                        at: at.unwrap_or(frame.at),
                        stack,
                    };
                }
                let one = self.stacks.push(frame)?;
                all = Some(self.united(all, one)?);
            }
            known.insert(set, all.unwrap_or(set));
        }
        let at = self.rules.endless(at, iterations)?.unwrap_or(at);
        self.rules.come_to(at)?;
        let stack = known.get(&stack).copied().unwrap_or(stack);
        Ok(Thread { at, stack })
    }

    /// A set with the stacks of another one, if there is another one.
    fn united(&mut self, all: Option<StackId>, one: StackId) -> Result<StackId, GaveUp> {
        match all {
            Some(all) => self.stacks.union(all, one, &mut self.rules.work),
            None => Ok(one),
        }
    }

    /// Sorts threads, and makes one of those with the same position.
    ///
    /// # Errors
    /// If the stacks are too many.
    pub(super) fn unite(&mut self, threads: &mut Vec<Thread>) -> Result<(), GaveUp> {
        threads.sort_unstable();
        let mut kept = 0;
        for nth in 1..threads.len() {
            if threads[nth].at == threads[kept].at {
                let (one, other) = (threads[kept].stack, threads[nth].stack);
                threads[kept].stack = self.united(Some(one), other)?;
            } else {
                kept += 1;
                threads[kept] = threads[nth];
            }
        }
        threads.truncate(kept + 1);
        Ok(())
    }

    /// The thread that `thread` is in `old`. `known` keeps the new number of each set of stacks.
    ///
    /// # Errors
    /// If an automaton is too large.
    pub(super) fn carry(
        &mut self,
        old: &Closures,
        Thread { at, stack }: Thread,
        known: &mut IdMap<StackId, StackId>,
    ) -> Result<Thread, GaveUp> {
        for set in old.stacks.unknown(stack, known) {
            let mut all = None;
            for &frame in old.stacks.frames(set) {
                let one = match frame {
                    NO_FRAME => BOTTOM,
                    Thread { at, stack } => {
                        let at = self.rules.carry(&old.rules, at)?;
                        let stack = known.get(&stack).copied().ok_or(GaveUp)?;
                        self.stacks.push(Thread { at, stack })?
                    }
                };
                all = Some(self.united(all, one)?);
            }
            known.insert(set, all.ok_or(GaveUp)?);
        }
        let at = self.rules.carry(&old.rules, at)?;
        let stack = known.get(&stack).copied().ok_or(GaveUp)?;
        Ok(Thread { at, stack })
    }

    /// About how many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.stacks.memory() + self.rules.memory()
    }

    /// The number of frames of all stacks.
    pub(super) fn frames(&self) -> usize {
        self.stacks.count()
    }

    /// Adds to `out` the threads that wait for a byte and that `from` reaches without one. `out` is
    /// ascending afterwards. Returns whether the text may end.
    ///
    /// # Errors
    /// If there are too many of them, or the step has too much work.
    pub(super) fn close(&mut self, from: &[Thread], out: &mut Vec<Thread>) -> Result<bool, GaveUp> {
        out.clear();
        self.seen.clear();
        self.pending.clear();
        self.calls.clear();
        self.pending.extend_from_slice(from);
        let mut is_complete = false;
        while let Some(thread) = self.next()? {
            if !self.is_new(thread)? {
                continue;
            }
            if self.seen.threads.len() > MAX_THREADS {
                return Err(GaveUp);
            }
            self.rules.work.spend(1)?;
            self.rules.come_to(thread.at)?;
            is_complete |= self.follow(thread)?;
        }
        let takes_bytes = |thread: &&Thread| !self.rules.bytes(thread.at).is_empty();
        out.extend(self.seen.threads.iter().filter(takes_bytes));
        out.sort_unstable();
        Ok(is_complete)
    }

    /// The next thread that is pending. Calls come last, all calls of a rule as one thread, so that
    /// sets of many frames are made at once.
    fn next(&mut self) -> Result<Option<Thread>, GaveUp> {
        if self.pending.is_empty() {
            let mut calls = std::mem::take(&mut self.calls);
            calls.sort_unstable();
            let mut frames = std::mem::take(&mut self.frames);
            for of_rule in calls.chunk_by(|one, other| one.0 == other.0) {
                frames.clear();
                frames.extend(of_rule.iter().map(|call| call.1));
                self.unite(&mut frames)?;
                let (at, stack) = (of_rule[0].0, self.stacks.set(&frames)?);
                self.pending.push(Thread { at, stack });
            }
            calls.clear();
            (self.calls, self.frames) = (calls, frames);
        }
        Ok(self.pending.pop())
    }

    /// Adds a thread to those that were seen. Returns whether it has stacks that its position has
    /// not had.
    fn is_new(&mut self, thread: Thread) -> Result<bool, GaveUp> {
        let Some(known) = self.seen.stacks(thread.at) else {
            self.seen.add(thread);
            return Ok(true);
        };
        let union = (self.stacks).union(*known, thread.stack, &mut self.rules.work)?;
        Ok(std::mem::replace(known, union) != union)
    }

    /// Adds to the pending threads those that a thread reaches in one step without a byte. Returns
    /// whether the text may end there.
    fn follow(&mut self, Thread { at, stack }: Thread) -> Result<bool, GaveUp> {
        let steps = self.rules.empty(at).len() + self.rules.calls(at).len();
        self.rules.work.spend(steps)?;
        let empty = self.rules.empty(at).iter();
        self.pending.extend(empty.map(|&at| Thread { at, stack }));
        for nth in 0..self.rules.calls(at).len() {
            let (rule, back) = self.rules.calls(at)[nth];
            let at = self.rules.start(rule)?;
            // A call that returns to its caller's end leaves no frame.
            match self.rules.only_ends(back) {
                true => self.pending.push(Thread { at, stack }),
                false => self.calls.push((at, Thread { at: back, stack })),
            }
        }
        if !self.rules.is_final(at) {
            return Ok(false);
        }
        let frames = self.stacks.frames(stack);
        self.rules.work.spend(frames.len())?;
        let is_complete = frames.last() == Some(&NO_FRAME);
        let frames = frames.strip_suffix(&[NO_FRAME]).unwrap_or(frames);
        self.pending.extend_from_slice(frames);
        Ok(is_complete)
    }
}

#[cfg(test)]
mod tests {
    use super::{PositionId, SeenThreads, StackId, Thread};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_position_has_one_set_of_stacks(numbers in proptest::collection::vec(0u32..60, 0..200)) {
            let (mut seen, mut expected) = (SeenThreads::default(), BTreeMap::new());
            for _ in 0..2 {
                seen.clear();
                expected.clear();
                for (stack, &at) in (0..).zip(&numbers) {
                    let (at, stack) = (PositionId::new(at), StackId::new(stack));
                    match seen.stacks(at) {
                        Some(known) => {
                            prop_assert_eq!(expected.insert(at, stack), Some(*known));
                            *known = stack;
                        }
                        None => {
                            seen.add(Thread { at, stack });
                            prop_assert_eq!(expected.insert(at, stack), None);
                        }
                    }
                }
                prop_assert_eq!(seen.threads.len(), expected.len());
            }
        }
    }
}
