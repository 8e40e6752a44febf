//! Subtrees of the vocabulary's trie, merged into one.
//!
//! In: the nodes at which tokens leave a run, each with the number of characters before it. Out:
//! [`SuffixTrie`]: what tokens have from there on, with the tokens that have it. What holds: it is
//! a trie, whatever subtrees the tokens lie in.

use std::cmp::Reverse;

use crate::csr::Csr;
use crate::mask::trie::TokenTrie;

/// A trie of suffixes of tokens. Its nodes are numbered in preorder, the root with 0.
#[derive(Debug)]
pub(super) struct SuffixTrie {
    /// For each node its children, each with the byte that leads to it; ascending.
    children: Csr<(u8, u32)>,
    /// For each node the tokens that end there, each with the number of characters before the
    /// suffix.
    tokens: Csr<(u32, u32)>,
}

/// A node of one of the merged subtrees, and the number of characters before its subtree.
#[derive(Clone, Copy)]
struct Source {
    symbol: u16,
    node: u32,
    steps: u32,
}

/// Nodes with one symbol and one parent, which are to be one node.
struct Group {
    parent: u32,
    /// They are the last ones in [`Merging::left`], from here on.
    from: usize,
}

/// A merge under way, with an explicit stack, since tokens may be long.
struct Merging<'t> {
    trie: &'t TokenTrie,
    /// The groups that have not been merged, the first one last.
    groups: Vec<Group>,
    left: Vec<Source>,
    /// Pairs of a parent and a child.
    children: Vec<(u32, (u8, u32))>,
    /// Pairs of a node and one of its tokens.
    tokens: Vec<(u32, (u32, u32))>,
}

impl SuffixTrie {
    /// The trie of what tokens have from some nodes on, the symbols of these nodes included. Each
    /// node comes with the number of characters before it.
    pub(super) fn new(trie: &TokenTrie, tops: Vec<(u32, u32)>) -> Self {
        let mut merging = Merging {
            trie,
            groups: Vec::new(),
            left: Vec::new(),
            children: Vec::new(),
            tokens: Vec::new(),
        };
        let tops = tops.into_iter();
        let mut below: Vec<Source> = tops
            .map(|(node, steps)| Source {
                symbol: trie.nodes[node].symbol,
                node,
                steps,
            })
            .collect();
        merging.put(0, &mut below);
        let mut count = 1;
        while let Some(group) = merging.groups.pop() {
            merging.merge(&group, count, &mut below);
            merging.put(count, &mut below);
            count += 1;
        }
        SuffixTrie {
            children: Csr::new(count as usize, merging.children.iter().copied()),
            tokens: Csr::new(count as usize, merging.tokens.iter().copied()),
        }
    }

    /// The children of a node, each with the byte that leads to it.
    pub(super) fn children(&self, node: u32) -> &[(u8, u32)] {
        self.children.of(node)
    }

    /// The tokens that end at a node, each with the number of characters before the suffix.
    pub(super) fn tokens(&self, node: u32) -> &[(u32, u32)] {
        self.tokens.of(node)
    }
}

impl Merging<'_> {
    /// Puts the nodes below a parent on the stack, in groups, and leaves none.
    fn put(&mut self, parent: u32, below: &mut Vec<Source>) {
        below.sort_unstable_by_key(|source| (Reverse(source.symbol), source.node));
        for group in below.chunk_by(|a, b| a.symbol == b.symbol) {
            let from = self.left.len();
            self.groups.push(Group { parent, from });
            self.left.extend_from_slice(group);
        }
        below.clear();
    }

    /// Makes the group that was on top of the stack a node of this number, and adds what lies below
    /// it to `below`.
    fn merge(&mut self, group: &Group, number: u32, below: &mut Vec<Source>) {
        let nodes = &self.trie.nodes;
        let symbol = self.left[group.from].symbol;
        self.children.push((group.parent, (symbol as u8, number)));
        for Source { node, steps, .. } in self.left.drain(group.from..) {
            let here = &nodes[node];
            let own = self.trie.ending_at(here).iter();
            self.tokens.extend(own.map(|&id| (number, (id, steps))));
            let children = nodes.children(nodes.children_of(node)).iter();
            below.extend(children.map(|child| Source {
                symbol: child.symbol,
                node: child.node,
                steps,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SuffixTrie;
    use crate::compile::Compiler;
    use crate::vocabulary::Vocabulary;
    use proptest::prelude::*;

    /// Every suffix of the trie with its tokens, in the order of a walk from the root.
    fn all(trie: &SuffixTrie) -> Vec<(Vec<u8>, (u32, u32))> {
        let mut found = Vec::new();
        let mut left = vec![(0, Vec::new())];
        while let Some((node, text)) = left.pop() {
            let mut tokens = trie.tokens(node).to_vec();
            tokens.sort_unstable();
            found.extend(tokens.into_iter().map(|token| (text.clone(), token)));
            for &(byte, child) in trie.children(node).iter().rev() {
                left.push((child, [text.as_slice(), &[byte]].concat()));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn it_has_what_the_subtrees_have(
            tokens in proptest::collection::btree_set("[ab\"é]{1,6}", 1..40),
            chosen in proptest::collection::vec(any::<bool>(), 400),
        ) {
            let mut tokens: Vec<Vec<u8>> = tokens.into_iter().map(String::into_bytes).collect();
            let end = tokens.len() as u32;
            tokens.push(Vec::new());
            let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
            let compiler = Compiler::new(&vocabulary).expect("the vocabulary is fine");
            let trie = compiler.prepared().expect("the vocabulary is fine").trie();
            let (mut tops, mut past) = (Vec::new(), 1);
            for (node, _) in (0..).zip(trie.nodes.iter()).filter(|of| chosen[of.0 as usize % 400]) {
                // No subtree lies in another one.
                if node >= past && trie.nodes[node].symbol < 256 {
                    past = trie.nodes[node].end;
                    tops.push((node, u32::from(trie.nodes[node].depth)));
                }
            }
            let mut expected = Vec::new();
            for &(node, steps) in &tops {
                trie.each_suffix(node, |text, id| expected.push((text.to_vec(), (id, steps))));
            }
            expected.sort_unstable();
            prop_assert_eq!(all(&SuffixTrie::new(trie, tops)), expected);
        }
    }
}
