//! Exits: how a stack can lose its top frame, or the text end, by whole tokens.
//!
//! In: a [`ControlMachine`] and the states that can be met on each gram. Out: [`ControlExits`]: for
//! a control on a gram, the controls that it can go on with once the top frame is popped, each with
//! the least *peak*: how far above the present height the stack must rise on the way. This is the
//! saturation by which reachability of pushdown systems is decided, with peaks as weights: the
//! least peak goes first, so that each exit is settled once.

use crate::maps::IdMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::control::{Control, ControlId, ControlMachine, ControlStep, GramId};
use super::reach::Reach;
use super::tokens::BETWEEN;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::headroom::MAX_NEED;

/// How a control leaves the top frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ControlExit {
    /// The text has ended.
    End,
    /// The frame was popped; this goes on.
    Popped(ControlId),
}

/// The least peak of each exit.
pub type Peaks = BTreeMap<ControlExit, u8>;

/// All exits that matter.
#[derive(Debug, Default)]
pub struct ControlExits {
    entries: IdMap<(ControlId, GramId), usize>,
    peaks: Vec<Peaks>,
    /// For each gram the controls that may go on there after a return, and the states between two
    /// tokens.
    pub controls: Vec<BTreeSet<ControlId>>,
}

impl ControlExits {
    /// Where a control on a gram can go.
    pub fn of(&self, control: ControlId, gram: GramId) -> Option<&Peaks> {
        let entry = *self.entries.get(&(control, gram))?;
        self.peaks.get(entry)
    }
}

/// Finds the exits of all states, between two tokens, on all grams where they can be met.
///
/// # Errors
///
/// If the deadline passes.
pub fn exits(
    machine: &mut ControlMachine<'_>,
    reach: &Reach,
    deadline: &Deadline,
) -> Result<ControlExits, LimitExceeded> {
    let mut search = ExitSearch::default();
    for (gram, states) in reach.states.iter().enumerate() {
        for &state in states {
            let control = machine.control(Control::At {
                state,
                node: BETWEEN,
            });
            search.entry(control, GramId::at(gram));
            search.found.controls[gram].insert(control);
        }
    }
    let mut steps = 0usize;
    loop {
        steps += 1;
        if steps.is_multiple_of(1024) {
            deadline.check("finding what the vocabulary can finish")?;
        }
        // Steps first, since they only find exits to settle.
        if let Some(entry) = search.fresh.pop() {
            search.follow(machine, entry);
        } else if let Some(Reverse((peak, entry, exit))) = search.queue.pop() {
            search.settle(peak, entry, exit);
        } else {
            search
                .found
                .controls
                .resize_with(machine.gram_count(), BTreeSet::new);
            return Ok(search.found);
        }
    }
}

/// What depends on the exits of an entry.
#[derive(Clone, Copy)]
struct ExitUser {
    entry: usize,
    /// The peak on the way from the user to the entry.
    floor: u8,
    /// Whether the entry is one frame higher than the user.
    is_caller: bool,
}

#[derive(Default)]
struct ExitSearch {
    found: ControlExits,
    keys: Vec<(ControlId, GramId)>,
    users: Vec<Vec<ExitUser>>,
    fresh: Vec<usize>,
    queue: BinaryHeap<Reverse<(u8, usize, ControlExit)>>,
}

impl ExitSearch {
    fn entry(&mut self, control: ControlId, gram: GramId) -> usize {
        let next = self.keys.len();
        let entry = *self.found.entries.entry((control, gram)).or_insert(next);
        if entry == next {
            self.keys.push((control, gram));
            self.users.push(Vec::new());
            self.found.peaks.push(Peaks::new());
            self.fresh.push(entry);
            let grams = self.found.controls.len().max(gram.index() + 1);
            self.found.controls.resize_with(grams, BTreeSet::new);
        }
        entry
    }

    fn follow(&mut self, machine: &mut ControlMachine<'_>, entry: usize) {
        let (control, gram) = self.keys[entry];
        for step in machine.steps(control, gram) {
            match step {
                ControlStep::Stay(next) => self.use_entry(entry, next, gram, 0, false),
                ControlStep::Return(next) => self.offer(0, entry, ControlExit::Popped(next)),
                ControlStep::Call(_, callee, next) => self.use_entry(entry, next, callee, 0, true),
                ControlStep::End => self.offer(0, entry, ControlExit::End),
            }
        }
    }

    /// Gives `user` the exits of a control on a gram.
    fn use_entry(
        &mut self,
        user: usize,
        control: ControlId,
        gram: GramId,
        floor: u8,
        is_caller: bool,
    ) {
        let entry = self.entry(control, gram);
        let user = ExitUser {
            entry: user,
            floor,
            is_caller,
        };
        self.users[entry].push(user);
        let settled: Vec<(ControlExit, u8)> = (self.found.peaks[entry].iter())
            .map(|(&exit, &peak)| (exit, peak))
            .collect();
        for (exit, peak) in settled {
            self.pass_on(user, exit, peak);
        }
    }

    fn offer(&mut self, peak: u8, entry: usize, exit: ControlExit) {
        let is_better = self.found.peaks[entry].get(&exit).is_none_or(|&p| p > peak);
        if peak <= MAX_NEED && is_better {
            self.queue.push(Reverse((peak, entry, exit)));
        }
    }

    fn settle(&mut self, peak: u8, entry: usize, exit: ControlExit) {
        match self.found.peaks[entry].get(&exit) {
            Some(&known) if known <= peak => return,
            _ => self.found.peaks[entry].insert(exit, peak),
        };
        for user in self.users[entry].clone() {
            self.pass_on(user, exit, peak);
        }
    }

    fn pass_on(&mut self, user: ExitUser, exit: ControlExit, peak: u8) {
        if !user.is_caller {
            return self.offer(peak.max(user.floor), user.entry, exit);
        }
        let peak = peak.saturating_add(1);
        match exit {
            ControlExit::End => self.offer(peak, user.entry, ControlExit::End),
            ControlExit::Popped(_) if peak > MAX_NEED => {}
            ControlExit::Popped(control) => {
                let gram = self.keys[user.entry].1;
                self.use_entry(user.entry, control, gram, peak, false);
                self.found.controls[gram.index()].insert(control);
            }
        }
    }
}
