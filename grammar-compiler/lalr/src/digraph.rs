//! The least sets that contain each other along a relation.
//!
//! This is the algorithm `digraph` of DeRemer and Pennello (1982), section 4, with a stack of its
//! own in place of recursion.

use crate::budget::Budget;
use crate::error::Error;
use crate::sort::sorted;

/// Sets of small numbers, a row of bits for each.
pub(crate) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64);
        Self {
            words,
            bits: vec![0; rows * words],
        }
    }

    /// The words that [`Sets::new`] would take.
    pub(crate) fn size(rows: usize, columns: usize) -> usize {
        rows.saturating_mul(columns.div_ceil(64))
    }

    pub(crate) fn insert(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    /// Adds row `from` to row `to`.
    fn add(&mut self, to: usize, from: usize) {
        for word in 0..self.words {
            self.bits[to * self.words + word] |= self.bits[from * self.words + word];
        }
    }

    fn copy(&mut self, to: usize, from: usize) {
        let from = from * self.words;
        self.bits
            .copy_within(from..from + self.words, to * self.words);
    }
}

/// The numbers in a row.
pub(crate) fn columns(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(place, &word)| {
        let bits = std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
        let bits = bits.take_while(|&rest| rest != 0);
        bits.map(move |rest| place * 64 + rest.trailing_zeros() as usize)
    })
}

/// A relation: for each node those that it is related to.
pub(crate) struct Relation {
    begins: Vec<u32>,
    to: Vec<u32>,
}

impl Relation {
    /// The relation of `nodes` nodes with these pairs.
    pub(crate) fn new(
        nodes: usize,
        pairs: &[(u32, u32)],
        budget: &mut Budget,
    ) -> Result<Self, Error> {
        let pairs = sorted(pairs, nodes, |pair| pair.0 as usize, budget)?;
        let mut begins = vec![0; nodes + 1];
        for &(from, _) in &pairs {
            begins[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            begins[node + 1] += begins[node];
        }
        Ok(Self {
            begins,
            to: pairs.into_iter().map(|(_, to)| to).collect(),
        })
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.to[self.begins[node] as usize..self.begins[node + 1] as usize]
    }
}

/// The weight of a node whose set is complete.
const DONE: u32 = u32::MAX;

/// Makes each set contain those of all nodes that its node is related to.
pub(crate) fn close(
    sets: &mut Sets,
    relation: &Relation,
    budget: &mut Budget,
) -> Result<(), Error> {
    let nodes = relation.begins.len() as u32 - 1;
    let mut walk = Walk {
        weights: vec![0; nodes as usize],
        stack: Vec::new(),
        path: Vec::new(),
    };
    for node in 0..nodes {
        if walk.weights[node as usize] == 0 {
            walk.from(node, sets, relation, budget)?;
        }
    }
    Ok(())
}

/// Where the search for cycles stands.
struct Walk {
    /// 0 for a node that is not visited, else the least depth in the stack that it reaches.
    weights: Vec<u32>,
    /// The nodes whose cycle is not complete.
    stack: Vec<u32>,
    /// The nodes being visited: each with its depth in the stack and the next relative to look at.
    path: Vec<(u32, u32, usize)>,
}

impl Walk {
    fn enter(&mut self, node: u32) {
        self.stack.push(node);
        let depth = self.stack.len() as u32;
        self.weights[node as usize] = depth;
        self.path.push((node, depth, 0));
    }

    fn from(
        &mut self,
        root: u32,
        sets: &mut Sets,
        relation: &Relation,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        self.enter(root);
        while let Some((node, depth, at)) = self.path.last_mut() {
            budget.spend(1 + sets.words)?;
            let (node, depth) = (*node, *depth);
            let Some(&relative) = relation.of(node).get(*at) else {
                self.leave(node, depth, sets);
                continue;
            };
            if self.weights[relative as usize] == 0 {
                // It is looked at again when it is left, with its set.
                self.enter(relative);
                continue;
            }
            *at += 1;
            let weight = self.weights[relative as usize];
            let own = &mut self.weights[node as usize];
            *own = weight.min(*own);
            sets.add(node as usize, relative as usize);
        }
        Ok(())
    }

    /// Ends the visit of a node; all nodes of its cycle get its set if it is the first of them.
    fn leave(&mut self, node: u32, depth: u32, sets: &mut Sets) {
        self.path.pop();
        if self.weights[node as usize] != depth {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.weights[member as usize] = DONE;
            if member == node {
                break;
            }
            sets.copy(member as usize, node as usize);
        }
    }
}
