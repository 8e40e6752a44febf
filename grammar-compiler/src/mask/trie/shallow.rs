//! The tokens of at most so many characters, counted from the root of the trie.
//!
//! In: the trie. Out: [`ShallowTokens`]: for each depth the ranks of the tokens that end there or
//! above. Along a counted run the tokens that do not reach its end are those of the endless run
//! that are also here. They depend on nothing but the trie, so all grammars share them.

use std::sync::{Arc, OnceLock};

use super::nodes::TrieNodes;
use crate::mask::masks::Ranks;

/// Depths from this one on are not kept: few tokens are so long.
const MAX_DEPTH: usize = 64;

/// For each depth its tokens, once some walk has needed them.
#[derive(Clone, Debug)]
pub struct ShallowTokens {
    of_depth: Arc<[OnceLock<Ranks>]>,
}

impl Default for ShallowTokens {
    fn default() -> Self {
        ShallowTokens {
            of_depth: (0..MAX_DEPTH).map(|_| OnceLock::new()).collect(),
        }
    }
}

impl ShallowTokens {
    /// The ranks of the tokens of `trie`, which is the trie that these are kept for, in which at
    /// most `depth` characters begin; `None` if the depth is not kept.
    pub fn of(&self, trie: &TrieNodes, depth: usize) -> Option<&Ranks> {
        let kept = self.of_depth.get(depth)?;
        Some(kept.get_or_init(|| {
            let deeper = trie.at_depth(depth + 1).iter().map(|&node| &trie[node]);
            let deeper = deeper.map(|top| (top.first, top.last)).collect();
            let all = trie.get(0).map_or((0, 0), |root| (root.first, root.last));
            Ranks::from_unsorted(vec![all]).minus(&Ranks::from_unsorted(deeper))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::ShallowTokens;
    use crate::mask::trie::TokenTrie;
    use crate::vocabulary::Vocabulary;

    #[test]
    fn characters_are_counted() {
        let tokens = ["a", "ab", "\u{e9}", "\u{e9}a", "\u{20ac}\u{e9}b", "abcd"];
        let tokens = tokens.iter().map(|token| token.as_bytes().to_vec());
        let trie = TokenTrie::new(&Vocabulary::from_tokens(tokens.collect(), Vec::new()));
        let shallow = ShallowTokens::default();
        let ids = |depth| {
            let mut ids = Vec::new();
            let ranks = shallow.of(&trie.nodes, depth).unwrap();
            ranks.each_interval(&mut |from, to| {
                ids.extend_from_slice(&trie.ids[from as usize..to as usize]);
            });
            ids.sort_unstable();
            ids
        };
        assert!(ids(0).is_empty());
        assert_eq!(ids(1), [0, 2]);
        assert_eq!(ids(2), [0, 1, 2, 3]);
        assert_eq!(ids(3), [0, 1, 2, 3, 4]);
        assert_eq!(ids(4), [0, 1, 2, 3, 4, 5]);
        assert!(shallow.of(&trie.nodes, 1_000).is_none());
    }
}
