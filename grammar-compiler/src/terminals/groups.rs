//! Groups of tokens that no set of the grammar tells apart.
//!
//! In: sets of tokens, and a vocabulary. Out: [`Groups`]. What holds: a token is in at most one
//! group; all tokens that are neither named nor special are in one. The work grows with the numbers
//! that sets name, not with sets times tokens.

use std::collections::{BTreeMap, BTreeSet};

use super::MAX_GROUPS;
use crate::grammar::TokenSet;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::KeyedMap;
use crate::vocabulary::Vocabulary;

/// What is being done.
const DOING: &str = "telling groups of tokens apart";

/// Tokens that no set tells apart.
pub(super) struct Groups {
    /// For each group the numbers of the sets that it is in, ascending. There may be one more than
    /// [`MAX_GROUPS`]: then groups are missing.
    pub(super) members: Vec<Vec<usize>>,
    /// Tokens that are named or special, ascending: the group of each, if it is in a set, and
    /// whether it is text too.
    pub(super) tokens: Vec<(u32, Option<usize>, bool)>,
    /// The group of all others.
    pub(super) others: Option<usize>,
}

impl Groups {
    pub(super) fn new(
        sets: &[TokenSet],
        vocabulary: &Vocabulary,
        reserved: &[u32],
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let reserved: BTreeSet<u32> = reserved.iter().copied().collect();
        // For each token the sets that name it.
        let mut naming: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, set) in sets.iter().enumerate() {
            deadline.ticks(1 + set.ids().len(), DOING)?;
            for &id in set.ids() {
                naming.entry(id).or_default().push(at);
            }
        }
        let mut listed: Vec<u32> = reserved.iter().copied().collect();
        if sets.iter().any(TokenSet::is_all_but) {
            listed.extend(vocabulary.special().map(|(id, _)| id));
            listed.extend(vocabulary.eos());
        }
        for id in listed {
            naming.entry(id).or_default();
        }
        let mut groups = Groups {
            members: Vec::new(),
            tokens: Vec::new(),
            others: None,
        };
        // By the sets that name a token, and whether it ends a sequence.
        let mut known: KeyedMap<(Vec<usize>, bool), Option<usize>> = KeyedMap::default();
        for (id, by) in naming {
            deadline.ticks(1 + by.len(), DOING)?;
            let ends = vocabulary.eos().binary_search(&id).is_ok();
            let is_named = reserved.contains(&id) || by.iter().any(|&at| !sets[at].is_all_but());
            let is_text = !is_named && !vocabulary.bytes(id).is_empty();
            let group = match known.get(&(by.clone(), ends)) {
                Some(&group) => group,
                None => {
                    deadline.ticks(sets.len(), DOING)?;
                    let within = |(at, set): &(usize, &TokenSet)| match set.is_all_but() {
                        true => !ends && by.binary_search(at).is_err(),
                        false => by.binary_search(at).is_ok(),
                    };
                    let of = (0..).zip(sets).filter(within);
                    let group = groups.group(of.map(|(at, _)| at).collect());
                    known.insert((by, ends), group);
                    group
                }
            };
            groups.tokens.push((id, group, is_text));
            if groups.members.len() > MAX_GROUPS {
                return Ok(groups);
            }
        }
        let of = (0..).zip(sets).filter(|(_, set)| set.is_all_but());
        groups.others = groups.group(of.map(|(at, _)| at).collect());
        Ok(groups)
    }

    fn group(&mut self, sets: Vec<usize>) -> Option<usize> {
        if sets.is_empty() {
            return None;
        }
        let known = self.members.iter().position(|known| *known == sets);
        Some(known.unwrap_or_else(|| {
            self.members.push(sets);
            self.members.len() - 1
        }))
    }
}
