//! The nodes of a trie over symbols: bytes, and the end of the text.
//!
//! In: strings of symbols, ascending. Out: [`TrieNodes`] in preorder. A subtree is an interval of
//! nodes, and its strings are an interval of ranks: the rank of a string is its place in the order.
//! Nodes and ranks are plain numbers, since walks work on intervals of them.

use std::ops::Index;

use super::byte_kinds::ByteKinds;
use super::text::{BEYOND_ASCII, BROKEN, Text};
use crate::csr::Csr;

/// The nodes of a trie.
#[derive(Clone, Debug, Default)]
pub struct TrieNodes {
    /// The nodes in preorder; the first is the root.
    nodes: Vec<TrieNode>,
    /// The children of all nodes, those of a node side by side: a walk refuses most of them by
    /// their symbols alone.
    children: Vec<Child>,
    /// For each symbol the nodes that it leads to, ascending.
    symbols: Csr,
    /// The same by character: [`BEYOND_ASCII`] for the bytes of characters beyond ASCII, [`BROKEN`]
    /// for symbols that no text has there.
    characters: Csr,
    /// For each depth the nodes whose symbols begin a character, ascending.
    by_depth: Vec<Vec<u32>>,
}

/// A node of a trie.
#[derive(Clone, Debug)]
pub struct TrieNode {
    /// The symbol that leads here from the parent: a byte, or the end of the text.
    pub symbol: u16,
    /// One past the last node of the subtree.
    pub end: u32,
    /// The first rank of the subtree.
    pub first: u32,
    /// One past the last rank of the strings that end here; they come first in the subtree.
    pub own: u32,
    /// One past the last rank of the subtree.
    pub last: u32,
    /// The place of its first child among all children.
    pub children: u32,
    /// The kinds of bytes on the edge to this node and on those below it.
    pub bytes: ByteKinds,
    /// The greatest number of these edges that one string has.
    pub length: u16,
    /// The number of characters that begin on the way from the root to this node, its own symbol
    /// included.
    pub depth: u16,
    /// The position of the way from the root in UTF-8.
    pub text: Text,
}

/// A child of a node.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The symbol that leads to it.
    pub symbol: u16,
    /// The node.
    pub node: u32,
}

impl TrieNode {
    /// Whether the symbol can only stand within a character.
    pub fn continues(&self) -> bool {
        matches!(self.symbol, 0x80..=0xBF)
    }

    /// The number of characters between this node and the symbol of one below it.
    pub fn steps_to(&self, below: &TrieNode) -> u32 {
        let before = below.depth - u16::from(!below.continues());
        u32::from(before.saturating_sub(self.depth))
    }
}

impl Index<u32> for TrieNodes {
    type Output = TrieNode;

    #[inline]
    fn index(&self, node: u32) -> &TrieNode {
        &self.nodes[node as usize]
    }
}

impl TrieNodes {
    /// The node at a place, if there is one.
    pub fn get(&self, node: usize) -> Option<&TrieNode> {
        self.nodes.get(node)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes.
    pub fn iter(&self) -> impl Iterator<Item = &TrieNode> {
        self.nodes.iter()
    }

    /// The number of symbols of the longest string, and one for the root.
    pub fn longest(&self) -> u32 {
        self.nodes.first().map_or(0, |root| root.length.into())
    }

    /// The range of a node's children: see [`children`](Self::children).
    #[inline]
    pub fn children_of(&self, node: u32) -> (u32, u32) {
        let here = &self[node];
        if here.end == node + 1 {
            return (here.children, here.children);
        }
        // The children of a node lie before those of its first child.
        (here.children, self[node + 1].children)
    }

    /// The children in a range.
    #[inline]
    pub fn children(&self, (from, to): (u32, u32)) -> &[Child] {
        &self.children[from as usize..to as usize]
    }

    /// The child of a node to which a symbol leads, if there is one.
    pub fn child(&self, node: u32, symbol: u16) -> Option<u32> {
        let children = self.children(self.children_of(node));
        let at = children.binary_search_by_key(&symbol, |child| child.symbol);
        at.ok().map(|at| children[at].node)
    }

    /// The nodes that a symbol leads to, ascending.
    pub fn of_symbol(&self, symbol: u16) -> &[u32] {
        self.symbols.of(symbol.into())
    }

    /// The nodes that a symbol leads to, ascending; [`BEYOND_ASCII`] and [`BROKEN`] are symbols
    /// here.
    pub fn of_character(&self, symbol: u16) -> &[u32] {
        self.characters.of(symbol.into())
    }

    /// The nodes at a depth whose symbols begin a character, ascending.
    pub fn at_depth(&self, depth: usize) -> &[u32] {
        self.by_depth.get(depth).map_or(&[], Vec::as_slice)
    }

    /// The trie of ascending strings of bytes, and of the end of the text, at which `ends` strings
    /// of their own end. Strings that begin with `lead` are spellings of terminals.
    pub fn new<'t>(strings: impl Iterator<Item = &'t [u8]>, lead: Option<u8>, ends: usize) -> Self {
        let mut trie = TrieNodes::default();
        let count = trie.add_strings(strings);
        trie.add_end(count, ends);
        trie.add_children();
        trie.add_characters(lead.map(u16::from));
        trie
    }

    /// Adds the nodes of ascending strings, with an explicit stack of open nodes, since strings may
    /// be long. Gives their number.
    fn add_strings<'t>(&mut self, strings: impl Iterator<Item = &'t [u8]>) -> u32 {
        let mut count = 0;
        self.open(0, count);
        let mut path: Vec<u32> = vec![0];
        let mut last: &[u8] = &[];
        for bytes in strings {
            let shared = bytes.iter().zip(last).take_while(|(a, b)| a == b).count();
            while path.len() > shared + 1 {
                self.close(&mut path, count);
            }
            for &byte in &bytes[shared..] {
                path.push(self.nodes.len() as u32);
                self.open(byte.into(), count);
            }
            count += 1;
            if let Some(&node) = path.last() {
                self.nodes[node as usize].own = count;
            }
            last = bytes;
        }
        while !path.is_empty() {
            self.close(&mut path, count);
        }
        count
    }

    fn open(&mut self, symbol: u16, rank: u32) {
        self.nodes.push(TrieNode {
            symbol,
            end: 0,
            first: rank,
            own: rank,
            last: rank,
            children: 0,
            bytes: ByteKinds::of(symbol),
            length: 1,
            depth: 0,
            text: Text::Closed,
        });
    }

    fn close(&mut self, path: &mut Vec<u32>, last: u32) {
        let Some(node) = path.pop() else { return };
        let end = self.nodes.len() as u32;
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

    fn add_end(&mut self, first: u32, ends: usize) {
        if ends == 0 {
            return;
        }
        let node = self.nodes.len();
        self.open(maskwright_core::layout::END_OF_TEXT, first);
        let last = first + ends as u32;
        let end = self.nodes.len() as u32;
        let added = &mut self.nodes[node];
        (added.end, added.own, added.last) = (end, last, last);
        self.nodes[0].end = end;
        self.nodes[0].last = last;
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

    fn add_characters(&mut self, lead: Option<u16>) {
        for at in 0..self.nodes.len() {
            let (text, depth) = (self.nodes[at].text, self.nodes[at].depth);
            let (from, to) = self.children_of(at as u32);
            for child in &self.children[from as usize..to as usize] {
                let node = &mut self.nodes[child.node as usize];
                node.text = match Some(node.symbol) == lead {
                    true => Text::Token,
                    false => text.then(node.symbol),
                };
                node.depth = depth.saturating_add(u16::from(!node.continues()));
            }
        }
        let character = |node: &TrieNode| match (node.text, node.symbol) {
            (Text::Broken | Text::Token, _) => BROKEN,
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

    /// All nodes but the root by what `symbol` says of them.
    fn by(&self, symbol: impl Fn(&TrieNode) -> u16) -> Csr {
        let nodes = (0..).zip(&self.nodes).skip(1);
        let pairs = nodes.map(|(at, node)| (symbol(node).into(), at));
        Csr::new(usize::from(BROKEN) + 1, pairs)
    }
}
