//! Converts between lists of trie nodes and pieces of ranks.

use crate::maps::IdMap;

use super::lists::{ListId, Lists};
use super::pieces::{PieceId, Pieces};
use crate::mask::masks::Ranks;
use crate::mask::trie::TrieNodes;
use crate::pda::Classes;

/// All lists and pieces that occur.
pub struct Subtrees<'a> {
    trie: &'a TrieNodes,
    /// The lists of trie nodes.
    pub lists: Lists<'a>,
    /// The sets of ranks.
    pub pieces: Pieces,
    /// For each list the ranks below its nodes.
    whole: IdMap<ListId, PieceId>,
    /// For a list and a piece the nodes below which there are no ranks of the piece.
    outside: IdMap<(ListId, PieceId), Option<ListId>>,
}

impl<'a> Subtrees<'a> {
    /// None yet.
    pub fn new(trie: &'a TrieNodes, classes: &Classes) -> Self {
        Subtrees {
            trie,
            lists: Lists::new(trie, classes),
            pieces: Pieces::default(),
            whole: IdMap::default(),
            outside: IdMap::default(),
        }
    }

    /// The symbol of a node.
    pub fn symbol(&self, node: u32) -> u16 {
        self.trie[node].symbol
    }

    /// All ranks below the nodes of a list.
    pub fn whole(&mut self, nodes: ListId) -> PieceId {
        if let Some(&piece) = self.whole.get(&nodes) {
            return piece;
        }
        let list = self.lists.nodes(nodes);
        let tops = list.iter().map(|&node| &self.trie[node]);
        let ranks = Ranks::from_unsorted(tops.map(|top| (top.first, top.last)).collect());
        let piece = self.pieces.add(ranks);
        self.whole.insert(nodes, piece);
        piece
    }

    /// The nodes of a list below which there are no ranks of a piece that is a set, if there are
    /// such nodes. Below each of the others all ranks are of the piece.
    pub fn outside(&mut self, nodes: ListId, piece: PieceId) -> Option<ListId> {
        if let Some(&known) = self.outside.get(&(nodes, piece)) {
            return known;
        }
        let list = self.lists.nodes(nodes);
        let (trie, ranks) = (self.trie, self.pieces.set(piece));
        let is_left = |node: &u32| !ranks.contains(trie[*node].first);
        let left: Vec<u32> = list.iter().copied().filter(is_left).collect();
        let left = match left.len() {
            0 => None,
            all if all == list.len() => Some(nodes),
            _ => Some(self.lists.id(&left)),
        };
        self.outside.insert((nodes, piece), left);
        left
    }
}
