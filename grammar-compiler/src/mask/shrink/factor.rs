//! Blocks of ranks that several token sets share, stored once.
//!
//! In: [`Masks`]. Out: the same masks. The sets of a grammar agree more than they differ: all
//! states before a number accept the thousand tokens of digits. Ranks that lie in exactly the same
//! sets form an *atom*. An atom that is large and lies in several sets becomes a set of its own,
//! and those sets keep the rest.
//!
//! Worth (`docs/ablation.md`): without it tables are 4 % larger at the median.

use crate::maps::IdMap;
use std::cmp::Reverse;

use super::parts::{self, SetParts};
use crate::csr::Csr;
use crate::intern::Interner;
use crate::mask::masks::chains::Levels;
use crate::mask::masks::{Masks, Ranks, SetId};

/// The least number of ranks that an atom saves: its size times the number of its sets but one.
const SAVED: usize = 64;
/// The least number of ranks of an atom for each node that would have to name it.
const RANKS_A_NODE: usize = 4;
/// The number of atoms that a set is made of at most, besides a rest.
const ATOMS: usize = 4;

/// Makes large atoms sets of their own; `tokens` is the number of ranks of the vocabulary, and
/// `levels` are those of the chains.
pub fn factor(mut masks: Masks, levels: &[Levels], tokens: usize) -> Masks {
    let lists = parts::lists(&masks.sets, levels, SAVED / 2, tokens);
    let uses = masks.uses(masks.sets.len());
    let atoms = atoms(&masks.sets, &lists, &uses);
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); masks.sets.len()];
    for (at, atom) in atoms.iter().enumerate() {
        for &set in &atom.sets {
            let inside = &mut inside[set.index()];
            if inside.len() < ATOMS {
                inside.push(at);
            }
        }
    }
    let mut parts = SetParts::default();
    // The sets are distinct, so each keeps its number.
    let mut sets: Interner<Ranks> = std::mem::take(&mut masks.sets).into_iter().collect();
    let mut names: Vec<Option<SetId>> = vec![None; atoms.len()];
    // Most sets with atoms have the same atoms as some other set.
    let mut unions: IdMap<&[usize], Ranks> = IdMap::default();
    for (id, inside) in inside.iter().enumerate().filter(|of| !of.1.is_empty()) {
        let union = unions
            .entry(inside)
            .or_insert_with(|| Ranks::union(inside.iter().map(|&at| &atoms[at].ranks)));
        let rest = sets.values[id].minus(union);
        let name = |&at: &usize| {
            *names[at].get_or_insert_with(|| SetId::new(sets.intern(atoms[at].ranks.clone())))
        };
        let mut of_set: Vec<SetId> = inside.iter().map(name).collect();
        if !rest.is_empty() {
            of_set.push(SetId::new(sets.intern(rest)));
        }
        parts.set(SetId::at(id), of_set);
    }
    masks.sets = sets.values;
    parts.named(masks)
}

/// Half-open intervals of ranks, ascending.
type Intervals = Vec<(u32, u32)>;

/// Ranks that lie in the same sets.
struct Atom {
    ranks: Ranks,
    /// The sets, ascending.
    sets: Vec<SetId>,
}

/// The atoms that are worth a set, the largest first.
fn atoms(sets: &[Ranks], small: &[SetId], uses: &[usize]) -> Vec<Atom> {
    let sweep = Sweep::new(sets, small, uses);
    let (groups, segments) = groups(&sweep);
    // For each group that is worth a set its lists and its segments.
    let mut atoms: Vec<(Vec<u64>, Intervals)> = vec![Default::default(); groups.len()];
    let mut group_of = segments.iter();
    sweep.each_segment(|interval, open| {
        let Some(&group) = group_of.next() else {
            return;
        };
        if groups[group as usize].is_worth() {
            let (sets, intervals) = &mut atoms[group as usize];
            if intervals.is_empty() {
                sets.clone_from(&open.sets);
            }
            // The sums of different sets of marks may be equal by chance: an atom lies in the sets
            // that hold all its segments.
            sets.iter_mut()
                .zip(&open.sets)
                .for_each(|(all, open)| *all &= open);
            intervals.push(interval);
        }
    });
    let mut atoms: Vec<_> = groups
        .iter()
        .zip(atoms)
        .filter(|(_, (_, intervals))| !intervals.is_empty())
        .collect();
    atoms.sort_unstable_by_key(|(group, (_, intervals))| (Reverse(group.len), intervals[0]));
    let atom = |(sets, intervals): (Vec<u64>, _)| Atom {
        sets: (0..small.len())
            .filter(|at| sets[at / 64] >> (at % 64) & 1 == 1)
            .map(|at| small[at])
            .collect(),
        ranks: Ranks::from_unsorted(intervals),
    };
    atoms.into_iter().map(|(_, of)| atom(of)).collect()
}

/// The groups of segments, and for each segment its group.
fn groups(sweep: &Sweep) -> (Vec<SegmentGroup>, Vec<u32>) {
    let mut numbers: IdMap<u64, u32> = IdMap::default();
    let mut groups: Vec<SegmentGroup> = Vec::new();
    let mut segments = Vec::with_capacity(sweep.changes.len());
    sweep.each_segment(|(from, to), open| {
        let number = *numbers.entry(open.mark).or_insert_with(|| {
            groups.push(SegmentGroup::default());
            groups.len() as u32 - 1
        });
        let group = &mut groups[number as usize];
        group.len += (to - from) as usize;
        group.sets = open.count;
        group.nodes = open.nodes;
        segments.push(number);
    });
    (groups, segments)
}

/// The segments that lie in the same sets.
#[derive(Default)]
struct SegmentGroup {
    /// Their number of ranks.
    len: usize,
    /// The number of these sets, at least two, and the number of nodes that name them.
    sets: usize,
    nodes: usize,
}

impl SegmentGroup {
    fn is_worth(&self) -> bool {
        let others = self.sets - 1;
        self.len * others >= SAVED && self.len >= RANKS_A_NODE * self.nodes / others
    }
}

/// The lists, read from the least rank to the greatest.
struct Sweep {
    sets: Vec<SweptList>,
    /// The ends of all intervals, ascending: the rank, the number of the list, and whether an
    /// interval ends, packed into one number.
    changes: Vec<u64>,
}

/// Sorts changes, those of each list being in order and the lists too. Only the ranks need be
/// looked at, and those are small numbers: a radix sort of two or three rounds.
fn sort_by_rank(changes: &mut Vec<u64>) {
    let greatest = changes.iter().max().map_or(0, |change| change >> 32);
    let bits = 64 - greatest.leading_zeros();
    let rounds = bits.div_ceil(10).max(1);
    let digit = bits.div_ceil(rounds);
    for round in 0..rounds {
        let group = |change: u64| (change >> (32 + round * digit)) as u32 & ((1 << digit) - 1);
        let pairs = changes.iter().map(|&change| (group(change), change));
        *changes = Csr::new(1 << digit, pairs).into_members();
    }
}

/// What a sweep knows of a list.
struct SweptList {
    /// A number that stands for the list in sums.
    mark: u64,
    /// The number of nodes that name it.
    nodes: usize,
}

/// The lists that hold the rank at which a sweep stands.
struct OpenLists {
    /// A bit for each list.
    sets: Vec<u64>,
    /// The sum of their marks.
    mark: u64,
    count: usize,
    /// The number of nodes that name the lists.
    nodes: usize,
}

impl Sweep {
    /// Reads the lists `small` among `sets`.
    fn new(sets: &[Ranks], small: &[SetId], uses: &[usize]) -> Self {
        let mut changes: Vec<u64> = Vec::new();
        for (at, &id) in (0u64..).zip(small) {
            sets[id.index()].each_interval(&mut |from, to| {
                changes.push(u64::from(from) << 32 | at << 1);
                changes.push(u64::from(to) << 32 | at << 1 | 1);
            });
        }
        sort_by_rank(&mut changes);
        let named = |&id: &SetId| SweptList {
            mark: (u64::from(id.number()) + 1)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(31)
                .wrapping_mul(0xBF58_476D_1CE4_E5B9),
            nodes: uses[id.index()],
        };
        Sweep {
            sets: small.iter().map(named).collect(),
            changes,
        }
    }

    /// Calls `visit` with the ranks between two changes, ascending, if they lie in at least two
    /// lists.
    fn each_segment(&self, mut visit: impl FnMut((u32, u32), &OpenLists)) {
        let mut open = OpenLists {
            sets: vec![0; self.sets.len().div_ceil(64)],
            mark: 0,
            count: 0,
            nodes: 0,
        };
        let mut last = 0;
        for change in &self.changes {
            let (rank, at) = ((change >> 32) as u32, (*change as u32 >> 1) as usize);
            if last < rank && open.count > 1 {
                visit((last, rank), &open);
            }
            last = rank;
            open.sets[at / 64] ^= 1 << (at % 64);
            let SweptList { mark, nodes } = self.sets[at];
            if change & 1 == 0 {
                open.mark = open.mark.wrapping_add(mark);
                open.count += 1;
                open.nodes += nodes;
            } else {
                open.mark = open.mark.wrapping_sub(mark);
                open.count -= 1;
                open.nodes -= nodes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort_by_rank;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn changes_are_in_order(lists in proptest::collection::vec(proptest::collection::btree_set(0u64..300_000, 0..40), 0..40)) {
            let lists = (0u64..).zip(lists);
            let changes = lists.flat_map(|(at, ranks)| ranks.into_iter().map(move |rank| rank << 32 | at << 1));
            let mut changes: Vec<u64> = changes.collect();
            let mut expected = changes.clone();
            expected.sort();
            sort_by_rank(&mut changes);
            prop_assert_eq!(changes, expected);
        }
    }
}
