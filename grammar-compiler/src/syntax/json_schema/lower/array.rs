//! Texts of arrays.
//!
//! Without `contains` and `uniqueItems` an array is its first items one by one and a counted
//! repetition of the others. With `contains` it is an automaton whose states are (items written,
//! items that count), and items are distinguished by the bounds that they count for.

use std::sync::Arc;

use super::super::model::Unique;
use super::super::values::{ANY, ArrayCase, Contains, NEVER, NodeId, Problem};
use super::layout::{Layout, MAX_LEVEL};
use super::scalar::count;
use super::spot::ValueSpot;
use super::states::MetStates;
use super::{MAX_STATES, SchemaLowering};
use crate::grammar::words::GraphState;
use crate::grammar::{Expr, Graph};

/// More bounds on items of a kind are refused.
const MAX_CONTAINS: usize = 4;

impl<'v> SchemaLowering<'v, '_> {
    pub(super) fn array(&mut self, case: &ArrayCase, spot: ValueSpot) -> Result<Expr, Problem> {
        let layout = self.layout(spot);
        if layout.is_indented() && spot.level() >= MAX_LEVEL {
            return Ok(Expr::Alt(Vec::new()));
        }
        let may_repeat = case.max.is_none_or(|max| max > 1);
        let items = if case.unique != Unique::No && may_repeat {
            match self.unique_items(case, spot)? {
                Some(items) => items,
                // The option, or a published metaschema, says to ignore it.
                None => self.plain_items(
                    &ArrayCase {
                        unique: Unique::No,
                        ..case.clone()
                    },
                    spot,
                )?,
            }
        } else if case.contains.is_empty() {
            self.plain_items(case, spot)?
        } else {
            self.counted_items(case, spot)?
        };
        let inside = layout.inside(items.filled, items.may_be_empty);
        Ok(layout.bracketed("[", inside, "]"))
    }

    fn plain_items(&mut self, case: &ArrayCase, spot: ValueSpot) -> Result<Items, Problem> {
        let layout = self.layout(spot);
        let may_be_empty = case.min == 0;
        let first = case.item(0);
        if first == NEVER || case.max == Some(0) {
            return Ok(Items {
                filled: Expr::Alt(Vec::new()),
                may_be_empty,
            });
        }
        let head = case.prefix.len().max(1) as u64;
        let max = case.max.map(|max| max.max(1));
        let mut graph = Graph::default();
        graph.states.push(GraphState::default());
        for at in 0..head.min(max.unwrap_or(head)) {
            let part = self.item(&layout, case.item(at as usize), at == 0, spot)?;
            let to = graph.states.len() as u32;
            graph.states[to as usize - 1].edges.push((part, to));
            graph.states.push(GraphState {
                is_final: at + 1 >= case.min,
                edges: Vec::new(),
            });
        }
        if case.rest != NEVER && max.is_none_or(|max| max > head) {
            let rest = Expr::Repeat {
                expr: Box::new(self.item(&layout, case.rest, false, spot)?),
                min: count(case.min.saturating_sub(head))?,
                max: max.map(|max| count(max - head)).transpose()?,
            };
            let to = graph.states.len() as u32;
            let last = &mut graph.states[to as usize - 1];
            last.is_final = false;
            last.edges.push((rest, to));
            graph.states.push(GraphState {
                is_final: true,
                edges: Vec::new(),
            });
        }
        Ok(Items {
            filled: Expr::Graph(Arc::new(graph)),
            may_be_empty,
        })
    }

    fn counted_items(&mut self, case: &ArrayCase, spot: ValueSpot) -> Result<Items, Problem> {
        if case.contains.len() > MAX_CONTAINS {
            return Err(Problem::too_large(format!(
                "an array is under more than {MAX_CONTAINS} bounds by `contains`"
            )));
        }
        let counter = Counter::new(case);
        let layout = self.layout(spot);
        let mut states = MetStates::new(ArrayProgress {
            items: 0,
            found: vec![0; case.contains.len()],
        });
        let mut may_be_empty = false;
        while let Some(at) = states.next() {
            if states.count() > MAX_STATES {
                return Err(Problem::too_large(format!(
                    "an array's items need more than {MAX_STATES} states; its bounds on counts multiply"
                )));
            }
            let first = at.items == 0;
            let done = counter.may_end(&at);
            may_be_empty |= done && first;
            states.ends(done && !first);
            if case.max.is_none_or(|max| at.items < max) {
                for (value, to) in self.counted_steps(case, &counter, &at) {
                    states.edge(self.item(&layout, value, first, spot)?, to);
                }
            }
        }
        Ok(Items {
            filled: Expr::Graph(Arc::new(states.into_graph())),
            may_be_empty,
        })
    }

    pub(super) fn item(
        &mut self,
        layout: &Layout<'v>,
        value: NodeId,
        first: bool,
        spot: ValueSpot,
    ) -> Result<Expr, Problem> {
        let item = match layout.form() {
            Some(form) => self.element_item(form, value)?,
            None => self.reference(value, ValueSpot::Json(spot.level() + 1)),
        };
        let mut parts = vec![item, layout.behind()];
        if !first {
            parts.insert(0, layout.comma());
        }
        Ok(Expr::Seq(parts))
    }

    /// The kinds of the next item, apart by the bounds for which it counts.
    fn counted_steps(
        &mut self,
        case: &ArrayCase,
        counter: &Counter<'_>,
        at: &ArrayProgress,
    ) -> Vec<(NodeId, ArrayProgress)> {
        let item = case.item(usize::try_from(at.items).unwrap_or(usize::MAX));
        let mut steps = vec![(item, at.found.clone())];
        for (index, bound) in case.contains.iter().enumerate() {
            if at.items < bound.from || counter.is_settled(bound, at.found[index]) {
                continue;
            }
            let not = self.values.nodes().negation(bound.value);
            let mut next = Vec::new();
            for (value, found) in steps {
                let nodes = self.values.nodes();
                next.push((nodes.both(value, not), found.clone()));
                if bound.max.is_none_or(|max| found[index] < max) {
                    let mut more = found;
                    more[index] += 1;
                    next.push((nodes.both(value, bound.value), more));
                }
            }
            next.retain(|step| step.0 != NEVER);
            steps = next;
        }
        let items = counter.items(at.items + 1);
        (steps.into_iter().filter(|step| step.0 != NEVER))
            .map(|(value, found)| (value, ArrayProgress { items, found }))
            .collect()
    }
}

/// The inside of an array.
pub(super) struct Items {
    /// At least one item.
    pub(super) filled: Expr,
    /// Whether there may be none.
    pub(super) may_be_empty: bool,
}

/// How far an array has been written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ArrayProgress {
    items: u64,
    found: Vec<u64>,
}

struct Counter<'c> {
    case: &'c ArrayCase,
    /// Up to which number of items it matters how many there are.
    counted: u64,
}

impl<'c> Counter<'c> {
    fn new(case: &'c ArrayCase) -> Self {
        let from = case.contains.iter().map(|c| c.from).max().unwrap_or(0);
        let counted = (case.prefix.len() as u64)
            .max(from)
            .max(case.min)
            .max(case.max.unwrap_or(0))
            .max(1);
        Counter { case, counted }
    }

    fn items(&self, items: u64) -> u64 {
        items.min(self.counted)
    }

    /// Whether no further item can change what a bound says.
    fn is_settled(&self, bound: &Contains, found: u64) -> bool {
        bound.max.is_none() && found >= bound.min
            || bound.value == ANY && bound.max.is_none() && bound.min == 0
    }

    fn may_end(&self, at: &ArrayProgress) -> bool {
        at.items >= self.case.min
            && (self.case.contains.iter().zip(&at.found)).all(|(bound, &found)| found >= bound.min)
    }
}
