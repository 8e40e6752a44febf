//! Arrays without equal items, where the items are of a small finite set.
//!
//! The automaton's states are the sets of values that have been written.

use crate::error::Code;
use std::sync::Arc;

use super::super::document::{JsonNode, JsonValue};
use super::super::model::Unique;
use super::super::numbers;
use super::super::values::{ArrayCase, NodeId, Problem};
use super::array::Items;
use super::spot::ValueSpot;
use super::states::MetStates;
use super::{MAX_STATES, SchemaLowering};
use crate::grammar::Expr;
use crate::source::Span;

/// Items of more different values than this are refused, unless few of them can be written.
const MAX_VALUES: usize = 64;
/// States of the pushdown automaton for each set of values that may have been written, about.
const STATES_EACH: usize = 12;
/// States of the text of a short value, about.
const STATES_OF_VALUE: usize = 10;

impl SchemaLowering<'_, '_> {
    /// The items of an array all of which differ; nothing if `uniqueItems` is to be ignored.
    pub(super) fn unique_items(
        &mut self,
        case: &ArrayCase,
        spot: ValueSpot,
    ) -> Result<Option<Items>, Problem> {
        let values = match self.item_values(case)? {
            _ if !case.contains.is_empty() => {
                let why = "equal items cannot be told beside `contains`, which may be counted by any of them";
                let help = "take out `contains`";
                return self.without_unique(case, undecided(why, help));
            }
            Ok(values) => values,
            Err(untold) => return self.without_unique(case, untold.problem()),
        };
        let count = values.len();
        if longest(count, self.most_subsets(0)) < case.max.unwrap_or(u64::MAX).min(count as u64) {
            // What surely is within the limits.
            let sure = |count: usize| longest(count, self.most_subsets(count));
            let why = format!(
                "items may have {count} values, of which too many sets may have been written"
            );
            let all = (1..MAX_VALUES).take_while(|&n| sure(n) == n as u64).count();
            let help = format!(
                "bound the number of items by `\"maxItems\": {}`, list {all} values at most",
                sure(count)
            );
            return self.without_unique(case, undecided(why, help));
        }
        let layout = self.layout(spot);
        let mut states = MetStates::new(0u64);
        while let Some(written) = states.next() {
            let length = u64::from(written.count_ones());
            states.ends(length >= case.min && length > 0);
            let item = case.item(length as usize);
            for (at, &value) in values.iter().enumerate() {
                if written >> at & 1 == 1 || case.max.is_some_and(|max| length >= max) {
                    continue;
                }
                let value = self.values.nodes().both(item, value);
                let part = self.item(&layout, value, written == 0, spot)?;
                states.edge(part, written | 1 << at);
            }
        }
        Ok(Some(Items {
            filled: Expr::Graph(Arc::new(states.into_graph())),
            may_be_empty: case.min == 0,
        }))
    }

    /// Sets of values that an array may tell apart within the limits, if behind each of them the
    /// texts of `copied` values are written anew.
    fn most_subsets(&self, copied: usize) -> u64 {
        let each = STATES_EACH + copied * STATES_OF_VALUE;
        (self.limits.states / each).clamp(1, MAX_STATES) as u64
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

    /// The values that items can have, as nodes, or why they are not few.
    fn item_values(&mut self, case: &ArrayCase) -> Result<Result<Vec<NodeId>, Untold>, Problem> {
        let mut values = Vec::new();
        let rest = (case.max.is_none_or(|max| max > case.prefix.len() as u64)).then_some(case.rest);
        for item in case.prefix.iter().copied().chain(rest) {
            match self.finite(item)? {
                Ok(more) => more
                    .into_iter()
                    .for_each(|value| match values.contains(&value) {
                        true => {}
                        false => values.push(value),
                    }),
                Err(untold) => return Ok(Err(untold)),
            }
        }
        Ok(match values.len() <= MAX_VALUES {
            true => Ok(values),
            false => Err(Untold::Many),
        })
    }

    /// The values of a node, if they are few: those that a schema lists, or scalars.
    fn finite(&mut self, node: NodeId) -> Result<Result<Vec<NodeId>, Untold>, Problem> {
        let shape = self.values.shape(node, false)?;
        if !shape.arrays.is_empty() || !shape.objects.is_empty() {
            return Ok(self.values.listed(node)?.ok_or(Untold::Composite));
        }
        let mut values = Vec::new();
        if shape.null {
            values.push(JsonValue::Null);
        }
        for bool in [false, true] {
            if shape.booleans[usize::from(bool)] {
                values.push(JsonValue::Bool(bool));
            }
        }
        for set in [&shape.numbers, &shape.plain_integers] {
            match numbers::values(set, MAX_VALUES, self.values.deadline()) {
                Some(texts) => values.extend(texts.into_iter().map(JsonValue::Number)),
                None => return Ok(Err(Untold::Many)),
            }
        }
        for case in &shape.strings {
            match case.to_language(self.values.deadline())?.words(MAX_VALUES) {
                Some(words) => values.extend(words.into_iter().map(JsonValue::String)),
                None => return Ok(Err(Untold::Many)),
            }
        }
        let node = |value| JsonNode {
            value,
            span: Span::default(),
        };
        Ok(Ok(values
            .into_iter()
            .map(|value| self.values.constant_node(&node(value)))
            .collect()))
    }
}

/// Why it is not known which values items can have.
enum Untold {
    /// They are more than [`MAX_VALUES`].
    Many,
    /// Arrays or objects are among them that no `enum` lists.
    Composite,
}

impl Untold {
    fn problem(self) -> Problem {
        let single = "bound the number of items by `\"maxItems\": 1`";
        match self {
            Untold::Many => undecided(
                format!(
                    "arrays with equal items can only be excluded if the items have few values, {MAX_VALUES} at most"
                ),
                format!("list the items' values by `enum`, {single}"),
            ),
            Untold::Composite => undecided(
                "arrays with equal items can only be excluded if the items have few values, and these items may be arrays or objects",
                format!("list all values of the items by one `enum`, {single}"),
            ),
        }
    }
}

/// The error that equal items cannot be detected, with the reason and ways out.
fn undecided(why: impl Into<String>, help: impl Into<String>) -> Problem {
    let lenient =
        "or check for equal items afterwards and let the option `lenient` name `uniqueItems`";
    let help = format!("{}, {lenient}", help.into());
    Problem::keyword(Code::SchemaUndecided, "uniqueItems", why, help)
}

/// The most items that can be chosen of `values` different ones, so that there are no more than
/// `most` sets of chosen ones.
fn longest(values: usize, most: u64) -> u64 {
    let values = values as u64;
    let (mut sets, mut subsets) = (1u64, 1u64);
    for length in 1..=values {
        // The number of sets of `length` values, from the number of sets of one value fewer.
        sets = sets.saturating_mul(values - length + 1) / length;
        subsets = subsets.saturating_add(sets);
        if subsets > most {
            return length - 1;
        }
    }
    values
}
