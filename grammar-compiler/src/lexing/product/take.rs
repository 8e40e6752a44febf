//! The parser takes a symbol.
//!
//! In: a state of the parser, a symbol, and what follows it. Out: the tree of the parser's edge, of
//! which each leaf leads to a node of the product.

use super::seen::{Looked, Seen};
use super::{Asked, Builder, DOING, EndedId, GhostId, Lives, Node, Obligations, PointId};
use crate::limits::LimitExceeded;
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, Class, StateId, TreeId};

/// What becomes of an alternative below some looks.
type LeafMap<'f, B> = dyn FnMut(&mut B, Alternative, &Looked) -> Result<TreeId, LimitExceeded> + 'f;

/// The parser stays in its state; `pushed` frames that the product has pushed are popped.
pub(super) fn unchanged(pushed: u8, state: StateId) -> Alternative {
    Alternative {
        pop: pushed,
        push: None,
        next: state,
        again: false,
    }
}

impl Builder<'_, '_> {
    /// The parser takes a symbol, below `pushed` frames; then a terminal begins with a byte, or the
    /// text ends. `next` is the class of the byte and the obligations behind it.
    pub(super) fn take(
        &mut self,
        state: StateId,
        symbol: Class,
        pushed: u8,
        ghost: GhostId,
        next: Option<(u8, Obligations)>,
    ) -> Result<TreeId, LimitExceeded> {
        self.mapped(state, symbol, pushed, &mut |builder, total, looked| {
            if total.again {
                let node = Node::Taking(total.next, symbol, ghost);
                let taking = builder.to(total, node)?;
                return Ok(builder.trees.leaf(vec![taking]));
            }
            match next {
                Some((class, behind)) => builder.taken(total, behind, class, looked),
                None => builder.end_after(total, looked),
            }
        })
    }

    /// Goes on after a change of the stack, of which some frames are known: a terminal begins with a
    /// byte.
    pub(super) fn taken(
        &mut self,
        alternative: Alternative,
        behind: Obligations,
        class: u8,
        looked: &Looked,
    ) -> Result<TreeId, LimitExceeded> {
        let next = alternative.next;
        let Some(point) = self.lexemes.first(self.start(next), class, behind) else {
            return Ok(TreeBuilder::REFUSES);
        };
        if let Some(ends) = self.ends_at_once(point) {
            return self.end_at_once(alternative, &ends, point, class, looked);
        }
        self.where_lives(Asked::Point(point), alternative, looked, &mut |builder| {
            let entered = builder.enter_after(alternative, point)?;
            Ok(builder.trees.leaf(vec![entered]))
        })
    }

    /// The first byte of a terminal that goes on, after a change of the stack.
    fn enter_after(
        &mut self,
        alternative: Alternative,
        point: PointId,
    ) -> Result<Alternative, LimitExceeded> {
        match alternative.push {
            None => Ok(Alternative {
                pop: alternative.pop,
                ..self.enter(alternative.next, point)?
            }),
            // An edge pushes one frame: the second one follows with the next byte.
            Some(_) => self.to(alternative, Node::Within(Some(alternative.next), point)),
        }
    }

    /// After a change of the stack a byte of a class leads to a point at which these sets of
    /// terminals end whatever follows: they are taken with it.
    pub(super) fn end_at_once(
        &mut self,
        change: Alternative,
        ends: &[EndedId],
        point: PointId,
        class: u8,
        looked: &Looked,
    ) -> Result<TreeId, LimitExceeded> {
        let start = self.start(change.next);
        let (_, behind) = self.lexemes.of_point(point);
        let mut tree = TreeBuilder::REFUSES;
        for &ended in ends {
            if let Some(symbol) = self.lexemes.symbol(start, ended) {
                let taken = self.seen(symbol, change, looked, &mut |builder, seen, looked| {
                    builder.last_seen((seen, looked), change, symbol, point, class)
                })?;
                tree = self.trees.join(tree, taken);
            }
            if self.lexemes.has_ignored(ended) {
                let stays = self.last_taken(change, behind, looked)?;
                tree = self.trees.join(tree, stays);
            }
        }
        Ok(tree)
    }

    /// What a change of the stack and the parser's edge do, which takes a symbol that ends with a
    /// byte at a point.
    fn last_seen(
        &mut self,
        (seen, looked): (Seen, &Looked),
        change: Alternative,
        symbol: Class,
        point: PointId,
        class: u8,
    ) -> Result<TreeId, LimitExceeded> {
        let (_, behind) = self.lexemes.of_point(point);
        match seen {
            Seen::Once(total) => self.take_last((total, looked), symbol, behind, class),
            // The parser takes it; both frames are pushed with the next byte.
            Seen::PushesTwice(next, top) => {
                let asked = Asked::Between(self.lexemes.between(behind));
                let on_top = Alternative {
                    push: Some(top),
                    next,
                    ..change
                };
                self.where_lives(asked, on_top, looked, &mut |builder| {
                    let entered = builder.enter_after(change, point)?;
                    Ok(builder.trees.leaf(vec![entered]))
                })
            }
        }
    }

    /// The parser takes a symbol that ends with a byte of a class, or takes it again.
    pub(super) fn take_last(
        &mut self,
        (total, looked): (Alternative, &Looked),
        symbol: Class,
        obligations: Obligations,
        class: u8,
    ) -> Result<TreeId, LimitExceeded> {
        if !total.again {
            return self.last_taken(total, obligations, looked);
        }
        let node = Node::Ending(total.next, symbol, obligations, class);
        let again = self.to(total, node)?;
        Ok(self.trees.leaf(vec![again]))
    }

    /// Goes on between two terminals.
    pub(super) fn last_taken(
        &mut self,
        alternative: Alternative,
        obligations: Obligations,
        looked: &Looked,
    ) -> Result<TreeId, LimitExceeded> {
        let next = alternative.next;
        let asked = Asked::Between(self.lexemes.between(obligations));
        self.where_lives(asked, alternative, looked, &mut |builder| {
            let taken = builder.to(alternative, Node::Between(next, obligations))?;
            Ok(builder.trees.leaf(vec![taken]))
        })
    }

    /// A tree for the stacks on which something can be finished in the state after a change, of
    /// which some frames are known.
    pub(super) fn where_lives(
        &mut self,
        asked: Asked,
        change: Alternative,
        looked: &Looked,
        then: &mut dyn FnMut(&mut Self) -> Result<TreeId, LimitExceeded>,
    ) -> Result<TreeId, LimitExceeded> {
        let state = change.next;
        if let Some(top) = change.push.or_else(|| looked.get(change.pop)) {
            return match self.live.lives_on(state, top, asked) {
                true => then(self),
                false => Ok(TreeBuilder::REFUSES),
            };
        }
        let live = self.live;
        let lives = self.lives.entry((state, asked));
        let tops = match lives.or_insert_with(|| live.lives(state, asked)) {
            Lives::Never => return Ok(TreeBuilder::REFUSES),
            Lives::Always => return then(self),
            Lives::ByTop(tops) => tops.clone(),
        };
        let tree = then(self)?;
        self.deadline.ticks(tops.len(), DOING)?;
        // Frames on which nothing lives are named too: a tree joined with this may live there.
        let branches = tops.iter().map(|&(top, lives)| match lives {
            true => (top, tree),
            false => (top, TreeBuilder::REFUSES),
        });
        Ok(self.trees.look(change.pop, branches.collect()))
    }

    /// The same change of the stack, to another node.
    pub(super) fn to(
        &mut self,
        alternative: Alternative,
        node: Node,
    ) -> Result<Alternative, LimitExceeded> {
        Ok(Alternative {
            next: self.node(node, None)?,
            ..alternative
        })
    }

    /// The parser's edge for a symbol, with other leaves, seen from below `pushed` frames.
    pub(super) fn mapped(
        &mut self,
        state: StateId,
        symbol: Class,
        pushed: u8,
        map: &mut LeafMap<'_, Self>,
    ) -> Result<TreeId, LimitExceeded> {
        let change = unchanged(pushed, state);
        self.seen(
            symbol,
            change,
            &Looked::default(),
            &mut |builder, seen, looked| match seen {
                Seen::Once(total) => map(builder, total, looked),
                // The change pushes nothing.
                Seen::PushesTwice(..) => Ok(TreeBuilder::REFUSES),
            },
        )
    }
}
