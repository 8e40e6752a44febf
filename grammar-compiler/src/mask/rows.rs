//! The automaton's edges as walks read them: a dense table, and each state's loops.

use rustc_hash::FxHashMap as HashMap;

use crate::pda::{Alternative, Class, Pda, StateId, Tree, TreeId};

/// What a state does with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing: the symbol is refused.
    Refuse,
    /// Goes on, whatever the stack.
    Goto(StateId),
    /// Asks the stack.
    Tree(TreeId),
}

/// The dense table.
pub struct Rows {
    classes: usize,
    actions: Vec<Action>,
    /// For each state and class the least class that comes to the same there.
    alike: Vec<Class>,
    /// For each state the bytes that lead back to it without touching the stack.
    loops: Vec<[u64; 4]>,
}

impl Rows {
    /// The dense table of `pda`.
    pub fn new(pda: &Pda) -> Self {
        let classes = pda.classes.count as usize;
        let mut actions = vec![Action::Refuse; classes * pda.states.len()];
        let mut alike: Vec<Class> = Vec::with_capacity(actions.len());
        let mut loops = vec![[0; 4]; pda.states.len()];
        for (s, state) in pda.states.iter().enumerate() {
            let row = &mut actions[s * classes..][..classes];
            for &(class, tree) in &state.edges {
                row[class as usize] = action(pda, tree);
            }
            for byte in 0..=255u8 {
                if row[pda.classes.of(byte) as usize] == Action::Goto(s as StateId) {
                    loops[s][byte as usize / 64] |= 1 << (byte % 64);
                }
            }
            let mut least: HashMap<Action, Class> = HashMap::default();
            alike.extend((0..).zip(row.iter()).map(|(class, &action)| match action {
                // The symbol is taken again from another state, which may tell the classes apart.
                Action::Tree(tree) if takes_again(pda, tree) => class,
                _ => *least.entry(action).or_insert(class),
            }));
        }
        Rows {
            classes,
            actions,
            alike,
            loops,
        }
    }

    /// What `state` does with `class`.
    pub fn action(&self, state: StateId, class: Class) -> Action {
        self.actions[state as usize * self.classes + class as usize]
    }

    /// The least class that comes to the same in `state` as this one.
    pub fn alike(&self, state: StateId, class: Class) -> Class {
        self.alike[state as usize * self.classes + class as usize]
    }

    /// Whether each of these bytes leads from `state` back to it without touching the stack.
    pub fn is_loop(&self, state: StateId, bytes: &[u64; 4]) -> bool {
        let loops = &self.loops[state as usize];
        bytes.iter().zip(loops).all(|(b, l)| b & !l == 0)
    }
}

fn action(pda: &Pda, tree: TreeId) -> Action {
    match &pda.trees[tree as usize] {
        Tree::Leaf(leaf) => match leaf.as_slice() {
            [] => Action::Refuse,
            [
                Alternative {
                    pop: 0,
                    push: None,
                    next,
                    again: false,
                },
            ] => Action::Goto(*next),
            _ => Action::Tree(tree),
        },
        Tree::Look { .. } => Action::Tree(tree),
    }
}

fn takes_again(pda: &Pda, tree: TreeId) -> bool {
    let mut again = false;
    pda.leaves(tree, &mut |leaf| again |= leaf.iter().any(|a| a.again));
    again
}
