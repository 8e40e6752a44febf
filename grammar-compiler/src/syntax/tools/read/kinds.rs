//! The kinds of values that a tool's schema allows, for readers of styles that do not write them.
//!
//! In: a schema, as nodes or as an outline. Out: [`ToolValue`]s, the arguments first. What holds:
//! references within the schema, `allOf`, `anyOf` and `oneOf` are resolved; every kind that the
//! schema allows at a place is among those of its value. What is in `not`, `if` and patterns, and
//! in other documents, is not looked at, so a value may have more kinds.
//!
//! A value is a set of alternatives, each the schemas that all hold there; equal sets are one
//! value. Of arguments only those values are made that a reader asks for: what is in arrays and
//! objects only where they are elements, or where a string may look like one.

use super::facts::{Facts, SchemaNode, facts};
use crate::intern::KeyedInterner;
use crate::limits::Deadline;
use crate::maps::KeyedMap;
use maskwright_core::style::ValueKinds;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is being done.
const DOING: &str = "reading the kinds of arguments";

/// With more alternatives, or schemas in one, nothing is said of a value.
const MAX_ALTERNATIVES: usize = 32;
const MAX_SCHEMAS: usize = 128;
/// Of what would be further values nothing is said.
const MAX_VALUES: usize = 2_000;

/// What a schema says of a value: see [`ValueKinds`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::syntax::tools) struct ToolValue {
    pub(in crate::syntax::tools) kinds: u16,
    pub(in crate::syntax::tools) numbers: Vec<String>,
    pub(in crate::syntax::tools) members: Vec<(String, u32)>,
    pub(in crate::syntax::tools) required: Vec<String>,
    pub(in crate::syntax::tools) others: u32,
    pub(in crate::syntax::tools) items: u32,
}

impl ToolValue {
    fn new(kinds: u16) -> Self {
        ToolValue {
            kinds,
            numbers: Vec::new(),
            members: Vec::new(),
            required: Vec::new(),
            others: ValueKinds::ANY,
            items: ValueKinds::ANY,
        }
    }
}

/// The values of a schema; nothing if the time is over, or a text has escapes that an outline does
/// not read. `nested`: arrays and objects are written so that their values have kinds to be told,
/// too.
pub(super) fn values<'d, N: SchemaNode<'d>>(
    schema: N,
    nested: bool,
    deadline: &Deadline,
) -> Option<Vec<ToolValue>> {
    let mut reading = KindReading {
        root: schema,
        nested,
        deadline,
        old_references: has_old_references(schema),
        facts: BTreeMap::new(),
        members: BTreeMap::new(),
        known: KeyedInterner::new(),
    };
    reading.known.intern((vec![vec![schema.at()]], false));
    reading.fact(schema)?;
    let mut values = Vec::new();
    while let Some(key) = reading.known.values.get(values.len()).cloned() {
        values.push(reading.value(&key.0, key.1, values.is_empty())?);
    }
    Some(compact(values))
}

/// The same with those once that say nothing but the same kinds.
fn compact(values: Vec<ToolValue>) -> Vec<ToolValue> {
    let mut numbers = Vec::with_capacity(values.len());
    let mut kept: Vec<ToolValue> = Vec::new();
    let mut by_kinds: BTreeMap<u16, u32> = BTreeMap::new();
    for value in values {
        let next = kept.len() as u32;
        let is_leaf = next > 0 && value == ToolValue::new(value.kinds);
        let known = by_kinds.get(&value.kinds).copied().filter(|_| is_leaf);
        numbers.push(known.unwrap_or(next));
        if known.is_none() {
            if is_leaf {
                by_kinds.insert(value.kinds, next);
            }
            kept.push(value);
        }
    }
    let renumber = |number: &mut u32| {
        *number = numbers.get(*number as usize).copied().unwrap_or(*number);
    };
    for value in &mut kept {
        value
            .members
            .iter_mut()
            .for_each(|(_, number)| renumber(number));
        renumber(&mut value.others);
        renumber(&mut value.items);
    }
    kept
}

/// Whether `$ref` leaves out what stands beside it, as up to draft 7.
fn has_old_references<'d, N: SchemaNode<'d>>(schema: N) -> bool {
    let mut members = schema.members().into_iter().flatten();
    let written = members.find(|(key, _)| *key == "$schema");
    let draft = written.and_then(|(_, value)| value.string()).flatten();
    draft.is_some_and(|draft| draft.contains("/draft-0"))
}

/// Alternatives, each the places of schemas that all hold.
type Alternatives = Vec<Vec<usize>>;

/// Schemas that all hold, with what is in the `allOf`, the references and one alternative of each
/// of them.
type Held<'d, N> = Vec<Rc<Facts<'d, N>>>;

struct KindReading<'r, 'd, N> {
    root: N,
    nested: bool,
    deadline: &'r Deadline,
    old_references: bool,
    facts: BTreeMap<usize, Rc<Facts<'d, N>>>,
    /// The members of objects that references lead through.
    members: BTreeMap<usize, KeyedMap<&'d str, N>>,
    /// Values, and whether what is in them is asked for.
    known: KeyedInterner<(Alternatives, bool)>,
}

impl<'d, N: SchemaNode<'d>> KindReading<'_, 'd, N> {
    fn fact(&mut self, schema: N) -> Option<Rc<Facts<'d, N>>> {
        if let Some(known) = self.facts.get(&schema.at()) {
            return Some(known.clone());
        }
        let new = Rc::new(facts(schema, self.deadline)?);
        self.facts.insert(schema.at(), new.clone());
        Some(new)
    }

    /// The number of a value.
    fn number(&mut self, mut alternatives: Alternatives, parts: bool) -> u32 {
        alternatives.iter_mut().for_each(|all| {
            all.sort_unstable();
            all.dedup();
        });
        alternatives.sort_unstable();
        alternatives.dedup();
        match &alternatives[..] {
            [] => return ValueKinds::NEVER,
            all if all.iter().any(Vec::is_empty) => return ValueKinds::ANY,
            _ if self.known.values.len() >= MAX_VALUES => return ValueKinds::ANY,
            _ => {}
        }
        self.known.intern((alternatives, parts))
    }

    fn value(
        &mut self,
        alternatives: &Alternatives,
        parts: bool,
        is_first: bool,
    ) -> Option<ToolValue> {
        let mut held = Vec::new();
        for all in alternatives {
            if !self.hold(all, &mut held)? {
                return Some(ToolValue::new(u16::MAX));
            }
        }
        let mut value = ToolValue::new(0);
        let mut numbers = BTreeSet::new();
        let mut are_listed = true;
        for all in &held {
            let kinds = kinds(all);
            value.kinds |= kinds;
            if kinds & (ValueKinds::INTEGER | ValueKinds::FRACTION) != 0 {
                let listed = all.iter().find_map(|facts| facts.numbers.as_ref());
                are_listed &= listed.is_some();
                numbers.extend(listed.into_iter().flatten().copied());
            }
        }
        let has = |bits: u16| value.kinds & bits != 0;
        let may_look_alike = has(ValueKinds::STRING) && has(ValueKinds::ARRAY | ValueKinds::OBJECT);
        if are_listed && has(ValueKinds::STRING) {
            value.numbers = numbers.into_iter().map(str::to_owned).collect();
        }
        if is_first || parts || may_look_alike {
            let of_parts = !is_first || self.nested;
            self.parts(&held, of_parts, &mut value)?;
        }
        if is_first {
            // A reader is asked for nothing but the kinds of arguments.
            value.required.clear();
            value.others = ValueKinds::ANY;
            value
                .members
                .retain(|(_, member)| *member != ValueKinds::ANY);
        }
        Some(value)
    }

    /// What is in arrays and objects.
    fn parts(&mut self, held: &[Held<'d, N>], parts: bool, value: &mut ToolValue) -> Option<()> {
        let objects = held
            .iter()
            .filter(|all| kinds(all) & ValueKinds::OBJECT != 0);
        let objects: Vec<&Held<'d, N>> = objects.collect();
        let mut names: BTreeMap<&'d str, Alternatives> = BTreeMap::new();
        for facts in objects.iter().flat_map(|all| all.iter()) {
            for (name, _) in facts.properties.iter().flatten() {
                names.entry(name).or_default();
            }
        }
        let mut others = Alternatives::new();
        for all in &objects {
            let mut of_names: BTreeMap<&'d str, Vec<(usize, N)>> = BTreeMap::new();
            for (at, facts) in all.iter().enumerate() {
                for &(name, schema) in facts.properties.iter().flatten() {
                    of_names.entry(name).or_default().push((at, schema));
                }
            }
            others.extend(self.others(all, &[])?);
            for (name, found) in &mut names {
                let known = of_names.get(name).map_or(&[][..], Vec::as_slice);
                self.deadline.ticks(1 + all.len(), DOING).ok()?;
                let rest = match known.is_empty() {
                    true => self.others(all, &[])?,
                    false => self.others_of(all, known)?,
                };
                found.extend(rest);
            }
        }
        if !objects.is_empty() {
            value.others = self.number(others, parts);
        }
        for (name, alternatives) in names {
            let member = self.number(alternatives, parts);
            value.members.push((name.to_owned(), member));
        }
        let mut required = objects.iter().map(|all| {
            let names = all.iter().flat_map(|facts| facts.required.iter().copied());
            names.collect::<BTreeSet<&str>>()
        });
        let first = required.next().unwrap_or_default();
        let common = required.fold(first, |common, other| &common & &other);
        value.required = common.into_iter().map(str::to_owned).collect();
        let arrays = held
            .iter()
            .filter(|all| kinds(all) & ValueKinds::ARRAY != 0);
        let mut items = Alternatives::new();
        for all in arrays.clone() {
            let lists = all.iter().filter(|facts| !facts.items.is_empty());
            // Items of different places are told together.
            let lists: Vec<&[N]> = lists.map(|facts| facts.items.as_slice()).collect();
            match lists[..] {
                [list] => items.extend(list.iter().map(|item| vec![item.at()])),
                _ => items.push(Vec::new()),
            }
            for item in lists.into_iter().flatten() {
                self.fact(*item)?;
            }
        }
        if arrays.count() > 0 {
            value.items = self.number(items, parts);
        }
        Some(())
    }

    /// The schemas that hold for a member that these facts name, as [`Self::others`].
    fn others_of(&mut self, all: &Held<'d, N>, known: &[(usize, N)]) -> Option<Option<Vec<usize>>> {
        let mut found = Vec::new();
        for (_, schema) in known {
            self.fact(*schema)?;
            found.push(schema.at());
        }
        let places: Vec<usize> = known.iter().map(|(at, _)| *at).collect();
        let others = self.others(all, &places)?;
        Some(others.map(|others| {
            found.extend(others);
            found
        }))
    }

    /// The schemas that hold for a member that none but these facts name; an inner nothing if there
    /// may be no such member.
    fn others(&mut self, all: &Held<'d, N>, named_by: &[usize]) -> Option<Option<Vec<usize>>> {
        let mut found = Vec::new();
        let is_open = all
            .iter()
            .any(|facts| facts.additional.is_some() || facts.has_patterns);
        let declares = all.iter().any(|facts| facts.properties.is_some());
        if named_by.is_empty() && !is_open && declares {
            return Some(None);
        }
        for (at, facts) in all.iter().enumerate() {
            let Some(schema) = facts.additional.filter(|_| !named_by.contains(&at)) else {
                continue;
            };
            if facts.has_patterns {
                continue;
            }
            // `unevaluatedProperties` is about what no schema names.
            if facts.additional_is_unevaluated && !named_by.is_empty() {
                continue;
            }
            if self.fact(schema)?.is_never {
                return Some(None);
            }
            found.push(schema.at());
        }
        Some(Some(found))
    }

    /// Adds the alternatives of schemas that all hold. Whether they are few.
    fn hold(&mut self, places: &[usize], out: &mut Vec<Held<'d, N>>) -> Option<bool> {
        let first: Option<Held<'d, N>> = places
            .iter()
            .map(|at| self.facts.get(at).cloned())
            .collect();
        let mut open = vec![Expansion {
            pending: first?,
            held: Vec::new(),
            choices: Vec::new(),
        }];
        let mut steps = 0;
        while let Some(mut next) = open.pop() {
            steps += 1;
            self.deadline.ticks(1 + next.held.len(), DOING).ok()?;
            if steps > 8 * MAX_ALTERNATIVES || out.len() > MAX_ALTERNATIVES {
                return Some(false);
            }
            if !self.expand(&mut next)? {
                continue;
            }
            if next.held.len() > MAX_SCHEMAS {
                return Some(false);
            }
            let Some(choice) = next.choices.pop() else {
                out.push(next.held);
                continue;
            };
            for one in choice {
                let one = self.fact(one)?;
                open.push(Expansion {
                    pending: vec![one],
                    ..next.clone()
                });
            }
        }
        Some(true)
    }

    /// Takes what is pending. Whether some value may satisfy it.
    fn expand(&mut self, next: &mut Expansion<'d, N>) -> Option<bool> {
        while let Some(facts) = next.pending.pop() {
            if facts.is_never {
                return Some(false);
            }
            let is_known = next.held.iter().any(|held| held.at == facts.at);
            if is_known || next.held.len() > MAX_SCHEMAS {
                continue;
            }
            let target = facts.reference.and_then(|text| self.target(text));
            let target = target.map(|target| self.fact(target));
            let is_alone = self.old_references && facts.reference.is_some();
            next.held.push(match is_alone {
                true => Rc::new(Facts::any(facts.at)),
                false => facts.clone(),
            });
            if let Some(target) = target {
                next.pending.push(target?);
            }
            if is_alone {
                continue;
            }
            for &schema in &facts.all {
                next.pending.push(self.fact(schema)?);
            }
            next.choices.extend(facts.choices.iter().cloned());
        }
        Some(true)
    }

    /// What a reference within the schema leads to.
    fn target(&mut self, reference: &str) -> Option<N> {
        let pointer = reference.strip_prefix('#')?;
        let mut at = self.root;
        if pointer.is_empty() {
            return Some(at);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            self.deadline.ticks(1 + token.len(), DOING).ok()?;
            let token = decoded(token)?;
            at = match at.members() {
                Some(members) => {
                    let deadline = self.deadline;
                    let index = self.members.entry(at.at()).or_insert_with(|| {
                        let mut index = KeyedMap::default();
                        for (key, value) in members {
                            // If the time is over, the next step says so.
                            let _ = deadline.ticks(1, DOING);
                            index.insert(key, value);
                        }
                        index
                    });
                    *index.get(token.as_str())?
                }
                None => at.items()?.nth(token.parse().ok()?)?,
            };
        }
        Some(at)
    }
}

/// Schemas of which some are not looked at yet.
#[derive(Clone)]
struct Expansion<'d, N> {
    pending: Held<'d, N>,
    held: Held<'d, N>,
    /// Of each one holds.
    choices: Vec<Vec<N>>,
}

/// The kinds that all of these schemas allow.
fn kinds<N>(all: &[Rc<Facts<'_, N>>]) -> u16 {
    all.iter()
        .fold(u16::MAX, |kinds, facts| kinds & facts.kinds)
}

/// A part of a pointer in a URI.
fn decoded(token: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, behind @ ..] = rest else {
            return None;
        };
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        bytes.push((digit(high)? * 16 + digit(low)?) as u8);
        rest = behind;
    }
    let text = String::from_utf8(bytes).ok()?;
    Some(text.replace("~1", "/").replace("~0", "~"))
}
