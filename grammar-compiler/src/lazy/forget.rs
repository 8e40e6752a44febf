//! Forgetting: what a matcher keeps when it has worked out more than its bounds allow.
//!
//! In: situations, and those among them that are still needed. Out: situations anew, which have only these, with the stacks and automata that they need. What holds: the same texts go on
//! from a situation and from its new number.

use rustc_hash::FxHashMap as HashMap;

use super::closure::Thread;
use super::rules::Rules;
use super::situations::{SituationId, Situations};
use super::{Beyond, Bounds};

/// How much there is of what is bounded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    situations: usize,
    frames: usize,
    positions: usize,
}

impl Used {
    /// Whether forgetting is worth its time: there is more than the bounds allow, and enough of that is new since the last time, when it was `kept`.
    pub(super) fn passes(&self, bounds: &Bounds, kept: &Used) -> bool {
        let passes = |now: usize, kept: usize, bound: usize| now > bound.max(kept + bound / 2);
        passes(self.situations, kept.situations, bounds.situations)
            || passes(self.frames, kept.frames, bounds.frames)
            || passes(self.positions, kept.positions, bounds.positions)
    }
}

impl Situations {
    /// How much there is.
    pub(super) fn used(&self) -> Used {
        Used {
            situations: self.threads.len(),
            frames: self.closures.frames(),
            positions: self.closures.rules.count(),
        }
    }

    /// Forgets all but some situations. Gives their new numbers; nothing if they do not fit, and then nothing is forgotten.
    pub(super) fn forget(
        &mut self,
        kept: impl Iterator<Item = SituationId>,
    ) -> Option<HashMap<SituationId, SituationId>> {
        let rules = Rules::renewed(&mut self.closures.rules);
        let mut anew = Situations::none(rules);
        match anew.carry(self, kept) {
            Ok(numbers) => {
                *self = anew;
                Some(numbers)
            }
            Err(Beyond) => {
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
    ) -> Result<HashMap<SituationId, SituationId>, Beyond> {
        let (mut numbers, mut stacks) = (HashMap::default(), HashMap::default());
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
