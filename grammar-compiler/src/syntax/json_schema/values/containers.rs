//! Keywords of arrays and objects as conditions.
//!
//! In: [`Keywords`]. Out: one case for arrays and one for objects. What holds: the names of a
//! case's objects are divided among its parts, so that each name has one node for its values.

use super::bounds::reachable;
use super::object::NamedProperty;
use super::{ANY, ArrayCase, Contains, NEVER, NodeId, ObjectCase, Problem, SchemaValues};
use crate::syntax::json_schema::model::{Keywords, SchemaId};
use crate::syntax::json_schema::strings::Language;

impl SchemaValues<'_> {
    pub(super) fn array(&mut self, keywords: &Keywords) -> Option<ArrayCase> {
        let array = &keywords.array;
        let prefix = self.nodes_of(&array.prefix);
        let rest = array.items.map_or(ANY, |items| self.node_of(items));
        let contains = array.contains.map(|value| Contains {
            from: 0,
            value: self.node_of(value),
            min: array.min_contains.unwrap_or(1),
            max: array.max_contains.and_then(reachable),
            evaluates: array.contains_evaluates,
        });
        let mut case = ArrayCase {
            evaluated: match array.items {
                Some(_) => u64::MAX,
                None => prefix.len() as u64,
            },
            prefix,
            rest,
            min: array.min_items,
            max: array.max_items.and_then(reachable),
            contains: contains.into_iter().collect(),
            unique: array.unique,
        };
        case.normalize();
        (case != ArrayCase::any()).then_some(case)
    }

    pub(super) fn object(&mut self, keywords: &Keywords) -> Result<Option<ObjectCase>, Problem> {
        let object = &keywords.object;
        let mut covered = Language::empty();
        let mut others: Vec<(Language, NodeId)> = vec![(Language::any(), ANY)];
        for (pattern, schema) in &object.patterns {
            self.check_time()?;
            let Some(language) = self.name_pattern(keywords, pattern, *schema)? else {
                continue;
            };
            covered = covered.union(&language, self.deadline)?;
            let value = self.node_of(*schema);
            others = self.refine(others, &language, value)?;
        }
        if let Some(additional) = object.additional {
            let value = self.node_of(additional);
            others = self.refine(others, &covered.complement(), value)?;
        }
        let mut case = ObjectCase {
            others,
            min: object.min_properties,
            max: object.max_properties.and_then(reachable),
            ..ObjectCase::any()
        };
        for (name, schema) in &object.properties {
            let mut value = self.node_of(*schema);
            if !object.patterns.is_empty() {
                self.check_time()?;
            }
            for (pattern, schema) in &object.patterns {
                if let Some(language) = self.name_pattern(keywords, pattern, *schema)?
                    && language.contains(name)
                {
                    let matched = self.node_of(*schema);
                    value = self.nodes.both(value, matched);
                }
            }
            case.names.push(NamedProperty {
                name: name.as_str().into(),
                value,
                required: false,
                placed: true,
            });
        }
        case.demand(&object.required);
        case.evaluated = match object.additional {
            _ if !self.tracks => Language::empty(),
            Some(_) => Language::any(),
            None => {
                let names = Language::literals(
                    object.properties.iter().map(|p| p.0.as_str()),
                    self.deadline,
                )?;
                covered.union(&names, self.deadline)?
            }
        };
        Ok((case != ObjectCase::any()).then_some(case))
    }

    /// The partition in which the values of `names` are also in `value`.
    pub(super) fn refine(
        &mut self,
        others: Vec<(Language, NodeId)>,
        names: &Language,
        value: NodeId,
    ) -> Result<Vec<(Language, NodeId)>, Problem> {
        if value == ANY {
            return Ok(others);
        }
        let mut out = Vec::new();
        for (language, known) in others {
            let inside = language.intersect(names, self.deadline)?;
            let outside = language.minus(names, self.deadline)?;
            let both = self.nodes.both(known, value);
            out.extend(
                [(inside, both), (outside, known)]
                    .into_iter()
                    .filter(|o| !o.0.is_empty()),
            );
        }
        Ok(out)
    }

    /// Objects all of whose names are strings of a schema.
    pub(super) fn property_names(&mut self, schema: SchemaId) -> Result<ObjectCase, Problem> {
        let node = self.node_of(schema);
        let shape = self.shape(node, false)?;
        let mut names = Language::empty();
        for case in &shape.strings {
            names = names.union(&case.to_language(self.deadline)?, self.deadline)?;
        }
        let others = [(names.clone(), ANY), (names.complement(), NEVER)];
        Ok(ObjectCase {
            others: others.into_iter().filter(|o| !o.0.is_empty()).collect(),
            ..ObjectCase::any()
        })
    }
}
