//! What must hold of the text that follows.
//!
//! In: the longer tries and the look-aheads of terminals that have ended. Out: sets of them, by
//! number, and how a byte changes them. Such a set is a part of a state: it is known byte by byte,
//! whatever terminals the text consists of by then.

use maskwright_regular::After;

use super::obligation::{MUST, MUST_NOT, NO_MATCH, Obligation, ScanState};
use super::scanner::Scanner;
use crate::id::id;
use crate::intern::Interner;
use crate::maps::IdMap;

id! {
    /// A set of obligations; number 0 is the empty one.
    pub(super) struct Obligations;
}

/// Nothing must hold.
pub(super) const NONE: Obligations = Obligations::new(0);

/// All sets of obligations that were met.
pub(super) struct ObligationSets {
    sets: Interner<Vec<Obligation>>,
    steps: IdMap<(Obligations, u8), Option<Obligations>>,
    /// The number of obligations of the largest set.
    largest: usize,
}

impl ObligationSets {
    pub(super) fn new() -> Self {
        let mut sets = Interner::new();
        sets.intern(Vec::new());
        ObligationSets {
            sets,
            steps: IdMap::default(),
            largest: 0,
        }
    }

    /// The number of obligations of the largest set.
    pub(super) fn largest(&self) -> usize {
        self.largest
    }

    /// A set with more obligations.
    pub(super) fn with(&mut self, set: Obligations, more: &[Obligation]) -> Obligations {
        if more.is_empty() {
            return set;
        }
        let mut all = self.sets.values[set.index()].clone();
        all.extend(more);
        self.set(all)
    }

    fn set(&mut self, mut all: Vec<Obligation>) -> Obligations {
        all.sort_unstable();
        all.dedup();
        self.largest = self.largest.max(all.len());
        Obligations::new(self.sets.intern(all))
    }

    /// What is left after a byte of a class; `None` if something does not hold.
    pub(super) fn after(
        &mut self,
        set: Obligations,
        class: u8,
        scanner: &mut Scanner<'_>,
    ) -> Option<Obligations> {
        if set == NONE {
            return Some(NONE);
        }
        if let Some(&known) = self.steps.get(&(set, class)) {
            return known;
        }
        let all = self.sets.values[set.index()].clone();
        let mut left = Vec::new();
        let holds = (all.iter()).all(|&of| after(of, class, scanner, &mut left));
        let next = holds.then(|| self.set(left));
        self.steps.insert((set, class), next);
        next
    }

    /// Whether all holds if the text ends.
    pub(super) fn hold_at_end(&self, set: Obligations, scanner: &Scanner<'_>) -> bool {
        let all = &self.sets.values[set.index()];
        all.iter()
            .all(|&Obligation(kind, of, condition)| match kind {
                NO_MATCH => {
                    let conditions = scanner.conditions(ScanState::new(of));
                    !conditions
                        .iter()
                        .any(|&(terminal, at)| scanner.at_end(terminal, at))
                }
                MUST => scanner.at_end(of as u16, condition),
                _ => !scanner.at_end(of as u16, condition),
            })
    }
}

/// Whether an obligation may still hold after a byte; the rest of it is added to `left`.
fn after(
    Obligation(kind, of, condition): Obligation,
    class: u8,
    scanner: &mut Scanner<'_>,
    left: &mut Vec<Obligation>,
) -> bool {
    if kind != NO_MATCH {
        let terminal = of as u16;
        return match scanner.after(terminal, condition, class) {
            After::Holds => kind == MUST,
            After::Fails => kind == MUST_NOT,
            After::Depends(condition) => {
                left.push(Obligation(kind, of, condition));
                true
            }
        };
    }
    let state = ScanState::new(of);
    for (terminal, condition) in scanner.conditions(state) {
        match scanner.after(terminal, condition, class) {
            After::Holds => return false,
            After::Fails => {}
            After::Depends(condition) => left.push(Obligation::must_not(terminal, condition)),
        }
    }
    match scanner.next(state, class) {
        None => true,
        Some(next) if scanner.has_matched(next) => false,
        Some(next) => {
            left.push(Obligation::no_match(next));
            true
        }
    }
}
