//! Converts between lists of trie nodes and pieces of ranks.

use rustc_hash::FxHashMap as HashMap;

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
    whole: HashMap<ListId, PieceId>,
    /// For two pieces, the difference of the first and the second.
    differences: HashMap<(PieceId, PieceId), Option<PieceId>>,
    /// For a list and a piece the nodes below which there are no ranks of the piece.
    outside: HashMap<(ListId, PieceId), Option<ListId>>,
}

impl<'a> Subtrees<'a> {
    /// None yet.
    pub fn new(trie: &'a TrieNodes, classes: &Classes) -> Self {
        Subtrees {
            trie,
            lists: Lists::new(trie, classes),
            pieces: Pieces::default(),
            whole: HashMap::default(),
            differences: HashMap::default(),
            outside: HashMap::default(),
        }
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

    /// The difference of two pieces; `None` if it is empty.
    pub fn difference(&mut self, piece: PieceId, other: PieceId) -> Option<PieceId> {
        if let Some(&known) = self.differences.get(&(piece, other)) {
            return known;
        }
        let left = self.pieces.get(piece).minus(self.pieces.get(other));
        let left = self.pieces.add_some(left);
        self.differences.insert((piece, other), left);
        left
    }

    /// The nodes of a list below which there are no ranks of a piece, if there are such nodes. Below each of the others all ranks are of the
    /// piece.
    pub fn outside(&mut self, nodes: ListId, piece: PieceId) -> Option<ListId> {
        if let Some(&known) = self.outside.get(&(nodes, piece)) {
            return known;
        }
        let list = self.lists.nodes(nodes);
        let (trie, ranks) = (self.trie, self.pieces.get(piece));
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
