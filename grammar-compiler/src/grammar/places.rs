//! Where the parts of a rule stand in the source.
//!
//! In: a rule whose front end noted a place for each part of its right part, in preorder. Out: the
//! place of a part, and the part at a place. A part is a reference into the rule's own expression.
//! Its address identifies it, since equal parts can stand in several places.

use std::ptr::from_ref;

use crate::maps::IdMap;

use super::{Expr, Grammar, Rule};
use crate::source::Span;

/// A place in terms of the grammar: a rule, and the number of a part in preorder, or the rule's
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Index of the rule.
    pub rule: u32,
    /// Index in [`Rule::places`]; `None` for the name.
    pub part: Option<u32>,
}

impl Expr {
    /// Calls `visit` with each part, in preorder, until it says that it is enough.
    pub fn any<'e>(&'e self, visit: &mut impl FnMut(&'e Expr) -> bool) -> bool {
        visit(self)
            || match self {
                Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().any(|part| part.any(visit)),
                Expr::Repeat { expr, .. } => expr.any(visit),
                // An automaton that a front end has computed has no places.
                _ => false,
            }
    }

    /// Number of its parts in preorder, itself among them.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.any(&mut |_| {
            count += 1;
            false
        });
        count
    }
}

impl Rule {
    /// The places of these parts of the right part, in their order; for a part without a known
    /// place that of the rule's name.
    pub fn places_of(&self, parts: &[&Expr]) -> Vec<Span> {
        let mut found: IdMap<*const Expr, Option<Span>> =
            parts.iter().map(|&part| (from_ref(part), None)).collect();
        let mut places = self.places.iter();
        self.expr.any(&mut |part| {
            let place = places.next();
            if let Some(found) = found.get_mut(&from_ref(part)) {
                *found = place.copied();
            }
            place.is_none()
        });
        let place = |&part| found.get(&from_ref::<Expr>(part)).copied().flatten();
        let places = parts.iter().map(|part| place(part).unwrap_or(self.span));
        places.collect()
    }

    /// The place of one part.
    pub fn place_of(&self, part: &Expr) -> Span {
        let place = self.places_of(&[part]).first().copied();
        place.unwrap_or(self.span)
    }

    /// The same rule without places: to compare what rules mean.
    #[must_use]
    pub fn without_places(self) -> Self {
        Rule {
            span: Span::default(),
            places: Vec::new(),
            ..self
        }
    }
}

impl Grammar {
    /// What stands at a place: a name or the first part that has it.
    #[doc(hidden)]
    pub fn site(&self, span: Span) -> Option<Site> {
        let mut rules = (0..).zip(&self.rules);
        rules.find_map(|(rule, of)| {
            let part = (0..).zip(&of.places).find(|place| *place.1 == span);
            match part {
                Some((part, _)) => Some(Site {
                    rule,
                    part: Some(part),
                }),
                None => (of.span == span).then_some(Site { rule, part: None }),
            }
        })
    }

    /// Where it stands.
    #[doc(hidden)]
    pub fn place(&self, site: Site) -> Option<Span> {
        let rule = self.rules.get(site.rule as usize)?;
        match site.part {
            None => Some(rule.span),
            Some(part) => rule.places.get(part as usize).copied(),
        }
    }
}
