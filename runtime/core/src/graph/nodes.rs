//! The nodes of a graph.
//!
//! In: frames with the nodes below them, and nodes that are united. Out: nodes. What holds: equal
//! sets are one node; the nodes below a node come before it.

use core::mem;
use core::ops::Range;

use super::compact::gather;
use super::heads;
use super::index::{Found, Index};
use super::words::{Edge, NO_FRAMES, edges, used};
use super::{Full, Words};
use crate::head::Head;

/// What a step may do: a unit is a node that is looked at, or a pair of nodes that is united.
const WORK: u32 = 1 << 20;
/// What a step may do without an index.
const LITTLE_WORK: u32 = 1 << 9;

/// A graph to which nodes and heads are added.
pub(crate) struct Nodes<'w> {
    heads: &'w mut [Head],
    words: &'w mut [u16],
    /// Where the edges begin that wait at the end of the words for their node.
    waiting: usize,
    work: u32,
    index: Index<'w>,
    /// Whether the nodes lie where they were, or where the index was.
    place: Words,
    /// The words in use at which nodes that nothing leads to are dropped.
    crowded: usize,
}

impl<'w> Nodes<'w> {
    /// A graph with `live` heads. It is for little work.
    pub(crate) fn new((heads, words): (&'w mut [Head], &'w mut [u16]), live: usize) -> Self {
        Self::with(Index::none(), LITTLE_WORK, (heads, words), live)
    }

    /// A graph with `live` heads and an index, which lies in as many words as the graph has.
    pub(crate) fn indexed(
        (heads, words, room): (&'w mut [Head], &'w mut [u16], &'w mut [u16]),
        live: usize,
    ) -> Self {
        let index = Index::of(words, room);
        let mut nodes = Self::with(index, WORK, (heads, words), live);
        nodes.crowded = nodes.waiting / 2;
        nodes
    }

    fn with(
        index: Index<'w>,
        work: u32,
        (heads, words): (&'w mut [Head], &'w mut [u16]),
        live: usize,
    ) -> Self {
        let end = heads::end(heads.len(), words.len(), live);
        Nodes {
            // A node is told by sixteen bits.
            waiting: end.unwrap_or(0).min(usize::from(u16::MAX)),
            heads,
            words,
            work,
            index,
            place: Words::Same,
            crowded: usize::MAX,
        }
    }

    /// Which words hold the nodes; the others are those that the index was given.
    pub(crate) fn place(&self) -> Words {
        self.place
    }

    /// Drops the nodes to which no head leads, if they are many. No edges may wait, and nodes have
    /// other numbers afterwards.
    pub(super) fn make_room(&mut self, live: usize) -> Result<(), Full> {
        let before = used(self.words);
        if before < self.crowded {
            return Ok(());
        }
        self.spend(before as u32 / 4)?;
        let room = mem::replace(&mut self.index, Index::none()).into_room();
        gather(self.heads, live, self.words, room)?;
        let words = mem::replace(&mut self.words, room);
        self.index = Index::of(self.words, words);
        self.place = match self.place {
            Words::Same => Words::Others,
            Words::Others => Words::Same,
        };
        let left = self.waiting.saturating_sub(used(self.words));
        // Where little is left, it would be done again and again.
        self.crowded = match left > self.words.len() / 16 {
            true => used(self.words) + left / 2,
            false => usize::MAX,
        };
        Ok(())
    }

    /// A head.
    #[inline]
    pub(super) fn head(&self, at: usize) -> Option<Head> {
        heads::get(self.heads, self.words, at)
    }

    /// Writes a head that is there.
    #[inline]
    pub(super) fn set_head(&mut self, at: usize, head: Head) -> Result<(), Full> {
        heads::set(self.heads, self.words, at, head).ok_or(Full)
    }

    /// Where a head of the same state and height lies among some heads.
    pub(super) fn find_head(&mut self, mut among: Range<usize>, head: Head) -> Option<usize> {
        let is_same = |known: Head| (known.state, known.height) == (head.state, head.height);
        let kept = self.index.head(head).map(|&mut at| usize::from(at));
        if let Some(at) = kept.filter(|at| among.contains(at))
            && self.head(at).is_some_and(is_same)
        {
            return Some(at);
        }
        let at = among.find(|&at| self.head(at).is_some_and(is_same))?;
        self.keep_head(at, head);
        Some(at)
    }

    fn keep_head(&mut self, at: usize, head: Head) {
        if let Some(kept) = self.index.head(head) {
            *kept = at as u16;
        }
    }

    /// Makes a place for the head behind `live` others, and writes it there. No edges may wait.
    pub(super) fn add_head(&mut self, live: usize, head: Head) -> Result<(), Full> {
        let end = heads::end(self.heads.len(), self.words.len(), live + 1).ok_or(Full)?;
        if end < used(self.words) || live >= usize::from(u16::MAX) {
            return Err(Full);
        }
        self.waiting = self.waiting.min(end);
        self.keep_head(live, head);
        self.set_head(live, head)
    }

    /// A frame of a node, by its number.
    #[inline]
    pub(super) fn edge(&self, node: u16, at: usize) -> Option<Edge> {
        edges(self.words, node).get(at).copied()
    }

    /// The node of the stacks of `below` with one more frame.
    pub(super) fn push(&mut self, frame: u16, below: u16) -> Result<u16, Full> {
        let end = self.waiting;
        self.wait([frame, below])?;
        self.node(end)
    }

    /// The node of the stacks of two nodes.
    pub(super) fn union(&mut self, one: u16, other: u16) -> Result<u16, Full> {
        let (one, other) = (one.min(other), one.max(other));
        if one == other {
            return Ok(one);
        }
        // In a graph whose heads have one height each, both nodes have frames.
        if one == NO_FRAMES {
            return Err(Full);
        }
        if let Some(union) = self.index.union(one, other) {
            return Ok(union);
        }
        self.spend(1)?;
        let end = self.waiting;
        // From the last frame to the first: edges wait in front of one another.
        let mut left = [one, other].map(|node| edges(self.words, node).len());
        loop {
            let next =
                |nodes: &Self, side: usize, node| nodes.edge(node, left[side].checked_sub(1)?);
            let edge = match (next(self, 0, one), next(self, 1, other)) {
                (None, None) => break,
                (Some(edge), None) => (edge, [1, 0]),
                (None, Some(edge)) => (edge, [0, 1]),
                (Some(edge), Some(second)) if edge[0] > second[0] => (edge, [1, 0]),
                (Some(first), Some(edge)) if edge[0] > first[0] => (edge, [0, 1]),
                (Some([frame, below]), Some([_, other])) => {
                    ([frame, self.union(below, other)?], [1, 1])
                }
            };
            let (edge, taken) = edge;
            self.wait(edge)?;
            left = [left[0] - taken[0], left[1] - taken[1]];
        }
        let union = self.node(end)?;
        self.index.keep_union(one, other, union);
        Ok(union)
    }

    /// Spends some of the work of a step.
    pub(super) fn spend(&mut self, work: u32) -> Result<(), Full> {
        self.work = self.work.checked_sub(work).ok_or(Full)?;
        Ok(())
    }

    /// Keeps an edge for the node that is made next.
    fn wait(&mut self, edge: Edge) -> Result<(), Full> {
        let to = self.waiting.checked_sub(2).ok_or(Full)?;
        if to < used(self.words) {
            return Err(Full);
        }
        let words = self.words.get_mut(to..).ok_or(Full)?;
        *words.first_chunk_mut().ok_or(Full)? = edge;
        self.waiting = to;
        Ok(())
    }

    /// The node of the edges that wait before `end`: one that is there, or a new one.
    fn node(&mut self, end: usize) -> Result<u16, Full> {
        let edges = self.waiting..end;
        self.waiting = end;
        let (used, new) = (used(self.words), edges.len());
        let Found { node, looked_at } = self.find(edges.clone());
        self.spend(looked_at)?;
        let place = match node {
            Ok(node) => return Ok(node),
            Err(place) => place,
        };
        // What waits behind these edges must not be written over.
        let next = used + 1 + new;
        if next > end {
            return Err(Full);
        }
        // Down, word by word: the node may reach into the edges.
        for (to, from) in (used + 1..next).zip(edges) {
            let word = self.words.get(from).copied().ok_or(Full)?;
            *self.words.get_mut(to).ok_or(Full)? = word;
        }
        if let Some(count) = self.words.get_mut(used) {
            *count = (new / 2) as u16;
        }
        if let Some(first) = self.words.first_mut() {
            *first = next as u16;
        }
        self.index.enter(place, used as u16);
        Ok(used as u16)
    }

    /// The node with the edges that lie in a range.
    fn find(&self, edges: Range<usize>) -> Found {
        let edges = self.words.get(edges).unwrap_or(&[]);
        self.index.find(self.words, edges.as_chunks().0)
    }
}
