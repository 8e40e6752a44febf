//! Two slow matchers over the tree of a regular expression.
//!
//! [`Oracle::preferred`] goes back and forth as Python's `re` does; [`Oracle::ends`] computes sets.

use crate::characters::contains;
use crate::node::{Kind, Node};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A text to match in. `fuel` bounds the steps; when it is used up, the result is worthless.
pub(super) struct Oracle<'t> {
    pub(super) text: &'t [char],
    pub(super) fuel: Cell<usize>,
}

/// What is left to match: whether it does from a place on.
type Rest<'k> = &'k mut dyn FnMut(usize) -> bool;

/// The bounds of a repetition and its body.
#[derive(Clone, Copy)]
struct Loop<'n> {
    of: &'n Node,
    min: u32,
    max: u32,
    is_lazy: bool,
}

impl Oracle<'_> {
    /// Where the preferred match at the start ends.
    pub(super) fn preferred(&self, node: &Node) -> Option<usize> {
        let mut end = None;
        self.matches(node, 0, &mut |at| {
            end = Some(at);
            true
        });
        end
    }

    fn is_out_of_fuel(&self) -> bool {
        self.fuel.set(self.fuel.get().saturating_sub(1));
        self.fuel.get() == 0
    }

    fn char_in(&self, node: &Node, at: usize) -> bool {
        let Some(&c) = self.text.get(at) else {
            return false;
        };
        match &node.kind {
            Kind::Class { ranges, .. } => contains(ranges, c),
            Kind::Byte(ranges) => {
                let first = c.to_string().as_bytes()[0];
                ranges
                    .iter()
                    .any(|&(low, high)| low <= first && first <= high)
            }
            _ => false,
        }
    }

    fn matches(&self, node: &Node, at: usize, rest: Rest<'_>) -> bool {
        if self.is_out_of_fuel() {
            return false;
        }
        match &node.kind {
            Kind::Class { .. } | Kind::Byte(_) => self.char_in(node, at) && rest(at + 1),
            Kind::Seq(parts) => self.sequence(parts, at, rest),
            Kind::Alt(parts) => parts.iter().any(|part| self.matches(part, at, rest)),
            Kind::Repeat {
                of,
                min,
                max,
                is_lazy,
            } => {
                let bounds = Loop {
                    of,
                    min: *min,
                    max: max.unwrap_or(u32::MAX),
                    is_lazy: *is_lazy,
                };
                self.repeat(bounds, 0, None, at, rest)
            }
            Kind::Look {
                of,
                is_behind,
                is_negative,
            } => self.look(of, *is_behind, at) != *is_negative && rest(at),
            _ => panic!("the oracle does not know {node:?}"),
        }
    }

    fn sequence(&self, parts: &[Node], at: usize, rest: Rest<'_>) -> bool {
        match parts.split_first() {
            None => rest(at),
            Some((first, others)) => {
                self.matches(first, at, &mut |at| self.sequence(others, at, rest))
            }
        }
    }

    /// A body is not entered where it was entered before: then it has matched the empty text.
    fn repeat(
        &self,
        bounds: Loop<'_>,
        count: u32,
        entered: Option<usize>,
        at: usize,
        rest: Rest<'_>,
    ) -> bool {
        if count < bounds.min {
            return self.matches(bounds.of, at, &mut |to| {
                self.repeat(bounds, count + 1, None, to, rest)
            });
        }
        if bounds.is_lazy && rest(at) {
            return true;
        }
        let again = count < bounds.max
            && entered != Some(at)
            && self.matches(bounds.of, at, &mut |to| {
                self.repeat(bounds, count + 1, Some(at), to, rest)
            });
        again || (!bounds.is_lazy && rest(at))
    }

    fn look(&self, of: &Node, is_behind: bool, at: usize) -> bool {
        match is_behind {
            false => self.matches(of, at, &mut |_| true),
            true => (0..=at).any(|from| self.matches(of, from, &mut |to| to == at)),
        }
    }

    /// All places where a match that begins at one of `starts` ends.
    pub(super) fn ends(&self, node: &Node, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        match &node.kind {
            Kind::Class { .. } | Kind::Byte(_) => {
                let fits = |&&at: &&usize| self.char_in(node, at);
                starts.iter().filter(fits).map(|at| at + 1).collect()
            }
            Kind::Seq(parts) => {
                (parts.iter()).fold(starts.clone(), |starts, part| self.ends(part, &starts))
            }
            Kind::Alt(parts) => (parts.iter())
                .flat_map(|part| self.ends(part, starts))
                .collect(),
            Kind::Repeat { of, min, max, .. } => {
                let mut now = starts.clone();
                for _ in 0..*min {
                    now = self.ends(of, &now);
                }
                let mut all = now.clone();
                for _ in *min..max.unwrap_or(u32::MAX) {
                    now = self.ends(of, &now);
                    let before = all.len();
                    all.extend(&now);
                    if all.len() == before {
                        break;
                    }
                }
                all
            }
            Kind::Look {
                of,
                is_behind,
                is_negative,
            } => {
                let from = |at: usize| BTreeSet::from([at]);
                let holds = |&at: &usize| match is_behind {
                    false => !self.ends(of, &from(at)).is_empty(),
                    true => (0..=at).any(|start| self.ends(of, &from(start)).contains(&at)),
                };
                (starts.iter().copied())
                    .filter(|at| holds(at) != *is_negative)
                    .collect()
            }
            _ => panic!("the oracle does not know {node:?}"),
        }
    }
}
