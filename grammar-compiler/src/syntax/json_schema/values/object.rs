//! Cases of objects.

use crate::maps::KeyedMap;
use std::cell::OnceCell;
use std::sync::Arc;

use super::bounds::{self, least, reachable};
use super::node::Nodes;
use super::{ANY, NEVER, NodeId, Problem};
use crate::limits::Deadline;
use crate::syntax::json_schema::strings::{Language, LanguageError};

/// Objects for which all of this holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectCase {
    /// Properties that are known by name, in the order in which they are written.
    pub names: Vec<NamedProperty>,
    /// The values of all other properties, by a partition of all names. For a name in `names` the
    /// partition does not count.
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
pub struct NamedProperty {
    /// The name.
    pub name: Arc<str>,
    /// Its value; [`NEVER`] if there must be no such property.
    pub value: NodeId,
    /// Whether it must be there.
    pub required: bool,
    /// Whether the schema gives it a place in the order; a name that is only demanded, by
    /// `required` say, has none and comes behind those that have.
    pub placed: bool,
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
            names: vec![NamedProperty {
                name: name.into(),
                value,
                required,
                placed: false,
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

    /// The names that are not known one by one, as far as their values count.
    pub fn unnamed(
        &self,
        counts: impl Fn(NodeId) -> bool,
        deadline: &Deadline,
    ) -> Result<Vec<(Language, NodeId)>, LanguageError> {
        let others: Vec<_> = self.others.iter().filter(|other| counts(other.1)).collect();
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let known = Language::literals(self.names.iter().map(|n| &*n.name), deadline)?;
        let mut unnamed = Vec::new();
        for (names, value) in others {
            let names = names.minus(&known, deadline)?;
            if !names.is_empty() {
                unnamed.push((names, *value));
            }
        }
        Ok(unnamed)
    }

    /// Demands these properties; those without a place among the names are given one behind the
    /// others.
    pub fn demand(&mut self, names: &[String]) {
        let known = (0..).zip(&self.names);
        let mut places: KeyedMap<Arc<str>, usize> = known
            .map(|(at, named)| (Arc::clone(&named.name), at))
            .collect();
        for name in names {
            match places.get(name.as_str()) {
                Some(&at) => self.names[at].required = true,
                None => {
                    let named = NamedProperty {
                        name: name.as_str().into(),
                        value: self.other(name),
                        required: true,
                        placed: false,
                    };
                    places.insert(Arc::clone(&named.name), self.names.len());
                    self.names.push(named);
                }
            }
        }
    }

    /// The objects in both; nothing if there surely are none.
    pub fn intersect(
        &self,
        other: &Self,
        nodes: &mut Nodes,
        deadline: &Deadline,
    ) -> Result<Option<Self>, Problem> {
        let mut exists = self.exists.clone();
        for e in &other.exists {
            if !exists.contains(e) {
                exists.push(e.clone());
            }
        }
        let case = ObjectCase {
            names: self.common_names(other, nodes),
            others: common_others(&self.others, &other.others, nodes, deadline)?,
            exists,
            min: self.min.max(other.min),
            max: least(self.max, other.max),
            evaluated: self.evaluated.union(&other.evaluated, deadline)?,
        };
        Ok((!case.is_empty(deadline)).then_some(case))
    }

    fn common_names(&self, other: &Self, nodes: &mut Nodes) -> Vec<NamedProperty> {
        let theirs: KeyedMap<&str, &NamedProperty> =
            other.names.iter().map(|n| (&*n.name, n)).collect();
        let mine: KeyedMap<&str, bool> =
            (self.names.iter().map(|n| (&*n.name, n.placed))).collect();
        // A name stands where the first that gives it a place puts it.
        let first =
            |n: &&NamedProperty| n.placed || !theirs.get(&*n.name).is_some_and(|t| t.placed);
        let second = |n: &&NamedProperty| match mine.get(&*n.name) {
            Some(placed) => n.placed && !placed,
            None => true,
        };
        let order = (self.names.iter().filter(first)).chain(other.names.iter().filter(second));
        let value_in = |case: &Self, names: &KeyedMap<&str, &NamedProperty>, name: &str| {
            let named = names.get(name);
            named.map_or((case.other(name), false), |n| (n.value, n.required))
        };
        let ours: KeyedMap<&str, &NamedProperty> =
            self.names.iter().map(|n| (&*n.name, n)).collect();
        let mut names: Vec<NamedProperty> = order
            .map(|named| {
                let (a, required_here) = value_in(self, &ours, &named.name);
                let (b, required_there) = value_in(other, &theirs, &named.name);
                NamedProperty {
                    name: Arc::clone(&named.name),
                    value: nodes.both(a, b),
                    required: required_here || required_there,
                    placed: named.placed,
                }
            })
            .collect();
        names.sort_by_key(|n| !n.placed);
        names
    }

    /// Whether there surely are none.
    pub fn is_empty(&self, deadline: &Deadline) -> bool {
        let possible = |n: &&NamedProperty| n.value != NEVER;
        let required = self.names.iter().filter(|n| n.required).count() as u64;
        let closed = self.others.iter().all(|o| o.1 == NEVER);
        self.names.iter().any(|n| n.required && n.value == NEVER)
            || bounds::is_empty(self.min.max(required), self.max)
            || closed && (self.names.iter().filter(possible).count() as u64) < self.min
            || self.exists.iter().any(|e| self.cannot_have(e, deadline))
    }

    fn cannot_have(&self, exists: &Exists, deadline: &Deadline) -> bool {
        exists.value == NEVER
            || exists.names.is_empty()
            || (self.names.iter()).all(|n| n.value == NEVER || !exists.names.contains(&n.name))
                && (self.others.iter())
                    .all(|o| o.1 == NEVER || o.0.is_disjoint(&exists.names, deadline))
    }

    /// All other objects, as cases that exclude each other: each breaks one condition and keeps
    /// those before it. Names with few values come first, since they tell alternatives apart.
    pub fn complement(
        &self,
        nodes: &mut Nodes,
        is_narrow: impl Fn(NodeId) -> bool,
        deadline: &Deadline,
    ) -> Result<Vec<Self>, Problem> {
        let mut out = Vec::new();
        let mut kept = self.break_names(nodes, is_narrow, &mut out);
        for (names, value) in self.unnamed(|value| value != ANY, deadline)? {
            let exists = Exists {
                names,
                value: nodes.negation(value),
            };
            out.push(ObjectCase {
                exists: vec![exists],
                ..kept.clone()
            });
        }
        kept.others = self.others.clone();
        for exists in &self.exists {
            let all = ObjectCase {
                others: vec![
                    (exists.names.clone(), nodes.negation(exists.value)),
                    (exists.names.complement(), ANY),
                ],
                ..ObjectCase::any()
            };
            out.extend(kept.intersect(&all, nodes, deadline)?);
            kept.exists.push(exists.clone());
        }
        if self.min > 0 {
            out.push(ObjectCase {
                max: reachable(self.min - 1),
                ..kept.clone()
            });
            kept.min = self.min;
        }
        if let Some(max) = self.max {
            out.push(ObjectCase {
                min: max.saturating_add(1),
                ..kept
            });
        }
        out.retain(|case| !case.is_empty(deadline));
        Ok(out)
    }

    /// Adds the cases that break what is said of one name; returns the case that keeps all of that.
    fn break_names(
        &self,
        nodes: &mut Nodes,
        is_narrow: impl Fn(NodeId) -> bool,
        out: &mut Vec<Self>,
    ) -> Self {
        let with = |kept: &Self, name: &str, value, required| {
            let mut case = kept.clone();
            case.names
                .extend(ObjectCase::with(name, value, required).names);
            case
        };
        let mut names: Vec<&NamedProperty> = self.names.iter().collect();
        names.sort_by_key(|n| (!(n.required && is_narrow(n.value)), !n.required));
        names.into_iter().fold(ObjectCase::any(), |kept, named| {
            if named.required {
                out.push(with(&kept, &named.name, NEVER, false));
            }
            if named.value != ANY {
                let value = nodes.negation(named.value);
                out.push(with(&kept, &named.name, value, true));
            }
            with(&kept, &named.name, named.value, named.required)
        })
    }

    /// Whether every object of this case is surely in `other`.
    pub fn is_within(&self, other: &Self, deadline: &Deadline) -> bool {
        if self.differs_in_place(other) {
            return false;
        }
        let (ours, theirs) = (ByName::new(&self.names), ByName::new(&other.names));
        let value = |case: &Self, names: &ByName, (at, name): (usize, &str)| {
            let named = names.find(at, name);
            named.map_or((case.other(name), false), |n| (n.value, n.required))
        };
        self.evaluated == other.evaluated
            && self.min >= other.min
            && other
                .max
                .is_none_or(|max| self.max.is_some_and(|mine| mine <= max))
            && other.exists.iter().all(|e| self.exists.contains(e))
            && self
                .names
                .iter()
                .enumerate()
                .all(|(at, n)| covered(n.value, value(other, &theirs, (at, &n.name)).0))
            && other.names.iter().enumerate().all(|(at, n)| {
                let (mine, required) = value(self, &ours, (at, &n.name));
                covered(mine, n.value) && (required || !n.required)
            })
            && self.others.iter().all(|mine| {
                other
                    .others
                    .iter()
                    .all(|their| covered(mine.1, their.1) || mine.0.is_disjoint(&their.0, deadline))
            })
    }

    /// Whether a name that has the same place in both cases shows that this one is not within
    /// `other`. Cases are compared by the million, and this tells nearly all of them apart without
    /// looking for a name.
    fn differs_in_place(&self, other: &Self) -> bool {
        let mut names = self.names.iter().zip(&other.names);
        names.any(|(mine, theirs)| {
            let is_within = covered(mine.value, theirs.value) && mine.required >= theirs.required;
            !is_within && mine.name == theirs.name
        })
    }
}

/// Whether the values of a node are surely in another.
fn covered(mine: NodeId, theirs: NodeId) -> bool {
    theirs == ANY || mine == theirs || mine == NEVER
}

/// The names of a case, to be found by name.
struct ByName<'c> {
    names: &'c [NamedProperty],
    /// Made when a name is not where it is expected: cases of one schema have most names at the
    /// same places.
    places: OnceCell<KeyedMap<&'c str, usize>>,
}

impl<'c> ByName<'c> {
    fn new(names: &'c [NamedProperty]) -> Self {
        ByName {
            names,
            places: OnceCell::new(),
        }
    }

    /// The property of this name, which is expected at a place.
    fn find(&self, expected: usize, name: &str) -> Option<&'c NamedProperty> {
        let there = self.names.get(expected);
        there.filter(|named| &*named.name == name).or_else(|| {
            let places = self.places.get_or_init(|| {
                let names = self.names.iter().enumerate();
                names.map(|(at, named)| (&*named.name, at)).collect()
            });
            self.names.get(*places.get(name)?)
        })
    }
}

/// The common refinement of two partitions.
fn common_others(
    a: &[(Language, NodeId)],
    b: &[(Language, NodeId)],
    nodes: &mut Nodes,
    deadline: &Deadline,
) -> Result<Vec<(Language, NodeId)>, Problem> {
    let mut out: Vec<(Language, NodeId)> = Vec::new();
    for (mine, my_value) in a {
        for (their, their_value) in b {
            let language = mine.intersect(their, deadline)?;
            if language.is_empty() {
                continue;
            }
            let value = nodes.both(*my_value, *their_value);
            match out.iter_mut().find(|o| o.1 == value) {
                Some(known) => known.0 = known.0.union(&language, deadline)?,
                None => out.push((language, value)),
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_names_are_demanded_and_compared_at_once() {
        let names: Vec<String> = (0..200_000)
            .map(|at| format!("a property numbered {at}"))
            .collect();
        let mut case = ObjectCase::any();
        case.demand(&names);
        case.demand(&names[..10]);
        assert_eq!(case.names.len(), names.len());
        assert!(
            case.names
                .iter()
                .all(|named| named.required && !named.placed)
        );
        let mut turned = case.clone();
        turned.names.reverse();
        let within = |a: &ObjectCase, b: &ObjectCase| a.is_within(b, &Deadline::never());
        assert!(within(&case, &turned) && within(&turned, &case));
        turned.names[7].required = false;
        assert!(within(&case, &turned) && !within(&turned, &case));
    }
}
