//! The tokens of a vocabulary in the order of a trie.
//!
//! In: a [`Vocabulary`]. Out: [`TokenTrie`]. Tokens without bytes are not in it; the tokens that end a sequence stand below the end-of-text
//! symbol at the root.

use std::collections::BTreeSet;

use super::exits::KeptExits;
use super::nodes::TrieNodes;
use crate::vocabulary::Vocabulary;

/// A vocabulary's tokens in trie order.
#[derive(Clone, Debug)]
pub struct TokenTrie {
    /// The nodes.
    pub nodes: TrieNodes,
    /// The exits of the kinds of runs that walks have met.
    pub exits: KeptExits,
    /// The token id of each rank.
    pub ids: Vec<u32>,
    /// A bit for each id that has a rank.
    pub all: Vec<u32>,
    /// The ranks of ids that have two: tokens that end a sequence and have bytes as well.
    pub twice: Vec<u32>,
    /// Number of ids in the vocabulary.
    pub vocab_size: u32,
}

impl TokenTrie {
    /// Builds the trie of `vocabulary` in O(n log n) for n tokens.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut tokens: Vec<(&[u8], u32)> = (0..vocabulary.size())
            .map(|id| (vocabulary.bytes(id), id))
            .filter(|t| !t.0.is_empty())
            .collect();
        tokens.sort_unstable();
        let eos = vocabulary.eos();
        let ids = tokens.iter().map(|token| token.1);
        let ids: Vec<u32> = ids.chain(eos.iter().copied()).collect();
        let mut all = vec![0; (vocabulary.size() as usize).div_ceil(32)];
        TokenTrie {
            nodes: TrieNodes::new(tokens.iter().map(|token| token.0), eos.len()),
            exits: KeptExits::default(),
            twice: add_all(&ids, &mut all),
            all,
            ids,
            vocab_size: vocabulary.size(),
        }
    }
}

/// Sets the bit of each id. Gives the ranks of ids that occur twice.
fn add_all(ids: &[u32], all: &mut [u32]) -> Vec<u32> {
    let mut twice = BTreeSet::new();
    for &id in ids {
        let word = &mut all[id as usize / 32];
        if *word >> (id % 32) & 1 == 1 {
            twice.insert(id);
        }
        *word |= 1 << (id % 32);
    }
    let ranks = (0..).zip(ids);
    let ranks = ranks.filter(|(_, id)| twice.contains(id));
    ranks.map(|(rank, _)| rank).collect()
}
