//! What a vocabulary can still finish: Earley's algorithm over a finite automaton.
//!
//! After text `p` and a token `t`, is there a sequence of tokens whose text makes `p t …` a
//! sentence? The texts in question are a regular set: the string `p t`, then any way round the trie
//! of the vocabulary. Items are (slot, node where the production began), one set a node, and the
//! sets are closed to a fixpoint because the automaton has cycles. This is exact, and slow.

use super::cfg::{Cfg, Next};
use std::collections::HashSet;

/// A grammar and the texts that a vocabulary can spell.
#[derive(Clone, Debug)]
pub struct Spelling<'g> {
    cfg: &'g Cfg,
    /// The automaton of all sequences of tokens: edges of each node; node 0 is between two tokens.
    edges: Vec<Vec<(u8, usize)>>,
}

impl<'g> Spelling<'g> {
    /// The texts that sequences of `tokens` spell.
    pub fn new<'a>(cfg: &'g Cfg, tokens: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut edges: Vec<Vec<(u8, usize)>> = vec![Vec::new()];
        for token in tokens {
            let Some((&last, init)) = token.split_last() else {
                continue;
            };
            let mut node = 0;
            for &byte in init {
                let known = edges[node]
                    .iter()
                    .find(|edge| edge.0 == byte && edge.1 != 0);
                node = match known {
                    Some(edge) => edge.1,
                    None => {
                        edges.push(Vec::new());
                        let new = edges.len() - 1;
                        edges[node].push((byte, new));
                        new
                    }
                };
            }
            if !edges[node].contains(&(last, 0)) {
                edges[node].push((last, 0));
            }
        }
        Spelling { cfg, edges }
    }

    /// Can tokens after the text `prefix` make it a sentence?
    pub fn can_finish(&self, prefix: &[u8]) -> bool {
        let mut edges = self.edges.clone();
        let start = match prefix.split_last() {
            None => 0,
            Some((&last, init)) => {
                let start = edges.len();
                for (i, &byte) in init.iter().enumerate() {
                    edges.push(vec![(byte, start + i + 1)]);
                }
                edges.push(vec![(last, 0)]);
                start
            }
        };
        Closure::new(self.cfg, &edges).reaches(start)
    }
}

/// The sets of all nodes, closed by a worklist of (node, slot, origin).
struct Closure<'a> {
    cfg: &'a Cfg,
    edges: &'a [Vec<(u8, usize)>],
    seen: HashSet<(usize, u32, usize)>,
    work: Vec<(usize, u32, usize)>,
    /// For each node: items there that wait for a nonterminal.
    waits: Vec<Vec<(u32, u32, usize)>>,
    /// For each node: nonterminals that begin there, with the node where they end.
    spans: Vec<Vec<(u32, usize)>>,
}

impl<'a> Closure<'a> {
    fn new(cfg: &'a Cfg, edges: &'a [Vec<(u8, usize)>]) -> Self {
        let nodes = edges.len();
        Closure {
            cfg,
            edges,
            seen: HashSet::new(),
            work: Vec::new(),
            waits: vec![Vec::new(); nodes],
            spans: vec![Vec::new(); nodes],
        }
    }

    fn add(&mut self, node: usize, slot: u32, origin: usize) {
        if self.seen.insert((node, slot, origin)) {
            self.work.push((node, slot, origin));
        }
    }

    /// Is some text from `start` to node 0 a sentence?
    fn reaches(mut self, start: usize) -> bool {
        for &slot in &self.cfg.starts[0] {
            self.add(start, slot, start);
        }
        while let Some((node, slot, origin)) = self.work.pop() {
            match self.cfg.slots[slot as usize] {
                Next::Bytes(set) => {
                    for &(byte, to) in &self.edges[node] {
                        if self.cfg.contains(set, byte) {
                            self.add(to, slot + 1, origin);
                        }
                    }
                }
                Next::Nonterminal(n) => self.wait(n, node, slot, origin),
                Next::End(0) => {
                    if node == 0 && origin == start {
                        return true;
                    }
                }
                Next::End(n) => self.complete(n, node, origin),
            }
        }
        false
    }

    fn wait(&mut self, n: u32, node: usize, slot: u32, origin: usize) {
        self.waits[node].push((n, slot, origin));
        for &begin in &self.cfg.starts[n as usize] {
            self.add(node, begin, node);
        }
        for i in 0..self.spans[node].len() {
            let (spanned, end) = self.spans[node][i];
            if spanned == n {
                self.add(end, slot + 1, origin);
            }
        }
    }

    fn complete(&mut self, n: u32, node: usize, origin: usize) {
        self.spans[origin].push((n, node));
        for i in 0..self.waits[origin].len() {
            let (waited, slot, outer) = self.waits[origin][i];
            if waited == n {
                self.add(node, slot + 1, outer);
            }
        }
    }
}
