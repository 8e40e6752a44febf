//! Properties and items that no other keyword has evaluated.
//!
//! A case that is *tracked* knows which names and items the keywords that made it have looked at,
//! so `unevaluatedProperties` and `unevaluatedItems` say something about each case by itself.

use super::object::Exists;
use super::{ArrayCase, Contains, NodeId, Problem, SchemaValues, ValueShape};
use crate::syntax::json_schema::model::{Keywords, SchemaId};
use crate::syntax::json_schema::strings::Language;

/// Drops the account where nothing asks for it any more, so that equal cases are equal.
pub(super) fn forget_evaluated(shape: &mut ValueShape) {
    for case in &mut shape.arrays {
        case.evaluated = 0;
        case.contains.iter_mut().for_each(|c| c.evaluates = false);
    }
    (shape.objects.iter_mut()).for_each(|case| case.evaluated = Language::empty());
}

impl SchemaValues<'_> {
    /// `unevaluatedProperties`, on tracked cases.
    pub(super) fn unevaluated_properties(
        &mut self,
        shape: &mut ValueShape,
        schema: SchemaId,
    ) -> Result<(), Problem> {
        let value = self.node_of(schema);
        for case in &mut shape.objects {
            for named in &mut case.names {
                if !case.evaluated.contains(&named.name) {
                    named.value = self.nodes.both(named.value, value);
                }
            }
            let others = std::mem::take(&mut case.others);
            case.others = self.refine(others, &case.evaluated.complement(), value)?;
            case.evaluated = Language::any();
        }
        shape.objects.retain(|case| !case.is_empty(self.deadline));
        Ok(())
    }

    /// `unevaluatedItems`, on tracked cases.
    pub(super) fn unevaluated_items(&mut self, shape: &mut ValueShape, schema: SchemaId) {
        for case in &mut shape.arrays {
            let none = self.not_passing(case, schema);
            let value = self.nodes.negation(none);
            if case.evaluated != u64::MAX {
                let evaluated = usize::try_from(case.evaluated).unwrap_or(usize::MAX);
                while case.prefix.len() < evaluated {
                    case.prefix.push(case.rest);
                }
                for item in case.prefix.iter_mut().skip(evaluated) {
                    *item = self.nodes.both(*item, value);
                }
                case.rest = self.nodes.both(case.rest, value);
                case.normalize();
            }
            case.evaluated = u64::MAX;
        }
        shape.arrays.retain(|case| !case.is_empty());
    }

    /// The items behind those evaluated that are not in a schema and count for no `contains`.
    fn not_passing(&mut self, case: &ArrayCase, schema: SchemaId) -> NodeId {
        let value = self.node_of(schema);
        let mut none = self.nodes.negation(value);
        for bound in case.contains.iter().filter(|c| c.evaluates) {
            let not = self.nodes.negation(bound.value);
            none = self.nodes.both(none, not);
        }
        none
    }

    /// The values for which all other keywords hold, and `unevaluatedProperties` or
    /// `unevaluatedItems` does not.
    pub(super) fn some_unevaluated(&mut self, keywords: &Keywords) -> Result<ValueShape, Problem> {
        let tracked = self.all_parts(keywords, true)?;
        let mut shape = ValueShape::never();
        if let Some(schema) = keywords.object.unevaluated {
            let value = self.node_of(schema);
            for mut case in tracked.objects {
                case.exists.push(Exists {
                    names: case.evaluated.complement(),
                    value: self.nodes.negation(value),
                });
                shape.objects.push(case);
            }
        }
        if let Some(schema) = keywords.array.unevaluated {
            for mut case in tracked.arrays {
                if case.evaluated == u64::MAX {
                    continue;
                }
                case.contains.push(Contains {
                    from: case.evaluated,
                    value: self.not_passing(&case, schema),
                    min: 1,
                    max: None,
                    evaluates: false,
                });
                shape.arrays.push(case);
            }
        }
        forget_evaluated(&mut shape);
        Ok(shape)
    }
}
