//! Boolean formulas over the nodes of a program: what the rest of a text must be.
//!
//! A [`FormulaBranch`] is a node and needs: the rest matches from the node, and each [`SetNeed`]
//! holds of it. A set of branches holds if one of them does; a need is a set that must hold, or
//! must not. Sets and needs are kept once and numbered, and simplified, so that few different ones
//! arise.

use super::program::{ACCEPT, Rank};
use crate::syntax::json_schema::strings::intern::SequenceInterner;
use std::cmp::Reverse;
use std::rc::Rc;

/// The set without branches: no text.
pub(super) const NEVER: u32 = 0;

/// The set whose branch accepts without needs: every text.
pub(super) const ALWAYS: u32 = 1;

/// No needs.
pub(super) const NO_NEEDS: u32 = 0;

/// A way to match: from this node, under these needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FormulaBranch {
    pub(super) node: u32,
    pub(super) needs: u32,
}

/// A set that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SetNeed {
    pub(super) set: u32,
    pub(super) is_negative: bool,
}

/// The sets of branches and of needs, numbered.
pub(super) struct Formulas<'p> {
    ranks: &'p [Rank],
    sets: SequenceInterner<FormulaBranch>,
    needs: SequenceInterner<SetNeed>,
    work: usize,
}

impl<'p> Formulas<'p> {
    pub(super) fn new(ranks: &'p [Rank]) -> Formulas<'p> {
        let mut formulas = Formulas {
            ranks,
            sets: SequenceInterner::new(),
            needs: SequenceInterner::new(),
            work: 0,
        };
        formulas.needs.number(Vec::new());
        formulas.sets.number(Vec::new());
        formulas.sets.number(vec![FormulaBranch {
            node: ACCEPT,
            needs: NO_NEEDS,
        }]);
        formulas
    }

    /// The branches of a set.
    pub(super) fn branches(&self, set: u32) -> Rc<[FormulaBranch]> {
        self.sets.get(set).unwrap_or_default()
    }

    /// The needs of a number.
    pub(super) fn needs(&self, needs: u32) -> Rc<[SetNeed]> {
        self.needs.get(needs).unwrap_or_default()
    }

    /// `needs` and one more; `None` if they cannot hold together.
    pub(super) fn and(&mut self, needs: u32, need: SetNeed) -> Option<u32> {
        let SetNeed { set, is_negative } = need;
        match (set, is_negative) {
            (NEVER, true) | (ALWAYS, false) => return Some(needs),
            (NEVER, false) | (ALWAYS, true) => return None,
            _ => {}
        }
        let before = self.needs(needs);
        if before.iter().any(|&other| self.excludes(other, need)) {
            return None;
        }
        if before.iter().any(|&other| self.implies(other, need)) {
            return Some(needs);
        }
        let mut list = before.to_vec();
        list.retain(|&other| !self.implies(need, other));
        list.push(need);
        list.sort_unstable();
        Some(self.needs.number(list).0)
    }

    /// Whether `other` is seen to hold wherever `one` does.
    fn implies(&mut self, one: SetNeed, other: SetNeed) -> bool {
        one.is_negative == other.is_negative
            && match one.is_negative {
                false => self.is_part(one.set, other.set),
                true => self.is_part(other.set, one.set),
            }
    }

    /// Whether the two are seen not to hold together.
    fn excludes(&mut self, one: SetNeed, other: SetNeed) -> bool {
        one.is_negative != other.is_negative
            && match one.is_negative {
                false => self.is_part(one.set, other.set),
                true => self.is_part(other.set, one.set),
            }
    }

    /// Whether all branches of one set are in another.
    fn is_part(&mut self, part: u32, whole: u32) -> bool {
        if part == whole {
            return true;
        }
        let (part, whole) = (self.branches(part), self.branches(whole));
        self.work += part.len();
        let mut rest = whole.iter();
        part.len() <= whole.len() && part.iter().all(|branch| rest.any(|b| b == branch))
    }

    /// The branches that were compared since this was asked for.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// The number of a set of branches.
    pub(super) fn set(&mut self, mut branches: Vec<FormulaBranch>) -> u32 {
        let always = FormulaBranch {
            node: ACCEPT,
            needs: NO_NEEDS,
        };
        if branches.contains(&always) {
            return ALWAYS;
        }
        let ranks = self.ranks;
        branches.sort_unstable_by_key(|branch| {
            let Rank { group, strength } = ranks[branch.node as usize];
            (group, Reverse(strength), branch.needs)
        });
        branches.dedup();
        let branches = self.absorb(&branches);
        self.sets.number(branches).0
    }

    /// Leaves out branches that hold only where another one does: at the same node, a stronger one
    /// or where the other accepts, with needs that imply those of the other.
    fn absorb(&mut self, branches: &[FormulaBranch]) -> Vec<FormulaBranch> {
        let ranks = self.ranks;
        let group = |branch: &FormulaBranch| ranks[branch.node as usize].group;
        let accepting = branches.partition_point(|b| b.node == ACCEPT);
        let mut kept: Vec<FormulaBranch> = Vec::with_capacity(branches.len());
        for (at, branch) in branches.iter().enumerate() {
            // Of branches of one node that imply each other the last is kept.
            let same = branches[at + 1..]
                .iter()
                .take_while(|b| b.node == branch.node);
            let stronger = kept.iter().rev().take_while(|b| group(b) == group(branch));
            let accepting = branches[..accepting].iter().filter(|_| at >= accepting);
            let mut others = same.chain(stronger).chain(accepting);
            if !others.any(|other| self.all_imply(branch.needs, other.needs)) {
                kept.push(*branch);
            }
        }
        kept
    }

    /// Whether the needs `other` are seen to hold wherever `one` do.
    fn all_imply(&mut self, one: u32, other: u32) -> bool {
        self.work += 1;
        if other == NO_NEEDS {
            return true;
        }
        let (one, other) = (self.needs(one), self.needs(other));
        (other.iter()).all(|&need| one.iter().any(|&stronger| self.implies(stronger, need)))
    }
}
