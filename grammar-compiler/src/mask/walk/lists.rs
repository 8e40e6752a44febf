//! Lists of trie nodes: equal ones once, each with what walks ask about it.

use crate::maps::IdMap;
use std::rc::Rc;

use crate::id::id;
use crate::mask::trie::{ByteKinds, TrieNodes};
use crate::pda::{Class, Classes};

id! {
    /// Index of a list of trie nodes.
    pub struct ListId;
}

/// All lists that occur.
pub struct Lists<'a> {
    trie: &'a TrieNodes,
    /// The class of each symbol.
    classes: Vec<Class>,
    ids: IdMap<Rc<[u32]>, ListId>,
    /// The unions of lists.
    joined: IdMap<Vec<ListId>, ListId>,
    lists: Vec<List>,
}

struct List {
    nodes: Rc<[u32]>,
    /// The number of trie nodes in the subtrees of the list.
    size: u32,
    /// The kinds of bytes on the edges to the nodes and below them.
    bytes: ByteKinds,
    /// The greatest number of these edges that one token has.
    length: u32,
}

impl<'a> Lists<'a> {
    /// No lists yet.
    pub fn new(trie: &'a TrieNodes, classes: &Classes) -> Self {
        Lists {
            trie,
            classes: classes.of_symbols(),
            ids: IdMap::default(),
            joined: IdMap::default(),
            lists: Vec::new(),
        }
    }

    /// The id of a list of ascending nodes, of which none lies below another.
    pub fn id(&mut self, nodes: &[u32]) -> ListId {
        match self.ids.get(nodes) {
            Some(&id) => id,
            None => self.add(nodes.into()),
        }
    }

    /// The same for nodes that are shared.
    pub fn id_of(&mut self, nodes: &Rc<[u32]>) -> ListId {
        match self.ids.get(nodes) {
            Some(&id) => id,
            None => self.add(Rc::clone(nodes)),
        }
    }

    fn add(&mut self, nodes: Rc<[u32]>) -> ListId {
        let id = ListId::at(self.lists.len());
        let (mut size, mut bytes, mut length) = (0, ByteKinds::default(), 0);
        for &node in nodes.iter() {
            let here = &self.trie[node];
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

    /// The union of lists, which is left sorted. No node of one list equals a node of another or
    /// lies below it.
    pub fn join(&mut self, lists: &mut Vec<ListId>) -> ListId {
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
            .flat_map(|&l| self.lists[l.index()].nodes.iter().copied());
        let mut nodes: Vec<u32> = nodes.collect();
        // The nodes of each list ascend, and the stable sort merges such runs.
        nodes.sort();
        let all = self.id(&nodes);
        self.joined.insert(lists.clone(), all);
        all
    }

    /// The nodes.
    pub fn nodes(&self, list: ListId) -> Rc<[u32]> {
        Rc::clone(&self.lists[list.index()].nodes)
    }

    /// The number of trie nodes in the subtrees of a list.
    pub fn size(&self, list: ListId) -> u32 {
        self.lists[list.index()].size
    }

    /// The kinds of bytes on the edges to the nodes and below them.
    pub fn bytes(&self, list: ListId) -> ByteKinds {
        self.lists[list.index()].bytes
    }

    /// The greatest number of edges that one token has, from the edges to the nodes on.
    pub fn length(&self, list: ListId) -> u32 {
        self.lists[list.index()].length
    }

    /// The class of a node's symbol.
    pub fn class(&self, node: u32) -> Class {
        self.class_of(self.trie[node].symbol)
    }

    /// The class of a symbol.
    pub fn class_of(&self, symbol: u16) -> Class {
        self.classes[symbol as usize]
    }
}
