//! Token sets that several parts share.
//!
//! In: the masks of a part. Out: masks with the same tokens, whose sets are more often those of the
//! base that pieces stand beside. What holds after:
//! - A set has ids of the vocabulary only, or ids behind them only: exits and endings. The ids
//!   behind mean something else in each part, the others do not.
//! - Where sets of a node make one set of the base together, the node has that one.
//! - A base has the sets of its nodes, and for each node the union of its sets. Grammars put the
//!   same mask together from different sets, but the union is the same in all.

use crate::maps::IdMap;

use super::PartOf;
use crate::mask::{MaskNode, Masks, Ranks, SetId, TokenTrie};
use crate::pack::Beside;

/// Splits and joins the sets of a part so that other parts share them.
pub(crate) fn split(
    masks: &mut Masks,
    trie: &TokenTrie,
    part: PartOf<'_>,
    beside: Option<&Beside>,
) {
    let Some(&first) = part.exits.first() else {
        return;
    };
    let mut splitter = SetSplitter::default();
    let parts = splitter.split(std::mem::take(&mut masks.sets), &trie.ids, first);
    let has = |set: &Ranks| part.is_base || beside.is_some_and(|beside| beside.has(set, trie));
    for MaskNode { sets, .. } in &mut masks.nodes {
        let old = std::mem::take(sets);
        let texts = old
            .iter()
            .map(|&(headroom, set)| (headroom, parts[set.index()].0));
        let mut texts: Vec<(u8, SetId)> = texts.collect();
        texts.sort_unstable();
        texts.dedup();
        for group in texts.chunk_by(|one, other| one.0 == other.0) {
            match splitter.joined(group, &has).filter(|_| !part.is_base) {
                Some(joined) => sets.push((group[0].0, joined)),
                None => sets.extend_from_slice(group),
            }
        }
        let endings = old
            .iter()
            .filter_map(|&(headroom, set)| Some((headroom, parts[set.index()].1?)));
        for ending in endings {
            if !sets.contains(&ending) {
                sets.push(ending);
            }
        }
    }
    masks.sets = splitter.sets;
    if !part.is_base {
        keep_used(masks);
    }
}

/// Sets, equal ones once.
#[derive(Default)]
struct SetSplitter {
    sets: Vec<Ranks>,
    known: IdMap<Ranks, SetId>,
    /// The union of some sets, if it is wanted.
    joined: IdMap<Vec<SetId>, Option<SetId>>,
}

impl SetSplitter {
    fn intern(&mut self, set: Ranks) -> SetId {
        let sets = &mut self.sets;
        *self.known.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            SetId::at(sets.len() - 1)
        })
    }

    /// For each set the ranks of the vocabulary, or all if there are none, and the ranks behind
    /// them.
    fn split(&mut self, sets: Vec<Ranks>, ids: &[u32], first: u32) -> Vec<(SetId, Option<SetId>)> {
        let ranks = (0..).zip(ids).filter(|&(_, &id)| id >= first);
        let behind = Ranks::from_unsorted(ranks.map(|(rank, _)| (rank, rank + 1)).collect());
        let split = sets.into_iter().map(|set| {
            let ending = set.common(&behind);
            if ending.is_empty() || ending.len() == set.len() {
                return (self.intern(set), None);
            }
            (self.intern(set.minus(&ending)), Some(self.intern(ending)))
        });
        split.collect()
    }

    /// The union of several sets, if `is_wanted` says so.
    fn joined(
        &mut self,
        group: &[(u8, SetId)],
        is_wanted: &impl Fn(&Ranks) -> bool,
    ) -> Option<SetId> {
        let group: Vec<SetId> = group.iter().map(|&(_, set)| set).collect();
        if group.len() < 2 {
            return None;
        }
        if let Some(&known) = self.joined.get(&group) {
            return known;
        }
        let union = Ranks::union(group.iter().map(|set| &self.sets[set.index()]));
        let joined = is_wanted(&union).then(|| self.intern(union));
        self.joined.insert(group, joined);
        joined
    }
}

/// Drops the sets that no node has.
fn keep_used(masks: &mut Masks) {
    let uses = masks.uses(masks.sets.len());
    let mut kept = 0;
    let number: Vec<SetId> = uses
        .iter()
        .map(|&uses| {
            let id = SetId::at(kept);
            kept += usize::from(uses > 0);
            id
        })
        .collect();
    let mut uses = uses.into_iter();
    masks
        .sets
        .retain(|_| uses.next().is_some_and(|uses| uses > 0));
    for (_, set) in masks.nodes.iter_mut().flat_map(|node| &mut node.sets) {
        *set = number[set.index()];
    }
}

#[cfg(test)]
mod tests {
    use super::{SetSplitter, keep_used};
    use crate::mask::{MaskNode, Masks, Ranks, SetId};

    fn ranks(of: &[u32]) -> Ranks {
        Ranks::from_unsorted(of.iter().map(|&at| (at, at + 1)).collect())
    }

    #[test]
    fn no_set_is_mixed_and_nothing_is_lost() {
        // Ranks 2 and 4 are ids behind a vocabulary of 64.
        let ids = [1, 2, 64, 3, 70];
        let old = [&[0, 1, 2][..], &[0, 1], &[2, 4], &[3, 2, 4]].map(ranks);
        let mut splitter = SetSplitter::default();
        let parts = splitter.split(old.to_vec(), &ids, 64);
        for ((text, behind), old) in parts.iter().zip(&old) {
            let both = [Some(*text), *behind].into_iter().flatten();
            let sets = both.map(|set| &splitter.sets[set.index()]);
            assert_eq!(&Ranks::union(sets), old);
        }
        // `0, 1` and what is left of `0, 1, 2` are one set, and so are `2, 4` and the rest of the
        // last.
        let expected = [&[0, 1][..], &[2], &[2, 4], &[3]].map(ranks);
        assert_eq!(splitter.sets, expected);
    }

    #[test]
    fn sets_are_joined_where_that_is_wanted() {
        let mut splitter = SetSplitter::default();
        let sets = [&[0][..], &[1], &[2]].map(|set| splitter.intern(ranks(set)));
        let group = |of: &[usize]| of.iter().map(|&at| (3, sets[at])).collect::<Vec<_>>();
        let wanted = ranks(&[0, 2]);
        let is_wanted = |set: &Ranks| *set == wanted;
        assert_eq!(splitter.joined(&group(&[0]), &is_wanted), None);
        assert_eq!(splitter.joined(&group(&[0, 1]), &is_wanted), None);
        let joined = splitter.joined(&group(&[0, 2]), &is_wanted).unwrap();
        assert_eq!(splitter.sets[joined.index()], wanted);
        assert_eq!(splitter.joined(&group(&[0, 2]), &is_wanted), Some(joined));
    }

    #[test]
    fn sets_that_no_node_has_are_dropped() {
        let node = |sets: &[u32]| MaskNode {
            sets: sets.iter().map(|&set| (1, SetId::new(set))).collect(),
            children: Vec::new(),
        };
        let mut masks = Masks {
            sets: [&[0][..], &[1], &[2], &[3]].map(ranks).to_vec(),
            nodes: vec![node(&[3]), node(&[1, 3])],
            roots: Vec::new(),
        };
        keep_used(&mut masks);
        assert_eq!(masks.sets, [&[1][..], &[3]].map(ranks));
        assert_eq!(masks.nodes, [node(&[1]), node(&[0, 1])]);
    }
}
