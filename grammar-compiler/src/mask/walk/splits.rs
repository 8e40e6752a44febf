//! Splits: what follows trie nodes in a state, by the classes of symbols. Either one symbol
//! further, or all along a run.

use crate::maps::IdMap;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::context::WalkContext;
use super::lists::{ListId, Lists};
use super::pieces::PieceId;
use super::run_exits::{each_exit, goes_along};
use crate::csr::Csr;
use crate::mask::masks::Ranks;
use crate::mask::transitions::StateRun;
use crate::mask::trie::TrieNodes;
use crate::mask::trie::exits::Exits;
use crate::pda::{Class, StateId};

/// The nodes and states that come after some nodes in a state.
pub struct Split {
    /// The tokens that end at the nodes or stay in the run.
    pub own: Option<PieceId>,
    /// The nodes where others go on, by the steps along the run and the class of their symbols;
    /// ascending.
    pub parts: Vec<Rc<SplitPart>>,
    /// The nodes that lie beyond the end of the run, where others go on too.
    pub beyond: Option<BeyondRun>,
}

/// The nodes one step beyond the end of a run. They are found when they are first asked for, since
/// most states at the end of a run refuse what it goes on with.
pub struct BeyondRun {
    /// The steps to the end of the run.
    pub steps: u32,
    kind: u32,
    exits: Rc<Exits>,
    nodes: Rc<[u32]>,
    parts: OnceCell<Vec<Rc<SplitPart>>>,
}

impl BeyondRun {
    /// The nodes, by the class of their symbols, if `state` takes some symbol that the run goes on
    /// with.
    pub fn parts(&self, context: &WalkContext<'_>, state: StateId) -> &[Rc<SplitPart>] {
        if !context.takes_some(state, &context.table.runs.kinds[self.kind as usize]) {
            return &[];
        }
        self.parts.get_or_init(|| {
            let mut parts = Vec::new();
            self.each(context.trie, |node| {
                parts.push(part_of(context, self.steps, node));
            });
            by_class(parts)
        })
    }

    /// Those tokens of the endless run that end within this one.
    fn within(&self, context: &mut WalkContext<'_>, endless: PieceId) -> Option<PieceId> {
        let (trie, shallow) = (context.trie, context.shallow);
        let depth = |&node: &u32| u32::from(trie[node].depth) + self.steps;
        let mut depths = self.nodes.iter().map(depth);
        let first = depths.next()?;
        let shallow = (depths.all(|other| other == first))
            .then(|| shallow.of(trie, first as usize))
            .flatten();
        let pieces = &mut context.subtrees.pieces;
        let kept = match shallow {
            Some(shallow) => pieces.set(endless).common(shallow),
            None => {
                let mut over = Vec::new();
                self.each(trie, |node| over.push((trie[node].first, trie[node].last)));
                pieces.set(endless).minus(&Ranks::from_unsorted(over))
            }
        };
        pieces.add_some(kept)
    }

    /// Calls `visit` with each of the nodes.
    fn each(&self, trie: &TrieNodes, mut visit: impl FnMut(u32)) {
        for &node in self.nodes.iter() {
            let beyond = self.exits.beyond(trie, node, self.steps);
            self.exits.along(trie, node, beyond, &mut visit);
        }
    }
}

/// Nodes whose symbols have one class, after a number of steps along a run.
pub struct SplitPart {
    pub steps: u32,
    pub class: Class,
    nodes: Rc<[u32]>,
    list: Cell<Option<ListId>>,
}

impl SplitPart {
    fn new(steps: u32, class: Class, nodes: &[u32]) -> Rc<Self> {
        Rc::new(SplitPart {
            steps,
            class,
            nodes: nodes.into(),
            list: Cell::new(None),
        })
    }

    /// The list of the nodes. It is made when it is first asked for, since most states refuse most
    /// classes.
    pub fn list(&self, lists: &mut Lists<'_>) -> ListId {
        let list = self.list.get().unwrap_or_else(|| lists.id_of(&self.nodes));
        self.list.set(Some(list));
        list
    }
}

/// Nodes, and the kind and length of the run that they are in, if they are in one.
type SplitKey = (ListId, Option<(u32, u32)>);

/// The splits that have been computed, by the nodes and by the kind and length of the run.
#[derive(Default)]
pub struct Splits(IdMap<SplitKey, Rc<Split>>);

impl Splits {
    /// What follows `nodes` in `state`.
    pub fn of(&mut self, context: &mut WalkContext, nodes: ListId, state: StateId) -> Rc<Split> {
        let run = *context.table.runs.of(state);
        let list = context.subtrees.lists.nodes(nodes);
        let is_along = list
            .iter()
            .all(|&node| goes_along(context.trie, node, &run));
        let kind = run.along.filter(|_| is_along);
        let exits =
            kind.and_then(|kind| context.exits.of(kind, context.subtrees.lists.size(nodes)));
        let Some((kind, exits)) = kind.zip(exits) else {
            return self.one_further(context, nodes);
        };
        let length = context.subtrees.lists.length(nodes);
        let key = (nodes, Some((kind, run.length.min(length))));
        if let Some(known) = self.0.get(&key) {
            return Rc::clone(known);
        }
        let split = match run.length >= length {
            true => leave(context, &list, &run, &exits),
            false => self.cut(context, nodes, (kind, &run, &exits)),
        };
        let split = Rc::new(split);
        self.0.insert(key, Rc::clone(&split));
        split
    }

    /// What follows `nodes`, one symbol further.
    pub fn one_further(&mut self, context: &mut WalkContext, nodes: ListId) -> Rc<Split> {
        if let Some(known) = self.0.get(&(nodes, None)) {
            return Rc::clone(known);
        }
        let list = context.subtrees.lists.nodes(nodes);
        let split = Rc::new(children(context, &list));
        self.0.insert((nodes, None), Rc::clone(&split));
        split
    }

    /// Some tokens are longer than the run. Reuses the result of the endless run, cut off where
    /// this run ends. This saves 9 % of a compile at the 99th percentile (`docs/ablation.md`).
    fn cut(
        &mut self,
        context: &mut WalkContext,
        nodes: ListId,
        (kind, run, exits): (u32, &StateRun, &Rc<Exits>),
    ) -> Split {
        let list = context.subtrees.lists.nodes(nodes);
        let key = (nodes, Some((kind, context.subtrees.lists.length(nodes))));
        let whole = match self.0.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let endless = StateRun {
                    length: u32::MAX,
                    ..*run
                };
                let split = Rc::new(leave(context, &list, &endless, exits));
                self.0.insert(key, Rc::clone(&split));
                split
            }
        };
        let mut parts = whole.parts.clone();
        parts.truncate(parts.partition_point(|part| part.steps <= run.length));
        let beyond = BeyondRun {
            steps: run.length,
            kind,
            exits: Rc::clone(exits),
            nodes: list,
            parts: OnceCell::new(),
        };
        Split {
            own: whole.own.and_then(|own| beyond.within(context, own)),
            parts,
            beyond: Some(beyond),
        }
    }
}

/// One symbol further.
fn children(context: &mut WalkContext, list: &[u32]) -> Split {
    let mut own = Vec::new();
    let mut parts = Vec::new();
    for &node in list {
        let top = &context.trie[node];
        if top.first < top.own {
            own.push((top.first, top.own));
        }
        let children = context.trie.children(context.trie.children_of(node));
        parts.extend(children.iter().map(|child| {
            let class = context.subtrees.lists.class_of(child.symbol);
            (u32::from(class), child.node)
        }));
    }
    let own = context.subtrees.pieces.add_some(Ranks::from_unsorted(own));
    // The nodes ascend, and so do their children.
    let classes = context.table.transitions.classes();
    let of_class = Csr::new(classes.into(), parts.iter().copied());
    let parts = (0..classes).filter_map(|class| match of_class.of(class.into()) {
        [] => None,
        nodes => Some(SplitPart::new(0, class, nodes)),
    });
    let parts = parts.collect();
    Split {
        own,
        parts,
        beyond: None,
    }
}

/// All along a run to its exits.
fn leave(context: &mut WalkContext, list: &[u32], run: &StateRun, exits: &Exits) -> Split {
    let mut own = Vec::new();
    let mut parts = Vec::new();
    for &node in list {
        let mut add = |steps, node| parts.push(part_of(context, steps, node));
        each_exit(context.trie, node, (run, exits), &mut own, &mut add);
    }
    let own = context.subtrees.pieces.add_some(Ranks::from_unsorted(own));
    let parts = by_class(parts);
    Split {
        own,
        parts,
        beyond: None,
    }
}

/// A node, after the number of steps to it and the class of its symbol, in one word.
fn part_of(context: &WalkContext, steps: u32, node: u32) -> u64 {
    let class = context.subtrees.lists.class(node);
    u64::from(steps) << 48 | u64::from(class) << 32 | u64::from(node)
}

/// Nodes by the steps to them and their classes.
fn by_class(mut parts: Vec<u64>) -> Vec<Rc<SplitPart>> {
    parts.sort_unstable();
    let same = parts.chunk_by(|a, b| a >> 32 == b >> 32);
    let mut nodes = Vec::new();
    let parts = same.map(|part| {
        let (steps, class) = (part[0] >> 48, part[0] >> 32);
        nodes.clear();
        nodes.extend(part.iter().map(|&part| part as u32));
        SplitPart::new(steps as u32, class as Class, &nodes)
    });
    parts.collect()
}
