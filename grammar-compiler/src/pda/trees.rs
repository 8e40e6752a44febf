//! Decision trees, as they are built.
//!
//! In: leaves and looks. Out: trees, equal ones once.

use super::{Alternative, FrameId, Tree, TreeId};
use crate::intern::Interner;

/// The trees of an automaton that is being built.
pub(crate) struct TreeBuilder {
    trees: Interner<Tree>,
}

impl TreeBuilder {
    pub(crate) fn new() -> Self {
        let mut trees = Interner::new();
        trees.intern(Tree::Leaf(Vec::new()));
        TreeBuilder { trees }
    }

    /// The number of trees.
    pub(crate) fn len(&self) -> usize {
        self.trees.values.len()
    }

    /// The tree that refuses.
    pub(crate) const REFUSES: TreeId = TreeId::new(0);

    pub(crate) fn into_all(self) -> Vec<Tree> {
        self.trees.values
    }

    pub(crate) fn leaf(&mut self, mut alternatives: Vec<Alternative>) -> TreeId {
        alternatives.sort_unstable();
        alternatives.dedup();
        TreeId::new(self.trees.intern(Tree::Leaf(alternatives)))
    }

    /// A look at `depth`.
    pub(crate) fn look(&mut self, depth: u8, branches: Vec<(FrameId, TreeId)>) -> TreeId {
        match branches.first() {
            None => Self::REFUSES,
            Some(first) if branches.iter().all(|branch| branch.1 == Self::REFUSES) => first.1,
            Some(_) => TreeId::new(self.trees.intern(Tree::Look { depth, branches })),
        }
    }

    /// The tree with the alternatives of both.
    pub(crate) fn join(&mut self, one: TreeId, other: TreeId) -> TreeId {
        if one == other || other == Self::REFUSES {
            return one;
        }
        if one == Self::REFUSES {
            return other;
        }
        let get = |at: TreeId| self.trees.values[at.index()].clone();
        match (get(one), get(other)) {
            (Tree::Leaf(mut all), Tree::Leaf(more)) => {
                all.extend(more);
                self.leaf(all)
            }
            (Tree::Look { depth, branches }, Tree::Leaf(_)) => {
                self.join_each(depth, &branches, other)
            }
            (Tree::Leaf(_), Tree::Look { depth, branches }) => {
                self.join_each(depth, &branches, one)
            }
            (Tree::Look { depth, branches }, Tree::Look { depth: deeper, .. })
                if depth < deeper =>
            {
                self.join_each(depth, &branches, other)
            }
            (Tree::Look { depth: deeper, .. }, Tree::Look { depth, branches })
                if depth < deeper =>
            {
                self.join_each(depth, &branches, one)
            }
            (Tree::Look { depth, branches }, Tree::Look { branches: more, .. }) => {
                let mut joined = Vec::new();
                let (mut left, mut right) = (branches.as_slice(), more.as_slice());
                while let Some((frame, one, other)) = next_of_both(&mut left, &mut right) {
                    joined.push((frame, self.join(one, other)));
                }
                self.look(depth, joined)
            }
        }
    }

    /// Each branch, joined with the same tree.
    fn join_each(&mut self, depth: u8, branches: &[(FrameId, TreeId)], with: TreeId) -> TreeId {
        let join = |&(frame, branch): &(FrameId, TreeId)| (frame, self.join(branch, with));
        let joined = branches.iter().map(join).collect();
        self.look(depth, joined)
    }
}

/// The next frame of two lists of branches, with its tree in each.
fn next_of_both(
    one: &mut &[(FrameId, TreeId)],
    other: &mut &[(FrameId, TreeId)],
) -> Option<(FrameId, TreeId, TreeId)> {
    let first = |of: &[(FrameId, TreeId)]| of.first().copied();
    let frame = match (first(one), first(other)) {
        (None, None) => return None,
        (Some(one), None) => one.0,
        (None, Some(other)) => other.0,
        (Some(one), Some(other)) => one.0.min(other.0),
    };
    let take = |of: &mut &[(FrameId, TreeId)]| match of.split_first() {
        Some((&(next, tree), rest)) if next == frame => {
            *of = rest;
            tree
        }
        _ => TreeBuilder::REFUSES,
    };
    Some((frame, take(one), take(other)))
}
