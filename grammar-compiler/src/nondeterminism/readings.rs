//! Where two readings of a text come apart.
//!
//! In: two trees, of texts that begin alike. Out: [`Parting`]: the rule in which they first differ,
//! from the left, and the part of its right part that each of them has reached there.

use super::forest::{DerivationId, Forest};
use super::way::{WayStep, way};
use crate::grammar::{Expr, RuleId};
use crate::source::Span;

/// How deep nodes that are compared may lie within each other.
const MAX_DEPTH: usize = 300;

/// Where two readings come apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The rule that both are in.
    pub rule: RuleId,
    /// The first place in the text where they are in different parts of that rule.
    pub at: usize,
    /// What begins there in one reading.
    pub one: Side,
    /// What the other has reached.
    pub other: Side,
}

/// What a reading has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It goes on with a rule that is named at this place.
    Begins(RuleId, Span),
    /// It is inside a rule that is named at this place and began earlier in the text.
    Within(RuleId, Span),
    /// It goes on with text of the rule itself.
    Text(Span),
    /// It has come to the rule's end.
    Ended,
}

/// A node of a forest.
type In<'a, 'g> = (&'a Forest<'g>, DerivationId);

/// Where `one` and `other` come apart; `None` if they are alike as far as both go.
pub fn parting(one: In<'_, '_>, other: In<'_, '_>) -> Option<Parting> {
    within(one, other, MAX_DEPTH)
}

/// Calls itself no deeper than `depth`.
fn within(one: In<'_, '_>, other: In<'_, '_>, depth: usize) -> Option<Parting> {
    let depth = depth.checked_sub(1)?;
    let ((first, a), (second, b)) = (one, other);
    let (a, b) = (first.node(a), second.node(b));
    for number in 0..a.children.len().max(b.children.len()) {
        let (x, y) = (
            a.children.get(number).copied(),
            b.children.get(number).copied(),
        );
        let child = |(forest, id): In<'_, '_>| {
            let node = forest.node(id);
            (node.start, node.rule)
        };
        let (begun, other_begun) = (x.map(|x| child((first, x))), y.map(|y| child((second, y))));
        if begun != other_begun {
            let start = |child: Option<(usize, RuleId)>| child.map_or(usize::MAX, |child| child.0);
            let at = start(begun).min(start(other_begun));
            let (mut one, mut other) = (side(one, at), side(other, at));
            if !matches!(one, Side::Begins(..)) {
                std::mem::swap(&mut one, &mut other);
            }
            let rule = a.rule;
            return Some(Parting {
                rule,
                at,
                one,
                other,
            });
        }
        // The same rule begins in both: a difference inside it lies further left than one after it.
        if let Some((x, y)) = x.zip(y)
            && let Some(found) = within((first, x), (second, y), depth)
        {
            return Some(found);
        }
    }
    None
}

/// What a node has reached at a place of the text.
fn side((forest, id): In<'_, '_>, at: usize) -> Side {
    let node = forest.node(id);
    let rule = forest.grammar().rules.get(node.rule.0 as usize);
    let steps = way(forest, id).unwrap_or_default();
    let covers = |step: &&WayStep<'_>| (step.start..step.end).contains(&at);
    let (Some(rule), Some(step)) = (rule, steps.iter().find(covers)) else {
        return Side::Ended;
    };
    let place = rule.place_of(step.part);
    match step.part {
        Expr::Ref(id) if step.start == at => Side::Begins(*id, place),
        Expr::Ref(id) => Side::Within(*id, place),
        _ => Side::Text(place),
    }
}
