//! Cases of objects.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::Nodes;
use super::shape::least;
use super::{ANY, NEVER, NodeId, Problem};
use crate::schema::strings::Language;

/// Objects for which all of this holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectCase {
    /// Properties that are known by name, in the order in which they are written.
    pub names: Vec<Named>,
    /// The values of all other properties: a partition of all names. What it says of a name in `names` does not count.
    pub others: Vec<(Language, NodeId)>,
    /// Properties that there must be, known by a set of names only.
    pub exists: Vec<Exists>,
    /// The least number of properties.
    pub min: u64,
    /// The greatest number of properties.
    pub max: Option<u64>,
    /// The names that some keyword has evaluated. Only kept where `unevaluatedProperties` asks.
    pub evaluated: Language,
}

/// A property known by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: Arc<str>,
    /// Its value; [`NEVER`] if there must be no such property.
    pub value: NodeId,
    /// Whether it must be there.
    pub required: bool,
}

/// At least one property has a name of this language and a value of this node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exists {
    /// The names.
    pub names: Language,
    /// The values.
    pub value: NodeId,
}

impl ObjectCase {
    /// All objects.
    pub fn any() -> Self {
        ObjectCase {
            names: Vec::new(),
            others: vec![(Language::any(), ANY)],
            exists: Vec::new(),
            min: 0,
            max: None,
            evaluated: Language::empty(),
        }
    }

    /// Objects with (or without, for [`NEVER`]) a property.
    pub fn with(name: &str, value: NodeId, required: bool) -> Self {
        ObjectCase {
            names: vec![Named {
                name: name.into(),
                value,
                required,
            }],
            ..ObjectCase::any()
        }
    }

    /// The value of a property that is not among the names.
    pub fn other(&self, name: &str) -> NodeId {
        match self.others.as_slice() {
            [(language, value)] if language.is_any() => *value,
            others => (others.iter().find(|o| o.0.contains(name))).map_or(NEVER, |o| o.1),
        }
    }

    /// Gives `name` a place among the names, if it has none.
    pub fn know(&mut self, name: &str) {
        if !self.names.iter().any(|n| &*n.name == name) {
            let value = self.other(name);
            self.names.push(Named {
                name: name.into(),
                value,
                required: false,
            });
        }
    }

    /// The objects in both; nothing if there surely are none.
    pub fn intersect(&self, other: &Self, nodes: &mut Nodes) -> Result<Option<Self>, Problem> {
        let mut exists = self.exists.clone();
        for e in &other.exists {
            if !exists.contains(e) {
                exists.push(e.clone());
            }
        }
        let case = ObjectCase {
            names: self.common_names(other, nodes),
            others: common_others(&self.others, &other.others, nodes)?,
            exists,
            min: self.min.max(other.min),
            max: least(self.max, other.max),
            evaluated: self.evaluated.union(&other.evaluated)?,
        };
        Ok((!case.is_empty()).then_some(case))
    }

    fn common_names(&self, other: &Self, nodes: &mut Nodes) -> Vec<Named> {
        let theirs: HashMap<&str, &Named> = other.names.iter().map(|n| (&*n.name, n)).collect();
        let mine: HashMap<&str, ()> = self.names.iter().map(|n| (&*n.name, ())).collect();
        let mut names: Vec<Named> = Vec::with_capacity(self.names.len() + other.names.len());
        for named in &self.names {
            let (value, required) = match theirs.get(&*named.name) {
                Some(their) => (their.value, their.required),
                None => (other.other(&named.name), false),
            };
            names.push(Named {
                name: Arc::clone(&named.name),
                value: nodes.both(named.value, value),
                required: named.required || required,
            });
        }
        for named in &other.names {
            if !mine.contains_key(&*named.name) {
                let value = self.other(&named.name);
                names.push(Named {
                    value: nodes.both(value, named.value),
                    ..named.clone()
                });
            }
        }
        names
    }

    fn is_empty(&self) -> bool {
        let possible = |n: &&Named| n.value != NEVER;
        let required = self.names.iter().filter(|n| n.required).count() as u64;
        let closed = self.others.iter().all(|o| o.1 == NEVER);
        self.names.iter().any(|n| n.required && n.value == NEVER)
            || self.max.is_some_and(|max| self.min > max || required > max)
            || closed && (self.names.iter().filter(possible).count() as u64) < self.min
            || self.exists.iter().any(|e| self.cannot_have(e))
    }

    fn cannot_have(&self, exists: &Exists) -> bool {
        exists.value == NEVER
            || exists.names.is_empty()
            || (self.names.iter()).all(|n| n.value == NEVER || !exists.names.contains(&n.name))
                && (self.others.iter()).all(|o| o.1 == NEVER || o.0.is_disjoint(&exists.names))
    }

    /// All other objects.
    pub fn complement(&self, nodes: &mut Nodes) -> Result<Vec<Self>, Problem> {
        let mut out = Vec::new();
        for named in &self.names {
            if named.required {
                out.push(ObjectCase::with(&named.name, NEVER, false));
            }
            if named.value != ANY {
                let value = nodes.negation(named.value);
                out.push(ObjectCase::with(&named.name, value, true));
            }
        }
        let known = Language::literals(self.names.iter().map(|n| &*n.name))?;
        for (names, value) in self.others.iter().filter(|o| o.1 != ANY) {
            let exists = Exists {
                names: names.minus(&known)?,
                value: nodes.negation(*value),
            };
            if !exists.names.is_empty() {
                out.push(ObjectCase {
                    exists: vec![exists],
                    ..ObjectCase::any()
                });
            }
        }
        for Exists { names, value } in &self.exists {
            out.push(ObjectCase {
                others: vec![
                    (names.clone(), nodes.negation(*value)),
                    (names.complement(), ANY),
                ],
                ..ObjectCase::any()
            });
        }
        if self.min > 0 {
            out.push(ObjectCase {
                max: Some(self.min - 1),
                ..ObjectCase::any()
            });
        }
        if let Some(max) = self.max {
            out.push(ObjectCase {
                min: max.saturating_add(1),
                ..ObjectCase::any()
            });
        }
        Ok(out)
    }

    /// Whether every object of this case is surely in `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        let value = |case: &Self, name: &str| {
            let named = case.names.iter().find(|n| &*n.name == name);
            named.map_or((case.other(name), false), |n| (n.value, n.required))
        };
        let covered =
            |mine: NodeId, theirs: NodeId| theirs == ANY || mine == theirs || mine == NEVER;
        self.evaluated == other.evaluated
            && self.min >= other.min
            && other
                .max
                .is_none_or(|max| self.max.is_some_and(|mine| mine <= max))
            && other.exists.iter().all(|e| self.exists.contains(e))
            && self
                .names
                .iter()
                .all(|n| covered(n.value, value(other, &n.name).0))
            && other.names.iter().all(|n| {
                let (mine, required) = value(self, &n.name);
                covered(mine, n.value) && (required || !n.required)
            })
            && self.others.iter().all(|mine| {
                other
                    .others
                    .iter()
                    .all(|their| covered(mine.1, their.1) || mine.0.is_disjoint(&their.0))
            })
    }
}

/// The common refinement of two partitions.
fn common_others(
    a: &[(Language, NodeId)],
    b: &[(Language, NodeId)],
    nodes: &mut Nodes,
) -> Result<Vec<(Language, NodeId)>, Problem> {
    let mut out: Vec<(Language, NodeId)> = Vec::new();
    for (mine, my_value) in a {
        for (their, their_value) in b {
            let language = mine.intersect(their)?;
            if language.is_empty() {
                continue;
            }
            let value = nodes.both(*my_value, *their_value);
            match out.iter_mut().find(|o| o.1 == value) {
                Some(known) => known.0 = known.0.union(&language)?,
                None => out.push((language, value)),
            }
        }
    }
    Ok(out)
}
