//! What one schema says by itself of the kinds of values.
//!
//! In: a schema, as a node or as a part of an outline. Out: [`Facts`]. What holds: each schema is
//! read once, and each of its members looked at once.

use crate::limits::Deadline;
use crate::syntax::json_schema::document::{JsonNode, JsonValue, OutlineValue};
use maskwright_core::style::ValueKinds;

/// A JSON value with its place.
pub(super) trait SchemaNode<'d>: Copy {
    /// Where it begins.
    fn at(self) -> usize;
    /// The keys and values, if this is an object.
    fn members(self) -> Option<impl Iterator<Item = (&'d str, Self)>>;
    /// The items, if this is an array.
    fn items(self) -> Option<impl Iterator<Item = Self>>;
    /// The text of a string: an inner nothing if it has escapes that are not read.
    fn string(self) -> Option<Option<&'d str>>;
    /// The number as it is written.
    fn number(self) -> Option<&'d str>;
    /// The byte that it begins with.
    fn first(self) -> u8;
}

impl<'d> SchemaNode<'d> for &'d JsonNode {
    fn at(self) -> usize {
        self.span.start
    }

    fn members(self) -> Option<impl Iterator<Item = (&'d str, Self)>> {
        let members = JsonNode::members(self)?.iter();
        Some(members.map(|member| (member.key.as_str(), &member.value)))
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        match &self.value {
            JsonValue::Array(items) => Some(items.iter()),
            _ => None,
        }
    }

    fn string(self) -> Option<Option<&'d str>> {
        self.as_str().map(Some)
    }

    fn number(self) -> Option<&'d str> {
        match &self.value {
            JsonValue::Number(text) => Some(text),
            _ => None,
        }
    }

    fn first(self) -> u8 {
        match &self.value {
            JsonValue::Null => b'n',
            JsonValue::Bool(false) => b'f',
            JsonValue::Bool(true) => b't',
            JsonValue::Number(_) => b'0',
            JsonValue::String(_) => b'"',
            JsonValue::Array(_) => b'[',
            JsonValue::Object(_) => b'{',
        }
    }
}

impl<'d> SchemaNode<'d> for OutlineValue<'d> {
    fn at(self) -> usize {
        self.span().start
    }

    fn members(self) -> Option<impl Iterator<Item = (&'d str, Self)>> {
        let members = OutlineValue::members(self)?;
        Some(members.map(|(key, value)| (key.key(), value)))
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        OutlineValue::items(self)
    }

    fn string(self) -> Option<Option<&'d str>> {
        (OutlineValue::first(self) == b'"').then(|| self.plain_string())
    }

    fn number(self) -> Option<&'d str> {
        matches!(OutlineValue::first(self), b'-' | b'0'..=b'9').then(|| self.text())
    }

    fn first(self) -> u8 {
        OutlineValue::first(self)
    }
}

/// What a schema says.
#[derive(Clone, Debug)]
pub(super) struct Facts<'d, N> {
    pub(super) at: usize,
    /// It is `false`.
    pub(super) is_never: bool,
    /// By `type`, `const` and `enum`.
    pub(super) kinds: u16,
    /// The numbers among the values of `const` or `enum`.
    pub(super) numbers: Option<Vec<&'d str>>,
    pub(super) reference: Option<&'d str>,
    pub(super) all: Vec<N>,
    /// `anyOf` and `oneOf`.
    pub(super) choices: Vec<Vec<N>>,
    pub(super) properties: Option<Vec<(&'d str, N)>>,
    /// `additionalProperties`, else `unevaluatedProperties`.
    pub(super) additional: Option<N>,
    pub(super) additional_is_unevaluated: bool,
    pub(super) has_patterns: bool,
    pub(super) required: Vec<&'d str>,
    pub(super) items: Vec<N>,
}

impl<N> Facts<'_, N> {
    /// Nothing.
    pub(super) fn any(at: usize) -> Self {
        Facts {
            at,
            is_never: false,
            kinds: u16::MAX,
            numbers: None,
            reference: None,
            all: Vec::new(),
            choices: Vec::new(),
            properties: None,
            additional: None,
            additional_is_unevaluated: false,
            has_patterns: false,
            required: Vec::new(),
            items: Vec::new(),
        }
    }
}

/// What a schema says; nothing if the time is over, or a text has escapes.
pub(super) fn facts<'d, N: SchemaNode<'d>>(schema: N, deadline: &Deadline) -> Option<Facts<'d, N>> {
    let mut facts = Facts::any(schema.at());
    facts.is_never = schema.first() == b'f';
    for (key, value) in schema.members().into_iter().flatten() {
        deadline.ticks(1, super::fields::DOING).ok()?;
        facts.keyword(key, value, deadline)?;
    }
    Some(facts)
}

impl<'d, N: SchemaNode<'d>> Facts<'d, N> {
    fn keyword(&mut self, key: &str, value: N, deadline: &Deadline) -> Option<()> {
        let list = |value: N| -> Option<Vec<N>> {
            let items: Vec<N> = value.items().into_iter().flatten().collect();
            deadline.ticks(items.len(), super::fields::DOING).ok()?;
            Some(items)
        };
        match key {
            "type" => self.kinds &= types(value, list(value)?)?,
            "minLength" if value.number().is_some_and(|text| text != "0") => {
                self.kinds &= !ValueKinds::EMPTY;
            }
            "const" => self.values(vec![value]),
            "enum" if value.items().is_some() => self.values(list(value)?),
            "$ref" => {
                self.reference = value
                    .string()
                    .map_or(Some(None), |text| Some(Some(text?)))?
            }
            "allOf" => self.all = list(value)?,
            "anyOf" | "oneOf" if value.items().is_some() => self.choices.push(list(value)?),
            "properties" => {
                if let Some(members) = value.members() {
                    let members: Vec<(&'d str, N)> = members.collect();
                    deadline.ticks(members.len(), super::fields::DOING).ok()?;
                    self.properties = Some(members);
                }
            }
            "patternProperties" => {
                self.has_patterns = value.members().is_some_and(|mut all| all.next().is_some());
            }
            "additionalProperties" => {
                self.additional = Some(value);
                self.additional_is_unevaluated = false;
            }
            "unevaluatedProperties" if self.additional.is_none() => {
                self.additional = Some(value);
                self.additional_is_unevaluated = true;
            }
            "required" => {
                let names = list(value)?.into_iter().filter_map(SchemaNode::string);
                self.required = names.collect::<Option<Vec<&str>>>()?;
            }
            "items" | "prefixItems" | "additionalItems" => match value.items() {
                Some(_) => self.items.extend(list(value)?),
                None => self.items.push(value),
            },
            _ => {}
        }
        Some(())
    }

    /// One of these values.
    fn values(&mut self, values: Vec<N>) {
        let kinds = values.iter().map(|value| kind_of(*value));
        self.kinds &= kinds.fold(0, |all, kind| all | kind);
        let numbers = values.into_iter().filter_map(SchemaNode::number);
        self.numbers = Some(numbers.collect());
    }
}

/// The bits of a type, or of several; an outer nothing if a text has escapes.
fn types<'d, N: SchemaNode<'d>>(value: N, all: Vec<N>) -> Option<u16> {
    let one = |value: N| match value.string() {
        Some(text) => Some(named(text?)),
        None => Some(u16::MAX),
    };
    match value.items().is_some() {
        false => one(value),
        true => all
            .into_iter()
            .map(one)
            .try_fold(0, |all, bits| Some(all | bits?)),
    }
}

/// The bits of the kind of value that a schema calls so.
fn named(name: &str) -> u16 {
    match name {
        "null" => ValueKinds::NULL,
        "boolean" => ValueKinds::FALSE | ValueKinds::TRUE,
        "integer" => ValueKinds::INTEGER,
        "number" => ValueKinds::INTEGER | ValueKinds::FRACTION,
        "string" => ValueKinds::STRING | ValueKinds::EMPTY,
        "array" => ValueKinds::ARRAY,
        "object" => ValueKinds::OBJECT,
        _ => u16::MAX,
    }
}

fn kind_of<'d, N: SchemaNode<'d>>(value: N) -> u16 {
    match value.first() {
        b'n' => ValueKinds::NULL,
        b'f' => ValueKinds::FALSE,
        b't' => ValueKinds::TRUE,
        b'"' if value.string() == Some(Some("")) => ValueKinds::EMPTY,
        b'"' => ValueKinds::STRING,
        b'[' => ValueKinds::ARRAY,
        b'{' => ValueKinds::OBJECT,
        _ => ValueKinds::INTEGER | ValueKinds::FRACTION,
    }
}
