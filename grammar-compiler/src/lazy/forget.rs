//! Forgetting: what a matcher keeps when it holds more than its bounds allow.
//!
//! In: situations, and those among them that are still needed. Out: new
//! [`Situations`](super::situations::Situations), which hold only those, with the stacks and
//! automata that they need. What holds: a situation can be continued by the same texts under its
//! old number and under its new one.

use crate::maps::IdMap;

use super::rules::Rules;
use super::situations::{SituationId, Situations};
use super::thread::Thread;
use super::{Bounds, GaveUp};

/// The amounts that [`Bounds`](super::Bounds) limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    situations: usize,
    frames: usize,
    positions: usize,
}

/// Forgetting copies the frames that are kept. For so many of them one more situation is kept
/// first, so that a text that nests deeper and deeper takes time in proportion to its length.
const FRAMES_PER_SITUATION: usize = 64;

impl Used {
    /// Whether forgetting is worth its time: the amounts pass the bounds, and enough has been added
    /// to what was `kept` the last time.
    pub(super) fn passes(&self, bounds: &Bounds, kept: &Used) -> bool {
        let passes = |now: usize, kept: usize, bound: usize| now > bound.max(kept + bound / 2);
        let copied = kept.frames / FRAMES_PER_SITUATION;
        let room = bounds.situations.max(copied);
        passes(self.situations, kept.situations, room)
            || passes(self.frames, kept.frames, bounds.frames)
            || passes(self.positions, kept.positions, bounds.positions)
    }
}

impl Situations {
    /// The amounts now.
    pub(super) fn used(&self) -> Used {
        Used {
            situations: self.threads.len(),
            frames: self.closures.frames(),
            positions: self.closures.rules.count(),
        }
    }

    /// Forgets all situations but these. Returns their new numbers. If they do not fit, it returns
    /// `None` and forgets nothing.
    pub(super) fn forget(
        &mut self,
        kept: impl Iterator<Item = SituationId>,
    ) -> Option<IdMap<SituationId, SituationId>> {
        let rules = Rules::renewed(&mut self.closures.rules);
        let mut anew = Situations::none(rules);
        match anew.carry(self, kept) {
            Ok(numbers) => {
                *self = anew;
                Some(numbers)
            }
            Err(GaveUp) => {
                anew.closures.rules.give_back(&mut self.closures.rules);
                None
            }
        }
    }

    /// Adds situations of `old`.
    fn carry(
        &mut self,
        old: &Situations,
        kept: impl Iterator<Item = SituationId>,
    ) -> Result<IdMap<SituationId, SituationId>, GaveUp> {
        let (mut numbers, mut stacks) = (IdMap::default(), IdMap::default());
        let mut threads = Vec::new();
        for situation in kept {
            if numbers.contains_key(&situation) {
                continue;
            }
            threads.clear();
            for &thread in old.threads.get(situation.number()) {
                threads.push(match thread {
                    Thread::COMPLETE => thread,
                    thread => self.closures.carry(&old.closures, thread, &mut stacks)?,
                });
            }
            threads.sort_unstable();
            numbers.insert(situation, self.intern(&threads)?);
        }
        Ok(numbers)
    }
}
