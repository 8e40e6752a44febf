//! Sets made larger by what holds above them anyway, where that makes them alike.
//!
//! In: [`Masks`], whose nodes have at most one set for each headroom. Out: the same masks. A node's sets are joined with those above it,
//! so a set may hold any of theirs that need no more headroom. Each digit of a counted repetition takes short tokens by itself and all
//! longer ones where the next block is certain: different sets, but together with the short tokens they are the same one for each digit.

use rustc_hash::FxHashMap as HashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::merge::merge_equal;
use super::set::{Ranks, SetId};
use super::tree::{Masks, NodeId};
use crate::intern::Interner;

/// Smaller sets are left alone.
const MIN_SIZE: usize = 64;
/// Sets that differ in so few ranks are alike: one is stored as a difference to the other.
const ALIKE: usize = 1_000;
/// What a difference costs, apart from a byte a rank.
const DIFFERENCE: usize = 200;
/// How many of the largest sets others are compared with from the beginning.
const LARGEST: usize = 8;
/// How far up the sets above a node are gathered.
const MAX_ABOVE: usize = 8;

/// A place where a set is named: a node, and which of its sets.
type Use = (NodeId, usize);

/// Replaces sets by larger ones that take the place of several.
pub fn enlarge(mut masks: Masks, tokens: usize) -> Masks {
    let mut sets: Interner<Ranks> = std::mem::take(&mut masks.sets).into_iter().collect();
    let larger = larger(&masks, &mut sets);
    let chosen = Choice::new(&masks, &sets.values, tokens).choose(larger);
    let is_changed = !chosen.is_empty();
    for (set, places) in chosen {
        for (node, at) in places {
            masks.nodes[node as usize].sets[at].1 = set;
        }
    }
    masks.sets = sets.values;
    match is_changed {
        true => merge_equal(masks),
        false => masks,
    }
}

/// For each node the one node that leads there, if there is just one and no state begins there.
fn only_parents(masks: &Masks) -> Vec<Option<NodeId>> {
    /// No parent yet.
    const NONE: NodeId = NodeId::MAX;
    /// Several, or a state.
    const MANY: NodeId = NodeId::MAX - 1;
    let mut parents = vec![NONE; masks.nodes.len()];
    for &root in &masks.roots {
        parents[root as usize] = MANY;
    }
    for (at, node) in (0..).zip(&masks.nodes) {
        for child in node.children.iter().filter_map(|c| c.1) {
            let parent = &mut parents[child as usize];
            *parent = match *parent {
                NONE => at,
                known if known == at => at,
                _ => MANY,
            };
        }
    }
    let only = |parent: NodeId| Some(parent).filter(|&parent| parent < MANY);
    parents.into_iter().map(only).collect()
}

/// For each set that others could become, where they are named.
fn larger(masks: &Masks, sets: &mut Interner<Ranks>) -> BTreeMap<SetId, Vec<Use>> {
    let parents = only_parents(masks);
    let is_large: Vec<bool> = sets
        .values
        .iter()
        .map(|set| set.len() >= MIN_SIZE)
        .collect();
    let mut unions: HashMap<Vec<SetId>, SetId> = HashMap::default();
    let mut larger: BTreeMap<SetId, Vec<Use>> = BTreeMap::new();
    for (at, node) in (0..).zip(&masks.nodes) {
        for (index, &(headroom, set)) in node.sets.iter().enumerate() {
            if !is_large[set as usize] {
                continue;
            }
            // What holds wherever this set does.
            let mut all: Vec<SetId> = Vec::new();
            let mut above = Some(at);
            for _ in 0..MAX_ABOVE {
                let Some(here) = above else { break };
                let here_sets = masks.nodes[here as usize].sets.iter();
                let holding = here_sets.filter(|s| s.0 <= headroom && is_large[s.1 as usize]);
                all.extend(holding.map(|s| s.1));
                above = parents[here as usize];
            }
            all.sort_unstable();
            all.dedup();
            if all.len() < 2 {
                continue;
            }
            let union = *unions.entry(all).or_insert_with_key(|all| {
                let union = Ranks::union(all.iter().map(|&id| &sets.values[id as usize]));
                sets.intern(union)
            });
            if union != set {
                larger.entry(union).or_default().push((at, index));
            }
        }
    }
    larger
}

/// What is chosen, and by what.
struct Choice<'a> {
    masks: &'a Masks,
    sets: &'a [Ranks],
    tokens: usize,
    /// How many nodes name each set.
    uses: Vec<usize>,
    /// Large sets that stay.
    anchors: Vec<SetId>,
    /// Sets that are not there any more, or have to stay.
    settled: BTreeSet<SetId>,
    /// Sets that have taken the place of others.
    kept: BTreeSet<SetId>,
    chosen: Vec<(SetId, Vec<Use>)>,
}

impl<'a> Choice<'a> {
    fn new(masks: &'a Masks, sets: &'a [Ranks], tokens: usize) -> Self {
        let uses = masks.uses(sets.len());
        let named = (0..).zip(&uses).filter(|of: &(SetId, &usize)| *of.1 > 0);
        let mut anchors: Vec<SetId> = named.map(|of| of.0).collect();
        anchors.sort_unstable_by_key(|&set| (Reverse(sets[set as usize].len()), set));
        anchors.truncate(LARGEST);
        Choice {
            masks,
            sets,
            tokens,
            uses,
            anchors,
            settled: BTreeSet::new(),
            kept: BTreeSet::new(),
            chosen: Vec::new(),
        }
    }

    /// The larger sets that cost less than what they take the place of, and where; no place twice.
    fn choose(mut self, larger: BTreeMap<SetId, Vec<Use>>) -> Vec<(SetId, Vec<Use>)> {
        let by_set = self.by_set(&larger);
        self.choose_larger(larger);
        self.choose_smaller(by_set);
        self.chosen
    }

    /// For each set what it could become in all places.
    fn by_set(&self, larger: &BTreeMap<SetId, Vec<Use>>) -> BTreeMap<SetId, Vec<(SetId, Use)>> {
        let mut by_set: BTreeMap<SetId, Vec<(SetId, Use)>> = BTreeMap::new();
        for (&set, places) in larger {
            for &place in places {
                by_set
                    .entry(self.named(place))
                    .or_default()
                    .push((set, place));
            }
        }
        // What stays in some place has to be kept.
        by_set.retain(|before, ways| self.uses[*before as usize] == ways.len());
        by_set
    }

    fn named(&self, (node, at): Use) -> SetId {
        self.masks.nodes[node as usize].sets[at].1
    }

    /// One larger set for several.
    fn choose_larger(&mut self, larger: BTreeMap<SetId, Vec<Use>>) {
        let mut ways: Vec<(usize, SetId, BTreeMap<SetId, Vec<Use>>)> = Vec::new();
        for (set, places) in larger {
            let mut named: BTreeMap<SetId, Vec<Use>> = BTreeMap::new();
            for place in places {
                named.entry(self.named(place)).or_default().push(place);
            }
            named.retain(|before, places| self.uses[*before as usize] == places.len());
            ways.push((self.cost_of(named.keys()), set, named));
        }
        ways.sort_by_key(|(saved, set, _)| (Reverse(*saved), *set));
        for (_, set, mut named) in ways {
            named.retain(|before, _| !self.settled.contains(before));
            if self.cost_of(named.keys()) > self.spent(set) {
                named.keys().for_each(|&before| self.settle(before));
                self.take(set, named.into_values().flatten().collect());
            }
        }
    }

    /// For one set several larger ones that are almost there.
    fn choose_smaller(&mut self, by_set: BTreeMap<SetId, Vec<(SetId, Use)>>) {
        for (before, ways) in by_set {
            if self.settled.contains(&before) {
                continue;
            }
            let sets: BTreeSet<SetId> = ways.iter().map(|way| way.0).collect();
            let spent: usize = sets.iter().map(|&set| self.spent(set)).sum();
            if self.cost(before) > spent {
                self.settle(before);
                ways.into_iter()
                    .for_each(|(set, place)| self.take(set, vec![place]));
            }
        }
    }

    /// A set is not there any more.
    fn settle(&mut self, before: SetId) {
        self.settled.insert(before);
        self.anchors.retain(|&anchor| anchor != before);
    }

    /// A set takes these places, and has to stay.
    fn take(&mut self, set: SetId, places: Vec<Use>) {
        self.settled.insert(set);
        self.kept.insert(set);
        if self.sets[set as usize].len() > ALIKE && !self.anchors.contains(&set) {
            self.anchors.push(set);
        }
        self.chosen.push((set, places));
    }

    /// Bytes of a set on its own: a list takes a byte an id, a bitmap a bit a token.
    fn cost(&self, set: SetId) -> usize {
        self.sets[set as usize].len().min(self.tokens / 8)
    }

    fn cost_of<'s>(&self, sets: impl Iterator<Item = &'s SetId>) -> usize {
        sets.map(|&set| self.cost(set)).sum()
    }

    /// What it costs to have a set, too.
    fn spent(&self, set: SetId) -> usize {
        let is_there = self.uses[set as usize] > 0 && !self.settled.contains(&set);
        if is_there || self.kept.contains(&set) {
            return 0;
        }
        let far = self.anchors.iter().filter_map(|&anchor| {
            let [one, other] = [set, anchor].map(|id| &self.sets[id as usize]);
            one.distance(other, ALIKE)
        });
        let least = far.min();
        self.cost(set)
            .min(least.map_or(usize::MAX, |far| far + DIFFERENCE))
    }
}
