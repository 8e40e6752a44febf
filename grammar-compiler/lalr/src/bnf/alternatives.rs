//! The alternatives of an expression: sequences of symbols, with unions multiplied out.
//!
//! What holds after: the alternatives are sorted and distinct. Lark drops duplicates too.

use super::tree::{Node, NodeId, Sym, Trees};
use crate::budget::Budget;
use crate::error::Error;
use std::collections::{BTreeMap, BTreeSet};

/// A sequence of symbols.
pub(super) type Alternative = Vec<Sym>;

/// Multiplies out the unions of expressions, one after the other.
pub(super) struct Expander {
    /// How many symbols may still be written.
    symbols: usize,
}

impl Expander {
    pub(super) fn new(symbols: usize) -> Self {
        Self { symbols }
    }

    /// The alternatives of `root`; `rule` is for errors.
    pub(super) fn expand(
        &mut self,
        trees: &Trees,
        root: NodeId,
        rule: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Alternative>, Error> {
        let mut done = BTreeMap::new();
        // Children come before their parents, so no recursion is needed.
        for id in below(trees, root) {
            let made = match trees.get(id) {
                Node::Symbol(symbol) => vec![vec![*symbol]],
                Node::Sequence(parts) => self.sequence(&done, parts, rule, budget)?,
                Node::Union(parts) => self.union(&done, parts, rule, budget)?,
            };
            done.insert(id, made);
        }
        Ok(done.remove(&root).unwrap_or_default())
    }

    fn union(
        &mut self,
        done: &BTreeMap<NodeId, Vec<Alternative>>,
        parts: &[NodeId],
        rule: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Alternative>, Error> {
        let mut all = Vec::new();
        for alternative in parts.iter().flat_map(|part| &done[part]) {
            self.pay(alternative.len(), rule, budget)?;
            all.push(alternative.clone());
        }
        Ok(distinct(all))
    }

    fn sequence(
        &mut self,
        done: &BTreeMap<NodeId, Vec<Alternative>>,
        parts: &[NodeId],
        rule: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Alternative>, Error> {
        let mut all = vec![Vec::new()];
        for part in parts {
            let options = &done[part];
            if let [only] = options.as_slice() {
                for alternative in &mut all {
                    self.pay(only.len(), rule, budget)?;
                    alternative.extend_from_slice(only);
                }
                continue;
            }
            let mut longer = Vec::new();
            for (start, option) in all.iter().flat_map(|a| options.iter().map(move |b| (a, b))) {
                self.pay(start.len() + option.len(), rule, budget)?;
                longer.push([start.as_slice(), option.as_slice()].concat());
            }
            all = distinct(longer);
        }
        Ok(all)
    }

    /// Pays for writing an alternative.
    pub(super) fn pay(
        &mut self,
        symbols: usize,
        rule: usize,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        budget.spend(symbols + 1)?;
        let left = self.symbols.checked_sub(symbols + 1);
        self.symbols = left.ok_or_else(|| {
            let message = "the alternatives have too many symbols, written out".to_owned();
            Error::too_large(message, Some(rule))
        })?;
        Ok(())
    }
}

/// The nodes of an expression, smallest number first.
fn below(trees: &Trees, root: NodeId) -> Vec<NodeId> {
    let mut seen = BTreeSet::from([root]);
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        if let Node::Sequence(parts) | Node::Union(parts) = trees.get(id) {
            for &part in parts {
                if seen.insert(part) {
                    waiting.push(part);
                }
            }
        }
    }
    seen.into_iter().collect()
}

fn distinct(mut alternatives: Vec<Alternative>) -> Vec<Alternative> {
    alternatives.sort_unstable();
    alternatives.dedup();
    alternatives
}
