//! Decision trees, each kept once.

use crate::maps::IdMap;

use crate::intern::Interner;
use crate::pda::{Alternative, StateId, Tree, TreeId};

/// The trees of an automaton.
#[derive(Debug)]
pub(super) struct Trees {
    all: Interner<Tree>,
    /// Leaves with one alternative that pushes nothing, by the frames that it pops and its state.
    /// Most leaves are of this kind.
    plain_leaves: IdMap<(u8, StateId), TreeId>,
}

impl Default for Trees {
    fn default() -> Self {
        Trees {
            all: Interner::new(),
            plain_leaves: IdMap::default(),
        }
    }
}

impl Trees {
    pub(super) fn get(&self, id: TreeId) -> &Tree {
        &self.all.values[id.index()]
    }

    pub(super) fn intern(&mut self, tree: Tree) -> TreeId {
        TreeId::new(self.all.intern(tree))
    }

    /// The leaf that pops and goes to a state.
    pub(super) fn plain_leaf(&mut self, pop: u8, next: StateId) -> TreeId {
        let Trees { all, plain_leaves } = self;
        let leaf = || {
            Tree::Leaf(vec![Alternative {
                pop,
                push: None,
                next,
                again: false,
            }])
        };
        let known = plain_leaves.entry((pop, next));
        *known.or_insert_with(|| TreeId::new(all.intern(leaf())))
    }

    /// All of them, in the order of their ids.
    pub(super) fn into_all(self) -> Vec<Tree> {
        self.all.values
    }
}
