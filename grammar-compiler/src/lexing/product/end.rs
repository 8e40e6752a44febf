//! The end of the text.
//!
//! In: a node. Out: the tree of its edge for the end. A terminal that ends there is taken by the
//! parser in the same edge, and the parser's own edge for the end is seen from before that.

use super::seen::{Looked, Seen};
use super::take::unchanged;
use super::{Builder, EndedId, GhostId, NONE, Node};
use crate::limits::LimitExceeded;
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, StateId, TreeId};

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
        change: Alternative,
        looked: &Looked,
    ) -> Result<TreeId, LimitExceeded> {
        let end = self.parser.classes.end();
        self.seen(end, change, looked, &mut |builder, seen, _| {
            let ended = match seen {
                Seen::Once(total) if total.again => total,
                // What lies on the stack after the end plays no part.
                Seen::Once(Alternative { next, .. }) | Seen::PushesTwice(next, _) => {
                    unchanged(0, next)
                }
            };
            let ended = builder.to(ended, after_end(ended))?;
            Ok(builder.trees.leaf(vec![ended]))
        })
    }
}

/// The node after an alternative for the end of the text.
fn after_end(alternative: Alternative) -> Node {
    match alternative.again {
        true => Node::Finishing(alternative.next),
        false => Node::Between(alternative.next, NONE),
    }
}
