//! Derivations of one node: which parts of its rule's right part it goes through.
//!
//! In: a node of a [`Forest`]. Out: one way through the right part over the node's text and
//! children, as the references and terminals that it takes, in order. A node may have several ways,
//! which are one reading; the first found will do.

use std::collections::{BTreeMap, BTreeSet};

use super::forest::{DerivationId, Forest, edges};
use crate::grammar::Expr;

/// Expressions that are looked at for one node.
const BUDGET: usize = 200_000;

/// A reference or terminal that a way takes.
#[derive(Clone, Copy, Debug)]
pub struct WayStep<'g> {
    /// The part of the right part.
    pub part: &'g Expr,
    /// Where it begins in the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// How far a way has got: the place in the text, and the number of children passed.
type Reached = (usize, usize);

/// The ways to each place, one for each.
type ReachedWays<'g> = BTreeMap<Reached, Vec<WayStep<'g>>>;

/// A way through the right part of `node`.
pub fn way<'g>(forest: &Forest<'g>, node: DerivationId) -> Option<Vec<WayStep<'g>>> {
    let of = forest.node(node);
    let rule = forest.grammar().rules.get(of.rule.0 as usize)?;
    let mut walker = WayWalker {
        forest,
        children: &of.children,
        budget: BUDGET,
    };
    let mut ways = walker.ways(&rule.expr, (of.start, 0))?;
    ways.remove(&(of.end, of.children.len()))
}

struct WayWalker<'f, 'g> {
    forest: &'f Forest<'g>,
    children: &'f [DerivationId],
    budget: usize,
}

impl<'g> WayWalker<'_, 'g> {
    /// Calls itself no deeper than expressions nest.
    fn ways(&mut self, expr: &'g Expr, from: Reached) -> Option<ReachedWays<'g>> {
        self.budget = self.budget.checked_sub(1)?;
        let (at, passed) = from;
        let step = |end| WayStep {
            part: expr,
            start: at,
            end,
        };
        if let Some(ends) = self.forest.ends(expr, at) {
            let way = |end| ((end, passed), vec![step(end)]);
            return Some(ends.into_iter().map(way).collect());
        }
        let Expr::Ref(rule) = expr else {
            return self.walk(expr, from);
        };
        let mut out = ReachedWays::new();
        if self.forest.can_be_empty(*rule, at) {
            out.insert(from, Vec::new());
        }
        let child = self.children.get(passed).map(|&id| self.forest.node(id));
        if let Some(child) = child.filter(|child| child.rule == *rule && child.start == at) {
            out.insert((child.end, passed + 1), vec![step(child.end)]);
        }
        Some(out)
    }

    fn walk(&mut self, expr: &'g Expr, from: Reached) -> Option<ReachedWays<'g>> {
        let mut seen = BTreeSet::new();
        let mut out = ReachedWays::new();
        let mut pending = vec![(from, 0, Vec::new())];
        while let Some((at, state, path)) = pending.pop() {
            if !seen.insert((at, state)) {
                continue;
            }
            let mut parts = Vec::new();
            if edges(expr, state, &mut |part, target| parts.push((part, target))) {
                out.entry(at).or_insert_with(|| path.clone());
            }
            // The last is looked at first.
            for (part, target) in parts.into_iter().rev() {
                for (to, more) in self.ways(part, at)? {
                    pending.push((to, target, [path.as_slice(), &more].concat()));
                }
            }
        }
        Some(out)
    }
}
