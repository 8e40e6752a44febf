//! Groups of tokens that no set of the grammar tells apart.
//!
//! In: sets of tokens, and a vocabulary. Out: [`Groups`]. What holds: a token is in at most one group; all tokens that are neither named nor special are in one.

use crate::grammar::TokenSet;
use crate::vocabulary::Vocabulary;

/// Tokens that no set tells apart.
pub(super) struct Groups {
    /// For each group the numbers of the sets that it is in, ascending.
    pub(super) members: Vec<Vec<usize>>,
    /// Tokens that are named or special, ascending: the group of each, if it is in a set, and whether it is text too.
    pub(super) tokens: Vec<(u32, Option<usize>, bool)>,
    /// The group of all others.
    pub(super) others: Option<usize>,
}

impl Groups {
    pub(super) fn new(sets: &[TokenSet], vocabulary: &Vocabulary, reserved: &[u32]) -> Self {
        let named = sets.iter().flat_map(|set| set.ids());
        let mut listed: Vec<u32> = named.chain(reserved).copied().collect();
        let all_but = sets.iter().any(TokenSet::is_all_but);
        if all_but {
            listed.extend(vocabulary.special().map(|(id, _)| id));
            listed.extend(vocabulary.eos());
        }
        listed.sort_unstable();
        listed.dedup();
        let mut groups = Groups {
            members: Vec::new(),
            tokens: Vec::new(),
            others: None,
        };
        for id in listed {
            let ends = vocabulary.eos().binary_search(&id).is_ok();
            let within = |set: &TokenSet| set.contains(id) && !(ends && set.is_all_but());
            let of = (0..).zip(sets).filter(|(_, set)| within(set));
            let group = groups.group(of.map(|(at, _)| at).collect());
            let is_named = reserved.contains(&id)
                || sets.iter().any(|set| !set.is_all_but() && set.contains(id));
            let is_text = !is_named && !vocabulary.bytes(id).is_empty();
            groups.tokens.push((id, group, is_text));
        }
        let of = (0..).zip(sets).filter(|(_, set)| set.is_all_but());
        groups.others = groups.group(of.map(|(at, _)| at).collect());
        groups
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
