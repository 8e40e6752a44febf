//! The deterministic pushdown automaton with prefix-conditioned edges.
//!
//! In: item sets ([`crate::lr`]). Out: [`Pda`]: for each state and symbol class a decision tree
//! that looks at frames of the stack and ends in what to pop, what to push and where to go. In the
//! terms of Pre³, a path through a tree is an edge conditioned on a prefix of the stack.

pub mod deferred_lookahead;
pub mod dominance;
pub mod headroom;
pub mod height;
pub mod interpret;
pub mod marks;
pub mod minimize;
mod needs;
pub mod stacks;
pub(crate) mod trees;

use crate::csr::Csr;
use crate::id::id;
use crate::limits::LimitExceeded;
use crate::maps::own_keys;

/// The items of one state refer to frames that lie at most this many depths apart. Where they would
/// lie further apart, `lr` splits the stack.
pub const MAX_SPREAD: u8 = 1;

id! {
    /// Index of a state in [`Pda::states`].
    pub struct StateId;
}

/// Index of a symbol class. A plain number, since stages count classes, join them into ranges and
/// write them into tables as such.
pub type Class = u16;

id! {
    /// Index of a frame; [`BOTTOM`] is below every stack.
    pub struct FrameId(u16);
}

impl FrameId {
    /// The frame of a number that may be too large.
    ///
    /// # Errors
    ///
    /// If there are more frames than a number of them can say.
    pub(crate) fn numbered(number: usize) -> Result<FrameId, LimitExceeded> {
        let what = "the grammar needs too many stack frames";
        match u16::try_from(number) {
            Ok(number) => Ok(FrameId::new(number)),
            Err(_) => Err(LimitExceeded::new("frames", u16::MAX, what)),
        }
    }
}

impl From<FrameId> for u32 {
    fn from(frame: FrameId) -> u32 {
        frame.number().into()
    }
}

impl From<FrameId> for usize {
    fn from(frame: FrameId) -> usize {
        frame.index()
    }
}

impl From<StateId> for usize {
    fn from(state: StateId) -> usize {
        state.index()
    }
}

id! {
    /// Index of a decision tree in [`Pda::trees`].
    pub struct TreeId;
}

/// The frame below every stack.
pub const BOTTOM: FrameId = FrameId::new(maskwright_core::layout::BOTTOM);

/// Symbols (bytes and the end of the text), in classes whose members no edge tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each byte.
    pub of_byte: [u8; 256],
    /// Number of classes, that of the end of the text included.
    pub count: Class,
    /// The byte with which [spellings](crate::terminals) of tokens begin that are terminals, if the
    /// grammar has some. It has a class of its own where an edge takes it.
    pub token_lead: Option<u8>,
    /// Bytes behind the lead that no token spells: a matcher takes them itself, at the
    /// [limit](crate::grammar::TokenSet::limit) of a text.
    pub limits: Vec<u8>,
}

impl Classes {
    /// The class of the end of the text: the last one.
    pub fn end(&self) -> Class {
        self.count - 1
    }

    /// The class of the byte with which spellings of terminals begin.
    pub fn lead(&self) -> Option<Class> {
        self.token_lead.map(|lead| self.of(lead))
    }

    /// The class of a byte.
    pub fn of(&self, byte: u8) -> Class {
        self.of_byte[byte as usize] as Class
    }

    /// The class of each symbol: of the bytes, then of the end of the text.
    pub fn of_symbols(&self) -> Vec<Class> {
        let bytes = self.of_byte.iter().map(|&class| Class::from(class));
        bytes.chain([self.end()]).collect()
    }
}

/// What happens to a stack at the end of a conditional edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Alternative {
    /// Frames to pop.
    pub pop: u8,
    /// The frame to push then.
    pub push: Option<FrameId>,
    /// The next state.
    pub next: StateId,
    /// The symbol has not been consumed: it is taken again from `next`.
    pub again: bool,
}

/// A decision tree over the frames of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    /// What happens; nothing at all refuses the symbol, several alternatives split the stack.
    Leaf(Vec<Alternative>),
    /// Look at the frame at `depth` (0 is the top) and go on with its tree.
    Look {
        /// Which frame to look at.
        depth: u8,
        /// The tree for each frame that can lie there, ascending by frame.
        branches: Vec<(FrameId, TreeId)>,
    },
}

own_keys!(Tree);

impl Tree {
    /// The next state, if that is all there is to an edge: it consumes its symbol and leaves the
    /// stack alone.
    pub fn goto(&self) -> Option<StateId> {
        match self {
            Tree::Leaf(leaf) => match leaf.as_slice() {
                [
                    Alternative {
                        pop: 0,
                        push: None,
                        next,
                        again: false,
                    },
                ] => Some(*next),
                _ => None,
            },
            Tree::Look { .. } => None,
        }
    }
}

/// A pushdown automaton.
#[derive(Clone, Debug)]
pub struct Pda {
    /// Symbol classes.
    pub classes: Classes,
    /// The state to start in, on an empty stack.
    pub start: StateId,
    /// For each state its edges, ascending by class; a class without an edge is refused.
    pub states: Vec<State>,
    /// The decision trees; equal ones once.
    pub trees: Vec<Tree>,
    /// For each frame, the bottom included, the frames that can lie right under it, ascending.
    pub under: Vec<Vec<FrameId>>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Edges, ascending by class.
    pub edges: Vec<(Class, TreeId)>,
    /// The frames that can lie on top in this state, ascending.
    pub top: Vec<FrameId>,
}

/// Moves each item to the place that its new number says; the numbers are a permutation.
pub(crate) fn reorder<T, N: Copy + Into<usize>>(items: &mut [T], number: &[N]) {
    let mut place: Vec<usize> = number.iter().map(|&number| number.into()).collect();
    for at in 0..items.len() {
        // Each exchange brings the item at hand to its place.
        while place[at] != at {
            let to = place[at];
            items.swap(at, to);
            place.swap(at, to);
        }
    }
}

/// Composes origins: for each state the states that its origins stood for before.
pub(crate) fn through(origins: &[Vec<StateId>], before: &[Vec<StateId>]) -> Vec<Vec<StateId>> {
    let all = |states: &Vec<StateId>| {
        let of = states.iter().flat_map(|&state| &before[state.index()]);
        let mut all: Vec<StateId> = of.copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    origins.iter().map(all).collect()
}

impl Pda {
    /// Every state, in order.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + Clone + use<> {
        (0..self.states.len()).map(StateId::at)
    }

    /// The tree of an edge.
    pub fn edge(&self, state: StateId, class: Class) -> Option<TreeId> {
        let edges = &self.states[state.index()].edges;
        edges
            .binary_search_by_key(&class, |e| e.0)
            .ok()
            .map(|at| edges[at].1)
    }

    /// For each frame the frames that can lie right above it, ascending.
    pub(crate) fn over(&self) -> Csr<FrameId> {
        let under = (0..).map(FrameId::new).zip(&self.under);
        let pairs = under
            .flat_map(|(frame, under)| under.iter().map(move |&below| (u32::from(below), frame)));
        Csr::new(self.under.len(), pairs)
    }

    /// Renumbers the frames; `number` is a permutation that maps the bottom to itself.
    pub fn number_frames(&mut self, number: &[FrameId]) {
        let renumber = |frame: &mut FrameId| *frame = number[frame.index()];
        let renumber_all = |frames: &mut Vec<FrameId>| {
            frames.iter_mut().for_each(renumber);
            frames.sort_unstable();
        };
        for tree in &mut self.trees {
            match tree {
                Tree::Leaf(alternatives) => {
                    let pushed = alternatives.iter_mut().filter_map(|a| a.push.as_mut());
                    pushed.for_each(renumber);
                }
                Tree::Look { branches, .. } => {
                    branches
                        .iter_mut()
                        .for_each(|branch| renumber(&mut branch.0));
                    branches.sort_unstable_by_key(|branch| branch.0);
                }
            }
        }
        self.states
            .iter_mut()
            .for_each(|state| renumber_all(&mut state.top));
        self.under.iter_mut().for_each(renumber_all);
        reorder(&mut self.under, number);
    }

    /// Renumbers the states; `number` is a permutation.
    pub fn number_states(&mut self, number: &[StateId]) {
        let renumber = |state: &mut StateId| *state = number[state.index()];
        for tree in &mut self.trees {
            if let Tree::Leaf(alternatives) = tree {
                alternatives.iter_mut().for_each(|a| renumber(&mut a.next));
            }
        }
        renumber(&mut self.start);
        reorder(&mut self.states, number);
    }

    /// Calls `visit` with the alternatives of every leaf below `tree`.
    pub fn leaves(&self, tree: TreeId, visit: &mut impl FnMut(&[Alternative])) {
        match &self.trees[tree.index()] {
            Tree::Leaf(alternatives) => visit(alternatives),
            Tree::Look { branches, .. } => branches.iter().for_each(|b| self.leaves(b.1, visit)),
        }
    }

    /// Whether some alternative below `tree` is a non-consuming transition.
    pub fn takes_again(&self, tree: TreeId) -> bool {
        let mut again = false;
        self.leaves(tree, &mut |leaf| again |= leaf.iter().any(|a| a.again));
        again
    }
}

#[cfg(test)]
mod tests {
    use super::{StateId, reorder};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_come_to_their_places(number in Just((0..20).map(StateId::new).collect::<Vec<_>>()).prop_shuffle()) {
            let mut items = number.clone();
            reorder(&mut items, &number);
            prop_assert!(items.is_sorted());
        }
    }
}
