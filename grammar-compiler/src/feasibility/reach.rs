//! Reachability: the states that text leads to, whether or not tokens spell it.
//!
//! In: a [`ControlMachine`]. Out: [`Reach`]: the states that can be met on each gram, and the
//! frames that can be pushed on it. They are found by a worklist over pairs of control and gram,
//! along with which grams lie right under which.

use crate::maps::IdSet;
use std::collections::BTreeSet;

use super::control::{Control, ControlId, ControlMachine, ControlStep, GramId};
use super::tokens::ANYWHERE;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{FrameId, StateId};

/// For each gram, what can happen on it.
#[derive(Debug, Default)]
pub struct Reach {
    /// The states that can be met.
    pub states: Vec<BTreeSet<StateId>>,
    /// The frames that can be pushed.
    pub pushes: Vec<BTreeSet<FrameId>>,
}

/// Finds everything that text leads to from `start`.
///
/// # Errors
///
/// If the deadline passes.
pub fn reach(
    machine: &mut ControlMachine<'_>,
    start: StateId,
    deadline: &Deadline,
) -> Result<Reach, LimitExceeded> {
    let bottom = machine.bottom();
    let start = machine.control(Control::At {
        state: start,
        node: ANYWHERE,
    });
    let mut search = ReachSearch::default();
    search.add(start, bottom);
    let mut steps = 0usize;
    while let Some((control, gram)) = search.work.pop() {
        steps += 1;
        if steps.is_multiple_of(1024) {
            deadline.check("finding what the vocabulary spells")?;
        }
        search.resize(machine.gram_count());
        if let Some(state) = machine.state_of(control) {
            search.found.states[gram.index()].insert(state);
        }
        for step in machine.steps(control, gram) {
            search.resize(machine.gram_count());
            match step {
                ControlStep::Stay(next) => search.add(next, gram),
                ControlStep::Return(next) => search.returns(next, gram),
                ControlStep::Call(frame, callee, next) => search.call(gram, frame, callee, next),
                ControlStep::End => {}
            }
        }
    }
    search.resize(machine.gram_count());
    Ok(search.found)
}

#[derive(Default)]
struct ReachSearch {
    seen: IdSet<(ControlId, GramId)>,
    work: Vec<(ControlId, GramId)>,
    /// For each gram the grams that can lie right under it.
    under: Vec<BTreeSet<GramId>>,
    /// For each gram, what goes on when its top frame is popped.
    returned: Vec<BTreeSet<ControlId>>,
    found: Reach,
}

impl ReachSearch {
    fn resize(&mut self, grams: usize) {
        self.under.resize_with(grams, BTreeSet::new);
        self.returned.resize_with(grams, BTreeSet::new);
        self.found.states.resize_with(grams, BTreeSet::new);
        self.found.pushes.resize_with(grams, BTreeSet::new);
    }

    fn add(&mut self, control: ControlId, gram: GramId) {
        if self.seen.insert((control, gram)) {
            self.work.push((control, gram));
        }
    }

    fn returns(&mut self, control: ControlId, gram: GramId) {
        if self.returned[gram.index()].insert(control) {
            for below in self.under[gram.index()].clone() {
                self.add(control, below);
            }
        }
    }

    fn call(&mut self, caller: GramId, frame: FrameId, callee: GramId, control: ControlId) {
        self.found.pushes[caller.index()].insert(frame);
        self.add(control, callee);
        if self.under[callee.index()].insert(caller) {
            for control in self.returned[callee.index()].clone() {
                self.add(control, caller);
            }
        }
    }
}
