//! What follows trie nodes in a state, by the classes of symbols: one symbol further, or all along a run.

use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

use super::descend::{Descent, PieceId};
use super::exits::Exits;
use super::lists::NodesId;
use super::rows::{Rows, Run};
use super::set::Ranks;
use super::trie::Text;
use crate::pda::{Class, StateId};

/// What follows some nodes in a state.
pub struct Split {
    /// The tokens that end at the nodes or stay in the run.
    pub own: Option<PieceId>,
    /// The nodes where others go on: how many steps along the run, the class of their symbols, and the list.
    pub parts: Vec<(u32, Class, NodesId)>,
}

/// What was found, by the nodes and the run: its kind and its length.
pub type Splits = HashMap<(NodesId, Option<(u32, u32)>), Rc<Split>>;

/// The exits of a kind of run are looked for, in the whole trie, when subtrees of this part of it have been met at runs of that kind.
const WORTH_EXITS: usize = 16;

/// The exits of a kind of run, or how many trie nodes have been met at runs of that kind so far.
pub enum KnownExits {
    /// The exits.
    Found(Rc<Exits>),
    /// The number of nodes.
    Met(u32),
}

impl Default for KnownExits {
    fn default() -> Self {
        KnownExits::Met(0)
    }
}

/// The states along a run.
pub struct Chain<'a> {
    rows: &'a Rows,
    states: Vec<StateId>,
}

impl<'a> Chain<'a> {
    /// The run that begins in `state`.
    pub fn new(rows: &'a Rows, state: StateId) -> Self {
        Chain {
            rows,
            states: vec![state],
        }
    }

    /// The state so many steps on.
    pub fn after(&mut self, steps: u32) -> StateId {
        let mut last = self.states[self.states.len() - 1];
        while self.states.len() <= steps as usize {
            let next = self.rows.next(last);
            if next == last {
                return last;
            }
            self.states.push(next);
            last = next;
        }
        self.states[steps as usize]
    }
}

impl Descent<'_> {
    /// What follows `nodes` in `state`.
    pub fn split(&mut self, nodes: NodesId, state: StateId) -> Rc<Split> {
        let run = *self.rows.run(state);
        let list = self.lists.nodes(nodes);
        let is_along = list.iter().all(|&node| self.goes_along(node, &run));
        let kind = run.along.filter(|_| is_along);
        let exits = kind.and_then(|kind| self.exits_of(kind, self.lists.size(nodes)));
        let length = run.length.min(self.lists.length(nodes));
        let along = kind.filter(|_| exits.is_some()).map(|kind| (kind, length));
        if let Some(known) = self.splits.get(&(nodes, along)) {
            return Rc::clone(known);
        }
        let mut own = Vec::new();
        let mut parts: Vec<((u32, Class), u32)> = Vec::new();
        for &node in list.iter() {
            let mut add = |steps: u32, node: u32| {
                let class = self.lists.class(node);
                parts.push(((steps, class), node));
            };
            let Some(exits) = &exits else {
                let top = &self.trie.nodes[node as usize];
                own.push((top.first, top.own));
                let (from, to) = self.trie.children_of(node);
                let children = &self.trie.children[from as usize..to as usize];
                children.iter().for_each(|child| add(0, child.node));
                continue;
            };
            self.each_exit(node, &run, exits, &mut own, &mut add);
        }
        let ranks = Ranks::from_unsorted(own);
        let own = (!ranks.is_empty()).then(|| self.add_piece(ranks));
        parts.sort_unstable();
        let alike = parts.chunk_by(|a, b| a.0 == b.0);
        let parts = alike.map(|part| {
            let (steps, class) = part[0].0;
            let nodes = part.iter().map(|&(_, node)| node).collect();
            (steps, class, self.lists.id(nodes))
        });
        let parts = parts.collect();
        let split = Rc::new(Split { own, parts });
        self.splits.insert((nodes, along), Rc::clone(&split));
        split
    }

    /// Whether a walk can be taken along a run from a node. Within a character it is not known where the next one begins.
    pub fn goes_along(&self, node: u32, run: &Run) -> bool {
        let is_open = matches!(self.trie.nodes[node as usize].text, Text::Open(..));
        run.along.is_some() && !(run.kind.text && is_open)
    }

    /// The exits of the runs of a kind, if it is worth while for subtrees of so many nodes more.
    pub fn exits_of(&mut self, kind: u32, nodes: u32) -> Option<Rc<Exits>> {
        let known = &mut self.exits[kind as usize];
        if let KnownExits::Met(met) = known {
            *met = met.saturating_add(nodes);
            if (*met as usize) < self.trie.nodes.len() / WORTH_EXITS {
                return None;
            }
            let exits = Exits::new(self.trie, self.rows.kinds[kind as usize]);
            *known = KnownExits::Found(Rc::new(exits));
        }
        match known {
            KnownExits::Found(exits) => Some(Rc::clone(exits)),
            KnownExits::Met(_) => None,
        }
    }

    /// Gathers the ranks of the tokens that end at `node` or in the run from there, and calls `visit` with the steps along the run
    /// and the node for each place where others leave it.
    pub fn each_exit(
        &self,
        node: u32,
        run: &Run,
        exits: &Exits,
        own: &mut Vec<(u32, u32)>,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let top = &self.trie.nodes[node as usize];
        let mut from = top.first;
        for exit in exits.below(self.trie, node, run.length) {
            let here = &self.trie.nodes[exit as usize];
            if from < here.first {
                own.push((from, here.first));
            }
            from = here.last;
            if !run.kind.refuses(here) {
                visit(top.steps_to(here), exit);
            }
        }
        own.push((from, top.last));
    }
}
