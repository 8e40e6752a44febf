//! The tokens of a vocabulary in the order of a trie.
//!
//! In: a [`Vocabulary`]. Out: [`TokenTrie`]. Tokens without bytes are not in it; the tokens that
//! end a sequence stand below the end-of-text symbol at the root.

use std::collections::BTreeSet;

use super::exits::KeptExits;
use super::nodes::{TrieNode, TrieNodes};
use super::regions::KeptRegions;
use super::shallow::ShallowTokens;
use crate::terminals::Terminals;
use crate::vocabulary::Vocabulary;

/// A vocabulary's tokens in trie order.
#[derive(Clone, Debug)]
pub struct TokenTrie {
    /// The nodes.
    pub nodes: TrieNodes,
    /// The exits of the kinds of runs that walks have met.
    pub exits: KeptExits,
    /// The regions of the shapes that walks have met.
    pub regions: KeptRegions,
    /// The tokens up to the depths at which walks have met the ends of runs.
    pub shallow: ShallowTokens,
    /// The token id of each rank.
    pub ids: Vec<u32>,
    /// A bit for each id that has a rank.
    pub all: Vec<u32>,
    /// The ranks of ids that have two: tokens that end a sequence or are terminals, and have bytes
    /// as well.
    pub twice: Vec<u32>,
    /// Number of ids in the vocabulary.
    pub vocab_size: u32,
}

impl TokenTrie {
    /// Builds the trie of `vocabulary` in O(n log n) for n tokens.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        TokenTrie::of(vocabulary, texts(vocabulary).collect(), None)
    }

    /// The trie of `vocabulary` for a grammar that has tokens as terminals: by their spellings, and
    /// by their texts only if they are text there.
    pub fn with_terminals(vocabulary: &Vocabulary, terminals: &Terminals) -> Self {
        let spellings = terminals.spellings(vocabulary);
        let texts = texts(vocabulary).filter(|&(bytes, id)| terminals.is_text(id, bytes));
        let spelled = spellings.iter().map(|(bytes, id)| (&bytes[..], *id));
        TokenTrie::of(
            vocabulary,
            texts.chain(spelled).collect(),
            Some(terminals.lead),
        )
    }

    fn of(vocabulary: &Vocabulary, mut tokens: Vec<(&[u8], u32)>, lead: Option<u8>) -> Self {
        tokens.sort_unstable();
        let eos = vocabulary.eos();
        let ids = tokens.iter().map(|token| token.1);
        let ids: Vec<u32> = ids.chain(eos.iter().copied()).collect();
        let mut all = vec![0; (vocabulary.size() as usize).div_ceil(32)];
        TokenTrie {
            nodes: TrieNodes::new(tokens.iter().map(|token| token.0), lead, eos.len()),
            exits: KeptExits::default(),
            regions: KeptRegions::default(),
            shallow: ShallowTokens::default(),
            twice: add_all(&ids, &mut all),
            all,
            ids,
            vocab_size: vocabulary.size(),
        }
    }

    /// The tokens that end at a node.
    pub fn ending_at(&self, node: &TrieNode) -> &[u32] {
        &self.ids[node.first as usize..node.own as usize]
    }

    /// Calls `visit` with each token in the subtree of `top`: its bytes from the byte of `top` on,
    /// and its id.
    pub fn each_suffix(&self, top: u32, mut visit: impl FnMut(&[u8], u32)) {
        let mut path: Vec<u8> = Vec::new();
        // Where the subtrees of the nodes on the path end.
        let mut ends: Vec<u32> = Vec::new();
        for node in top..self.nodes[top].end {
            let open = ends.partition_point(|&end| end > node);
            ends.truncate(open);
            path.truncate(open);
            let here = &self.nodes[node];
            ends.push(here.end);
            path.push(here.symbol as u8);
            for &id in self.ending_at(here) {
                visit(&path, id);
            }
        }
    }
}

/// The tokens that have bytes.
fn texts(vocabulary: &Vocabulary) -> impl Iterator<Item = (&[u8], u32)> {
    let tokens = vocabulary.iter().zip(0..);
    tokens.filter(|(bytes, _)| !bytes.is_empty())
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
