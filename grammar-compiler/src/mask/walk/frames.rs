//! The effect of the automaton's edges on known frames.

use super::known::{KnownFrames, KnownId};
use crate::mask::transitions::Transitions;
use crate::pda::{Alternative, FrameId, Pda, StateId, Tree, TreeId};

/// The stacks of known frames that occur, and the edges that change them.
pub struct WalkFrames<'a> {
    pda: &'a Pda,
    transitions: &'a Transitions,
    /// The stacks.
    pub known: KnownFrames,
}

impl<'a> WalkFrames<'a> {
    /// Only the empty stack occurs yet.
    pub fn new(pda: &'a Pda, transitions: &'a Transitions) -> Self {
        WalkFrames {
            pda,
            transitions,
            known: KnownFrames::new(),
        }
    }

    /// The leaf of a tree, if known frames decide it.
    pub fn resolve(&self, mut tree: TreeId, known: KnownId) -> Option<&'a [Alternative]> {
        loop {
            match &self.pda.trees[tree.index()] {
                Tree::Leaf(alternatives) => return Some(alternatives),
                Tree::Look { depth, branches } => {
                    let frame = self.known.get(known, *depth)?;
                    match branches.binary_search_by_key(&frame, |b| b.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return Some(&[]),
                    }
                }
            }
        }
    }

    /// The one next state and stack of a symbol, if known frames decide it and the symbol is
    /// consumed at once.
    pub fn simple(&mut self, tree: TreeId, known: KnownId) -> Option<(StateId, KnownId)> {
        match self.resolve(tree, known)? {
            [
                Alternative {
                    pop,
                    push,
                    next,
                    again: false,
                },
            ] => {
                let (pop, push, next) = (*pop, *push, *next);
                let popped = self.known.pop(known, pop)?;
                Some((next, self.pushed(popped, push)))
            }
            _ => None,
        }
    }

    /// Known frames with the frame on top that an edge pushes, if it pushes one.
    pub fn pushed(&mut self, known: KnownId, push: Option<FrameId>) -> KnownId {
        push.map_or(known, |frame| {
            let reserve = self.transitions.reserve(frame);
            self.known.push(known, frame, reserve)
        })
    }

    /// The frames that can lie right below the known ones in `state`.
    pub fn below(&self, state: StateId, known: KnownId) -> &'a [FrameId] {
        match self.known.bottom(known) {
            None => &self.pda.states[state.index()].top,
            Some(frame) => &self.pda.under[frame.index()],
        }
    }
}
