//! Entries: frames, each with the state that goes on after its push.
//!
//! In: a [`Pda`]. Out: which *entries* lead to which. An entry is what is known right after a push:
//! the control that goes on, and as many frames on top as a decision tree looks at. It determines
//! all that can happen between the push and the pop of its frame, so a path of entries is a stack,
//! and their graph has a cycle only if stacks have no bound. They are found by a worklist over
//! entries and controls. Whatever goes on after a pop goes on in every entry that leads to the
//! popped one.

use std::collections::BTreeSet;

use crate::maps::{IdSet, own_keys};

use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, State, StateId, Tree, TreeId};

/// The next step of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum HeightControl {
    /// In a state.
    At(StateId),
    /// About to take a symbol again.
    Again(StateId, Class),
    /// Within an edge: more to pop, then perhaps to push; a class if the symbol is then taken
    /// again.
    Within {
        pop: u8,
        push: Option<FrameId>,
        next: StateId,
        again: Option<Class>,
    },
}

own_keys!(HeightControl);

/// The frames on top of a stack, the top first; fewer than are looked at end with the bottom.
type Top = Vec<FrameId>;

/// What the search has found out about an entry.
#[derive(Default)]
struct HeightEntry {
    /// What can happen while its frame is the top one.
    seen: IdSet<HeightControl>,
    /// What goes on when its frame is popped.
    returns: Vec<HeightControl>,
    /// The entries that lead to it.
    callers: Vec<u32>,
    /// The entries that it leads to.
    calls: BTreeSet<u32>,
}

struct HeightSearch<'a> {
    pda: &'a Pda,
    /// What each state does.
    edges: Vec<StateEdges>,
    /// How many frames of each stack are known.
    known: usize,
    keys: Interner<(HeightControl, Top)>,
    entries: Vec<HeightEntry>,
    work: Vec<(u32, HeightControl)>,
}

/// The edges of a state; those with the same effect once.
struct StateEdges {
    /// The next states of the edges that leave the stack alone.
    plain: Vec<StateId>,
    /// All other edges. Edges with the same tree have the same effect, unless it takes the symbol
    /// again.
    others: Vec<(Class, TreeId)>,
}

impl StateEdges {
    fn of(pda: &Pda, state: &State) -> Self {
        let is_plain = |tree: TreeId| pda.trees[tree.index()].goto();
        let targets = state.edges.iter().filter_map(|edge| is_plain(edge.1));
        let mut plain: Vec<StateId> = targets.collect();
        plain.sort_unstable();
        plain.dedup();
        let others = state.edges.iter().filter(|edge| is_plain(edge.1).is_none());
        let mut others: Vec<(Class, TreeId)> = others.copied().collect();
        others.sort_unstable_by_key(|edge| edge.1);
        others.dedup_by(|a, b| a.1 == b.1 && !pda.takes_again(a.1));
        StateEdges { plain, others }
    }
}

/// The most steps; counted, not timed, so that the result is the same on every machine.
const MAX_STEPS: u32 = 250_000;

/// For each entry the entries that it leads to, or nothing if that takes too many steps. The first
/// is that of the empty stack.
///
/// # Errors
///
/// If the deadline passes.
pub(super) fn calls(
    pda: &Pda,
    deadline: &Deadline,
) -> Result<Option<Vec<Vec<u32>>>, LimitExceeded> {
    let deepest = (0..pda.trees.len())
        .map(TreeId::at)
        .map(|tree| deepest(pda, tree));
    let mut search = HeightSearch {
        pda,
        edges: (pda.states.iter())
            .map(|state| StateEdges::of(pda, state))
            .collect(),
        known: deepest.max().unwrap_or(0).max(1),
        keys: Interner::new(),
        entries: Vec::new(),
        work: Vec::new(),
    };
    search.enter(HeightControl::At(pda.start), vec![BOTTOM]);
    let mut steps = 0u32;
    while let Some((entry, control)) = search.work.pop() {
        steps += 1;
        if steps > MAX_STEPS {
            return Ok(None);
        }
        if steps.is_multiple_of(1024) {
            deadline.check("looking for recursion")?;
        }
        search.step(entry, control);
    }
    let entries = search.entries.into_iter();
    let calls = entries.map(|entry| entry.calls.into_iter().collect());
    Ok(Some(calls.collect()))
}

/// How many frames a tree looks at, counted from the top.
fn deepest(pda: &Pda, tree: TreeId) -> usize {
    match &pda.trees[tree.index()] {
        Tree::Leaf(_) => 0,
        Tree::Look { depth, branches } => {
            let below = branches.iter().map(|branch| deepest(pda, branch.1));
            below.max().unwrap_or(0).max(*depth as usize + 1)
        }
    }
}

impl<'a> HeightSearch<'a> {
    /// The number of an entry.
    fn enter(&mut self, control: HeightControl, top: Top) -> u32 {
        let entry = self.keys.intern((control, top));
        if entry as usize == self.entries.len() {
            self.entries.push(HeightEntry::default());
            self.add(entry, control);
        }
        entry
    }

    fn add(&mut self, entry: u32, control: HeightControl) {
        if self.entries[entry as usize].seen.insert(control) {
            self.work.push((entry, control));
        }
    }

    /// All that a control can do.
    fn step(&mut self, entry: u32, control: HeightControl) {
        let pda = self.pda;
        match control {
            HeightControl::At(state) => {
                for at in 0..self.edges[state.index()].plain.len() {
                    let next = self.edges[state.index()].plain[at];
                    self.add(entry, HeightControl::At(next));
                }
                for at in 0..self.edges[state.index()].others.len() {
                    let (class, tree) = self.edges[state.index()].others[at];
                    self.edge(entry, tree, class);
                }
            }
            HeightControl::Again(state, class) => {
                if let Some(tree) = pda.edge(state, class) {
                    self.edge(entry, tree, class);
                }
            }
            HeightControl::Within {
                pop,
                push,
                next,
                again,
            } => self.within(entry, pop, push, next, again),
        }
    }

    fn edge(&mut self, entry: u32, tree: TreeId, class: Class) {
        for alternative in self.resolve(entry, tree) {
            let Alternative {
                pop,
                push,
                next,
                again,
            } = *alternative;
            self.within(entry, pop, push, next, again.then_some(class));
        }
    }

    /// Pops one frame or pushes one.
    fn within(
        &mut self,
        entry: u32,
        pop: u8,
        push: Option<FrameId>,
        next: StateId,
        again: Option<Class>,
    ) {
        let then = match again {
            Some(class) => HeightControl::Again(next, class),
            None => HeightControl::At(next),
        };
        match (pop, push) {
            (0, None) => self.add(entry, then),
            (0, Some(frame)) => self.push(entry, frame, then),
            (1, None) => self.pop(entry, then),
            _ => {
                let pop = pop - 1;
                let rest = HeightControl::Within {
                    pop,
                    push,
                    next,
                    again,
                };
                self.pop(entry, rest);
            }
        }
    }

    fn push(&mut self, entry: u32, frame: FrameId, then: HeightControl) {
        let below = &self.keys.values[entry as usize].1;
        let top = [frame].into_iter().chain(below.iter().copied());
        let callee = self.enter(then, top.take(self.known).collect());
        if self.entries[entry as usize].calls.insert(callee) {
            self.entries[callee as usize].callers.push(entry);
            let returns = self.entries[callee as usize].returns.clone();
            returns.into_iter().for_each(|then| self.add(entry, then));
        }
    }

    fn pop(&mut self, entry: u32, then: HeightControl) {
        let of = &mut self.entries[entry as usize];
        if !of.returns.contains(&then) {
            of.returns.push(then);
            let callers = of.callers.clone();
            callers
                .into_iter()
                .for_each(|caller| self.add(caller, then));
        }
    }

    /// The leaf of a tree.
    fn resolve(&self, entry: u32, mut tree: TreeId) -> &'a [Alternative] {
        let pda = self.pda;
        let top = &self.keys.values[entry as usize].1;
        loop {
            match &pda.trees[tree.index()] {
                Tree::Leaf(alternatives) => return alternatives,
                Tree::Look { depth, branches } => {
                    let frame = top.get(*depth as usize).copied().unwrap_or(BOTTOM);
                    match branches.binary_search_by_key(&frame, |branch| branch.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return &[],
                    }
                }
            }
        }
    }
}
