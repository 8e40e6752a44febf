//! The values for which a part of a schema holds, and those for which it fails.

use crate::maps::IdSet;

use super::evaluated::forget_evaluated;
use super::object::NamedProperty;
use super::parts::SchemaPart;
use super::shape::{MAX_CASES, check_cases};
use super::{ANY, NEVER, NodeId, ObjectCase, Problem, SchemaValues, ValueAtom, ValueShape};
use crate::syntax::json_schema::model::{SchemaKind, Types};
use crate::syntax::json_schema::numbers::NumberSet;

impl SchemaValues<'_> {
    /// The values for which a part holds, with the account of what it has evaluated only if
    /// `tracked`. Only values `within` a shape matter: whether others are among the result is left
    /// open.
    pub(super) fn holds(
        &mut self,
        part: &SchemaPart,
        tracked: bool,
        within: &ValueShape,
    ) -> Result<ValueShape, Problem> {
        let mut shape = self.holding(part, tracked, within)?;
        if !tracked {
            forget_evaluated(&mut shape);
        }
        Ok(shape)
    }

    fn holding(
        &mut self,
        part: &SchemaPart,
        tracked: bool,
        within: &ValueShape,
    ) -> Result<ValueShape, Problem> {
        Ok(match part {
            SchemaPart::Types(types) => of_types(types)?,
            SchemaPart::Values(constants) => self.constants(constants)?,
            SchemaPart::Numbers(numbers) => ValueShape {
                numbers: numbers.clone(),
                ..ValueShape::any()
            },
            SchemaPart::Strings(case) => ValueShape {
                strings: vec![case.clone()],
                ..ValueShape::any()
            },
            SchemaPart::Array(case) => ValueShape {
                arrays: vec![case.clone()],
                ..ValueShape::any()
            },
            SchemaPart::Object(case) => ValueShape {
                objects: vec![case.clone()],
                ..ValueShape::any()
            },
            SchemaPart::All(node) => self.shape_within(*node, tracked, within)?,
            SchemaPart::Any(nodes) if tracked => self.any_tracked(nodes)?,
            SchemaPart::Any(nodes) => {
                let mut shape = ValueShape::never();
                for &node in nodes {
                    self.check_time()?;
                    let other = self.shape(node, false)?;
                    shape = shape.union(other.as_ref().clone(), self.deadline)?;
                }
                shape
            }
            SchemaPart::One(nodes) => self.exactly_one(nodes, tracked, within)?,
            SchemaPart::If(test, then, otherwise) => {
                let not = self.nodes.negation(*test);
                let yes = self.both_shapes(*test, *then, tracked)?;
                yes.union(self.both_shapes(not, *otherwise, tracked)?, self.deadline)?
            }
            SchemaPart::WithNames(name, names) => {
                let mut with = ObjectCase::with(name, ANY, true);
                with.demand(names);
                ValueShape {
                    objects: vec![ObjectCase::with(name, NEVER, false), with],
                    ..ValueShape::any()
                }
            }
            SchemaPart::WithSchema(name, node) => {
                let with = objects(vec![ObjectCase::with(name, ANY, true)]);
                let shape = self.shape(*node, tracked)?;
                let without = ValueShape {
                    objects: vec![ObjectCase::with(name, NEVER, false)],
                    ..ValueShape::any()
                };
                without.union(self.intersect(&with, &shape)?, self.deadline)?
            }
        })
    }

    pub(super) fn fails(&mut self, part: &SchemaPart) -> Result<ValueShape, Problem> {
        Ok(match part {
            SchemaPart::Types(types) => of_types(&others(types))?,
            SchemaPart::Values(constants) => self.not_constants(constants)?,
            SchemaPart::Numbers(numbers) => ValueShape {
                numbers: numbers.complement(),
                ..ValueShape::never()
            },
            SchemaPart::Strings(case) => ValueShape {
                strings: case.complement(),
                ..ValueShape::never()
            },
            SchemaPart::Array(case) => {
                let broken = case.prefix.iter().filter(|&&node| node != ANY);
                check_cases(broken.count(), MAX_CASES)?;
                ValueShape {
                    arrays: case.complement(&mut self.nodes)?,
                    ..ValueShape::never()
                }
            }
            SchemaPart::Object(case) => objects(self.not_object(case)?),
            SchemaPart::All(node) => self.not_shape(*node)?,
            SchemaPart::Any(nodes) => {
                let mut shape = ValueShape::any();
                for &node in nodes {
                    self.check_time()?;
                    let other = self.not_shape(node)?;
                    shape = self.intersect(&shape, &other)?;
                }
                shape
            }
            SchemaPart::One(nodes) => self.not_exactly_one(nodes)?,
            SchemaPart::If(test, then, otherwise) => {
                let not = self.nodes.negation(*test);
                let (then, otherwise) =
                    (self.nodes.negation(*then), self.nodes.negation(*otherwise));
                let yes = self.both_shapes(*test, then, false)?;
                yes.union(self.both_shapes(not, otherwise, false)?, self.deadline)?
            }
            SchemaPart::WithNames(name, names) => {
                let mut cases = Vec::new();
                for other in names.iter().filter(|other| *other != name) {
                    let mut case = ObjectCase::with(name, ANY, true);
                    case.names
                        .extend(ObjectCase::with(other, NEVER, false).names);
                    cases.push(case);
                }
                objects(cases)
            }
            SchemaPart::WithSchema(name, node) => {
                let with = objects(vec![ObjectCase::with(name, ANY, true)]);
                let not = self.not_shape(*node)?;
                self.intersect(&with, &not)?
            }
        })
    }

    /// All objects but those of a case.
    pub(super) fn not_object(&mut self, case: &ObjectCase) -> Result<Vec<ObjectCase>, Problem> {
        // Each condition on a name makes a case, and none of these covers another.
        let broken =
            |name: &NamedProperty| usize::from(name.required) + usize::from(name.value != ANY);
        check_cases(case.names.iter().map(broken).sum(), MAX_CASES)?;
        self.check_time()?;
        let narrow: IdSet<NodeId> = (case.names.iter())
            .map(|n| n.value)
            .filter(|&value| self.is_narrow(value))
            .collect();
        case.complement(
            &mut self.nodes,
            |value| narrow.contains(&value),
            self.deadline,
        )
    }

    /// Whether a node has few values: one of its schemas lists them.
    fn is_narrow(&self, node: NodeId) -> bool {
        (self.nodes.literals(node).iter()).any(|literal| match literal.atom {
            ValueAtom::Constant(_) => literal.holds,
            ValueAtom::Schema(id) if literal.holds => {
                match self.model.schema(id).map(|s| &s.kind) {
                    Some(SchemaKind::Keywords(keywords)) => !keywords.values.is_empty(),
                    _ => false,
                }
            }
            _ => false,
        })
    }
}

fn objects(objects: Vec<ObjectCase>) -> ValueShape {
    ValueShape {
        objects,
        ..ValueShape::never()
    }
}

fn of_types(types: &Types) -> Result<ValueShape, Problem> {
    let plain = types.plain_integers && types.integer && !types.fraction;
    let numbers = match (types.integer, types.fraction) {
        (true, true) => NumberSet::all(),
        (true, false) if plain => NumberSet::empty(),
        (true, false) => NumberSet::integers(),
        (false, true) => NumberSet::integers().complement(),
        (false, false) => NumberSet::empty(),
    };
    let any = ValueShape::any();
    Ok(ValueShape {
        null: types.null,
        booleans: [types.boolean; 2],
        numbers,
        plain_integers: match plain {
            true => NumberSet::integers(),
            false => NumberSet::empty(),
        },
        strings: keep(types.string, any.strings),
        arrays: keep(types.array, any.arrays),
        objects: keep(types.object, any.objects),
    })
}

fn keep<T>(keep: bool, cases: Vec<T>) -> Vec<T> {
    if keep { cases } else { Vec::new() }
}

/// The other types. Of integers only the values count: what drafts 3 and 4 do not call an integer,
/// such as `1.0`, is left out too.
fn others(types: &Types) -> Types {
    Types {
        plain_integers: false,
        null: !types.null,
        boolean: !types.boolean,
        integer: !types.integer,
        fraction: !types.fraction,
        string: !types.string,
        array: !types.array,
        object: !types.object,
    }
}
