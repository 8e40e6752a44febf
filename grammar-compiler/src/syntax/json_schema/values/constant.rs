//! Constants: `enum` and `const`.

use std::fmt::Write;
use std::rc::Rc;

use crate::limits::Deadline;
use crate::maps::KeyedSet;

use super::object::NamedProperty;
use super::scalars::decimal;
use super::state::DOING;
use super::{
    ArrayCase, Literal, NEVER, NodeId, ObjectCase, Problem, SchemaValues, StringCase, ValueAtom,
    ValueShape,
};
use crate::syntax::json_schema::document::{JsonNode, JsonValue, Member};
use crate::syntax::json_schema::model::SchemaKind;
use crate::syntax::json_schema::numbers::NumberSet;
use crate::syntax::json_schema::strings::Language;

/// The steps that a value in another takes, which is copied and looked up.
const VALUE_STEPS: usize = 16;
/// The steps that the automaton of a number takes, and the union of two small ones.
const NUMBER_STEPS: usize = 256;

/// A text that is the same for equal values, as far as they are written alike, and for no others.
/// A string stands behind its length: escaping its characters would take much longer.
pub fn key(value: &JsonValue) -> String {
    let mut out = String::new();
    write_key(value, &mut out);
    out
}

fn write_key(value: &JsonValue, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match value {
        JsonValue::Null => write!(out, "null"),
        JsonValue::Bool(bool) => write!(out, "{bool}"),
        JsonValue::Number(text) => write!(out, "{text}"),
        JsonValue::String(text) => write!(out, "{}\"{text}", text.len()),
        JsonValue::Array(items) => {
            out.push('[');
            items.iter().for_each(|item| {
                write_key(&item.value, out);
                out.push(',');
            });
            write!(out, "]")
        }
        JsonValue::Object(members) => {
            out.push('{');
            members.iter().for_each(|member| {
                let _ = write!(out, "{}\"{}:", member.key.len(), member.key);
                write_key(&member.value.value, out);
                out.push(',');
            });
            write!(out, "}}")
        }
    };
}

/// A value that is the same for all that are equal to it: numbers as digits, members by their
/// names.
fn canonical(value: &JsonValue, deadline: &Deadline) -> Result<JsonValue, Problem> {
    deadline.ticks(VALUE_STEPS, DOING)?;
    let inner = |node: &JsonNode| -> Result<JsonNode, Problem> {
        let (value, span) = (canonical(&node.value, deadline)?, node.span);
        Ok(JsonNode { value, span })
    };
    Ok(match value {
        JsonValue::Number(text) => {
            let plain = decimal("enum", text)?.plain();
            JsonValue::Number(String::from_utf8_lossy(&plain).into_owned())
        }
        JsonValue::Array(items) => {
            JsonValue::Array(items.iter().map(inner).collect::<Result<_, _>>()?)
        }
        JsonValue::Object(members) => {
            let member = |member: &Member| {
                let value = inner(&member.value)?;
                let (key, span) = (member.key.clone(), member.span);
                Ok(Member { key, span, value })
            };
            let members = members.iter().map(member);
            let mut members = members.collect::<Result<Vec<_>, Problem>>()?;
            members.sort_by(|a, b| a.key.cmp(&b.key));
            JsonValue::Object(members)
        }
        other => other.clone(),
    })
}

impl SchemaValues<'_> {
    /// The values of `constants`.
    pub(super) fn constants(&mut self, constants: &[u32]) -> Result<ValueShape, Problem> {
        let mut shape = ValueShape::never();
        let mut strings = Vec::new();
        let mut numbers = Vec::new();
        let mut seen = KeyedSet::default();
        for &id in constants.iter().filter(|&&id| seen.insert(id)) {
            self.tick()?;
            match &*Rc::clone(&self.constants[id as usize]) {
                JsonValue::Null => shape.null = true,
                JsonValue::Bool(bool) => shape.booleans[usize::from(*bool)] = true,
                JsonValue::Number(text) => {
                    numbers.push(NumberSet::equal(&decimal("enum", text)?));
                    self.deadline.ticks(NUMBER_STEPS, DOING)?;
                }
                JsonValue::String(text) => strings.push(text.clone()),
                JsonValue::Array(items) => shape.arrays.push(self.constant_array(items)?),
                JsonValue::Object(members) => {
                    let names = (members.iter()).map(|m| (m.key.as_str(), &m.value));
                    let case = self.constant_object(names)?;
                    shape.objects.push(case);
                }
            }
        }
        shape.numbers = self.union_of(numbers)?;
        if !strings.is_empty() {
            self.check_time()?;
            shape.strings.push(StringCase {
                language: Language::literals(strings.iter().map(String::as_str), self.deadline)?,
                ..StringCase::any()
            });
        }
        shape.bounded()
    }

    /// The union of many sets, in pairs, so that each number takes part in few unions.
    fn union_of(&self, mut sets: Vec<NumberSet>) -> Result<NumberSet, Problem> {
        while sets.len() > 1 {
            let mut unions = Vec::with_capacity(sets.len().div_ceil(2));
            for pair in sets.chunks(2) {
                self.deadline.ticks(NUMBER_STEPS, DOING)?;
                unions.push(match pair {
                    [one, other] => one.union(other)?,
                    _ => pair[0].clone(),
                });
            }
            sets = unions;
        }
        Ok(sets.pop().unwrap_or_else(NumberSet::empty))
    }

    /// All values but `constants`.
    pub(super) fn not_constants(&mut self, constants: &[u32]) -> Result<ValueShape, Problem> {
        let among = self.constants(constants)?;
        let mut strings = vec![StringCase::any()];
        for case in &among.strings {
            let language = case.language.complement();
            strings[0].language = strings[0].language.intersect(&language, self.deadline)?;
        }
        let mut shape = ValueShape {
            null: !among.null,
            booleans: among.booleans.map(|b| !b),
            numbers: among.numbers.complement(),
            plain_integers: NumberSet::empty(),
            strings,
            arrays: vec![ArrayCase::any()],
            objects: vec![ObjectCase::any()],
        };
        for case in &among.arrays {
            let arrays = case.complement(&mut self.nodes)?;
            let other = ValueShape {
                arrays,
                ..ValueShape::but_arrays()
            };
            shape = self.intersect(&shape, &other)?;
        }
        for case in &among.objects {
            let objects = self.not_object(case)?;
            let other = ValueShape {
                objects,
                ..ValueShape::but_objects()
            };
            shape = self.intersect(&shape, &other)?;
        }
        Ok(shape)
    }

    /// The number of a constant.
    pub(super) fn constant_id(&mut self, value: &JsonValue) -> u32 {
        let next = self.constants.len() as u32;
        let key = key(value);
        // If the time is over, the next step says so.
        let _ = self.deadline.stops_after(key.len(), DOING);
        let id = *self.constant_ids.entry(key).or_insert(next);
        if id == next {
            self.constants.push(Rc::new(value.clone()));
        }
        id
    }

    /// The values of a node that one of its schemas lists, each once and as a node; nothing if none
    /// does.
    pub(crate) fn listed(&mut self, node: NodeId) -> Result<Option<Vec<NodeId>>, Problem> {
        let lists = (self.nodes.literals(node).iter()).find_map(|literal| match literal.atom {
            ValueAtom::Schema(id) if literal.holds => {
                match self.model.schema(id).map(|s| &s.kind) {
                    Some(SchemaKind::Keywords(keywords)) => keywords.values.first(),
                    _ => None,
                }
            }
            _ => None,
        });
        let Some(values) = lists else {
            return Ok(None);
        };
        let mut nodes = Vec::new();
        let mut known = KeyedSet::default();
        for JsonNode { value, span } in values {
            self.tick()?;
            let value = canonical(value, self.deadline)?;
            let constant = self.constant_node(&JsonNode { value, span: *span });
            if known.insert(constant) && !self.disjoint(node, constant) {
                nodes.push(constant);
            }
        }
        Ok(Some(nodes))
    }

    /// The node of one constant.
    pub(crate) fn constant_node(&mut self, node: &JsonNode) -> NodeId {
        let id = self.constant_id(&node.value);
        self.nodes
            .all_of(vec![Literal::yes(ValueAtom::Constant(id))])
    }

    /// The node of one constant in another.
    fn inner_node(&mut self, node: &JsonNode) -> Result<NodeId, Problem> {
        self.deadline.ticks(VALUE_STEPS, DOING)?;
        Ok(self.constant_node(node))
    }

    fn constant_array(&mut self, items: &[JsonNode]) -> Result<ArrayCase, Problem> {
        let prefix = items.iter().map(|item| self.inner_node(item));
        Ok(ArrayCase {
            prefix: prefix.collect::<Result<_, _>>()?,
            rest: NEVER,
            min: items.len() as u64,
            max: Some(items.len() as u64),
            ..ArrayCase::any()
        })
    }

    fn constant_object<'a>(
        &mut self,
        members: impl Iterator<Item = (&'a str, &'a JsonNode)>,
    ) -> Result<ObjectCase, Problem> {
        let names = members.map(|(name, value)| {
            Ok(NamedProperty {
                name: name.into(),
                value: self.inner_node(value)?,
                required: true,
                placed: true,
            })
        });
        Ok(ObjectCase {
            names: names.collect::<Result<_, Problem>>()?,
            others: vec![(Language::any(), NEVER)],
            ..ObjectCase::any()
        })
    }
}
