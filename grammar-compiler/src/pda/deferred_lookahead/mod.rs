//! Deferred lookahead: an edge looks at the stack where its outcome depends on it, not before.
//!
//! In: a [`Pda`]. Out: one with the same sentences and fewer states. Some edges look at a frame
//! only to choose between states that lie over different frames. One joint state can stand for all
//! of these states: it looks at the frame itself, at the symbols at which the states differ. States
//! are joined if, for each of these symbols, one of them looks at the stack already. Then no mask
//! depends on the stack that did not depend on it before.
//!
//! ```text
//! S ──F: A, G: B──   A ──x── C            S ── AB   AB ──x: F: C, G: pop, D──
//!                    B ──x: pop, D──
//! ```
//!
//! Counted repetitions have such states. The first block of a count begins without a frame of its
//! own, so its last digit does not return, while the last digit of every other block does; all
//! other digits are the same.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::minimize::Minimized;
use super::{Alternative, Class, FrameId, Pda, State, StateId, Tree, TreeId};
use crate::intern::Interner;

/// Pairs of states that are looked at, at most, for each state of the automaton.
const PAIRS: usize = 8;

/// The automaton with deferred lookahead; `None` if no look can be deferred.
pub fn defer_lookahead(pda: &Pda) -> Option<Minimized> {
    let mut choices = pda.trees.iter().filter_map(|tree| targets(pda, tree));
    let first = choices.next()?;
    let mut merging = Merging {
        pda,
        block: pda.state_ids().collect(),
        tops: pda.states.iter().map(|state| state.top.clone()).collect(),
        left: PAIRS * pda.states.len(),
    };
    let mut is_merged = false;
    for targets in std::iter::once(first).chain(choices) {
        is_merged |= merging.merge(&targets);
    }
    is_merged.then(|| merging.quotient())
}

/// The states that a tree chooses between by the frame on top, if it does nothing else.
fn targets(pda: &Pda, tree: &Tree) -> Option<Vec<StateId>> {
    let Tree::Look { depth: 0, branches } = tree else {
        return None;
    };
    let target = |&(_, tree): &(FrameId, TreeId)| pda.trees[tree.index()].goto();
    branches.iter().map(target).collect()
}

/// The effect of an edge, in as much detail as merging needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeEffect {
    /// Goes on, whatever the stack.
    Goto(StateId),
    /// Depends on the stack.
    Asks,
    /// Anything else, refusing included.
    Fixed,
}

struct Merging<'a> {
    pda: &'a Pda,
    /// For each state another state of its block, or the state itself (a union-find forest).
    block: Vec<StateId>,
    /// For the representative of each block the frames that can lie on top in its states.
    tops: Vec<Vec<FrameId>>,
    /// Pairs that may still be looked at.
    left: usize,
}

/// Two blocks that have become one.
struct Union {
    into: StateId,
    from: StateId,
    /// The frames that could lie on top in `into`.
    top: Vec<FrameId>,
}

impl Merging<'_> {
    fn kind(&self, tree: Option<TreeId>) -> EdgeEffect {
        let Some(tree) = tree.map(|tree| &self.pda.trees[tree.index()]) else {
            return EdgeEffect::Fixed;
        };
        match (tree, tree.goto()) {
            (_, Some(next)) => EdgeEffect::Goto(next),
            (Tree::Look { .. }, None) => EdgeEffect::Asks,
            (Tree::Leaf(leaf), None) if leaf.iter().any(|of| of.pop > 0) => EdgeEffect::Asks,
            _ => EdgeEffect::Fixed,
        }
    }

    fn find(&self, mut state: StateId) -> StateId {
        while self.block[state.index()] != state {
            state = self.block[state.index()];
        }
        state
    }

    /// Merges the states, and those that they lead to by the same symbols. If some of these cannot
    /// be merged, none are.
    fn merge(&mut self, targets: &[StateId]) -> bool {
        let pairs = targets.windows(2).map(|two| (two[0], two[1]));
        let mut pairs: Vec<(StateId, StateId)> = pairs.collect();
        let mut done = Vec::new();
        while let Some((a, b)) = pairs.pop() {
            let (of_a, of_b) = (self.find(a), self.find(b));
            if of_a == of_b {
                continue;
            }
            if !(self.is_apart(of_a, of_b) && self.follow(a, b, &mut pairs)) {
                self.undo(done);
                return false;
            }
            done.push(self.unite(of_a.min(of_b), of_a.max(of_b)));
        }
        !done.is_empty()
    }

    fn unite(&mut self, into: StateId, from: StateId) -> Union {
        let mut top = self.tops[into.index()].clone();
        top.extend_from_slice(&self.tops[from.index()]);
        top.sort_unstable();
        self.block[from.index()] = into;
        let top = std::mem::replace(&mut self.tops[into.index()], top);
        Union { into, from, top }
    }

    fn undo(&mut self, done: Vec<Union>) {
        for Union { into, from, top } in done.into_iter().rev() {
            self.block[from.index()] = from;
            self.tops[into.index()] = top;
        }
    }

    /// Whether no frame can lie on top in states of both blocks.
    fn is_apart(&self, a: StateId, b: StateId) -> bool {
        let (a, b) = (&self.tops[a.index()], &self.tops[b.index()]);
        a.iter().all(|frame| b.binary_search(frame).is_err())
    }

    /// Adds the pairs of states that must be merged if `a` and `b` are; returns whether nothing
    /// forbids it.
    fn follow(&mut self, a: StateId, b: StateId, pairs: &mut Vec<(StateId, StateId)>) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let [a, b] = [a, b].map(|state| &self.pda.states[state.index()].edges);
        each_class([a, b], &mut |_, [of_a, of_b]| {
            if of_a == of_b {
                return true;
            }
            match (self.kind(of_a), self.kind(of_b)) {
                (EdgeEffect::Asks, _) | (_, EdgeEffect::Asks) => true,
                (EdgeEffect::Goto(a), EdgeEffect::Goto(b)) => {
                    pairs.push((a, b));
                    true
                }
                _ => false,
            }
        })
    }

    /// The automaton with a state for each block.
    fn quotient(&self) -> Minimized {
        let pda = self.pda;
        let mut members: BTreeMap<StateId, Vec<StateId>> = BTreeMap::new();
        for state in pda.state_ids() {
            members.entry(self.find(state)).or_default().push(state);
        }
        let mut state_of = vec![StateId::new(0); pda.states.len()];
        for (block, states) in (0..).map(StateId::new).zip(members.values()) {
            states
                .iter()
                .for_each(|&state| state_of[state.index()] = block);
        }
        let mut trees = DeferredTrees::new(pda, &state_of);
        let states = members.iter().map(|(&block, states)| State {
            edges: trees.row(states),
            top: self.tops[block.index()].clone(),
        });
        Minimized {
            pda: Pda {
                classes: pda.classes.clone(),
                start: state_of[pda.start.index()],
                states: states.collect(),
                trees: trees.made.values,
                under: pda.under.clone(),
            },
            state_of,
            frame_of: (0..pda.under.len()).map(FrameId::at).collect(),
        }
    }
}

/// Calls `visit` with each class and the trees of both rows, as long as it returns true; returns
/// whether it always did.
fn each_class(
    [mut a, mut b]: [&[(Class, TreeId)]; 2],
    visit: &mut impl FnMut(Class, [Option<TreeId>; 2]) -> bool,
) -> bool {
    loop {
        let class = match (a.first(), b.first()) {
            (None, None) => return true,
            (Some(only), None) | (None, Some(only)) => only.0,
            (Some(of_a), Some(of_b)) => of_a.0.min(of_b.0),
        };
        let take = |row: &mut &[(Class, TreeId)]| match **row {
            [(here, tree), ref rest @ ..] if here == class => {
                *row = rest;
                Some(tree)
            }
            _ => None,
        };
        if !visit(class, [take(&mut a), take(&mut b)]) {
            return false;
        }
    }
}

/// The trees of the new automaton.
struct DeferredTrees<'a> {
    pda: &'a Pda,
    made: Interner<Tree>,
    /// For each old tree the new one.
    of: Vec<TreeId>,
}

impl<'a> DeferredTrees<'a> {
    fn new(pda: &'a Pda, state_of: &[StateId]) -> Self {
        let mut trees = DeferredTrees {
            pda,
            made: Interner::new(),
            of: Vec::with_capacity(pda.trees.len()),
        };
        for tree in &pda.trees {
            let made = match tree {
                Tree::Leaf(leaf) => {
                    let mut leaf: Vec<Alternative> = leaf
                        .iter()
                        .map(|of| Alternative {
                            next: state_of[of.next.index()],
                            ..*of
                        })
                        .collect();
                    leaf.sort_unstable();
                    leaf.dedup();
                    TreeId::new(trees.made.intern(Tree::Leaf(leaf)))
                }
                // A tree comes after the trees that its branches lead to.
                Tree::Look { depth, branches } => {
                    let branches = branches.iter().map(|of| (of.0, trees.of[of.1.index()]));
                    let branches = branches.collect();
                    trees.look(*depth, branches)
                }
            };
            trees.of.push(made);
        }
        trees
    }

    fn look(&mut self, depth: u8, branches: Vec<(FrameId, TreeId)>) -> TreeId {
        match branches.first() {
            Some(first) if branches.iter().all(|of| of.1 == first.1) => first.1,
            _ => TreeId::new(self.made.intern(Tree::Look { depth, branches })),
        }
    }

    /// The row of a state that stands for these.
    fn row(&mut self, states: &[StateId]) -> Vec<(Class, TreeId)> {
        let states: Vec<&State> = states
            .iter()
            .map(|&state| &self.pda.states[state.index()])
            .collect();
        let mut classes: Vec<Class> = states
            .iter()
            .flat_map(|state| &state.edges)
            .map(|edge| edge.0)
            .collect();
        classes.sort_unstable();
        classes.dedup();
        classes
            .into_iter()
            .map(|class| (class, self.edge(&states, class)))
            .collect()
    }

    fn edge(&mut self, states: &[&State], class: Class) -> TreeId {
        let mut branches: Vec<(FrameId, TreeId)> = Vec::new();
        let mut trees = Vec::new();
        for state in states {
            let edge = state.edges.binary_search_by_key(&class, |edge| edge.0);
            let tree = match edge {
                Ok(at) => self.of[state.edges[at].1.index()],
                Err(_) => TreeId::new(self.made.intern(Tree::Leaf(Vec::new()))),
            };
            trees.push(tree);
            for &frame in &state.top {
                branches.push((frame, self.under(tree, frame)));
            }
        }
        if trees.iter().all(|&tree| tree == trees[0]) {
            return trees[0];
        }
        branches.sort_unstable();
        self.look(0, branches)
    }

    /// What a tree leads to when `frame` lies on top.
    fn under(&mut self, tree: TreeId, frame: FrameId) -> TreeId {
        match &self.made.values[tree.index()] {
            Tree::Look { depth: 0, branches } => {
                match branches.binary_search_by_key(&frame, |of| of.0) {
                    Ok(at) => branches[at].1,
                    Err(_) => TreeId::new(self.made.intern(Tree::Leaf(Vec::new()))),
                }
            }
            _ => tree,
        }
    }
}
