//! One step of a set of threads: over a byte, and then as far as they get without one.

use super::{Determinizer, Here};
use crate::error::Error;
use crate::formula::{ALWAYS, Branch, NEVER, NO_NEEDS, Need};
use crate::program::Op;
use std::collections::HashSet;

/// The paths met in a closure: a node, the bits of the loops entered here, needs.
#[derive(Default)]
pub(super) struct Seen {
    /// By node, for paths without bits and needs: when they were met.
    nodes: Vec<u32>,
    now: u32,
    others: HashSet<Path>,
}

/// A path: where it is, the loops whose bodies it has entered at this place, what it needs.
type Path = (u32, u64, u32);

impl Seen {
    fn clear(&mut self, nodes: usize) {
        self.others.clear();
        self.now = self.now.wrapping_add(1);
        if self.nodes.len() != nodes || self.now == 0 {
            self.nodes = vec![0; nodes];
            self.now = 1;
        }
    }

    /// Whether the path is met for the first time.
    fn insert(&mut self, path: Path) -> bool {
        match (path, self.nodes.get_mut(path.0 as usize)) {
            ((_, 0, NO_NEEDS), Some(met)) => std::mem::replace(met, self.now) != self.now,
            _ => self.others.insert(path),
        }
    }
}

impl Determinizer<'_, '_, '_> {
    /// The branches from a node on.
    pub(super) fn begin(
        &mut self,
        node: u32,
        is_ordered: bool,
        here: &mut Here,
    ) -> Result<Vec<Branch>, Error> {
        let mut seen = self.spare();
        let mut branches = Vec::new();
        self.close(
            (node, 0, NO_NEEDS),
            is_ordered,
            here,
            &mut seen,
            &mut branches,
        )?;
        self.seen.push(seen);
        Ok(branches)
    }

    fn spare(&mut self) -> Seen {
        let mut seen = self.seen.pop().unwrap_or_default();
        seen.clear(self.program.nodes.len());
        seen
    }

    /// The branches of `set` after `byte`, in order of preference if it `is_ordered`. What has
    /// matched before is kept in a formula, for then the rest does not matter; elsewhere it is no
    /// more.
    pub(super) fn advance(
        &mut self,
        set: u32,
        byte: u8,
        (is_ordered, keeps_accepted): (bool, bool),
        here: &mut Here,
    ) -> Result<Vec<Branch>, Error> {
        let program = self.program;
        let before = self.formulas.branches(set);
        let mut branches = Vec::with_capacity(before.len());
        let mut seen = self.spare();
        for branch in before.iter() {
            self.budget.work(1)?;
            if branch.is_accepted() {
                if keeps_accepted {
                    let needs = self.step_needs(branch.needs, byte, here)?;
                    branches.extend(needs.map(Branch::accepted));
                }
                continue;
            }
            let Some(leaf) = program.leaves.states[branch.leaf as usize].target(byte) else {
                continue;
            };
            let Some(needs) = self.step_needs(branch.needs, byte, here)? else {
                continue;
            };
            let state = &program.leaves.states[leaf as usize];
            if !state.next.is_empty() {
                branches.push(Branch {
                    leaf,
                    needs,
                    ..*branch
                });
            }
            if state.is_final {
                let path = (branch.next, 0, needs);
                self.close(path, is_ordered, here, &mut seen, &mut branches)?;
            }
            if is_ordered && branches.last() == Some(&Branch::accepted(NO_NEEDS)) {
                break;
            }
        }
        self.seen.push(seen);
        Ok(branches)
    }

    /// What must hold after `byte` for `set` to hold before it.
    pub(super) fn step(&mut self, set: u32, byte: u8, here: &mut Here) -> Result<u32, Error> {
        if set == NEVER || set == ALWAYS {
            return Ok(set);
        }
        if let Some(&next) = here.steps.get(&set) {
            return Ok(next);
        }
        let branches = self.advance(set, byte, (false, true), here)?;
        let next = self.formulas.set(branches, self.budget)?;
        here.steps.insert(set, next);
        Ok(next)
    }

    /// The needs after `byte`; `None` if they cannot hold.
    fn step_needs(&mut self, needs: u32, byte: u8, here: &mut Here) -> Result<Option<u32>, Error> {
        if needs == NO_NEEDS {
            return Ok(Some(NO_NEEDS));
        }
        if let Some(&after) = here.needs.get(&needs) {
            return Ok(after);
        }
        let mut after = Some(NO_NEEDS);
        for need in self.formulas.needs(needs).iter() {
            let set = self.step(need.set, byte, here)?;
            let need = Need { set, ..*need };
            after = after.and_then(|after| self.formulas.and(after, need));
        }
        self.formulas.charge(self.budget)?;
        here.needs.insert(needs, after);
        Ok(after)
    }

    /// Adds where a path leads without a byte, the most preferred first: threads that read one, and
    /// matches.
    fn close(
        &mut self,
        path: Path,
        is_ordered: bool,
        here: &mut Here,
        seen: &mut Seen,
        branches: &mut Vec<Branch>,
    ) -> Result<(), Error> {
        let program = self.program;
        let mut stack = vec![path];
        while let Some(path) = stack.pop() {
            let (node, bits, needs) = path;
            self.budget.work(1)?;
            if !seen.insert(path) {
                continue;
            }
            match &program.nodes[node as usize] {
                Op::Accept => {
                    branches.push(Branch::accepted(needs));
                    if is_ordered && needs == NO_NEEDS {
                        break;
                    }
                }
                &Op::Leaf { leaf, next } => {
                    let state = &program.leaves.states[leaf as usize];
                    if !state.next.is_empty() {
                        branches.push(Branch { leaf, next, needs });
                    }
                    if state.is_final {
                        stack.push((next, bits, needs));
                    }
                }
                Op::Split(nodes) => {
                    self.budget.work(nodes.len())?;
                    stack.extend(nodes.iter().rev().map(|&node| (node, bits, needs)));
                }
                &Op::Test {
                    body,
                    exit,
                    bit,
                    is_lazy,
                } => {
                    let mask = bit.filter(|_| is_ordered).map_or(0, |bit| 1_u64 << bit);
                    let leave = (exit, bits & !mask, needs);
                    let enter = (body, bits | mask, needs);
                    stack.extend(loop_paths(bits & mask != 0, is_lazy, enter, leave));
                }
                &Op::Leave { bit, next } => stack.push((next, bits & !(1 << bit), needs)),
                &Op::Look {
                    assertion,
                    is_negative,
                    next,
                } => {
                    let set = self.look(assertion, here)?;
                    let needs = self.formulas.and(needs, Need { set, is_negative });
                    stack.extend(needs.map(|needs| (next, bits, needs)));
                }
            }
        }
        Ok(())
    }

    /// What an assertion says here.
    fn look(&mut self, assertion: u32, here: &mut Here) -> Result<u32, Error> {
        if let Some(set) = here.assertions[assertion as usize] {
            return Ok(set);
        }
        let start = self.program.assertions[assertion as usize].start;
        let branches = self.begin(start, false, here)?;
        let set = self.formulas.set(branches, self.budget)?;
        here.assertions[assertion as usize] = Some(set);
        Ok(set)
    }
}

/// The paths from the test of a loop, the one to be looked at first last. A body that has been
/// entered at this place is not entered again.
fn loop_paths(
    is_entered: bool,
    is_lazy: bool,
    enter: Path,
    leave: Path,
) -> impl Iterator<Item = Path> {
    let (first, second) = match (is_entered, is_lazy) {
        (true, _) => (leave, None),
        (false, true) => (leave, Some(enter)),
        (false, false) => (enter, Some(leave)),
    };
    second.into_iter().chain([first])
}
