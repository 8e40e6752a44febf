//! Cases of arrays.

use super::bounds::{self, least, reachable};
use super::node::Nodes;
use super::{ANY, NEVER, NodeId, Problem};
use crate::error::Code;
use crate::syntax::json_schema::model::Unique;

/// Arrays for which all of this holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayCase {
    /// The values of the first items. An array may be shorter.
    pub prefix: Vec<NodeId>,
    /// All further items.
    pub rest: NodeId,
    /// The least number of items.
    pub min: u64,
    /// The greatest number of items.
    pub max: Option<u64>,
    /// How many items of a kind there must be.
    pub contains: Vec<Contains>,
    /// Whether no two items are equal.
    pub unique: Unique,
    /// How many items some keyword has evaluated; `u64::MAX` for all. Only kept where
    /// `unevaluatedItems` asks.
    pub evaluated: u64,
}

/// A bound on the number of items, from one index on, that are in a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contains {
    /// The first index that counts.
    pub from: u64,
    /// The items that count.
    pub value: NodeId,
    /// The least number of them.
    pub min: u64,
    /// The greatest number of them.
    pub max: Option<u64>,
    /// Whether the items that count have been evaluated. Only kept where `unevaluatedItems` asks.
    pub evaluates: bool,
}

impl ArrayCase {
    /// All arrays.
    pub fn any() -> Self {
        ArrayCase {
            prefix: Vec::new(),
            rest: ANY,
            min: 0,
            max: None,
            contains: Vec::new(),
            unique: Unique::No,
            evaluated: 0,
        }
    }

    /// The node of the item at `index`.
    pub fn item(&self, index: usize) -> NodeId {
        self.prefix.get(index).copied().unwrap_or(self.rest)
    }

    /// The arrays in both; nothing if there surely are none.
    pub fn intersect(&self, other: &Self, nodes: &mut Nodes) -> Option<Self> {
        let length = self.prefix.len().max(other.prefix.len());
        let mut contains = self.contains.clone();
        for bound in &other.contains {
            if !contains.contains(bound) {
                contains.push(bound.clone());
            }
        }
        let mut case = ArrayCase {
            prefix: (0..length)
                .map(|at| nodes.both(self.item(at), other.item(at)))
                .collect(),
            rest: nodes.both(self.rest, other.rest),
            min: self.min.max(other.min),
            max: least(self.max, other.max),
            contains,
            unique: self.unique.max(other.unique),
            evaluated: self.evaluated.max(other.evaluated),
        };
        case.normalize();
        (!case.is_empty()).then_some(case)
    }

    /// Cuts what no array can have: items at and behind one without a value.
    pub fn normalize(&mut self) {
        let first_never = self.prefix.iter().position(|&n| n == NEVER);
        let end = match first_never {
            Some(at) => Some(at as u64),
            None if self.rest == NEVER => Some(self.prefix.len() as u64),
            None => None,
        };
        self.max = least(self.max, end);
        if let Some(max) = self.max {
            self.prefix
                .truncate(usize::try_from(max).unwrap_or(usize::MAX));
            if self.prefix.len() as u64 == max {
                self.rest = NEVER;
            }
        }
        while self.rest != NEVER && self.prefix.last() == Some(&self.rest) {
            self.prefix.pop();
        }
    }

    /// Whether there surely are none.
    pub fn is_empty(&self) -> bool {
        let is_never = |c: &Contains| {
            c.min > 0 && c.value == NEVER || bounds::is_empty(c.min, c.max.or(self.max))
        };
        bounds::is_empty(self.min, self.max) || self.contains.iter().any(is_never)
    }

    /// All other arrays.
    pub fn complement(&self, nodes: &mut Nodes) -> Result<Vec<Self>, Problem> {
        if self.unique != Unique::No {
            return Err(Problem::keyword(
                Code::SchemaUndecided,
                "uniqueItems",
                "its negation (some two items are equal) is no regular condition",
                "take `uniqueItems` out of the schemas under `not`, `oneOf` and `if`",
            ));
        }
        let mut out = Vec::new();
        for (at, &node) in self.prefix.iter().enumerate().filter(|p| *p.1 != ANY) {
            let mut prefix = vec![ANY; at];
            prefix.push(nodes.negation(node));
            out.push(ArrayCase {
                prefix,
                min: at as u64 + 1,
                ..ArrayCase::any()
            });
        }
        if self.rest != ANY {
            out.push(self.other_rest(nodes));
        }
        if self.min > 0 {
            out.push(ArrayCase {
                max: reachable(self.min - 1),
                ..ArrayCase::any()
            });
        }
        if let Some(max) = self.max {
            out.push(ArrayCase {
                min: max.saturating_add(1),
                ..ArrayCase::any()
            });
        }
        out.extend(self.contains.iter().flat_map(other_counts));
        Ok(out)
    }

    /// The arrays that break the condition on items behind the prefix.
    fn other_rest(&self, nodes: &mut Nodes) -> Self {
        let broken = Contains {
            from: self.prefix.len() as u64,
            value: nodes.negation(self.rest),
            min: 1,
            max: None,
            evaluates: false,
        };
        match broken.value {
            ANY => ArrayCase {
                min: broken.from + 1,
                ..ArrayCase::any()
            },
            _ => ArrayCase {
                contains: vec![broken],
                ..ArrayCase::any()
            },
        }
    }

    /// Whether every array of this case is surely in `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        let length = self.prefix.len().max(other.prefix.len());
        let covered = |mine: NodeId, theirs: NodeId| theirs == ANY || mine == theirs;
        (0..length).all(|at| covered(self.item(at), other.item(at)))
            && covered(self.rest, other.rest)
            && self.min >= other.min
            && other
                .max
                .is_none_or(|max| self.max.is_some_and(|mine| mine <= max))
            && other.contains.iter().all(|c| self.contains.contains(c))
            && self.unique >= other.unique
            && self.evaluated == other.evaluated
    }
}

/// The arrays that contain fewer or more of what a bound counts.
fn other_counts(bound: &Contains) -> impl Iterator<Item = ArrayCase> {
    let with = |min, max| ArrayCase {
        contains: vec![Contains {
            min,
            max,
            evaluates: false,
            ..bound.clone()
        }],
        ..ArrayCase::any()
    };
    let fewer = (bound.min > 0).then(|| with(0, reachable(bound.min - 1)));
    let more = bound.max.map(|max| with(max.saturating_add(1), None));
    fewer.into_iter().chain(more)
}
