//! Automata of bytes as they are made: states that are given, and nodes between them that are found
//! by their edges.
//!
//! In: ranges of codes, and the digits that write them. Out: a trie over the digits. What holds:
//! equal nodes are one, and each leads to states and to nodes that were made before it.

use super::ByteEdge;
use super::codes::CodeEdge;
use super::digits::Digit;
use crate::grammar::words::WordState;
use crate::maps::{KeyedHasher, KeyedMap};
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// The states made so far: first those that were given, then the nodes between them.
pub(super) struct TextNodes {
    pub states: Vec<WordState>,
    /// The hashes of nodes' edges, and the nodes.
    ids: HashTable<(u64, u32)>,
    hasher: KeyedHasher,
    /// The tries over the codes of one range, counted from the least that the digits can write:
    /// nearly all of what a large class is made of, and much the same for each state.
    single: KeyedMap<(CodeEdge, &'static [Digit]), u32>,
}

impl TextNodes {
    /// With this many states without edges.
    pub fn new(states: usize) -> Self {
        TextNodes {
            states: vec![WordState::default(); states],
            ids: HashTable::new(),
            hasher: KeyedHasher::default(),
            single: KeyedMap::default(),
        }
    }

    /// The edges of a trie over the codes from `base` that `digits` can write.
    pub fn block(
        &mut self,
        codes: &[CodeEdge],
        base: u32,
        digits: &'static [Digit],
    ) -> Vec<ByteEdge> {
        let Some((digit, rest)) = digits.split_first() else {
            return Vec::new();
        };
        // How many codes begin with one value of the digit.
        let size = 1u32 << rest.iter().map(|d| d.bits).sum::<u32>();
        let values = 1u32 << digit.bits;
        let mut result = Vec::new();
        let mut value = 0;
        let mut codes = &codes[codes.partition_point(|code| code.1 < base)..];
        while let &[(from, until, target), ref behind @ ..] = codes {
            value = value.max(from.saturating_sub(base) / size);
            if value >= values {
                break;
            }
            let (low, high) = (base + value * size, base + value * size + (size - 1));
            let mut last = value;
            let to = if from <= low && high <= until {
                last = ((until + 1 - base) / size).min(values) - 1;
                self.single((0, size - 1, target), rest)
            } else if behind.first().is_none_or(|next| next.0 > high) {
                let within = (from.max(low) - low, until.min(high) - low, target);
                self.single(within, rest)
            } else {
                let edges = self.block(codes, low, rest);
                self.node(edges)
            };
            result.extend(to.into_iter().flat_map(|to| digit.edges(value, last, to)));
            value = last + 1;
            let looked_at = base + value * size;
            codes = &codes[codes.partition_point(|code| code.1 < looked_at)..];
        }
        merge(&mut result);
        result
    }

    /// The trie over the codes of one range that `digits` can write: what it leads to, if there are
    /// none.
    fn single(&mut self, code: CodeEdge, digits: &'static [Digit]) -> Option<u32> {
        if digits.is_empty() {
            return Some(code.2);
        }
        if let Some(&known) = self.single.get(&(code, digits)) {
            return Some(known);
        }
        let edges = self.block(&[code], 0, digits);
        let node = self.node(edges)?;
        self.single.insert((code, digits), node);
        Some(node)
    }

    /// The node with these edges; none if there are none.
    pub fn node(&mut self, mut edges: Vec<ByteEdge>) -> Option<u32> {
        if edges.is_empty() {
            return None;
        }
        merge(&mut edges);
        Some(self.merged_node(edges))
    }

    /// The node with these edges, which are sorted, neighbours that lead to one state joined.
    pub fn merged_node(&mut self, edges: Vec<ByteEdge>) -> u32 {
        let hash = self.hasher.hash_one(&edges);
        let states = &self.states;
        let is_known =
            |&(known, id): &(u64, u32)| known == hash && states[id as usize].edges == edges;
        if let Some(&(_, known)) = self.ids.find(hash, is_known) {
            return known;
        }
        let new = self.states.len() as u32;
        self.ids.insert_unique(hash, (hash, new), |of| of.0);
        let is_final = false;
        self.states.push(WordState { is_final, edges });
        new
    }
}

/// Sorts edges, and joins neighbours that lead to one state.
pub(super) fn merge(edges: &mut Vec<ByteEdge>) {
    edges.sort_unstable();
    edges.dedup_by(|later, earlier| {
        let joins = earlier.2 == later.2 && earlier.1.checked_add(1) == Some(later.0);
        if joins {
            earlier.1 = later.1;
        }
        joins
    });
}
