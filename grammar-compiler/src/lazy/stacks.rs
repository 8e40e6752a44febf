//! Sets of stacks, each with one number.
//!
//! In: frames that are pushed, and sets that are united. Out: [`StackId`]s. What holds: equal sets
//! have one number.
//!
//! A set is kept by its top frames: the positions that calls return to, each with the set of the
//! stacks below it. Two stacks with the same top frame share it, and sets of stacks below are
//! shared as well. This is the graph-structured stack of Tomita (1985), read from the top as a
//! deterministic automaton, so that the work for a byte depends on the frames of the graph and not
//! on the number of stacks.

use super::thread::{NO_FRAME, StackId, Thread};
use super::work::Work;
use super::{GaveUp, MAX_FRAMES};
use crate::intern::Sequences;
use crate::maps::{IdMap, IdSet};

/// All sets met so far.
#[derive(Clone, Debug)]
pub(super) struct StackSets {
    /// The top frames of each set, with ascending positions.
    frames: Sequences<Thread>,
    /// The unions that were asked for, by both sets, the lower number first.
    unions: IdMap<(StackId, StackId), StackId>,
    /// Room for the unions that a union needs, and for its frames.
    pending: Vec<(StackId, StackId)>,
    united: Vec<Thread>,
}

impl StackSets {
    /// The set of the stack without frames alone.
    pub(super) fn new() -> Self {
        let mut frames = Sequences::new();
        frames.intern(&[NO_FRAME]);
        StackSets {
            frames,
            unions: IdMap::default(),
            pending: Vec::new(),
            united: Vec::new(),
        }
    }

    /// The number of top frames of all sets.
    pub(super) fn count(&self) -> usize {
        self.frames.items()
    }

    /// About how many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        let union = size_of::<((StackId, StackId), StackId)>();
        self.frames.memory() + union * self.unions.capacity()
    }

    /// The top frames of a set.
    #[inline]
    pub(super) fn frames(&self, set: StackId) -> &[Thread] {
        self.frames.get(set.number())
    }

    /// The stacks of a set, each with one more frame: `frame` holds the position that the call
    /// returns to, and the set.
    ///
    /// # Errors
    /// If there are too many frames.
    #[inline]
    pub(super) fn push(&mut self, frame: Thread) -> Result<StackId, GaveUp> {
        self.set(&[frame])
    }

    /// The set with these top frames, whose positions are ascending.
    ///
    /// # Errors
    /// If there are too many frames.
    #[inline]
    pub(super) fn set(&mut self, frames: &[Thread]) -> Result<StackId, GaveUp> {
        let set = StackId::new(self.frames.intern(frames));
        self.check().map(|()| set)
    }

    fn check(&self) -> Result<(), GaveUp> {
        match self.count() > MAX_FRAMES || self.unions.len() > MAX_FRAMES {
            true => Err(GaveUp),
            false => Ok(()),
        }
    }

    /// The stacks of two sets. A union is worked out once; so one that grows with a text costs the
    /// same at each byte.
    ///
    /// # Errors
    /// If there are too many frames, or the step has too much work.
    pub(super) fn union(
        &mut self,
        one: StackId,
        other: StackId,
        work: &mut Work,
    ) -> Result<StackId, GaveUp> {
        if one == other {
            return Ok(one);
        }
        let asked = ordered(one, other);
        self.pending.clear();
        self.pending.push(asked);
        loop {
            let Some(&pair) = self.pending.last() else {
                return self.unions.get(&asked).copied().ok_or(GaveUp);
            };
            if self.unions.contains_key(&pair) || self.unite(pair, work)? {
                self.pending.pop();
            }
        }
    }

    /// Works out a union if all that it needs is known. Returns whether that is so: otherwise, what
    /// it needs is pending.
    fn unite(&mut self, (one, other): (StackId, StackId), work: &mut Work) -> Result<bool, GaveUp> {
        let (mut left, mut right) = (
            self.frames.get(one.number()),
            self.frames.get(other.number()),
        );
        work.spend(left.len() + right.len())?;
        let needed = self.pending.len();
        self.united.clear();
        while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
            let frame = if first.at < second.at {
                left = left_rest;
                *first
            } else if second.at < first.at {
                right = right_rest;
                *second
            } else {
                (left, right) = (left_rest, right_rest);
                let below = ordered(first.stack, second.stack);
                let known = match below.0 == below.1 {
                    true => Some(&below.0),
                    false => self.unions.get(&below),
                };
                let Some(&stack) = known else {
                    self.pending.push(below);
                    continue;
                };
                Thread {
                    at: first.at,
                    stack,
                }
            };
            self.united.push(frame);
        }
        if self.pending.len() > needed {
            return Ok(false);
        }
        self.united.extend_from_slice(left);
        self.united.extend_from_slice(right);
        let union = StackId::new(self.frames.intern(&self.united));
        self.unions.insert((one, other), union);
        self.check().map(|()| true)
    }

    /// The sets that this one consists of and that `known` lacks, each behind those below it.
    pub(super) fn unknown(&self, set: StackId, known: &IdMap<StackId, StackId>) -> Vec<StackId> {
        let (mut ordered, mut seen) = (Vec::new(), IdSet::default());
        let mut pending = vec![(set, false)];
        while let Some((set, are_below_in)) = pending.pop() {
            if are_below_in {
                ordered.push(set);
            } else if !known.contains_key(&set) && seen.insert(set) {
                pending.push((set, true));
                let frames = self.frames(set).iter().filter(|frame| **frame != NO_FRAME);
                pending.extend(frames.map(|frame| (frame.stack, false)));
            }
        }
        ordered
    }
}

/// Both numbers, the lower one first.
fn ordered(one: StackId, other: StackId) -> (StackId, StackId) {
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lazy::position::PositionId;
    use crate::lazy::thread::BOTTOM;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Stacks = BTreeSet<Vec<u32>>;

    /// The set of these stacks, the top frame first.
    fn set_of(sets: &mut StackSets, stacks: &Stacks) -> Option<StackId> {
        let mut union = None;
        for stack in stacks {
            let frames = stack.iter().rev();
            let one = frames.fold(BOTTOM, |stack, &at| {
                let at = PositionId::new(at);
                sets.push(Thread { at, stack }).unwrap()
            });
            union = Some(match union {
                Some(union) => sets.union(union, one, &mut Work::of_step(0)).unwrap(),
                None => one,
            });
        }
        union
    }

    fn stacks_of(sets: &StackSets, set: StackId) -> Stacks {
        let mut stacks = Stacks::new();
        for &frame in sets.frames(set) {
            if frame == NO_FRAME {
                stacks.insert(Vec::new());
                continue;
            }
            for mut below in stacks_of(sets, frame.stack) {
                below.insert(0, frame.at.number());
                stacks.insert(below);
            }
        }
        stacks
    }

    fn some_stacks() -> impl Strategy<Value = Stacks> {
        let stack = proptest::collection::vec(0..3_u32, 0..5);
        proptest::collection::btree_set(stack, 1..12)
    }

    proptest! {
        #[test]
        fn equal_sets_have_one_number(one in some_stacks(), other in some_stacks()) {
            let sets = &mut StackSets::new();
            let [first, second] = [&one, &other].map(|stacks| set_of(sets, stacks).unwrap());
            prop_assert_eq!(stacks_of(sets, first), one.clone());
            let union = sets.union(first, second, &mut Work::of_step(0)).unwrap();
            let both: Stacks = one.union(&other).cloned().collect();
            prop_assert_eq!(stacks_of(sets, union), both.clone());
            prop_assert_eq!(set_of(sets, &both), Some(union));
            let back = sets.union(second, first, &mut Work::of_step(0)).unwrap();
            prop_assert_eq!(back, union);
            let with_itself = sets.union(union, first, &mut Work::of_step(0)).unwrap();
            prop_assert_eq!(with_itself, union);
        }

        #[test]
        fn sets_come_behind_those_below_them(stacks in some_stacks()) {
            let sets = &mut StackSets::new();
            let set = set_of(sets, &stacks).unwrap();
            let ordered = sets.unknown(set, &IdMap::default());
            prop_assert_eq!(ordered.last(), Some(&set));
            for (at, &set) in ordered.iter().enumerate() {
                for frame in sets.frames(set).iter().filter(|frame| **frame != NO_FRAME) {
                    prop_assert!(ordered[..at].contains(&frame.stack));
                }
            }
        }
    }

    /// All stacks of at most so many frames: a set of a few frames, however many stacks it has.
    #[test]
    fn work_does_not_grow_with_the_stacks() {
        let sets = &mut StackSets::new();
        let mut work = Work::of_step(0);
        let mut all = BOTTOM;
        for height in 0..1_000 {
            let mut longer = BOTTOM;
            for at in [7, 9].map(PositionId::new) {
                let pushed = sets.push(Thread { at, stack: all }).unwrap();
                longer = sets.union(longer, pushed, &mut work).unwrap();
            }
            all = sets.union(all, longer, &mut work).unwrap();
            assert!(sets.count() <= 16 * (height + 1), "{}", sets.count());
        }
        assert_eq!(sets.frames(all).len(), 3);
        assert!(Work::of_step(0).left() - work.left() < 100_000);
    }
}
