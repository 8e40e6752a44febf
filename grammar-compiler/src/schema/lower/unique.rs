//! Arrays without equal items, where the items are of a small finite set.
//!
//! The automaton's states are the sets of values that have been written.

use std::sync::Arc;

use super::super::document::{Node, Value};
use super::super::model::Unique;
use super::super::numbers;
use super::super::values::{ArrayCase, NodeId, Problem};
use super::array::Items;
use super::states::States;
use super::{Lowering, MAX_STATES};
use crate::grammar::Expr;
use crate::source::Span;

/// Items of more different values than this are refused, unless few of them can be written.
const MAX_VALUES: usize = 64;

impl Lowering<'_, '_> {
    /// The items of an array all of which differ; nothing if `uniqueItems` is to be ignored.
    pub(super) fn unique_items(
        &mut self,
        case: &ArrayCase,
        level: u32,
    ) -> Result<Option<Items>, Problem> {
        let refused = |why: String| {
            Problem::keyword(
                "schema-undecided",
                "uniqueItems",
                why,
                "list the items' values by `enum`, bound their number by `maxItems: 1`, or check for equal items afterwards and say `lenient`",
            )
        };
        let values = match self.item_values(case)? {
            Some(values) if case.contains.is_empty() => values,
            _ => {
                let why = "equal items can only be told where few values are possible";
                return self.without_unique(case, refused(why.to_owned()));
            }
        };
        let layout = self.layout(level);
        let mut states = States::new(0u64);
        while let Some(written) = states.next() {
            if states.count() > MAX_STATES {
                let why = format!("{} values have too many subsets", values.len());
                return self.without_unique(case, refused(why));
            }
            let length = u64::from(written.count_ones());
            states.ends(length >= case.min && length > 0);
            let item = case.item(length as usize);
            for (at, &value) in values.iter().enumerate() {
                if written >> at & 1 == 1 || case.max.is_some_and(|max| length >= max) {
                    continue;
                }
                let value = self.values.nodes().both(item, value);
                let part = self.item(&layout, value, written == 0, level);
                states.edge(part, written | 1 << at);
            }
        }
        Ok(Some(Items {
            filled: Expr::Graph(Arc::new(states.into_graph())),
            may_be_empty: case.min == 0,
        }))
    }

    /// Ignores `uniqueItems`, if that is allowed.
    fn without_unique(
        &mut self,
        case: &ArrayCase,
        problem: Problem,
    ) -> Result<Option<Items>, Problem> {
        match case.unique {
            Unique::WhereTold => self.values.ignore(problem),
            _ => self.values.refuse(problem)?,
        }
        Ok(None)
    }

    /// The values that items can have, as nodes, if they are few.
    fn item_values(&mut self, case: &ArrayCase) -> Result<Option<Vec<NodeId>>, Problem> {
        let mut values = Vec::new();
        let rest = (case.max.is_none_or(|max| max > case.prefix.len() as u64)).then_some(case.rest);
        for item in case.prefix.iter().copied().chain(rest) {
            match self.finite(item)? {
                Some(more) => more
                    .into_iter()
                    .for_each(|value| match values.contains(&value) {
                        true => {}
                        false => values.push(value),
                    }),
                None => return Ok(None),
            }
        }
        Ok((values.len() <= MAX_VALUES).then_some(values))
    }

    /// The values of a node, if they are few scalars.
    fn finite(&mut self, node: NodeId) -> Result<Option<Vec<NodeId>>, Problem> {
        let shape = self.values.shape(node, false)?;
        if !shape.arrays.is_empty() || !shape.objects.is_empty() {
            return Ok(None);
        }
        let mut values = Vec::new();
        if shape.null {
            values.push(Value::Null);
        }
        for bool in [false, true] {
            if shape.booleans[usize::from(bool)] {
                values.push(Value::Bool(bool));
            }
        }
        match numbers::values(&shape.numbers, MAX_VALUES) {
            Some(texts) => values.extend(texts.into_iter().map(Value::Number)),
            None => return Ok(None),
        }
        for case in &shape.strings {
            match case.to_language()?.words(MAX_VALUES) {
                Some(words) => values.extend(words.into_iter().map(Value::String)),
                None => return Ok(None),
            }
        }
        let node = |value| Node {
            value,
            span: Span::default(),
        };
        Ok(Some(
            values
                .into_iter()
                .map(|value| self.values.constant_node(&node(value)))
                .collect(),
        ))
    }
}
