//! One step of a set of threads: over a byte, and then as far as they get without one.

use super::{Determinizer, Here};
use crate::error::Error;
use crate::formula::{ALWAYS, Branch, NEVER, NO_NEEDS, Need};
use crate::program::Op;
use std::collections::{HashMap, HashSet};

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

    /// The branches of `set` after `byte`. Of a `group`, `Some`, which may be ordered, what had
    /// matched before is no more; so it is with `None` at look-behinds.
    pub(super) fn advance(
        &mut self,
        set: u32,
        byte: u8,
        group: Option<bool>,
        here: &mut Here,
    ) -> Result<Vec<Branch>, Error> {
        let is_ordered = group.unwrap_or(false);
        self.advance_all(set, byte, is_ordered, false, here)
    }

    fn advance_all(
        &mut self,
        set: u32,
        byte: u8,
        is_ordered: bool,
        keeps_accepted: bool,
        here: &mut Here,
    ) -> Result<Vec<Branch>, Error> {
        let program = self.program;
        let before = self.formulas.branches(set);
        let mut branches = Vec::with_capacity(before.len());
        let mut needs_after: HashMap<u32, Option<u32>> = HashMap::new();
        let mut seen = self.spare();
        for branch in before.iter() {
            self.budget.work(1)?;
            let leaf = match branch.is_accepted() {
                true if keeps_accepted => None,
                true => continue,
                false => match program.leaves.states[branch.leaf as usize].target(byte) {
                    Some(leaf) => Some(leaf),
                    None => continue,
                },
            };
            let needs = match needs_after.get(&branch.needs) {
                Some(&needs) => needs,
                None => {
                    let needs = self.step_needs(branch.needs, byte, here)?;
                    needs_after.insert(branch.needs, needs);
                    needs
                }
            };
            let Some(needs) = needs else {
                continue;
            };
            let Some(leaf) = leaf else {
                branches.push(Branch::accepted(needs));
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
        let branches = self.advance_all(set, byte, false, true, here)?;
        let next = self.formulas.set(branches, self.budget)?;
        here.steps.insert(set, next);
        Ok(next)
    }

    /// The needs after `byte`; `None` if they cannot hold.
    fn step_needs(&mut self, needs: u32, byte: u8, here: &mut Here) -> Result<Option<u32>, Error> {
        let mut result = Some(NO_NEEDS);
        for need in self.formulas.needs(needs).iter() {
            let set = self.step(need.set, byte, here)?;
            let need = Need { set, ..*need };
            result = result.and_then(|needs| self.formulas.and(needs, need));
        }
        self.formulas.charge(self.budget)?;
        Ok(result)
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
                    match (bits & mask != 0, is_lazy) {
                        (true, _) => stack.push(leave),
                        (false, true) => stack.extend([enter, leave]),
                        (false, false) => stack.extend([leave, enter]),
                    }
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
