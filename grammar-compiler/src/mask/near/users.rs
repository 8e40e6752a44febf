//! What of an automaton refers to what, so that a round looks at nothing else again.

use crate::grouped::Grouped;
use crate::pda::{Pda, StateId, Tree, TreeId};

/// What refers to what.
pub struct Users {
    /// For each state the leaves that lead to it.
    pub leaves: Grouped,
    /// For each tree those that look and go on with it.
    pub above: Grouped,
    /// For each tree the states whose rows have it.
    pub rows: Grouped,
    /// For each state the trees with looks that one symbol meets.
    pub looks: Grouped,
    /// For each tree the states from which one symbol meets it.
    pub lookers: Grouped,
    /// For each state those that one symbol leads to.
    pub next: Grouped,
    /// For each state those that lead to it by one symbol.
    pub before: Grouped,
}

impl Users {
    /// Those of `pda`.
    pub fn new(pda: &Pda) -> Self {
        let (trees, states) = (pda.trees.len(), pda.states.len());
        let (mut leaves, mut above) = (Vec::new(), Vec::new());
        for (id, tree) in (0..).zip(&pda.trees) {
            match tree {
                // A symbol that is taken again is so from that very state.
                Tree::Leaf(leaf) => {
                    let to = leaf.iter().filter(|of| !of.again);
                    leaves.extend(to.map(|of| (of.next, id)));
                }
                Tree::Look { branches, .. } => {
                    above.extend(branches.iter().map(|of| (of.1, id)));
                }
            }
        }
        let rows = (0..).zip(&pda.states);
        let rows = rows.flat_map(|(id, state)| state.edges.iter().map(move |of| (of.1, id)));
        let (looks, next) = steps(pda);
        Users {
            leaves: Grouped::new(states, leaves.into_iter()),
            above: Grouped::new(trees, above.into_iter()),
            rows: Grouped::new(trees, rows),
            lookers: Grouped::new(trees, turned(&looks)),
            looks: Grouped::new(states, looks.iter().copied()),
            before: Grouped::new(states, turned(&next)),
            next: Grouped::new(states, next.iter().copied()),
        }
    }
}

fn turned(pairs: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> + Clone {
    pairs.iter().map(|&(a, b)| (b, a))
}

/// Pairs of a state and a tree with a look that one symbol meets, and pairs of states, by one symbol, which may be taken again
/// on the way.
type Steps = (Vec<(StateId, TreeId)>, Vec<(StateId, StateId)>);

fn steps(pda: &Pda) -> Steps {
    let mut walk = Walk {
        from: 0,
        trees: vec![StateId::MAX; pda.trees.len()],
        states: vec![StateId::MAX; pda.states.len()],
        next: vec![StateId::MAX; pda.states.len()],
        steps: Steps::default(),
    };
    for from in 0..pda.states.len() as StateId {
        walk.from = from;
        let mut states = vec![from];
        while let Some(state) = states.pop() {
            if is_new(&mut walk.states, state, from) {
                let edges = pda.states[state as usize].edges.iter();
                walk.follow(pda, edges.map(|of| of.1).collect(), &mut states);
            }
        }
    }
    walk.steps
}

/// Says whether this is the first time that `from` comes to something.
fn is_new(last: &mut [StateId], at: u32, from: StateId) -> bool {
    std::mem::replace(&mut last[at as usize], from) != from
}

/// The steps from one state after the other; for each tree and state the last one that came to it.
struct Walk {
    from: StateId,
    trees: Vec<StateId>,
    states: Vec<StateId>,
    next: Vec<StateId>,
    steps: Steps,
}

impl Walk {
    /// Follows trees; the symbol is taken again from `states`.
    fn follow(&mut self, pda: &Pda, mut trees: Vec<TreeId>, states: &mut Vec<StateId>) {
        while let Some(tree) = trees.pop() {
            if !is_new(&mut self.trees, tree, self.from) {
                continue;
            }
            match &pda.trees[tree as usize] {
                Tree::Look { branches, .. } => {
                    self.steps.0.push((self.from, tree));
                    trees.extend(branches.iter().map(|of| of.1));
                }
                Tree::Leaf(leaf) => {
                    for of in leaf {
                        if of.again {
                            states.push(of.next);
                        } else if is_new(&mut self.next, of.next, self.from) {
                            self.steps.1.push((self.from, of.next));
                        }
                    }
                }
            }
        }
    }
}
