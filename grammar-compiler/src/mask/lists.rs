//! Lists of trie nodes: equal ones once, each with what walks ask of it.

use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

use super::kinds_of_bytes::Kinds;
use super::trie::TokenTrie;
use crate::pda::{Class, Classes};

/// Index of a list of trie nodes.
pub type NodesId = u32;

/// All lists met.
pub struct Lists<'a> {
    trie: &'a TokenTrie,
    /// The class of each symbol.
    classes: Vec<Class>,
    ids: HashMap<Rc<[u32]>, NodesId>,
    /// What lists come to together.
    joined: HashMap<Vec<NodesId>, NodesId>,
    lists: Vec<List>,
}

struct List {
    nodes: Rc<[u32]>,
    /// Trie nodes below and including those of the list.
    size: u32,
    /// The kinds of bytes on the edges to the nodes and below them.
    bytes: Kinds,
    /// How many of these edges a token has at most.
    length: u32,
}

impl<'a> Lists<'a> {
    /// No lists yet.
    pub fn new(trie: &'a TokenTrie, classes: &'a Classes) -> Self {
        Lists {
            trie,
            classes: (0..=255u8)
                .map(|byte| classes.of(byte))
                .chain([classes.end()])
                .collect(),
            ids: HashMap::default(),
            joined: HashMap::default(),
            lists: Vec::new(),
        }
    }

    /// The id of a list of nodes, ascending, none below another.
    pub fn id(&mut self, nodes: &[u32]) -> NodesId {
        if let Some(&id) = self.ids.get(nodes) {
            return id;
        }
        let nodes: Rc<[u32]> = nodes.into();
        let id = self.lists.len() as NodesId;
        let (mut size, mut bytes, mut length) = (0, Kinds::default(), 0);
        for &node in nodes.iter() {
            let here = &self.trie.nodes[node as usize];
            size += here.end - node;
            bytes.add(here.bytes);
            length = length.max(here.length.into());
        }
        self.ids.insert(Rc::clone(&nodes), id);
        self.lists.push(List {
            nodes,
            size,
            bytes,
            length,
        });
        id
    }

    /// The list of all nodes of these lists, none of which shares or covers a node of another; they are put in order.
    pub fn join(&mut self, lists: &mut Vec<NodesId>) -> NodesId {
        lists.sort_unstable();
        lists.dedup();
        if let [only] = lists.as_slice() {
            return *only;
        }
        if let Some(&known) = self.joined.get(lists.as_slice()) {
            return known;
        }
        let nodes = lists
            .iter()
            .flat_map(|&l| self.lists[l as usize].nodes.iter().copied());
        let mut nodes: Vec<u32> = nodes.collect();
        nodes.sort_unstable();
        let all = self.id(&nodes);
        self.joined.insert(lists.clone(), all);
        all
    }

    /// The nodes.
    pub fn nodes(&self, list: NodesId) -> Rc<[u32]> {
        Rc::clone(&self.lists[list as usize].nodes)
    }

    /// The number of trie nodes below and including those of the list.
    pub fn size(&self, list: NodesId) -> u32 {
        self.lists[list as usize].size
    }

    /// The kinds of bytes on the edges to the nodes and below them.
    pub fn bytes(&self, list: NodesId) -> Kinds {
        self.lists[list as usize].bytes
    }

    /// How many edges a token has at most, from those to the nodes on.
    pub fn length(&self, list: NodesId) -> u32 {
        self.lists[list as usize].length
    }

    /// The class of a node's symbol.
    pub fn class(&self, node: u32) -> Class {
        self.class_of(self.trie.nodes[node as usize].symbol)
    }

    /// The class of a symbol.
    pub fn class_of(&self, symbol: u16) -> Class {
        self.classes[symbol as usize]
    }
}
