//! Walks of small subtrees, node by node: along a run from exit to exit.

use super::descend::{Asked, Descent, Gather, Start};
use super::rows::Action;
use super::split::Chain;

/// Subtrees of fewer nodes are not taken along a run.
const WORTH_A_RUN: u32 = 8;

/// A trie node that is open in a walk: where its next child lies, and where its last one ends.
struct Open {
    at: u32,
    end: u32,
    start: Start,
}

/// What a walk of small subtrees gathers.
#[derive(Default)]
pub struct Small {
    /// Intervals of ranks, by the height that they need: a few heights, the one used last at the end.
    tokens: Vec<(i16, Vec<(u32, u32)>)>,
    /// Nodes that ask.
    questions: Vec<(Asked, u32)>,
    open: Vec<Open>,
    /// Nodes whose symbols are to be consumed: where runs are left.
    exits: Vec<(u32, Start)>,
    /// Room for the nodes that ask the same.
    alike: Vec<u32>,
}

impl Small {
    /// The intervals of ranks that need this height.
    fn of(&mut self, height: i16) -> &mut Vec<(u32, u32)> {
        if self.tokens.last().is_none_or(|last| last.0 != height) {
            match self.tokens.iter().position(|of| of.0 == height) {
                Some(at) => {
                    let last = self.tokens.len() - 1;
                    self.tokens.swap(at, last);
                }
                None => self.tokens.push((height, Vec::new())),
            }
        }
        let last = self.tokens.len() - 1;
        &mut self.tokens[last].1
    }

    fn add(&mut self, height: i16, from: u32, to: u32) {
        let intervals = self.of(height);
        match intervals.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            _ => intervals.push((from, to)),
        }
    }
}

impl Descent<'_> {
    /// Walks everything below some nodes.
    pub fn small(&mut self, start: Start, gather: &mut Gather) {
        let mut small = std::mem::take(&mut self.small);
        for &node in self.lists.nodes(start.nodes).iter() {
            self.enter(node, start, &mut small);
            self.finish(&mut small);
        }
        for (height, intervals) in &mut small.tokens {
            if !intervals.is_empty() {
                let piece = self.pieces.of_intervals(intervals);
                gather.tokens.push((*height, piece));
                intervals.clear();
            }
        }
        small.questions.sort_unstable();
        for same in small.questions.chunk_by(|a, b| a.0 == b.0) {
            small.alike.clear();
            small.alike.extend(same.iter().map(|&(_, node)| node));
            gather
                .questions
                .push((same[0].0, self.lists.id(&small.alike)));
        }
        small.questions.clear();
        self.small = small;
    }

    /// Walks what is open. Not by calls: tokens may be long.
    fn finish(&mut self, small: &mut Small) {
        loop {
            if let Some((exit, at)) = small.exits.pop() {
                self.symbol(self.trie.nodes[exit as usize].symbol, exit, at, small);
                continue;
            }
            let Some(open) = small.open.last_mut() else {
                return;
            };
            let at = open.start;
            let children = &self.trie.children[open.at as usize..open.end as usize];
            let row = self.rows.row(at.state);
            let mut symbols = children
                .iter()
                .map(|child| self.lists.class_of(child.symbol));
            let Some(refused) = symbols.position(|class| row[class as usize].is_taken()) else {
                small.open.pop();
                continue;
            };
            open.at += refused as u32 + 1;
            let child = children[refused];
            self.symbol(child.symbol, child.node, at, small);
        }
    }

    /// Consumes the symbol of a node.
    fn symbol(&mut self, symbol: u16, node: u32, at: Start, small: &mut Small) {
        let class = self.lists.class_of(symbol);
        let next = match self.rows.action(at.state, class) {
            Action::Refuse => return,
            Action::Goto(next) => {
                let here = &self.trie.nodes[node as usize];
                if self.rows.is_run(at.state, here.bytes, here.length.into()) {
                    return self.accept(at, (here.first, here.last), small);
                }
                Some((next, at.local))
            }
            Action::Tree(tree) => self.simple(tree, at.local),
            Action::Leave => None,
        };
        match next {
            Some(next) => self.enter(node, self.moved(at, next), small),
            None => {
                let class = self.rows.alike(at.state, class);
                let asked = (class, at.state, at.local, at.peak);
                small.questions.push((asked, node));
            }
        }
    }

    /// Goes on from a node whose symbol has been consumed.
    fn enter(&mut self, node: u32, at: Start, small: &mut Small) {
        let here = &self.trie.nodes[node as usize];
        let run = *self.rows.run(at.state);
        let size = here.end - node;
        if size >= WORTH_A_RUN
            && let (Some(kind), Some(height)) = (run.along, self.height(at))
            && self.goes_along(node, &run)
            && let Some(exits) = self.exits_of(kind, size)
        {
            let mut left = std::mem::take(&mut small.exits);
            let mut chain = Chain::new(self.rows, at.state);
            let mut visit = |steps, exit| {
                let state = chain.after(steps);
                left.push((exit, Start { state, ..at }));
            };
            self.each_exit(node, &run, &exits, small.of(height), &mut visit);
            small.exits = left;
            return;
        }
        self.accept(at, (here.first, here.own), small);
        let (first, end) = self.trie.children_of(node);
        if first < end {
            small.open.push(Open {
                at: first,
                end,
                start: at,
            });
        }
    }

    fn accept(&self, at: Start, (from, to): (u32, u32), small: &mut Small) {
        if from < to
            && let Some(height) = self.height(at)
        {
            small.add(height, from, to);
        }
    }
}
