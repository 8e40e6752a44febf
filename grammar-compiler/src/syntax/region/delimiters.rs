//! Where each symbol of free text leads.
//!
//! In: a [`Trie`] and which of its words can be finished. Out: [`DelimiterSteps`] of a node. What
//! holds: characters and tokens are not counted here.

use crate::grammar::characters;
use crate::syntax::trie::{PrefixId, Trie};
use std::collections::BTreeMap;

/// The delimiters of a text.
pub(super) struct Delimiters {
    pub(super) trie: Trie,
    /// The nodes from which a delimiter can be completed that something follows.
    pub(super) live: Vec<bool>,
    /// For each node the characters of its longest suffix that is live.
    pub(super) pending: Vec<usize>,
}

/// Where a symbol leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The text goes on, and ends with this prefix.
    Free(PrefixId),
    /// A delimiter is complete, or a token has ended this prefix of one.
    Complete(PrefixId),
}

/// Where the symbols lead from a node. Every character that is not named leads to the root.
pub(super) struct DelimiterSteps {
    pub(super) characters: BTreeMap<char, Next>,
    /// By token, longest prefix first.
    pub(super) tokens: Vec<(u32, PrefixId)>,
}

impl DelimiterSteps {
    /// The characters that are not named here.
    pub(super) fn others(&self) -> Vec<(char, char)> {
        characters::complement(self.characters.keys().map(|&c| (c, c)))
    }
}

impl Delimiters {
    /// These words, of which those at live nodes can be finished.
    pub(super) fn new(trie: Trie, live: Vec<bool>) -> Self {
        let longest = trie.longest_suffixes(&live).into_iter();
        let pending = longest.map(|suffix| suffix.map_or(0, |suffix| trie.characters(suffix)));
        Delimiters {
            pending: pending.collect(),
            trie,
            live,
        }
    }

    /// The steps of free text that ends with the prefix of `node`.
    pub(super) fn steps(&self, node: PrefixId) -> DelimiterSteps {
        let characters = self.trie.next(node).map(|(c, target)| {
            let next = match self.trie.out(target) {
                Some(whole) => Next::Complete(whole),
                None => Next::Free(target),
            };
            (c, next)
        });
        let tokens = self.trie.tokens(node).into_iter();
        let tokens = tokens.flat_map(|(id, nodes)| {
            let targets = self.ended(&nodes);
            targets.into_iter().map(move |target| (id, target))
        });
        DelimiterSteps {
            characters: characters.collect(),
            tokens: tokens.collect(),
        }
    }

    /// The prefixes that a token ends and that count, longest first: the longest one alone if it is
    /// a whole delimiter, else all.
    pub(super) fn ended(&self, nodes: &[PrefixId]) -> Vec<PrefixId> {
        let mut wholes = nodes
            .iter()
            .filter(|&&node| !self.trie.words(node).is_empty());
        match wholes.next() {
            Some(&whole) => vec![whole],
            None => nodes.to_vec(),
        }
    }
}
