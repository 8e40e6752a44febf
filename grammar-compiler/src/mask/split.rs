//! What follows trie nodes in a state, by the classes of symbols: one symbol further, or all along a run.

use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

use super::descend::Descent;
use super::exits::{Exits, Kind};
use super::lists::NodesId;
use super::pieces::PieceId;
use super::rows::Rows;
use super::runs::Run;
use super::set::Ranks;
use super::trie::{Text, TokenTrie};
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

/// The exits of a kind of run are looked for, in the whole trie, when subtrees of this part of it have been met at runs of that kind,
/// unless they are known.
const WORTH_EXITS: usize = 16;

/// The exits of a kind of run, or how many trie nodes have been met at runs of that kind so far.
pub enum KnownExits {
    /// The exits.
    Found(Rc<Exits>),
    /// The number of nodes.
    Met(u32),
}

impl KnownExits {
    /// The exits of a kind that some walk has found in the trie.
    pub fn of(trie: &TokenTrie, kind: Kind) -> Self {
        let known = trie.exits.known(kind);
        known.map_or(KnownExits::Met(0), |known| {
            KnownExits::Found(Rc::new(known))
        })
    }
}

/// The states along a run.
pub struct Chain<'a> {
    rows: &'a Rows,
    first: StateId,
    /// Those after the first one, as far as they differ.
    later: Vec<StateId>,
}

impl<'a> Chain<'a> {
    /// The run that begins in `state`.
    pub fn new(rows: &'a Rows, state: StateId) -> Self {
        Chain {
            rows,
            first: state,
            later: Vec::new(),
        }
    }

    /// The state so many steps on.
    pub fn after(&mut self, steps: u32) -> StateId {
        let Some(at) = (steps as usize).checked_sub(1) else {
            return self.first;
        };
        while self.later.len() <= at {
            let last = self.later.last().copied().unwrap_or(self.first);
            let next = self.rows.next(last);
            if next == last {
                return last;
            }
            self.later.push(next);
        }
        self.later[at]
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
        let Some((kind, exits)) = kind.zip(exits) else {
            return self.one_further(nodes);
        };
        let length = self.lists.length(nodes);
        let key = (nodes, Some((kind, run.length.min(length))));
        if let Some(known) = self.splits.get(&key) {
            return Rc::clone(known);
        }
        let split = match run.length >= length {
            true => self.leave(&list, &run, &exits),
            false => self.cut(nodes, (kind, &run, &exits)),
        };
        let split = Rc::new(split);
        self.splits.insert(key, Rc::clone(&split));
        split
    }

    /// What follows `nodes`, one symbol further.
    pub fn one_further(&mut self, nodes: NodesId) -> Rc<Split> {
        if let Some(known) = self.splits.get(&(nodes, None)) {
            return Rc::clone(known);
        }
        let list = self.lists.nodes(nodes);
        let split = Rc::new(self.children(&list));
        self.splits.insert((nodes, None), Rc::clone(&split));
        split
    }

    /// One symbol further.
    fn children(&mut self, list: &[u32]) -> Split {
        let mut own = Vec::new();
        let mut parts = Vec::new();
        for &node in list {
            let top = &self.trie.nodes[node as usize];
            own.push((top.first, top.own));
            let (from, to) = self.trie.children_of(node);
            let children = &self.trie.children[from as usize..to as usize];
            let children = children.iter();
            parts.extend(children.map(|child| self.part_at(0, child.symbol, child.node)));
        }
        let own = self.pieces.add_some(Ranks::from_unsorted(own));
        let parts = self.by_class(parts);
        Split { own, parts }
    }

    /// All along a run to where others leave it.
    fn leave(&mut self, list: &[u32], run: &Run, exits: &Exits) -> Split {
        let mut own = Vec::new();
        let mut parts = Vec::new();
        for &node in list {
            let mut add = |steps, node| parts.push(self.part_of(steps, node));
            self.each_exit(node, run, exits, &mut own, &mut add);
        }
        let own = self.pieces.add_some(Ranks::from_unsorted(own));
        let parts = self.by_class(parts);
        Split { own, parts }
    }

    /// Along a run that is shorter than some tokens: as along one without end, up to where it ends.
    fn cut(&mut self, nodes: NodesId, (kind, run, exits): (u32, &Run, &Exits)) -> Split {
        let list = self.lists.nodes(nodes);
        let key = (nodes, Some((kind, self.lists.length(nodes))));
        let whole = match self.splits.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let endless = Run {
                    length: u32::MAX,
                    ..*run
                };
                let split = Rc::new(self.leave(&list, &endless, exits));
                self.splits.insert(key, Rc::clone(&split));
                split
            }
        };
        let mut over = Vec::new();
        let mut last = Vec::new();
        for &node in list.iter() {
            let beyond = exits.beyond(self.trie, node, run.length);
            over.extend(beyond.iter().map(|&node| {
                let here = &self.trie.nodes[node as usize];
                (here.first, here.last)
            }));
            exits.along(self.trie, node, beyond, |node| {
                last.push(self.part_of(run.length, node));
            });
        }
        let mut parts = whole.parts.clone();
        parts.truncate(parts.partition_point(|part| part.0 < run.length));
        let left = &whole.parts[parts.len()..];
        for &(steps, _, nodes) in left.iter().take_while(|part| part.0 == run.length) {
            let nodes = self.lists.nodes(nodes);
            last.extend(nodes.iter().map(|&node| self.part_of(steps, node)));
        }
        parts.extend(self.by_class(last));
        let own = whole.own.and_then(|own| {
            let kept = self.pieces.get(own).minus(&Ranks::from_unsorted(over));
            self.pieces.add_some(kept)
        });
        Split { own, parts }
    }

    /// [`part_at`](Self::part_at) of a node whose symbol is not at hand.
    fn part_of(&self, steps: u32, node: u32) -> u64 {
        self.part_at(steps, self.trie.nodes[node as usize].symbol, node)
    }

    /// A node, after the steps to it and the class of its symbol, in one word.
    fn part_at(&self, steps: u32, symbol: u16, node: u32) -> u64 {
        let class = self.lists.class_of(symbol);
        u64::from(steps) << 48 | u64::from(class) << 32 | u64::from(node)
    }

    /// Nodes by the steps to them and their classes.
    fn by_class(&mut self, mut parts: Vec<u64>) -> Vec<(u32, Class, NodesId)> {
        parts.sort_unstable();
        let alike = parts.chunk_by(|a, b| a >> 32 == b >> 32);
        let mut nodes = Vec::new();
        let parts = alike.map(|part| {
            let (steps, class) = (part[0] >> 48, part[0] >> 32);
            nodes.clear();
            nodes.extend(part.iter().map(|&part| part as u32));
            (steps as u32, class as Class, self.lists.id(&nodes))
        });
        parts.collect()
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
            let kind = self.rows.kinds[kind as usize];
            *known = KnownExits::Found(Rc::new(self.trie.exits.of(self.trie, kind)));
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
