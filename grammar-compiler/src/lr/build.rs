//! The worklist: all item sets, all edges, and which frames can lie where.
//!
//! In: [`Positions`]. Out: [`Built`]: the [`Pda`] and what its states and frames stand for. An edge whose
//! outcome depends on frames becomes a decision tree over the frames that *can* lie at the depths it looks
//! at. Those sets grow while states are found, so edges are computed again until nothing changes.

use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use super::Bits;
use super::alike;
use super::closure::{Known, Unknown, advance};
use super::item::{Entry, Item, Tried};
use super::positions::Positions;
use super::settle::{Settled, settle};
use crate::automata::ROOT;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, State, StateId, Tree, TreeId};

/// The automaton with the item sets behind it.
#[derive(Clone, Debug)]
pub struct Built {
    /// The automaton.
    pub pda: Pda,
    /// The positions that items name.
    pub positions: Positions,
    /// The item set of each state.
    pub item_sets: Vec<Vec<Item>>,
    /// The goto map of each frame; that of the bottom is empty.
    pub frames: Vec<Vec<Entry>>,
}

/// Builds the automaton.
///
/// # Errors
///
/// If a limit on states or time is passed, or more frames are needed than a table can name.
pub fn build(
    positions: Positions,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Built, LimitExceeded> {
    let mut builder = Builder::new(&positions, limits);
    let start = builder.state(vec![Item {
        node: positions.starts[ROOT as usize],
        depth: 0,
        tried: Tried::default(),
    }])?;
    builder.top[start as usize] = Bits::of(BOTTOM as usize);
    while let Some(state) = builder
        .fresh
        .pop_front()
        .or_else(|| builder.queue.pop_front())
    {
        builder.queued[state as usize] = false;
        deadline.check("building item sets")?;
        builder.explore(state)?;
    }
    for state in 0..builder.edges.len() as StateId {
        deadline.check("building item sets")?;
        builder.finish(state)?;
    }
    let frame = |f: usize| f as FrameId;
    let states = (builder.edges.iter().zip(&builder.top)).map(|(edges, top)| State {
        edges: edges.clone(),
        top: top.iter().map(frame).collect(),
    });
    let pda = Pda {
        classes: positions.classes.clone(),
        start,
        states: states.collect(),
        trees: builder.trees.values.clone(),
        under: builder
            .under
            .iter()
            .map(|bits| bits.iter().map(frame).collect())
            .collect(),
    };
    let (item_sets, frames) = (builder.states.values, builder.frames.values);
    Ok(Built {
        pda,
        positions,
        item_sets,
        frames,
    })
}

struct Builder<'a> {
    positions: &'a Positions,
    limits: &'a Limits,
    states: Interner<Vec<Item>>,
    frames: Interner<Vec<Entry>>,
    trees: Interner<Tree>,
    edges: Vec<Vec<(Class, TreeId)>>,
    /// The classes of each state, each with the least that has the same edge.
    alike: Vec<Rc<Vec<(Class, Class)>>>,
    /// What each branch of a decision tree came to: that does not change, only which branches there are.
    outcomes: HashMap<(StateId, Class, Looked), Outcome>,
    /// What each edge comes to under each top frame.
    branches: HashMap<(StateId, Class, FrameId), Branch>,
    /// Frames under which the branch being computed has looked.
    reads: Vec<usize>,
    /// When the set under each frame has last grown.
    grown: Vec<u64>,
    /// Counts branches computed and sets grown.
    time: u64,
    /// Frames that can lie on top in a state.
    top: Vec<Bits>,
    /// Frames that can lie under a frame.
    under: Vec<Bits>,
    /// States whose edges depend on what lies under a frame.
    readers: Vec<BTreeSet<StateId>>,
    /// States without edges yet; they go first, so that sets of frames grow in large steps.
    fresh: VecDeque<StateId>,
    /// States whose edges have to be computed again.
    queue: VecDeque<StateId>,
    queued: Vec<bool>,
}

/// What an edge comes to under one top frame.
struct Branch {
    tree: TreeId,
    /// When it was computed.
    time: u64,
    /// The frames under which it looked.
    reads: Vec<usize>,
}

/// What an edge comes to, given the frames looked at.
#[derive(Clone, Copy)]
enum Outcome {
    Leaf(TreeId),
    Look(u8),
}

/// The frames that one branch of a decision tree has looked at.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Looked {
    frames: Vec<(u8, FrameId)>,
}

impl Looked {
    fn get(&self, depth: u8) -> Option<FrameId> {
        self.frames.iter().find(|f| f.0 == depth).map(|f| f.1)
    }
}

struct KnownFrames<'a> {
    looked: &'a Looked,
    frames: &'a [Vec<Entry>],
}

impl Known for KnownFrames<'_> {
    fn frame(&self, depth: u8) -> Result<&[Entry], Unknown> {
        let frame = self.looked.get(depth).ok_or(Unknown(depth))?;
        Ok(&self.frames[frame as usize])
    }
}

impl<'a> Builder<'a> {
    fn new(positions: &'a Positions, limits: &'a Limits) -> Self {
        let mut builder = Builder {
            positions,
            limits,
            states: Interner::new(),
            frames: Interner::new(),
            trees: Interner::new(),
            edges: vec![],
            alike: vec![],
            outcomes: HashMap::default(),
            branches: HashMap::default(),
            reads: vec![],
            grown: vec![0],
            time: 0,
            top: vec![],
            under: vec![Bits::default()],
            readers: vec![BTreeSet::new()],
            fresh: VecDeque::new(),
            queue: VecDeque::new(),
            queued: vec![],
        };
        builder.frames.intern(Vec::new());
        builder
    }

    fn state(&mut self, items: Vec<Item>) -> Result<StateId, LimitExceeded> {
        let id = self.states.intern(items);
        if id as usize == self.edges.len() {
            if self.edges.len() >= self.limits.states {
                return Err(LimitExceeded {
                    limit: "states",
                    value: self.limits.states as u64,
                    what: "the grammar needs too many states; shorten its counted repetitions"
                        .to_owned(),
                });
            }
            self.edges.push(Vec::new());
            let alike = alike::classes(self.positions, &self.states.values[id as usize]);
            self.alike.push(Rc::new(alike));
            self.top.push(Bits::default());
            self.queued.push(true);
            self.fresh.push_back(id);
        }
        Ok(id)
    }

    fn frame(&mut self, entries: Vec<Entry>) -> Result<FrameId, LimitExceeded> {
        let id = self.frames.intern(entries);
        if id as usize == self.under.len() {
            self.under.push(Bits::default());
            self.readers.push(BTreeSet::new());
            self.grown.push(0);
        }
        FrameId::try_from(id).map_err(|_| LimitExceeded {
            limit: "frames",
            value: FrameId::MAX as u64,
            what: "the grammar needs too many stack frames".to_owned(),
        })
    }

    fn enqueue(&mut self, state: StateId) {
        if !std::mem::replace(&mut self.queued[state as usize], true) {
            self.queue.push_back(state);
        }
    }

    /// Follows all edges of a state, for what they lead to; trees are made when no set grows any more.
    fn explore(&mut self, state: StateId) -> Result<(), LimitExceeded> {
        let items = self.states.values[state as usize].clone();
        let alike = Rc::clone(&self.alike[state as usize]);
        for &(class, _) in alike.iter().filter(|of| of.0 == of.1) {
            match self.outcome(state, &items, class, &Looked::default())? {
                Outcome::Leaf(tree) => self.flow(state, &Looked::default(), tree),
                Outcome::Look(0) => {
                    for frame in self.top[state as usize].clone().iter() {
                        self.branch(state, &items, class, frame as FrameId)?;
                    }
                }
                Outcome::Look(depth) => {
                    self.look(state, &items, class, &Looked::default(), depth)?;
                }
            }
        }
        Ok(())
    }

    /// Makes the edges of a state.
    fn finish(&mut self, state: StateId) -> Result<(), LimitExceeded> {
        let items = self.states.values[state as usize].clone();
        let mut edges: Vec<(Class, TreeId)> = Vec::new();
        let mut trees: HashMap<Class, TreeId> = HashMap::default();
        let alike = Rc::clone(&self.alike[state as usize]);
        for &(class, least) in alike.iter() {
            let tree = match trees.get(&least) {
                Some(&tree) => tree,
                None => self.tree(state, &items, class, &Looked::default())?,
            };
            trees.insert(class, tree);
            if self.trees.values[tree as usize] != Tree::Leaf(Vec::new()) {
                edges.push((class, tree));
            }
        }
        self.edges[state as usize] = edges;
        Ok(())
    }

    /// The tree of an edge under one top frame; computed again only if a set that it depends on has grown.
    fn branch(
        &mut self,
        state: StateId,
        items: &[Item],
        class: Class,
        frame: FrameId,
    ) -> Result<TreeId, LimitExceeded> {
        if let Some(branch) = self.branches.get(&(state, class, frame))
            && branch.reads.iter().all(|&f| self.grown[f] <= branch.time)
        {
            return Ok(branch.tree);
        }
        self.time += 1;
        let time = self.time;
        let outer = std::mem::take(&mut self.reads);
        let looked = Looked {
            frames: vec![(0, frame)],
        };
        let tree = self.tree(state, items, class, &looked)?;
        let mut reads = std::mem::replace(&mut self.reads, outer);
        reads.sort_unstable();
        reads.dedup();
        self.branches
            .insert((state, class, frame), Branch { tree, time, reads });
        Ok(tree)
    }

    /// The decision tree of one edge below the frames looked at so far.
    fn tree(
        &mut self,
        state: StateId,
        items: &[Item],
        class: Class,
        looked: &Looked,
    ) -> Result<TreeId, LimitExceeded> {
        match self.outcome(state, items, class, looked)? {
            Outcome::Leaf(tree) => {
                self.flow(state, looked, tree);
                Ok(tree)
            }
            Outcome::Look(depth) => self.look(state, items, class, looked, depth),
        }
    }

    /// What an edge comes to, given the frames looked at.
    fn outcome(
        &mut self,
        state: StateId,
        items: &[Item],
        class: Class,
        looked: &Looked,
    ) -> Result<Outcome, LimitExceeded> {
        let key = (state, class, looked.clone());
        if let Some(&outcome) = self.outcomes.get(&key) {
            return Ok(outcome);
        }
        let known = KnownFrames {
            looked,
            frames: &self.frames.values,
        };
        let moved = advance(self.positions, items, class, &known);
        let outcome = match moved.and_then(|moved| settle(self.positions, &moved, &known)) {
            Ok(settled) => Outcome::Leaf(self.leaf(settled)?),
            Err(Unknown(depth)) => Outcome::Look(depth),
        };
        self.outcomes.insert(key, outcome);
        Ok(outcome)
    }

    fn leaf(&mut self, settled: Vec<Settled>) -> Result<TreeId, LimitExceeded> {
        let mut alternatives = Vec::with_capacity(settled.len());
        for Settled {
            pop,
            frame,
            items,
            again,
        } in settled
        {
            let push = if frame.is_empty() {
                None
            } else {
                Some(self.frame(frame)?)
            };
            alternatives.push(Alternative {
                pop,
                push,
                next: self.state(items)?,
                again,
            });
        }
        alternatives.sort_unstable();
        alternatives.dedup();
        Ok(self.trees.intern(Tree::Leaf(alternatives)))
    }

    /// Notes which frames can lie where after an edge.
    fn flow(&mut self, state: StateId, looked: &Looked, leaf: TreeId) {
        let Tree::Leaf(alternatives) = self.trees.values[leaf as usize].clone() else {
            return;
        };
        for Alternative {
            pop, push, next, ..
        } in alternatives
        {
            let below = self.possible(state, looked, pop);
            match push {
                Some(frame) => {
                    self.grow_under(frame, &below);
                    self.grow_top(next, &Bits::of(frame as usize));
                }
                None => self.grow_top(next, &below),
            }
        }
    }

    fn look(
        &mut self,
        state: StateId,
        items: &[Item],
        class: Class,
        looked: &Looked,
        depth: u8,
    ) -> Result<TreeId, LimitExceeded> {
        let mut branches = Vec::new();
        for frame in self.possible(state, looked, depth).iter() {
            let frame = frame as FrameId;
            let tree = if depth == 0 {
                self.branch(state, items, class, frame)?
            } else {
                let mut deeper = looked.clone();
                deeper.frames.push((depth, frame));
                self.tree(state, items, class, &deeper)?
            };
            branches.push((frame, tree));
        }
        let first = branches.first().map(|b| b.1);
        match first {
            Some(tree) if branches.iter().all(|b| b.1 == tree) => Ok(tree),
            Some(_) => Ok(self.trees.intern(Tree::Look { depth, branches })),
            None => Ok(self.trees.intern(Tree::Leaf(Vec::new()))),
        }
    }

    /// The frames that can lie at `depth` in `state`, given those looked at.
    fn possible(&mut self, state: StateId, looked: &Looked, depth: u8) -> Bits {
        if let Some(frame) = looked.get(depth) {
            return Bits::of(frame as usize);
        }
        if depth == 0 {
            return self.top[state as usize].clone();
        }
        let mut out = Bits::default();
        for above in self.possible(state, looked, depth - 1).iter() {
            self.readers[above].insert(state);
            self.reads.push(above);
            out.union(&self.under[above]);
        }
        out
    }

    fn grow_under(&mut self, frame: FrameId, below: &Bits) {
        if self.under[frame as usize].union(below) {
            self.time += 1;
            self.grown[frame as usize] = self.time;
            for reader in self.readers[frame as usize].clone() {
                self.enqueue(reader);
            }
        }
    }

    fn grow_top(&mut self, state: StateId, frames: &Bits) {
        if self.top[state as usize].union(frames) {
            self.enqueue(state);
        }
    }
}
