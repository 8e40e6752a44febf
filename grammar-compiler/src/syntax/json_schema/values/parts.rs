//! A schema's keywords as independent conditions.
//!
//! In: [`Keywords`]. Out: [`SchemaPart`]s: the value satisfies the schema if and only if it
//! satisfies every part. Parts are in the order of the document, which is the order in which
//! properties are written.

use super::shape::StringCase;
use super::{ANY, ArrayCase, Literal, NEVER, NodeId, ObjectCase, Problem, SchemaValues, ValueAtom};
use crate::syntax::json_schema::model::{Condition, Keywords, SchemaId, SchemaKind, Types};
use crate::syntax::json_schema::numbers::NumberSet;

/// One condition of a schema.
#[derive(Clone, Debug)]
pub enum SchemaPart {
    /// The value has one of these types.
    Types(Types),
    /// The value is one of these constants.
    Values(Vec<u32>),
    /// If it is a number, it is in this set.
    Numbers(NumberSet),
    /// If it is a string, it is in this case.
    Strings(StringCase),
    /// If it is an array, it is in this case.
    Array(ArrayCase),
    /// If it is an object, it is in this case.
    Object(ObjectCase),
    /// It is in this node.
    All(NodeId),
    /// It is in at least one of these nodes.
    Any(Vec<NodeId>),
    /// It is in exactly one of these nodes.
    One(Vec<NodeId>),
    /// If it is in the first node, it is in the second, otherwise in the third.
    If(NodeId, NodeId, NodeId),
    /// If it is an object with this property, it has these too.
    WithNames(String, Vec<String>),
    /// If it is an object with this property, it is in this node.
    WithSchema(String, NodeId),
}

impl SchemaPart {
    /// Whether it may be several cases.
    pub(super) fn is_combinator(&self) -> bool {
        matches!(
            self,
            SchemaPart::All(_)
                | SchemaPart::Any(_)
                | SchemaPart::One(_)
                | SchemaPart::If(..)
                | SchemaPart::WithNames(..)
                | SchemaPart::WithSchema(..)
        )
    }
}

/// Parts with the places of their keywords in the document.
struct Placed<'k> {
    keywords: &'k Keywords,
    parts: Vec<(usize, SchemaPart)>,
}

impl<'k> Placed<'k> {
    fn new(keywords: &'k Keywords) -> Self {
        let parts = Vec::new();
        Placed { keywords, parts }
    }

    /// Adds a part that one of these keywords, or several, stand for.
    fn add(&mut self, names: &[&str], part: SchemaPart) {
        let places = names.iter().filter_map(|name| self.keywords.place(name));
        let at = places.map(|p| p.span.start).min().unwrap_or(0);
        self.parts.push((at, part));
    }

    fn in_order(mut self) -> Vec<SchemaPart> {
        self.parts.sort_by_key(|part| part.0);
        self.parts.into_iter().map(|part| part.1).collect()
    }
}

impl SchemaValues<'_> {
    /// The parts of `keywords`, in the order of the document.
    pub(super) fn parts(&mut self, keywords: &Keywords) -> Result<Vec<SchemaPart>, Problem> {
        let mut parts = Placed::new(keywords);
        if keywords.types != Types::ALL {
            parts.add(&["type"], SchemaPart::Types(keywords.types));
        }
        for list in &keywords.values {
            let constants = list.iter().map(|node| self.constant_id(&node.value));
            parts.add(&["enum", "const"], SchemaPart::Values(constants.collect()));
        }
        self.add_types(&mut parts)?;
        self.add_objects(&mut parts)?;
        self.add_schemas(&mut parts);
        Ok(parts.in_order())
    }

    /// The conditions on numbers, strings and arrays. Where keywords contradict each other, the
    /// type is left out.
    fn add_types(&mut self, parts: &mut Placed<'_>) -> Result<(), Problem> {
        let keywords = parts.keywords;
        if let Some(numbers) = self.numbers(keywords)? {
            parts.add(&["minimum"], SchemaPart::Numbers(numbers));
        }
        if let Some(strings) = self.strings(keywords)? {
            let part = match strings.is_empty() {
                true => SchemaPart::Types(Types {
                    string: false,
                    ..Types::ALL
                }),
                false => SchemaPart::Strings(strings),
            };
            parts.add(&["pattern"], part);
        }
        if let Some(array) = self.array(keywords) {
            let part = match array.is_empty() {
                true => SchemaPart::Types(Types {
                    array: false,
                    ..Types::ALL
                }),
                false => SchemaPart::Array(array),
            };
            parts.add(&["items"], part);
        }
        Ok(())
    }

    /// The conditions on objects.
    fn add_objects(&mut self, parts: &mut Placed<'_>) -> Result<(), Problem> {
        let keywords = parts.keywords;
        let object = &keywords.object;
        if let Some(case) = self.object(keywords)? {
            let names = [
                "properties",
                "patternProperties",
                "required",
                "additionalProperties",
            ];
            parts.add(&names, SchemaPart::Object(case));
        }
        if let Some(names) = object.names {
            let case = self.property_names(names)?;
            parts.add(&["propertyNames"], SchemaPart::Object(case));
        }
        for (name, names) in &object.dependent_required {
            let part = SchemaPart::WithNames(name.clone(), names.clone());
            parts.add(&["dependentRequired", "dependencies"], part);
        }
        for &(ref name, schema) in &object.dependent_schemas {
            let part = SchemaPart::WithSchema(name.clone(), self.node_of(schema));
            parts.add(&["dependentSchemas", "dependencies"], part);
        }
        Ok(())
    }

    /// The conditions that are schemas themselves.
    fn add_schemas(&mut self, parts: &mut Placed<'_>) {
        let keywords = parts.keywords;
        for &schema in &keywords.references {
            let part = SchemaPart::All(self.node_of(schema));
            parts.add(&["$ref", "$dynamicRef", "$recursiveRef"], part);
        }
        for &schema in &keywords.all_of {
            parts.add(&["allOf", "extends"], SchemaPart::All(self.node_of(schema)));
        }
        if let Some(any) = &keywords.any_of {
            parts.add(&["anyOf"], SchemaPart::Any(self.nodes_of(any)));
        }
        if let Some(one) = &keywords.one_of {
            parts.add(&["oneOf"], SchemaPart::One(self.nodes_of(one)));
        }
        for &schema in &keywords.not {
            let node = self.node_of(schema);
            parts.add(&["not"], SchemaPart::All(self.nodes.negation(node)));
        }
        if let Some(condition) = keywords.condition {
            parts.add(&["if"], self.condition(condition));
        }
    }

    fn condition(&mut self, condition: Condition) -> SchemaPart {
        let branch = |values: &mut Self, schema: Option<SchemaId>| {
            schema.map_or(ANY, |schema| values.node_of(schema))
        };
        let test = self.node_of(condition.test);
        let then = branch(self, condition.then);
        let otherwise = branch(self, condition.otherwise);
        SchemaPart::If(test, then, otherwise)
    }

    /// The node of a schema; schemas that only refer to another are that one.
    pub(super) fn node_of(&mut self, mut schema: SchemaId) -> NodeId {
        for _ in 0..self.model.schemas.len().min(100) {
            let keywords = match self.model.schema(schema).map(|s| &s.kind) {
                None | Some(SchemaKind::Never) => return NEVER,
                Some(SchemaKind::Any) => return ANY,
                Some(SchemaKind::Keywords(keywords)) => keywords,
            };
            match keywords.only_reference() {
                Some(target) => schema = target,
                None => break,
            }
        }
        self.nodes
            .all_of(vec![Literal::yes(ValueAtom::Schema(schema))])
    }

    pub(super) fn nodes_of(&mut self, schemas: &[SchemaId]) -> Vec<NodeId> {
        schemas.iter().map(|&s| self.node_of(s)).collect()
    }
}
