//! Edges, followed as far as the known frames decide them.
//!
//! In: an edge of a node. Out: its outcomes: the nodes at which its symbol is taken, and the exits
//! at which it asks for one more frame.

use super::{ANY, Exit, ExitId, ExitOutcome, NodeExits};
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, StateId, Tree, TreeId};

impl NodeExits<'_> {
    /// Follows a tree as far as the known frames decide it.
    pub(super) fn advance(
        &mut self,
        mut tree: TreeId,
        class: Class,
        known: &[FrameId],
        outcomes: &mut Vec<ExitOutcome>,
    ) {
        let pda = self.pda;
        loop {
            match &pda.trees[tree.index()] {
                Tree::Leaf(leaf) => {
                    for &alternative in leaf {
                        self.take(alternative, class, known, outcomes);
                    }
                    return;
                }
                Tree::Look { depth, branches } => {
                    let Some(frame) = frame_at(known, *depth) else {
                        let exit = Exit::Look {
                            tree,
                            class: self.class(tree, class),
                            known: known.to_vec(),
                        };
                        return outcomes
                            .push(ExitOutcome::Asks(ExitId::new(self.exits.intern(exit))));
                    };
                    match branches.binary_search_by_key(&frame, |branch| branch.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return,
                    }
                }
            }
        }
    }

    /// Follows an alternative as far as the known frames go.
    pub(super) fn take(
        &mut self,
        alternative: Alternative,
        class: Class,
        known: &[FrameId],
        outcomes: &mut Vec<ExitOutcome>,
    ) {
        let pop = usize::from(alternative.pop);
        let ends_at_bottom = known.last() == Some(&BOTTOM);
        if pop > 0 && ends_at_bottom && pop >= known.len() {
            return;
        }
        let Some(rest) = known.get(pop..) else {
            let pop = (pop - known.len()) as u8;
            let exit = Exit::Pop {
                rest: Alternative { pop, ..alternative },
                class: if alternative.again { class } else { ANY },
            };
            return outcomes.push(ExitOutcome::Asks(ExitId::new(self.exits.intern(exit))));
        };
        let rest: Vec<FrameId> = alternative
            .push
            .into_iter()
            .chain(rest.iter().copied())
            .collect();
        if !alternative.again {
            return outcomes.push(ExitOutcome::Taken(self.node(alternative.next, rest)));
        }
        if let Some(tree) = self.pda.edge(alternative.next, class) {
            self.advance(tree, class, &rest, outcomes);
        }
    }

    /// The class, if what follows still depends on it; otherwise [`ANY`].
    fn class(&self, tree: TreeId, class: Class) -> Class {
        match self.repeats[tree.index()] {
            true => class,
            false => ANY,
        }
    }
}

/// The frame at a depth, if it is known; below the bottom there is the bottom.
fn frame_at(known: &[FrameId], depth: u8) -> Option<FrameId> {
    let bottom = known.last().copied().filter(|&frame| frame == BOTTOM);
    known.get(usize::from(depth)).copied().or(bottom)
}

/// For each state the first one at or after it that has a choice, or ends, or touches the stack: it
/// has the same exits.
pub(super) fn deciding(pda: &Pda) -> Vec<StateId> {
    let next = |state: StateId| match pda.states[state.index()].edges.as_slice() {
        [first, others @ ..] if others.iter().all(|other| other.1 == first.1) => {
            pda.trees[first.1.index()].goto()
        }
        _ => None,
    };
    const OPEN: StateId = StateId::new(u32::MAX);
    let mut deciding = vec![OPEN; pda.states.len()];
    let mut passed = Vec::new();
    for state in pda.state_ids() {
        let mut at = state;
        // A cycle is left where it is entered.
        while deciding[at.index()] == OPEN {
            deciding[at.index()] = at;
            passed.push(at);
            at = next(at).unwrap_or(at);
        }
        let last = deciding[at.index()];
        passed
            .drain(..)
            .for_each(|state| deciding[state.index()] = last);
    }
    deciding
}
