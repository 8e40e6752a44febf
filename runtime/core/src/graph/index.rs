//! Where nodes, unions of nodes, and heads are found again.
//!
//! In: nodes in the order in which they are made, and room beside the graph. Out: the node that has
//! some edges, the union of two nodes, the head of a state and a height. What holds: a place for a
//! node is 0 or the word where a node begins. Without room, nodes are looked for one after the
//! other, which is faster where there are few.

use super::words::{self, Edge, NO_FRAMES, nodes};
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
        for (node, edges) in nodes(words) {
            if let Err(place) = index.find(words, edges).node {
                index.enter(place, node);
            }
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

    /// The node that has some edges, among those in `words`.
    pub(super) fn find(&self, words: &[u16], edges: &[Edge]) -> Found {
        let places = self.room.get(..self.places()).unwrap_or(&[]);
        if places.is_empty() {
            return one_by_one(words, edges);
        }
        let mut place = hash(edges.as_flattened()) as usize % places.len();
        let mut looked_at = 1;
        loop {
            let node = places.get(place).copied().unwrap_or(0);
            let is_free = node == 0;
            if is_free || words::edges(words, node) == edges {
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

    /// The room without the places for nodes: three quarters for unions, the rest for heads.
    fn rest(&mut self) -> (&mut [u16], &mut [u16]) {
        let places = self.places();
        let rest = self.room.get_mut(places..).unwrap_or_default();
        rest.split_at_mut_checked(rest.len() / 4 * 3)
            .unwrap_or_default()
    }

    /// What is kept of unions.
    fn unions(&mut self) -> &mut [Union] {
        match self.room.is_empty() {
            true => &mut self.few,
            false => self.rest().0.as_chunks_mut().0,
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
        let (_, heads) = self.rest();
        let key = [head.state as u16, (head.state >> 16) as u16, head.height];
        slot(heads, hash(&key))
    }
}

fn slot<T>(slots: &mut [T], hash: u32) -> Option<&mut T> {
    let at = (hash as usize).checked_rem(slots.len())?;
    slots.get_mut(at)
}

fn one_by_one(words: &[u16], edges: &[Edge]) -> Found {
    let mut looked_at = 1;
    for (node, known) in nodes(words) {
        if known == edges {
            let node = Ok(node);
            return Found { node, looked_at };
        }
        looked_at += 1;
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
