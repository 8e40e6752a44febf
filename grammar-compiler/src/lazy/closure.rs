//! Threads, and what they reach without a byte.
//!
//! In: positions with stacks. Out: the [`Thread`]s that wait for a byte, ascending, and whether the text may end. What holds: each thread can be finished.

use crate::maps::{IdMap, IdSet, own_keys};

use super::position::PositionId;
use super::rules::Rules;
use super::{Beyond, MAX_FRAMES, MAX_THREADS};
use crate::id::id;

id! {
    /// The number of a stack: where the innermost call returns to, and the stack below. Equal stacks have one number.
    pub(super) struct StackId;
}

/// The stack without frames.
const BOTTOM: StackId = StackId::new(0);

/// A position in a rule, and the stack below the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Thread {
    pub(super) at: PositionId,
    pub(super) stack: StackId,
}

own_keys!(Thread);

impl Thread {
    /// Stands for the end of the text among the threads of a situation.
    pub(super) const COMPLETE: Self = Thread {
        at: PositionId::new(u32::MAX),
        stack: BOTTOM,
    };
}

/// All stacks met so far.
#[derive(Clone, Debug)]
struct StackStore {
    /// For each stack its top frame and the stack below; what the bottom has does not matter.
    frames: Vec<Thread>,
    ids: IdMap<Thread, StackId>,
}

/// Computes closures. Its buffers are kept from one closure to the next.
#[derive(Clone, Debug)]
pub(super) struct Closures {
    pub(super) rules: Rules,
    stacks: StackStore,
    pending: Vec<Thread>,
    seen: SeenThreads,
}

/// The threads that a closure has come to. Mostly they are a few.
#[derive(Clone, Debug, Default)]
struct SeenThreads {
    few: Vec<Thread>,
    /// Those after the first [`FEW`](Self::FEW).
    more: IdSet<Thread>,
}

impl SeenThreads {
    /// So many are compared one by one.
    const FEW: usize = 24;

    fn clear(&mut self) {
        self.few.clear();
        self.more.clear();
    }

    fn len(&self) -> usize {
        self.few.len() + self.more.len()
    }

    /// Adds a thread; returns whether it is new.
    fn insert(&mut self, thread: Thread) -> bool {
        if self.few.contains(&thread) {
            return false;
        }
        if self.few.len() == Self::FEW {
            return self.more.insert(thread);
        }
        self.few.push(thread);
        true
    }
}

impl StackStore {
    /// The stack with one more frame: `thread` holds the position that the call returns to, and the stack below.
    fn push(&mut self, frame: Thread) -> Result<StackId, Beyond> {
        if let Some(&known) = self.ids.get(&frame) {
            return Ok(known);
        }
        if self.frames.len() >= MAX_FRAMES {
            return Err(Beyond);
        }
        let id = StackId::at(self.frames.len());
        self.frames.push(frame);
        self.ids.insert(frame, id);
        Ok(id)
    }
}

impl StackStore {
    /// The stacks from this one down to the first stack in `known`, and what `known` has for it. That stack is not in the list.
    fn unknown(
        &self,
        mut stack: StackId,
        known: &IdMap<StackId, StackId>,
    ) -> (Vec<StackId>, StackId) {
        let mut above = Vec::new();
        loop {
            if stack == BOTTOM {
                return (above, BOTTOM);
            }
            if let Some(&known) = known.get(&stack) {
                return (above, known);
            }
            above.push(stack);
            stack = self.frames[stack.place()].stack;
        }
    }
}

impl Closures {
    pub(super) fn new(rules: Rules) -> Self {
        let nothing = Thread {
            at: PositionId::default(),
            stack: BOTTOM,
        };
        Closures {
            rules,
            stacks: StackStore {
                frames: vec![nothing],
                ids: IdMap::default(),
            },
            pending: Vec::new(),
            seen: SeenThreads::default(),
        }
    }

    /// The root's start, on the stack without frames.
    ///
    /// # Errors
    /// If its automaton is too large.
    pub(super) fn start(&mut self) -> Result<Thread, Beyond> {
        Ok(Thread {
            at: self.rules.root()?,
            stack: BOTTOM,
        })
    }

    /// The thread with rules that do not count in place of those whose bounds cannot be reached in so many iterations. `known` keeps what was found for each stack.
    ///
    /// # Errors
    /// If the stacks are too many.
    pub(super) fn endless(
        &mut self,
        Thread { at, stack }: Thread,
        iterations: u32,
        known: &mut IdMap<StackId, StackId>,
    ) -> Result<Thread, Beyond> {
        let (mut above, mut below) = self.stacks.unknown(stack, known);
        while let Some(stack) = above.pop() {
            let at = self.stacks.frames[stack.place()].at;
            let at = self.rules.endless(at, iterations)?.unwrap_or(at);
            below = self.stacks.push(Thread { at, stack: below })?;
            known.insert(stack, below);
        }
        let at = self.rules.endless(at, iterations)?.unwrap_or(at);
        self.rules.come_to(at)?;
        Ok(Thread { at, stack: below })
    }

    /// The thread that `thread` is in `old`. `known` keeps the new number of each stack.
    ///
    /// # Errors
    /// If an automaton is too large.
    pub(super) fn carry(
        &mut self,
        old: &Closures,
        Thread { at, stack }: Thread,
        known: &mut IdMap<StackId, StackId>,
    ) -> Result<Thread, Beyond> {
        let (mut above, mut below) = old.stacks.unknown(stack, known);
        while let Some(stack) = above.pop() {
            let at = old.stacks.frames[stack.place()].at;
            let at = self.rules.carry(&old.rules, at)?;
            below = self.stacks.push(Thread { at, stack: below })?;
            known.insert(stack, below);
        }
        let at = self.rules.carry(&old.rules, at)?;
        Ok(Thread { at, stack: below })
    }

    /// About how many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        let frames = size_of::<Thread>() * self.stacks.frames.capacity();
        let ids = size_of::<(Thread, StackId)>() * self.stacks.ids.capacity();
        frames + ids + self.rules.memory()
    }

    /// The number of frames of all stacks.
    pub(super) fn frames(&self) -> usize {
        self.stacks.frames.len()
    }

    /// Adds to `out` the threads that wait for a byte and that `from` reaches without one. `out` is ascending afterwards. Returns whether the text may end.
    ///
    /// # Errors
    /// If there are too many of them, as where a rule calls itself before the first byte.
    pub(super) fn close(&mut self, from: &[Thread], out: &mut Vec<Thread>) -> Result<bool, Beyond> {
        out.clear();
        self.seen.clear();
        self.pending.clear();
        self.pending.extend_from_slice(from);
        let mut is_complete = false;
        while let Some(thread) = self.pending.pop() {
            if !self.seen.insert(thread) {
                continue;
            }
            if self.seen.len() > MAX_THREADS {
                return Err(Beyond);
            }
            self.rules.work.spend(1)?;
            self.rules.come_to(thread.at)?;
            if !self.rules.bytes(thread.at).is_empty() {
                out.push(thread);
            }
            is_complete |= self.follow(thread)?;
        }
        out.sort_unstable();
        Ok(is_complete)
    }

    /// Adds to the pending threads those that a thread reaches in one step without a byte. Returns whether the text may end there.
    fn follow(&mut self, Thread { at, stack }: Thread) -> Result<bool, Beyond> {
        let steps = self.rules.empty(at).len() + self.rules.calls(at).len();
        self.rules.work.spend(steps)?;
        let empty = self.rules.empty(at).iter();
        self.pending.extend(empty.map(|&at| Thread { at, stack }));
        for nth in 0..self.rules.calls(at).len() {
            let (rule, back) = self.rules.calls(at)[nth];
            // A call that returns to its caller's end leaves no frame.
            let stack = match self.rules.only_ends(back) {
                true => stack,
                false => self.stacks.push(Thread { at: back, stack })?,
            };
            let at = self.rules.start(rule)?;
            self.pending.push(Thread { at, stack });
        }
        if !self.rules.is_final(at) {
            return Ok(false);
        }
        if stack != BOTTOM {
            self.pending.push(self.stacks.frames[stack.place()]);
        }
        Ok(stack == BOTTOM)
    }
}

#[cfg(test)]
mod tests {
    use super::{PositionId, SeenThreads, StackId, Thread};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn threads_are_new_once(numbers in proptest::collection::vec(0u32..60, 0..200)) {
            let (mut seen, mut expected) = (SeenThreads::default(), BTreeSet::new());
            for _ in 0..2 {
                seen.clear();
                expected.clear();
                for &number in &numbers {
                    let thread = Thread { at: PositionId::new(number / 7), stack: StackId::new(number % 7) };
                    prop_assert_eq!(seen.insert(thread), expected.insert(number));
                }
                prop_assert_eq!(seen.len(), expected.len());
            }
        }
    }
}
