//! The vocabulary as a trie.
//!
//! In: a [`Vocabulary`]. Out: [`TokenTrie`]: nodes in preorder, so that a subtree is an interval of nodes and its tokens
//! an interval of *ranks* (places in the order of the trie). Tokens without bytes are not in it; the tokens that end a
//! sequence hang under the end-of-text symbol at the root.

use std::collections::BTreeSet;

use maskwright_core::layout::END_OF_TEXT;

use super::exits::ExitsOfKinds;
use super::kinds_of_bytes::Kinds;
use crate::grouped::Grouped;
use crate::vocabulary::Vocabulary;

/// A vocabulary's tokens in trie order.
#[derive(Clone, Debug)]
pub struct TokenTrie {
    /// The nodes in preorder; the first is the root.
    pub nodes: Vec<TrieNode>,
    /// The children of all nodes, those of a node in a row: a walk refuses most of them by their symbols alone.
    pub children: Vec<Child>,
    /// By symbol the nodes that it leads to, ascending.
    pub(super) symbols: Grouped,
    /// The same as text: [`BEYOND_ASCII`] for the bytes of characters that are not ASCII, [`BROKEN`] for what is not text.
    pub(super) characters: Grouped,
    /// By depth the nodes whose symbols begin a character, ascending.
    pub by_depth: Vec<Vec<u32>>,
    /// Where walks leave runs.
    pub(super) exits: ExitsOfKinds,
    /// The token id of each rank.
    pub ids: Vec<u32>,
    /// A bit for each id that some rank has.
    pub all: Vec<u32>,
    /// The ranks of ids that have two: tokens that end a sequence, and can be spelled too.
    pub twice: Vec<u32>,
    /// Number of ids in the vocabulary.
    pub vocab_size: u32,
}

/// A node of a [`TokenTrie`].
#[derive(Clone, Debug)]
pub struct TrieNode {
    /// The symbol that leads here from the parent: a byte, or the end of the text.
    pub symbol: u16,
    /// One past the last node of the subtree.
    pub end: u32,
    /// The first rank of the subtree.
    pub first: u32,
    /// One past the last rank of the tokens that end here; they come first in the subtree.
    pub own: u32,
    /// One past the last rank of the subtree.
    pub last: u32,
    /// Where its children begin in [`TokenTrie::children`].
    pub children: u32,
    /// The kinds of bytes on edges below this node and on the one that leads to it.
    pub bytes: Kinds,
    /// How many of these edges a token has at most.
    pub length: u16,
    /// How many characters begin on the way from the root, that of this node's symbol included.
    pub depth: u16,
    /// Where the way from the root stands in UTF-8.
    pub text: Text,
}

impl TrieNode {
    /// Whether the symbol can only stand within a character.
    pub fn continues(&self) -> bool {
        matches!(self.symbol, 0x80..=0xBF)
    }

    /// How many characters lie between this node and the symbol of one below it.
    pub fn steps_to(&self, below: &TrieNode) -> u32 {
        let before = below.depth - u16::from(!below.continues());
        u32::from(before.saturating_sub(self.depth))
    }
}

/// Where a string of bytes stands in UTF-8. What cannot be text ends a character: the next byte may begin one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// After a character.
    Closed,
    /// Within one: so many bytes are to come, the next one of this range.
    Open(u8, u8, u8),
    /// The last symbol could not stand there.
    Broken,
}

impl Text {
    /// After one symbol more.
    pub fn then(self, symbol: u16) -> Text {
        let Ok(byte) = u8::try_from(symbol) else {
            return Text::Broken;
        };
        match (self, byte) {
            (Text::Open(1, low, high), _) if (low..=high).contains(&byte) => Text::Closed,
            (Text::Open(left, low, high), _) if (low..=high).contains(&byte) => {
                Text::Open(left - 1, 0x80, 0xBF)
            }
            (Text::Open(..), _) => Text::Broken,
            (_, 0x00..=0x7F) => Text::Closed,
            (_, 0xC2..=0xDF) => Text::Open(1, 0x80, 0xBF),
            (_, 0xE0) => Text::Open(2, 0xA0, 0xBF),
            (_, 0xED) => Text::Open(2, 0x80, 0x9F),
            (_, 0xE1..=0xEF) => Text::Open(2, 0x80, 0xBF),
            (_, 0xF0) => Text::Open(3, 0x90, 0xBF),
            (_, 0xF1..=0xF3) => Text::Open(3, 0x80, 0xBF),
            (_, 0xF4) => Text::Open(3, 0x80, 0x8F),
            _ => Text::Broken,
        }
    }
}

/// Stands for the bytes of characters that are not ASCII.
pub const BEYOND_ASCII: u16 = END_OF_TEXT + 1;
/// Stands for symbols that are not text where they stand.
pub const BROKEN: u16 = END_OF_TEXT + 2;

/// A child of a node.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The symbol that leads to it.
    pub symbol: u16,
    /// The node.
    pub node: u32,
}

impl TokenTrie {
    /// How many symbols the longest token has, and the root.
    pub fn longest(&self) -> u32 {
        self.nodes.first().map_or(0, |root| root.length.into())
    }

    /// The places of a node's children in `children`.
    pub fn children_of(&self, node: u32) -> (u32, u32) {
        let here = &self.nodes[node as usize];
        if here.end == node + 1 {
            return (here.children, here.children);
        }
        // All children lie before those of the first one.
        (here.children, self.nodes[node as usize + 1].children)
    }

    /// Builds the trie of `vocabulary` in O(n log n) for n tokens.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut tokens: Vec<(&[u8], u32)> = (0..vocabulary.size())
            .map(|id| (vocabulary.bytes(id), id))
            .filter(|t| !t.0.is_empty())
            .collect();
        tokens.sort_unstable();
        let mut trie = TokenTrie {
            nodes: vec![],
            children: vec![],
            symbols: Grouped::default(),
            characters: Grouped::default(),
            by_depth: vec![],
            exits: ExitsOfKinds::default(),
            ids: vec![],
            all: vec![0; (vocabulary.size() as usize).div_ceil(32)],
            twice: vec![],
            vocab_size: vocabulary.size(),
        };
        trie.add_tokens(&tokens);
        trie.add_end(vocabulary.eos());
        trie.add_children();
        trie.add_characters();
        trie.add_ids();
        trie
    }

    fn add_ids(&mut self) {
        let mut twice = BTreeSet::new();
        for &id in &self.ids {
            let word = &mut self.all[id as usize / 32];
            if *word >> (id % 32) & 1 == 1 {
                twice.insert(id);
            }
            *word |= 1 << (id % 32);
        }
        let ranks = (0..).zip(&self.ids);
        let ranks = ranks.filter(|(_, id)| twice.contains(id));
        self.twice = ranks.map(|(rank, _)| rank).collect();
    }

    fn add_characters(&mut self) {
        for at in 0..self.nodes.len() {
            let (text, depth) = (self.nodes[at].text, self.nodes[at].depth);
            let (from, to) = self.children_of(at as u32);
            for child in &self.children[from as usize..to as usize] {
                let node = &mut self.nodes[child.node as usize];
                node.text = text.then(node.symbol);
                node.depth = depth.saturating_add(u16::from(!node.continues()));
            }
        }
        let character = |node: &TrieNode| match (node.text, node.symbol) {
            (Text::Broken, _) => BROKEN,
            (_, 0..=0x7F) => node.symbol,
            _ => BEYOND_ASCII,
        };
        self.symbols = self.by(|node| node.symbol);
        self.characters = self.by(character);
        for (at, node) in (0u32..).zip(&self.nodes).skip(1) {
            if !node.continues() {
                let depth = node.depth as usize;
                if self.by_depth.len() <= depth {
                    self.by_depth.resize(depth + 1, Vec::new());
                }
                self.by_depth[depth].push(at);
            }
        }
    }

    /// All nodes but the root by what they have.
    fn by(&self, symbol: impl Fn(&TrieNode) -> u16) -> Grouped {
        let nodes = (0..).zip(&self.nodes).skip(1);
        let pairs = nodes.map(|(at, node)| (symbol(node).into(), at));
        Grouped::new(usize::from(BROKEN) + 1, pairs)
    }

    fn add_children(&mut self) {
        self.children.reserve_exact(self.nodes.len());
        for at in 0..self.nodes.len() {
            self.nodes[at].children = self.children.len() as u32;
            let mut child = at as u32 + 1;
            while child < self.nodes[at].end {
                let here = &self.nodes[child as usize];
                self.children.push(Child {
                    symbol: here.symbol,
                    node: child,
                });
                child = here.end;
            }
        }
    }

    /// Adds the nodes of sorted tokens, with an explicit stack of open nodes: tokens may be long.
    fn add_tokens(&mut self, tokens: &[(&[u8], u32)]) {
        self.open(0);
        let mut path: Vec<u32> = vec![0];
        let mut last: &[u8] = &[];
        for &(bytes, id) in tokens {
            let shared = bytes.iter().zip(last).take_while(|(a, b)| a == b).count();
            while path.len() > shared + 1 {
                self.close(&mut path);
            }
            for &byte in &bytes[shared..] {
                path.push(self.nodes.len() as u32);
                self.open(byte as u16);
            }
            self.ids.push(id);
            if let Some(&node) = path.last() {
                self.nodes[node as usize].own = self.ids.len() as u32;
            }
            last = bytes;
        }
        while !path.is_empty() {
            self.close(&mut path);
        }
    }

    fn open(&mut self, symbol: u16) {
        let rank = self.ids.len() as u32;
        self.nodes.push(TrieNode {
            symbol,
            end: 0,
            first: rank,
            own: rank,
            last: rank,
            children: 0,
            bytes: Kinds::of(symbol),
            length: 1,
            depth: 0,
            text: Text::Closed,
        });
    }

    fn close(&mut self, path: &mut Vec<u32>) {
        let Some(node) = path.pop() else { return };
        let end = self.nodes.len() as u32;
        let last = self.ids.len() as u32;
        let closed = &mut self.nodes[node as usize];
        closed.end = end;
        closed.last = last;
        let (bytes, length) = (closed.bytes, closed.length);
        if let Some(&parent) = path.last() {
            let above = &mut self.nodes[parent as usize];
            above.bytes.add(bytes);
            above.length = above.length.max(length + 1);
        }
    }

    fn add_end(&mut self, eos: &[u32]) {
        if eos.is_empty() {
            return;
        }
        let node = self.nodes.len();
        self.open(END_OF_TEXT);
        self.ids.extend_from_slice(eos);
        let last = self.ids.len() as u32;
        let end = self.nodes.len() as u32;
        self.nodes[node] = TrieNode {
            end,
            own: last,
            last,
            ..self.nodes[node].clone()
        };
        self.nodes[0].end = end;
        self.nodes[0].last = last;
    }
}
