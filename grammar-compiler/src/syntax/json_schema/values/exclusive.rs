//! Alternatives of which exactly one may hold, and what follows where several do.
//!
//! `oneOf` is the union, over its alternatives, of those values that are in no other one. Where two
//! alternatives surely have no value in common, nothing has to be taken away; so a proof of
//! disjointness (types, constants, properties whose values differ) keeps the cases few. It is
//! looked for in each kind of values: alternatives that only say what objects are allow all other
//! values alike, and a constant property tells their objects apart all the same.

use crate::error::Code;
use crate::maps::IdSet;
use std::rc::Rc;

use super::shape::ValueKind;
use super::{ANY, NEVER, NodeId, ObjectCase, Problem, SchemaValues, ValueShape};

/// How deep into a value disjointness is looked for.
const MAX_DEPTH: usize = 6;
/// With `unevaluated…`, an `anyOf` of more alternatives than this has too many combinations.
const MAX_TRACKED: usize = 6;

impl SchemaValues<'_> {
    /// The values that are in exactly one of `nodes`, as far as they are `within` a shape: where
    /// the property that tells alternatives apart is required beside them, they have no value in
    /// common there.
    pub(super) fn exactly_one(
        &mut self,
        nodes: &[NodeId],
        tracked: bool,
        within: &ValueShape,
    ) -> Result<ValueShape, Problem> {
        let mut shape = ValueShape::never();
        for at in 0..nodes.len() {
            for kind in ValueKind::ALL {
                let only = self.only_in(nodes, at, kind, tracked, within)?;
                if only != ValueShape::never() {
                    shape = shape.union(only, self.deadline)?;
                }
            }
        }
        Ok(shape)
    }

    /// The values of a kind that are in the node at a place and in no other one, as far as they are
    /// `within` a shape.
    fn only_in(
        &mut self,
        nodes: &[NodeId],
        at: usize,
        kind: ValueKind,
        tracked: bool,
        within: &ValueShape,
    ) -> Result<ValueShape, Problem> {
        let node = nodes[at];
        let mut only = self.shape(node, tracked)?.of_kind(kind);
        for (other_at, &other) in nodes.iter().enumerate() {
            self.check_time()?;
            if only == ValueShape::never() {
                break;
            }
            if other_at == at || self.disjoint_within(node, other, kind, within) {
                continue;
            }
            let not = self.not_shape(other)?.of_kind(kind);
            only = self.intersect(&only, &not)?;
            self.drop_outside(&mut only, within);
        }
        Ok(only)
    }

    /// The values that are in none of `nodes`, or in two.
    pub(super) fn not_exactly_one(&mut self, nodes: &[NodeId]) -> Result<ValueShape, Problem> {
        let mut shape = ValueShape::any();
        for &node in nodes {
            self.check_time()?;
            let not = self.not_shape(node)?;
            shape = self.intersect(&shape, &not)?;
        }
        for (at, &a) in nodes.iter().enumerate() {
            for &b in &nodes[at + 1..] {
                self.check_time()?;
                if self.disjoint(a, b) {
                    continue;
                }
                let both = self.nodes.both(a, b);
                shape = shape.union(self.shape(both, false)?.as_ref().clone(), self.deadline)?;
            }
        }
        Ok(shape)
    }

    /// The values in at least one node, apart by which ones they are in: what each has evaluated
    /// counts.
    pub(super) fn any_tracked(&mut self, nodes: &[NodeId]) -> Result<ValueShape, Problem> {
        if nodes.len() > MAX_TRACKED {
            return Err(Problem::keyword(
                Code::SchemaUndecided,
                "anyOf",
                format!(
                    "more than {MAX_TRACKED} alternatives beside `unevaluatedProperties` or `unevaluatedItems`"
                ),
                "use `oneOf`, or say with `additionalProperties` what else there may be",
            ));
        }
        let mut shape = ValueShape::never();
        for chosen in 1..1u32 << nodes.len() {
            self.check_time()?;
            let mut case = ValueShape::any();
            for (at, &node) in nodes.iter().enumerate() {
                let part = match chosen >> at & 1 {
                    1 => self.shape(node, true)?.as_ref().clone(),
                    _ => self.not_shape(node)?,
                };
                case = self.intersect(&case, &part)?;
            }
            self.drop_empty(&mut case);
            shape = shape.union(case, self.deadline)?;
        }
        Ok(shape)
    }

    /// Whether two nodes surely have no value in common.
    pub(super) fn disjoint(&mut self, a: NodeId, b: NodeId) -> bool {
        let both = self.nodes.both(a, b);
        self.surely_empty(both, MAX_DEPTH, &mut IdSet::default())
    }

    /// Whether two nodes surely have no value of a kind in common that is within a shape.
    fn disjoint_within(
        &mut self,
        a: NodeId,
        b: NodeId,
        kind: ValueKind,
        within: &ValueShape,
    ) -> bool {
        let both = self.nodes.both(a, b);
        if both == NEVER {
            return true;
        }
        let Some(both) = self.known_shape(both) else {
            return false;
        };
        if self.surely_none_of(&both, kind, MAX_DEPTH, &mut IdSet::default()) {
            return true;
        }
        let Ok(mut both) = self.intersect(&both.of_kind(kind), within) else {
            return false;
        };
        self.drop_empty(&mut both);
        both == ValueShape::never()
    }

    /// Drops cases of objects that surely have no value within a shape.
    pub(super) fn drop_outside(&mut self, shape: &mut ValueShape, within: &ValueShape) {
        let mut seen = IdSet::default();
        shape.objects.retain(|case| {
            if self.deadline.stops(super::state::DOING) {
                return false;
            }
            let mut some = within.objects.iter();
            some.any(
                |other| match case.intersect(other, &mut self.nodes, self.deadline) {
                    Ok(Some(both)) => !self.surely_no_object(&both, MAX_DEPTH, &mut seen),
                    Ok(None) => false,
                    Err(_) => true,
                },
            )
        });
    }

    /// Drops cases that surely have no value.
    pub(super) fn drop_empty(&mut self, shape: &mut ValueShape) {
        let mut seen = IdSet::default();
        shape
            .objects
            .retain(|case| !self.surely_no_object(case, MAX_DEPTH, &mut seen));
    }

    /// Whether a node surely has no value. Nodes in `seen` are being looked at and count as if they
    /// had one.
    fn surely_empty(&mut self, node: NodeId, depth: usize, seen: &mut IdSet<NodeId>) -> bool {
        match node {
            ANY => return false,
            NEVER => return true,
            // One schema alone is taken to have values: what makes a conjunction empty are two that
            // clash.
            _ if self.nodes.literals(node).len() < 2 => return false,
            _ if self.deadline.stops(super::state::DOING) => return false,
            _ if depth == 0 || !seen.insert(node) => return false,
            _ => {}
        }
        let empty = match self.known_shape(node) {
            None => false,
            Some(shape) => {
                let mut kinds = ValueKind::ALL.into_iter();
                kinds.all(|kind| self.surely_none_of(&shape, kind, depth, seen))
            }
        };
        seen.remove(&node);
        empty
    }

    /// Whether a shape surely has no value of a kind.
    fn surely_none_of(
        &mut self,
        shape: &ValueShape,
        kind: ValueKind,
        depth: usize,
        seen: &mut IdSet<NodeId>,
    ) -> bool {
        match kind {
            ValueKind::Scalar => {
                !shape.null
                    && shape.booleans == [false; 2]
                    && shape.numbers.is_empty()
                    && shape.plain_integers.is_empty()
            }
            ValueKind::String => shape.strings.iter().all(|case| case.is_empty()),
            ValueKind::Array => (shape.arrays.iter()).all(|case| {
                let needed = usize::try_from(case.min).unwrap_or(usize::MAX);
                (0..needed.min(case.prefix.len() + 1))
                    .any(|at| self.surely_empty(case.item(at), depth - 1, seen))
            }),
            ValueKind::Object => {
                (shape.objects.iter()).all(|case| self.surely_no_object(case, depth, seen))
            }
        }
    }

    /// The cases of a node, if they can be worked out; one that cannot may have values. If the
    /// schema needs such a set, the error comes from there.
    fn known_shape(&mut self, node: NodeId) -> Option<Rc<ValueShape>> {
        if self.too_large.contains(&node) {
            return None;
        }
        let shape = self.shape(node, false);
        if matches!(&shape, Err(problem) if problem.code == Code::LimitExceeded) {
            self.too_large.insert(node);
        }
        shape.ok()
    }

    fn surely_no_object(
        &mut self,
        case: &ObjectCase,
        depth: usize,
        seen: &mut IdSet<NodeId>,
    ) -> bool {
        (case.names.iter())
            .any(|n| n.required && self.surely_empty(n.value, depth.saturating_sub(1), seen))
    }
}

#[cfg(test)]
mod tests {
    use crate::source::Source;
    use crate::syntax::json_schema::parse;
    use serde_json::{Value, json};

    fn rules(schema: &Value) -> usize {
        let source = Source::new("schema.json", schema.to_string());
        let parsed = parse(&source, &Default::default()).expect("the schema is right");
        parsed.grammar.rules.len()
    }

    /// Without what is required around them, an object without `kind` would be in several
    /// alternatives, and what is in exactly one of them would be cases without number.
    #[test]
    fn a_property_that_is_required_around_allof_tells_alternatives_apart() {
        let alternative = |at: usize| {
            let values = json!({ "type": "object", "properties": { format!("p{at}"): true }, "additionalProperties": false });
            json!({ "type": "object", "properties": { "kind": { "const": format!("k{at}") }, "values": values } })
        };
        let alternatives: Vec<Value> = (0..20).map(alternative).collect();
        let here =
            json!({ "type": "object", "required": ["kind", "values"], "oneOf": alternatives });
        let below = json!({ "type": "object", "required": ["kind", "values"], "allOf": [{ "oneOf": alternatives }] });
        assert_eq!(rules(&below), rules(&here));
    }

    /// Values that are no objects are in all alternatives, so in none alone.
    #[test]
    fn a_constant_property_tells_objects_apart_without_their_type() {
        let alternative = |at: usize, typed: bool| {
            let mut schema = json!({
                "properties": { "kind": { "const": format!("k{at}") }, format!("p{at}"): { "type": "string" } },
                "required": ["kind"]
            });
            if typed {
                schema["type"] = json!("object");
            }
            schema
        };
        let one_of = |typed| {
            let alternatives = (0..20).map(|at| alternative(at, typed));
            json!({ "oneOf": alternatives.collect::<Vec<_>>() })
        };
        assert_eq!(rules(&one_of(false)), rules(&one_of(true)));
    }
}
