//! The dense table: what each state does with each class, a word each.
//!
//! In: the automaton and its headroom. Out: [`Transitions`]; later steps only add states.

use crate::pda::headroom::{Headroom, Need};
use crate::pda::{Class, FrameId, Pda, State, StateId, Tree, TreeId};

/// Room for states that are copies.
const ROOM: usize = 64;

/// What a state does with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Refuses the symbol.
    Refuse,
    /// Goes to a state, whatever the stack.
    Goto(StateId),
    /// Depends on the stack, or changes it.
    Tree(TreeId),
    /// Leaves the copy of a region.
    Leave,
}

/// An [`Action`] in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct PackedAction(u32);

impl PackedAction {
    const REFUSE: PackedAction = PackedAction(u32::MAX);
    const LEAVE: PackedAction = PackedAction(u32::MAX - 1);
    /// Marks trees; a word without it is a state.
    const TREE: u32 = 1 << 31;

    fn new(pda: &Pda, tree: TreeId) -> Self {
        let known = &pda.trees[tree.index()];
        match (known, known.goto()) {
            (_, Some(next)) => PackedAction(next.number()),
            (Tree::Leaf(leaf), None) if leaf.is_empty() => PackedAction::REFUSE,
            _ => PackedAction(tree.number() | PackedAction::TREE),
        }
    }

    /// Whether the symbol is not refused.
    #[inline]
    pub fn is_taken(self) -> bool {
        self != PackedAction::REFUSE
    }

    #[inline]
    fn action(self) -> Action {
        const LEAVE: u32 = PackedAction::LEAVE.0;
        match self.0 {
            u32::MAX => Action::Refuse,
            LEAVE => Action::Leave,
            next if next < PackedAction::TREE => Action::Goto(StateId::new(next)),
            tree => Action::Tree(TreeId::new(tree & !PackedAction::TREE)),
        }
    }
}

/// The row of a copied state: for each class that it accepts, the next state, or `None` where the
/// class leaves the region.
pub type CopiedRow = Vec<(Class, Option<StateId>)>;

/// What each state does with each class.
pub struct Transitions {
    classes: Class,
    actions: Vec<PackedAction>,
    /// For each tree that some edge has, whether it takes the symbol again.
    again: Vec<bool>,
    /// For each state whether some edge pushes a frame.
    pushes: Vec<bool>,
    /// For each state the frames that finishing needs; for copies, the frames that it needs beyond
    /// the state where the copy is left.
    needs: Vec<Need>,
    /// For each frame the number of frames that must fit above it when it is pushed.
    reserves: Vec<u8>,
}

impl Transitions {
    /// The transitions of `pda`.
    pub fn new(pda: &Pda, headroom: &Headroom) -> Self {
        let classes = pda.classes.count as usize;
        let trees = (0..pda.trees.len()).map(TreeId::at);
        let packed: Vec<PackedAction> = trees.map(|tree| PackedAction::new(pda, tree)).collect();
        // Copies of regions come after the states: mostly a few.
        let mut actions = Vec::with_capacity(classes * (pda.states.len() + ROOM));
        actions.resize(classes * pda.states.len(), PackedAction::REFUSE);
        let mut of_edges = vec![false; pda.trees.len()];
        for (state, row) in pda.states.iter().zip(actions.chunks_mut(classes)) {
            for &(class, tree) in &state.edges {
                row[class as usize] = packed[tree.index()];
                of_edges[tree.index()] = true;
            }
        }
        let again = (0..).map(TreeId::new).zip(of_edges);
        let again = again.map(|(tree, is_of_edge)| is_of_edge && pda.takes_again(tree));
        Transitions {
            classes: pda.classes.count,
            actions,
            again: again.collect(),
            pushes: pushes(pda),
            needs: headroom.states.clone(),
            reserves: headroom.frames.clone(),
        }
    }

    /// The same with further states, numbered after these.
    pub fn with_copies<'r>(mut self, rows: impl Iterator<Item = &'r CopiedRow>) -> Self {
        for copied in rows {
            let mut row = vec![PackedAction::REFUSE; usize::from(self.classes)];
            for &(class, next) in copied {
                row[class as usize] =
                    next.map_or(PackedAction::LEAVE, |next| PackedAction(next.number()));
            }
            self.actions.extend(row);
            self.pushes.push(false);
            self.needs.push(Some(0));
        }
        self
    }

    /// The number of classes.
    pub fn classes(&self) -> Class {
        self.classes
    }

    /// What `state` does with `class`.
    #[inline]
    pub fn action(&self, state: StateId, class: Class) -> Action {
        self.actions[state.index() * usize::from(self.classes) + class as usize].action()
    }

    /// What `state` does with each class.
    #[inline]
    pub fn row(&self, state: StateId) -> &[PackedAction] {
        let classes = usize::from(self.classes);
        &self.actions[state.index() * classes..][..classes]
    }

    /// The frames that finishing needs from a state.
    #[inline]
    pub fn need(&self, state: StateId) -> Need {
        self.needs[state.index()]
    }

    /// The number of frames that must fit above a frame when it is pushed.
    #[inline]
    pub fn reserve(&self, frame: FrameId) -> u8 {
        self.reserves[usize::from(frame)]
    }

    /// Whether some symbol pushes a frame in `state`, whatever the stack.
    pub fn pushes(&self, state: StateId) -> bool {
        self.pushes[state.index()]
    }

    /// The classes with which two states do different things, ascending, if there are no more than
    /// `most`.
    pub fn different(&self, one: StateId, other: StateId, most: usize) -> Option<Vec<Class>> {
        let rows = self.row(one).iter().zip(self.row(other));
        let different = (0..).zip(rows).filter(|(_, (a, b))| a != b);
        let different: Vec<Class> = different.map(|of| of.0).take(most + 1).collect();
        (different.len() <= most).then_some(different)
    }

    /// The least class with the same conditional edge as `class` in `state`, so that a walk
    /// branches on the stack once for all of them. Without it, a compile takes 26 % longer at the
    /// 99th percentile (`docs/ablation.md`).
    pub fn representative(&self, state: StateId, class: Class) -> Class {
        let row = self.row(state);
        let asked = row[class as usize];
        match asked.action() {
            // A symbol that is not consumed is read again in another state, which may distinguish
            // the classes.
            Action::Tree(tree) if !self.again[tree.index()] => {
                let least = row.iter().position(|&other| other == asked);
                least.map_or(class, |least| least as Class)
            }
            _ => class,
        }
    }
}

/// For each state whether some edge pushes a frame, whatever the stack.
fn pushes(pda: &Pda) -> Vec<bool> {
    let is_push = |tree: &Tree| match tree {
        Tree::Leaf(leaf) => leaf.iter().any(|of| of.push.is_some()),
        Tree::Look { .. } => false,
    };
    let of_tree: Vec<bool> = pda.trees.iter().map(is_push).collect();
    let of_state = |state: &State| state.edges.iter().any(|edge| of_tree[edge.1.index()]);
    pda.states.iter().map(of_state).collect()
}
