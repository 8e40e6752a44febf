//! Where two readings of a text come apart.
//!
//! In: two trees, of texts that begin alike. Out: [`Parting`]: the rule in which they differ first, from the left, and
//! what either goes on with there.

use super::forest::{Forest, NodeId};
use crate::grammar::RuleId;

/// How deep nodes that are compared may lie within each other.
const MAX_DEPTH: usize = 300;

/// Where two readings come apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The rule that both are in.
    pub rule: RuleId,
    /// What one goes on with: a rule, and the place in the text where it begins; `None` if it calls no further rule.
    pub one: Option<(RuleId, usize)>,
    /// The same of the other.
    pub other: Option<(RuleId, usize)>,
}

/// A node of a forest.
type In<'a, 'g> = (&'a Forest<'g>, NodeId);

/// Where `one` and `other` come apart; `None` if they are alike as far as both go.
pub fn parting(one: In<'_, '_>, other: In<'_, '_>) -> Option<Parting> {
    within(one, other, MAX_DEPTH)
}

/// Calls itself no deeper than `depth`.
fn within(one: In<'_, '_>, other: In<'_, '_>, depth: usize) -> Option<Parting> {
    let depth = depth.checked_sub(1)?;
    let ((first, a), (second, b)) = (one, other);
    let (a, b) = (first.node(a), second.node(b));
    for at in 0..a.children.len().max(b.children.len()) {
        let (x, y) = (a.children.get(at).copied(), b.children.get(at).copied());
        let place = |(forest, id): In<'_, '_>| {
            let node = forest.node(id);
            (node.rule, node.start)
        };
        let here = Parting {
            rule: a.rule,
            one: x.map(|x| place((first, x))),
            other: y.map(|y| place((second, y))),
        };
        if here.one != here.other {
            return Some(here);
        }
        // The same rule begins in both: what differs within lies further left than what follows.
        if let Some((x, y)) = x.zip(y)
            && let Some(found) = within((first, x), (second, y), depth)
        {
            return Some(found);
        }
    }
    None
}
