//! Where nodes, unions of nodes, and heads are found again.
//!
//! In: nodes in the order in which they are made, and room beside the graph. Out: the node that has
//! some edges, the union of two nodes, the head of a state and a height. What holds: a place for a
//! node is 0 or the word where a node begins. Without room, nodes are looked for one after the
//! other, which is faster where there are few.

use super::words::{NO_FRAMES, used};
use crate::head::Head;

/// Two nodes and their union.
type Union = [u16; 3];

/// A union of no nodes.
const NONE: Union = [NO_FRAMES; 3];

/// Unions that are kept where there is no room beside the graph.
const FEW: usize = 32;

/// Nodes by their edges, unions by their nodes, heads by state and height.
pub(super) struct Index<'w> {
    /// The room: half of it has places for nodes, the rest the other two.
    room: &'w mut [u16],
    /// Unions, where there is no room.
    few: [Union; FEW],
}

/// What a search for a node has found.
pub(super) struct Found {
    /// The node, or the place where a new one is to be entered.
    pub(super) node: Result<u16, usize>,
    /// The nodes that were looked at.
    pub(super) looked_at: u32,
}

impl<'w> Index<'w> {
    /// An index without room.
    pub(super) fn none() -> Self {
        Index {
            room: &mut [],
            few: [NONE; FEW],
        }
    }

    /// An index of the nodes in `words`, in as many words beside them.
    pub(super) fn of(words: &[u16], room: &'w mut [u16]) -> Self {
        room.fill(0);
        let mut index = Index {
            room,
            few: [NONE; FEW],
        };
        let nodes = words.get(..used(words)).unwrap_or(&[]);
        let mut at = 1;
        while let Some(edges) = record(nodes, at) {
            if let Err(place) = index.find(nodes, edges).node {
                index.enter(place, at as u16);
            }
            at += 1 + edges.len();
        }
        index
    }

    /// The room, which holds no index any more.
    pub(super) fn into_room(self) -> &'w mut [u16] {
        self.room
    }

    /// The places for nodes. A node has at least three words, so a third of the places is free.
    fn places(&self) -> usize {
        self.room.len() / 2
    }

    /// The node that has some edges, among those of `nodes`.
    pub(super) fn find(&self, nodes: &[u16], edges: &[u16]) -> Found {
        let places = self.room.get(..self.places()).unwrap_or(&[]);
        if places.is_empty() {
            return one_by_one(nodes, edges);
        }
        let mut place = hash(edges) as usize % places.len();
        let mut looked_at = 1;
        loop {
            let node = places.get(place).copied().unwrap_or(0);
            let is_free = node == 0;
            if is_free || record(nodes, usize::from(node)) == Some(edges) {
                let node = if is_free { Err(place) } else { Ok(node) };
                return Found { node, looked_at };
            }
            place = (place + 1) % places.len();
            looked_at += 1;
        }
    }

    /// Enters a node where it was looked for.
    pub(super) fn enter(&mut self, place: usize, node: u16) {
        let places = self.places();
        if let Some(to) = self
            .room
            .get_mut(..places)
            .and_then(|all| all.get_mut(place))
        {
            *to = node;
        }
    }

    /// What is kept of unions.
    fn unions(&mut self) -> &mut [Union] {
        let room = self.room.get_mut(self.room.len() / 2..).unwrap_or_default();
        let (unions, _) = room.split_at_mut(room.len() / 4 * 3);
        match unions.as_chunks_mut().0 {
            [] => &mut self.few,
            many => many,
        }
    }

    /// The union of two nodes, if it is known.
    pub(super) fn union(&mut self, one: u16, other: u16) -> Option<u16> {
        let [first, second, union] = *slot(self.unions(), hash(&[one, other]))?;
        ((first, second) == (one, other)).then_some(union)
    }

    /// Keeps the union of two nodes.
    pub(super) fn keep_union(&mut self, one: u16, other: u16, union: u16) {
        if let Some(slot) = slot(self.unions(), hash(&[one, other])) {
            *slot = [one, other, union];
        }
    }

    /// The number that was last kept for a head of the same state and height, or of others.
    pub(super) fn head(&mut self, head: Head) -> Option<&mut u16> {
        let begin = self.room.len() / 2;
        let room = self.room.get_mut(begin..)?;
        let (_, heads) = room.split_at_mut(room.len() / 4 * 3);
        let key = [head.state as u16, (head.state >> 16) as u16, head.height];
        slot(heads, hash(&key))
    }
}

fn slot<T>(slots: &mut [T], hash: u32) -> Option<&mut T> {
    let at = (hash as usize).checked_rem(slots.len())?;
    slots.get_mut(at)
}

/// The edges of the node that begins at a word.
fn record(nodes: &[u16], at: usize) -> Option<&[u16]> {
    let (&count, rest) = nodes.get(at..)?.split_first()?;
    rest.get(..2 * usize::from(count))
}

fn one_by_one(nodes: &[u16], edges: &[u16]) -> Found {
    let (mut at, mut looked_at) = (1, 1);
    while let Some(known) = record(nodes, at) {
        if known == edges {
            let node = Ok(at as u16);
            return Found { node, looked_at };
        }
        (at, looked_at) = (at + 1 + known.len(), looked_at + 1);
    }
    let node = Err(0);
    Found { node, looked_at }
}

fn hash(words: &[u16]) -> u32 {
    let mixed = words.iter().fold(0_u32, |hash, &word| {
        (hash.rotate_left(5) ^ u32::from(word)).wrapping_mul(0x9E37_79B1)
    });
    mixed ^ mixed >> 15
}
