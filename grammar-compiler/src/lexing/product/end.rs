//! The end of the text.
//!
//! In: a node. Out: the tree of its edge for the end. A terminal that ends there is taken by the
//! parser in the same edge, and the parser's own edge for the end is seen from before that.

use super::take::{Looked, unchanged};
use super::{Builder, EndedId, GhostId, NONE, Node};
use crate::limits::LimitExceeded;
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, StateId, Tree, TreeId};

impl Builder<'_, '_> {
    /// The end of the text between two terminals.
    pub(super) fn end_between(&mut self, state: StateId) -> Result<TreeId, LimitExceeded> {
        let end = self.parser.classes.end();
        self.mapped(state, end, 0, &mut |builder, alternative, _| {
            let ended = builder.to(alternative, after_end(alternative))?;
            Ok(builder.trees.leaf(vec![ended]))
        })
    }

    /// The end of the text within a terminal, of which these sets end there.
    pub(super) fn end_within(
        &mut self,
        state: StateId,
        of: Option<StateId>,
        ends: &[(EndedId, GhostId)],
    ) -> Result<TreeId, LimitExceeded> {
        let start = self.start(state);
        let mut tree = TreeBuilder::REFUSES;
        let pushed = u8::from(of.is_none());
        for &(ended, ghost) in ends {
            if !self.lexemes.of_ghost(ghost).at_end {
                continue;
            }
            if let Some(symbol) = self.lexemes.symbol(start, ended) {
                let taken = self.take(state, symbol, pushed, ghost, None)?;
                tree = self.trees.join(tree, taken);
            }
            if self.lexemes.has_ignored(ended) {
                let stays = self.end_after(unchanged(pushed, state), &Looked::default())?;
                tree = self.trees.join(tree, stays);
            }
        }
        Ok(tree)
    }

    /// The end of the text after a change of the stack, of which some frames are known.
    pub(super) fn end_after(
        &mut self,
        alternative: Alternative,
        looked: &Looked,
    ) -> Result<TreeId, LimitExceeded> {
        match self
            .parser
            .edge(alternative.next, self.parser.classes.end())
        {
            Some(tree) => self.end_tree(tree, alternative, &mut looked.clone()),
            None => Ok(TreeBuilder::REFUSES),
        }
    }

    /// A tree for the end of the text, seen from before a change of the stack.
    fn end_tree(
        &mut self,
        tree: TreeId,
        change: Alternative,
        looked: &mut Looked,
    ) -> Result<TreeId, LimitExceeded> {
        let parser = self.parser;
        match &parser.trees[tree.place()] {
            Tree::Leaf(alternatives) => {
                let mut all = TreeBuilder::REFUSES;
                for &alternative in alternatives {
                    let one = self.end_by(alternative, change, looked)?;
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
                        Ok(at) => self.end_tree(branches[at].1, change, looked),
                        Err(_) => Ok(TreeBuilder::REFUSES),
                    };
                }
                let mut mapped = Vec::with_capacity(branches.len());
                for &(frame, branch) in branches {
                    looked.0.push((depth, frame));
                    mapped.push((frame, self.end_tree(branch, change, looked)?));
                    looked.0.pop();
                }
                Ok(self.trees.look(depth, mapped))
            }
        }
    }

    /// An alternative for the end of the text, seen from before a change of the stack.
    fn end_by(
        &mut self,
        alternative: Alternative,
        change: Alternative,
        looked: &mut Looked,
    ) -> Result<TreeId, LimitExceeded> {
        // What lies on the stack after the end plays no part.
        let mut pop = 0;
        if alternative.again {
            pop = change.pop + alternative.pop - u8::from(change.push.is_some());
            if pop == 0 {
                let unchanged = Alternative {
                    pop,
                    push: None,
                    ..alternative
                };
                return self.end_after(unchanged, looked);
            }
        }
        let to = Alternative {
            pop,
            push: None,
            ..alternative
        };
        let ended = self.to(to, after_end(alternative))?;
        Ok(self.trees.leaf(vec![ended]))
    }
}

/// The node after an alternative for the end of the text.
fn after_end(alternative: Alternative) -> Node {
    match alternative.again {
        true => Node::Finishing(alternative.next),
        false => Node::Between(alternative.next, NONE),
    }
}
