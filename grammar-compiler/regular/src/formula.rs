//! Sets of threads and what they still need: formulas about the rest of a text.
//!
//! A [`Branch`] is a thread and its needs: the rest matches from the thread, and each [`Need`]
//! holds of it. A set of branches holds if one of them does; a need is a set that must hold, or
//! must not. Lists of branches and of needs are kept once and numbered, and simplified, so that few
//! different ones arise.

use crate::budget::Budget;
use crate::error::Error;
use crate::program::Rank;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::rc::Rc;

/// The set without branches: no text.
pub(crate) const NEVER: u32 = 0;

/// The set whose branch accepts without needs: every text.
pub(crate) const ALWAYS: u32 = 1;

/// No needs.
pub(crate) const NO_NEEDS: u32 = 0;

/// A thread under needs. A thread reads by a state of a leaf and then goes on at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Branch {
    pub(crate) leaf: u32,
    pub(crate) next: u32,
    pub(crate) needs: u32,
}

impl Branch {
    /// The thread that has matched.
    pub(crate) fn accepted(needs: u32) -> Branch {
        Branch {
            leaf: u32::MAX,
            next: 0,
            needs,
        }
    }

    pub(crate) fn is_accepted(self) -> bool {
        self.leaf == u32::MAX
    }

    fn thread(self) -> (u32, u32) {
        (self.leaf, self.next)
    }
}

/// A set that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Need {
    pub(crate) set: u32,
    pub(crate) is_negative: bool,
}

/// Lists, each kept once and numbered.
pub(crate) struct Interner<T> {
    lists: Vec<Rc<[T]>>,
    hasher: RandomState,
    /// The numbers of the lists with each hash: to hash them again, as the map grows, takes long.
    numbers: HashMap<u64, Vec<u32>>,
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Interner<T> {
        Interner {
            lists: Vec::new(),
            hasher: RandomState::new(),
            numbers: HashMap::new(),
        }
    }

    /// The number of a list.
    pub(crate) fn number(&mut self, list: Vec<T>) -> u32 {
        let numbers = self.numbers.entry(self.hasher.hash_one(&list)).or_default();
        for &number in numbers.iter() {
            if self
                .lists
                .get(number as usize)
                .is_some_and(|known| known[..] == list[..])
            {
                return number;
            }
        }
        let number = self.lists.len() as u32;
        self.lists.push(list.into());
        numbers.push(number);
        number
    }

    /// The list of a number.
    pub(crate) fn get(&self, number: u32) -> Option<Rc<[T]>> {
        self.lists.get(number as usize).cloned()
    }

    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }
}

/// The lists of branches and of needs, numbered.
pub(crate) struct Formulas<'p> {
    /// Which nodes match more than others.
    ranks: &'p [Rank],
    sets: Interner<Branch>,
    needs: Interner<Need>,
    /// Branches and needs compared, and words stored, since they were asked for.
    work: usize,
    stored: usize,
}

impl<'p> Formulas<'p> {
    pub(crate) fn new(ranks: &'p [Rank]) -> Formulas<'p> {
        let mut formulas = Formulas {
            ranks,
            sets: Interner::new(),
            needs: Interner::new(),
            work: 0,
            stored: 0,
        };
        formulas.needs.number(Vec::new());
        formulas.sets.number(Vec::new());
        formulas.sets.number(vec![Branch::accepted(NO_NEEDS)]);
        formulas
    }

    /// The branches of a set.
    pub(crate) fn branches(&self, set: u32) -> Rc<[Branch]> {
        self.sets.get(set).unwrap_or_default()
    }

    /// The needs of a number.
    pub(crate) fn needs(&self, needs: u32) -> Rc<[Need]> {
        self.needs.get(needs).unwrap_or_default()
    }

    /// Counts what has been compared and stored.
    pub(crate) fn charge(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        budget.work(std::mem::take(&mut self.work))?;
        budget.store(std::mem::take(&mut self.stored))
    }

    fn number_set(&mut self, branches: Vec<Branch>, budget: &mut Budget<'_>) -> Result<u32, Error> {
        let (before, words) = (self.sets.len(), branches.len() * 3 + 8);
        let number = self.sets.number(branches);
        if self.sets.len() > before {
            self.stored += words;
        }
        self.charge(budget)?;
        Ok(number)
    }

    /// `needs` and one more; `None` if they cannot hold together.
    pub(crate) fn and(&mut self, needs: u32, need: Need) -> Option<u32> {
        let Need { set, is_negative } = need;
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
        self.stored += list.len() * 2;
        Some(self.needs.number(list))
    }

    /// Whether `other` is seen to hold wherever `one` does.
    fn implies(&mut self, one: Need, other: Need) -> bool {
        one.is_negative == other.is_negative
            && match one.is_negative {
                false => self.is_part(one.set, other.set),
                true => self.is_part(other.set, one.set),
            }
    }

    /// Whether the two are seen not to hold together.
    fn excludes(&mut self, one: Need, other: Need) -> bool {
        one.is_negative != other.is_negative
            && match one.is_negative {
                false => self.is_part(one.set, other.set),
                true => self.is_part(other.set, one.set),
            }
    }

    /// Whether all branches of one set are in another; both are sorted.
    fn is_part(&mut self, part: u32, whole: u32) -> bool {
        if part == whole {
            return true;
        }
        let (part, whole) = (self.branches(part), self.branches(whole));
        self.work += part.len();
        let mut rest = whole.iter();
        part.len() <= whole.len() && part.iter().all(|branch| rest.any(|b| b == branch))
    }

    /// Whether the needs `other` are seen to hold wherever `one` do.
    fn all_imply(&mut self, one: u32, other: u32) -> bool {
        self.work += 1;
        if other == NO_NEEDS || one == other {
            return true;
        }
        let (one, other) = (self.needs(one), self.needs(other));
        other
            .iter()
            .all(|&need| one.iter().any(|&stronger| self.implies(stronger, need)))
    }

    /// The number of a set of branches.
    pub(crate) fn set(
        &mut self,
        branches: Vec<Branch>,
        budget: &mut Budget<'_>,
    ) -> Result<u32, Error> {
        if branches.contains(&Branch::accepted(NO_NEEDS)) {
            return Ok(ALWAYS);
        }
        let accepted: Vec<u32> = branches
            .iter()
            .filter(|b| b.is_accepted())
            .map(|b| b.needs)
            .collect();
        let mut branches = self.without_weaker(branches, budget)?;
        branches.retain(|branch| {
            branch.is_accepted() || !accepted.iter().any(|&a| self.all_imply(branch.needs, a))
        });
        self.number_set(branches, budget)
    }

    /// The number of the threads of a language, in which matches hide nothing.
    pub(crate) fn language(
        &mut self,
        branches: Vec<Branch>,
        budget: &mut Budget<'_>,
    ) -> Result<u32, Error> {
        let branches = self.without_weaker(branches, budget)?;
        self.number_set(branches, budget)
    }

    /// The branches, sorted, without those that hold only where another one is seen to hold.
    fn without_weaker(
        &mut self,
        mut branches: Vec<Branch>,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Branch>, Error> {
        let ranks = self.ranks;
        let rank = |branch: &Branch| match ranks.get(branch.next as usize) {
            Some(&Rank { group, strength }) => (group, Reverse(strength)),
            None => (branch.next, Reverse(0)),
        };
        branches.sort_unstable_by_key(|b| (b.leaf, rank(b), b.needs));
        branches.dedup();
        let is_same = |a: &Branch, b: &Branch| a.leaf == b.leaf && rank(a).0 == rank(b).0;
        self.work += branches.len();
        let mut kept: Vec<Branch> = Vec::with_capacity(branches.len());
        for same in branches.chunk_by(is_same) {
            let first = kept.len();
            for (at, branch) in same.iter().enumerate() {
                // The stronger stand before the weaker. Of those of one node that imply each other
                // the last is kept.
                let behind = same[at + 1..].iter().take_while(|b| b.next == branch.next);
                let mut others = kept[first..].iter().chain(behind);
                if !others.any(|other| self.all_imply(branch.needs, other.needs)) {
                    kept.push(*branch);
                }
                self.charge(budget)?;
            }
        }
        Ok(kept)
    }

    /// The number of a list of branches, the most preferred first. A match cuts off those less
    /// preferred: all of it, or, where the match has needs, that part which holds if they do.
    pub(crate) fn ordered(
        &mut self,
        branches: Vec<Branch>,
        budget: &mut Budget<'_>,
    ) -> Result<u32, Error> {
        let mut kept: Vec<Branch> = Vec::with_capacity(branches.len());
        let mut needs_of: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
        let mut rest: Vec<Branch> = branches;
        rest.reverse();
        while let Some(branch) = rest.pop() {
            self.charge(budget)?;
            let before = needs_of.entry(branch.thread()).or_default();
            if before
                .iter()
                .any(|&needs| self.all_imply(branch.needs, needs))
            {
                continue;
            }
            before.push(branch.needs);
            kept.push(branch);
            if !branch.is_accepted() {
                continue;
            }
            if branch.needs == NO_NEEDS {
                break;
            }
            let mut others = Vec::with_capacity(rest.len());
            budget.store(rest.len())?;
            for other in rest.iter().rev() {
                self.exclude(branch.needs, *other, &mut others);
            }
            others.reverse();
            rest = others;
        }
        self.number_set(kept, budget)
    }

    /// Adds `branch` where `needs` do not hold: one copy for each of them, with those before it.
    fn exclude(&mut self, needs: u32, mut branch: Branch, to: &mut Vec<Branch>) {
        for &need in self.needs(needs).iter() {
            let opposite = Need {
                is_negative: !need.is_negative,
                ..need
            };
            if let Some(needs) = self.and(branch.needs, opposite) {
                to.push(Branch { needs, ..branch });
            }
            match self.and(branch.needs, need) {
                Some(needs) => branch.needs = needs,
                None => break,
            }
        }
        self.work += 1;
    }
}
