//! References within an automaton, reversed, so that a round looks only at what the last round
//! affects.

use crate::csr::Csr;
use crate::pda::{Pda, StateId, Tree, TreeId};

/// For each state and tree the states and trees that refer to it.
pub struct Users {
    /// For each state the leaves that lead to it.
    pub leaves: Csr<TreeId>,
    /// For each tree the looks that go on with it.
    pub above: Csr<TreeId>,
    /// For each tree the states with an edge of it.
    pub rows: Csr<StateId>,
    /// For each state the looks that one symbol meets.
    pub looks: Csr<TreeId>,
    /// For each look the states from which one symbol meets it.
    pub lookers: Csr<StateId>,
    /// For each state the states that one symbol leads to.
    pub next: Csr<StateId>,
    /// For each state the states from which one symbol leads to it.
    pub before: Csr<StateId>,
}

impl Users {
    /// The references within `pda`.
    pub fn new(pda: &Pda) -> Self {
        let (trees, states) = (pda.trees.len(), pda.states.len());
        let (mut leaves, mut above) = (Vec::new(), Vec::new());
        for (id, tree) in (0..).map(TreeId::new).zip(&pda.trees) {
            match tree {
                // A symbol that is not consumed is read again in exactly that state, whatever it is
                // equivalent to.
                Tree::Leaf(leaf) => {
                    let to = leaf.iter().filter(|of| !of.again);
                    leaves.extend(to.map(|of| (of.next.number(), id)));
                }
                Tree::Look { branches, .. } => {
                    above.extend(branches.iter().map(|of| (of.1.number(), id)));
                }
            }
        }
        let rows = pda.state_ids().zip(&pda.states);
        let rows =
            rows.flat_map(|(id, state)| state.edges.iter().map(move |of| (of.1.number(), id)));
        let (looks, next) = steps(pda);
        Users {
            leaves: Csr::new(states, leaves.into_iter()),
            above: Csr::new(trees, above.into_iter()),
            rows: Csr::new(trees, rows),
            lookers: Csr::new(
                trees,
                looks.iter().map(|&(state, look)| (look.number(), state)),
            ),
            looks: Csr::new(
                states,
                looks.iter().map(|&(state, look)| (state.number(), look)),
            ),
            before: Csr::new(states, next.iter().map(|&(from, to)| (to.number(), from))),
            next: Csr::new(states, next.iter().map(|&(from, to)| (from.number(), to))),
        }
    }
}

/// Pairs of a state and a look that one symbol meets, and pairs of a state and a state that one
/// symbol leads to. The symbol may be read several times on the way before it is consumed.
type MetSteps = (Vec<(StateId, TreeId)>, Vec<(StateId, StateId)>);

/// No state has come here yet.
const NONE: StateId = StateId::new(u32::MAX);

fn steps(pda: &Pda) -> MetSteps {
    let mut walk = StepWalk {
        from: NONE,
        trees: vec![NONE; pda.trees.len()],
        states: vec![NONE; pda.states.len()],
        next: vec![NONE; pda.states.len()],
        steps: MetSteps::default(),
    };
    for from in pda.state_ids() {
        walk.from = from;
        let mut states = vec![from];
        while let Some(state) = states.pop() {
            if is_new(&mut walk.states, state.index(), from) {
                let edges = pda.states[state.index()].edges.iter();
                walk.follow(pda, edges.map(|of| of.1).collect(), &mut states);
            }
        }
    }
    walk.steps
}

/// Whether `from` comes here for the first time.
fn is_new(last: &mut [StateId], at: usize, from: StateId) -> bool {
    std::mem::replace(&mut last[at], from) != from
}

/// Gathers the steps from one state after the other. For each tree and state it keeps the last
/// state that came to it.
struct StepWalk {
    from: StateId,
    trees: Vec<StateId>,
    states: Vec<StateId>,
    next: Vec<StateId>,
    steps: MetSteps,
}

impl StepWalk {
    /// Follows trees, and adds the states in which the symbol is read again to `states`.
    fn follow(&mut self, pda: &Pda, mut trees: Vec<TreeId>, states: &mut Vec<StateId>) {
        while let Some(tree) = trees.pop() {
            if !is_new(&mut self.trees, tree.index(), self.from) {
                continue;
            }
            match &pda.trees[tree.index()] {
                Tree::Look { branches, .. } => {
                    self.steps.0.push((self.from, tree));
                    trees.extend(branches.iter().map(|of| of.1));
                }
                Tree::Leaf(leaf) => {
                    for of in leaf {
                        if of.again {
                            states.push(of.next);
                        } else if is_new(&mut self.next, of.next.index(), self.from) {
                            self.steps.1.push((self.from, of.next));
                        }
                    }
                }
            }
        }
    }
}
