//! States that do what another one does but for a few symbols: in the middle of a key that is known, all characters but one lead to
//! where all other keys are read.
//!
//! A walk from such a state is that from the other one without what lies behind those symbols, and walks from there. The other one's
//! is summed up once for all states like it.

use rustc_hash::FxHashMap as HashMap;

use super::descend::{Descent, Gather, Question, Start};
use super::lists::NodesId;
use super::pieces::PieceId;
use super::rows::Rows;
use crate::pda::headroom::Need;
use crate::pda::{Class, Pda, StateId};

/// States that differ for more classes are not like each other.
const MAX_CLASSES: usize = 8;

/// What a state is like.
#[derive(Clone, Debug)]
pub struct Like {
    /// A state where most bytes lead to, and stay in.
    pub state: StateId,
    /// The classes with which other things happen here, ascending.
    pub but: Vec<Class>,
}

/// What is left of pieces and lists of nodes without what lies in a piece.
#[derive(Default)]
pub struct Without {
    pieces: HashMap<(PieceId, PieceId), Option<PieceId>>,
    nodes: HashMap<(NodesId, PieceId), Option<NodesId>>,
}

/// For each state one that it is like.
pub fn likes(pda: &Pda, needs: &[Need], rows: &Rows) -> Vec<Option<Like>> {
    let like = |state: StateId| {
        let next = rows.next(state);
        let [here, there] = [state, next].map(|state| &pda.states[state as usize]);
        let stays = rows.run(next).along.is_some() && rows.next(next) == next;
        let is_like = state != next
            && stays
            && rows.run(state).along.is_none()
            && needs[state as usize] == needs[next as usize]
            && here.top == there.top;
        let but = is_like.then(|| rows.different(state, next, MAX_CLASSES))??;
        Some(Like { state: next, but })
    };
    (0..pda.states.len() as StateId).map(like).collect()
}

impl Descent<'_> {
    /// Takes large subtrees to where they leave the run that goes on in a state like this one, but one symbol further by the others.
    pub(super) fn step_like(&mut self, start: Start, like: &Like, steps: u32, gather: &mut Gather) {
        let split = self.one_further(start.nodes);
        let mut without = Vec::new();
        for &class in &like.but {
            if let Ok(at) = split.parts.binary_search_by_key(&class, |part| part.1) {
                let nodes = split.parts[at].2;
                without.push(self.whole(nodes));
                self.follow(start, (start.state, class, nodes), steps, gather);
            }
        }
        without.sort_unstable();
        let without = self.pieces.union(&without);
        let summary = self.summary(start.nodes, like.state, steps);
        for at in summary.tokens {
            let (height, piece) = self.summaries.token(at);
            if let Some(piece) = self.piece_without(piece, without) {
                gather.tokens.push((height, piece));
            }
        }
        for at in summary.questions {
            let Question { class, at } = self.summaries.question(at);
            if let Some(nodes) = self.nodes_without(at.nodes, without) {
                let asked = (class, at.state, at.local, at.peak);
                gather.questions.push((asked, nodes));
            }
        }
    }

    /// What a piece has beyond another one.
    fn piece_without(&mut self, piece: PieceId, other: PieceId) -> Option<PieceId> {
        if let Some(&known) = self.without.pieces.get(&(piece, other)) {
            return known;
        }
        let left = self.pieces.get(piece).minus(self.pieces.get(other));
        let left = self.pieces.add_some(left);
        self.without.pieces.insert((piece, other), left);
        left
    }

    /// The nodes of a list below which there are no tokens of a piece; below the others all are.
    fn nodes_without(&mut self, nodes: NodesId, piece: PieceId) -> Option<NodesId> {
        if let Some(&known) = self.without.nodes.get(&(nodes, piece)) {
            return known;
        }
        let list = self.lists.nodes(nodes);
        let (trie, ranks) = (self.trie, self.pieces.get(piece));
        let is_left = |node: &u32| !ranks.contains(trie.nodes[*node as usize].first);
        let left: Vec<u32> = list.iter().copied().filter(is_left).collect();
        let left = match left.len() {
            0 => None,
            all if all == list.len() => Some(nodes),
            _ => Some(self.lists.id(&left)),
        };
        self.without.nodes.insert((nodes, piece), left);
        left
    }
}
