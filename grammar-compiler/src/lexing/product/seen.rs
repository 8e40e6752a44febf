//! An edge of the parser, seen from before a change of the stack.
//!
//! In: a change, of which some frames are known, and a symbol. Out: a tree over the stack before the
//! change, with what change and edge do together at its leaves.

use super::{Builder, DOING};
use crate::limits::LimitExceeded;
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, Class, FrameId, StateId, Tree, TreeId};

/// The frames that a path through a decision tree has looked at, by depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Looked(pub(super) Vec<(u8, FrameId)>);

impl Looked {
    pub(super) fn get(&self, depth: u8) -> Option<FrameId> {
        self.0
            .iter()
            .find(|look| look.0 == depth)
            .map(|look| look.1)
    }
}

/// What a change and an edge do together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// What one edge can do.
    Once(Alternative),
    /// Both push a frame, which one edge cannot; the symbol is taken, and leads to this state, with
    /// the edge's frame on top.
    PushesTwice(StateId, FrameId),
}

/// What becomes of a change and an edge together, below some looks.
type SeenMap<'f, B> = dyn FnMut(&mut B, Seen, &Looked) -> Result<TreeId, LimitExceeded> + 'f;

impl Builder<'_, '_> {
    /// The edge for a symbol after a change of the stack.
    pub(super) fn seen(
        &mut self,
        symbol: Class,
        change: Alternative,
        looked: &Looked,
        map: &mut SeenMap<'_, Self>,
    ) -> Result<TreeId, LimitExceeded> {
        match self.parser.edge(change.next, symbol) {
            Some(tree) => self.seen_tree(tree, symbol, change, &mut looked.clone(), map),
            None => Ok(TreeBuilder::REFUSES),
        }
    }

    fn seen_tree(
        &mut self,
        tree: TreeId,
        symbol: Class,
        change: Alternative,
        looked: &mut Looked,
        map: &mut SeenMap<'_, Self>,
    ) -> Result<TreeId, LimitExceeded> {
        let parser = self.parser;
        self.deadline.tick(DOING)?;
        match &parser.trees[tree.index()] {
            Tree::Leaf(alternatives) => {
                let mut all = TreeBuilder::REFUSES;
                for &alternative in alternatives {
                    let one = match together(change, alternative) {
                        // It is as if nothing had been changed.
                        Seen::Once(total) if total.again && total.pop == 0 => {
                            self.seen(symbol, total, looked, map)?
                        }
                        seen => map(self, seen, looked)?,
                    };
                    all = self.trees.join(all, one);
                }
                Ok(all)
            }
            Tree::Look { depth, branches } => {
                // How deep the frame lies before the change; one that is pushed is not there yet.
                let before = match change.push {
                    Some(_) => depth.checked_sub(1).map(|depth| depth + change.pop),
                    None => Some(depth + change.pop),
                };
                let (known, depth) = match before {
                    Some(depth) => (looked.get(depth), depth),
                    None => (change.push, 0),
                };
                if let Some(frame) = known {
                    return match branches.binary_search_by_key(&frame, |branch| branch.0) {
                        Ok(at) => self.seen_tree(branches[at].1, symbol, change, looked, map),
                        Err(_) => Ok(TreeBuilder::REFUSES),
                    };
                }
                let mut mapped = Vec::with_capacity(branches.len());
                for &(frame, branch) in branches {
                    looked.0.push((depth, frame));
                    mapped.push((frame, self.seen_tree(branch, symbol, change, looked, map)?));
                    looked.0.pop();
                }
                Ok(self.trees.look(depth, mapped))
            }
        }
    }
}

/// What a change does, and then an edge.
fn together(change: Alternative, edge: Alternative) -> Seen {
    let (pop, push) = match (change.push, edge.pop.checked_sub(1), edge.push) {
        (None, _, push) => (change.pop + edge.pop, push),
        (Some(_), Some(rest), push) => (change.pop + rest, push),
        (pushed, None, None) => (change.pop, pushed),
        (Some(_), None, Some(top)) => return Seen::PushesTwice(edge.next, top),
    };
    Seen::Once(Alternative { pop, push, ..edge })
}
