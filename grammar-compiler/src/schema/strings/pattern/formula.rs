//! Boolean formulas over the nodes of a program: what the rest of a text must be.
//!
//! A [`Branch`] is a node and needs: the rest matches from the node, and each [`Need`] holds of it.
//! A set of branches holds if one of them does; a need is a set that must hold, or must not. Sets
//! and needs are kept once and numbered, and simplified, so that few different ones arise.

use super::program::ACCEPT;
use crate::schema::strings::intern::Interner;
use std::rc::Rc;

/// The set without branches: no text.
pub(super) const NEVER: u32 = 0;

/// The set whose branch accepts without needs: every text.
pub(super) const ALWAYS: u32 = 1;

/// No needs.
pub(super) const NO_NEEDS: u32 = 0;

/// A way to match: from this node, under these needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Branch {
    pub(super) node: u32,
    pub(super) needs: u32,
}

/// A set that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Need {
    pub(super) set: u32,
    pub(super) is_negative: bool,
}

/// The sets of branches and of needs, numbered.
pub(super) struct Formulas {
    sets: Interner<Branch>,
    needs: Interner<Need>,
}

impl Formulas {
    pub(super) fn new() -> Formulas {
        let mut formulas = Formulas {
            sets: Interner::new(),
            needs: Interner::new(),
        };
        formulas.needs.number(Vec::new());
        formulas.sets.number(Vec::new());
        formulas.sets.number(vec![Branch {
            node: ACCEPT,
            needs: NO_NEEDS,
        }]);
        formulas
    }

    /// The branches of a set.
    pub(super) fn branches(&self, set: u32) -> Rc<[Branch]> {
        self.sets.get(set).unwrap_or_default()
    }

    /// The needs of a number.
    pub(super) fn needs(&self, needs: u32) -> Rc<[Need]> {
        self.needs.get(needs).unwrap_or_default()
    }

    /// `needs` and one more; `None` if they cannot hold together.
    pub(super) fn and(&mut self, needs: u32, need: Need) -> Option<u32> {
        let Need { set, is_negative } = need;
        match (set, is_negative) {
            (NEVER, true) | (ALWAYS, false) => return Some(needs),
            (NEVER, false) | (ALWAYS, true) => return None,
            _ => {}
        }
        let mut list = self.needs(needs).to_vec();
        if list.iter().any(|n| n.set == set) {
            return list.contains(&need).then_some(needs);
        }
        list.push(need);
        list.sort_unstable();
        Some(self.needs.number(list).0)
    }

    /// The number of a set of branches.
    pub(super) fn set(&mut self, mut branches: Vec<Branch>) -> u32 {
        let always = Branch {
            node: ACCEPT,
            needs: NO_NEEDS,
        };
        if branches.contains(&always) {
            return ALWAYS;
        }
        branches.sort_unstable();
        branches.dedup();
        if branches.iter().any(|b| b.needs != NO_NEEDS) {
            self.absorb(&mut branches);
        }
        self.sets.number(branches).0
    }

    /// Drops branches that hold only where another one does: with all its needs and more, at the
    /// same node or where the other accepts.
    fn absorb(&self, branches: &mut Vec<Branch>) {
        let all: Vec<(Branch, Rc<[Need]>)> = (branches.iter())
            .map(|&b| (b, self.needs(b.needs)))
            .collect();
        let implies = |one: &(Branch, Rc<[Need]>), other: &(Branch, Rc<[Need]>)| {
            (one.0.node == other.0.node || other.0.node == ACCEPT)
                && one.0 != other.0
                && other.1.iter().all(|need| one.1.contains(need))
        };
        let accepting = all.partition_point(|b| b.0.node == ACCEPT);
        let mut at = 0;
        branches.retain(|branch| {
            let one = &all[at];
            at += 1;
            let first = all.partition_point(|b| b.0.node < branch.node);
            let same = all[first..].iter().take_while(|b| b.0.node == branch.node);
            !all[..accepting]
                .iter()
                .chain(same)
                .any(|other| implies(one, other))
        });
    }
}
