//! Texts of objects.
//!
//! An object's automaton counts the known names that it has passed and the properties that it has
//! written, and remembers the demanded properties among these. A state is one combination of the
//! three. A number that the schema does not need is not counted.

use std::sync::Arc;

use super::super::options::KeyOrder;
use super::super::strings::Language;
use super::super::values::{NEVER, NamedProperty, NodeId, ObjectCase, Problem};
use super::layout::Layout;
use super::spot::ValueSpot;
use super::states::MetStates;
use super::{MAX_STATES, SchemaLowering};
use crate::grammar::Expr;
use crate::limits::{Deadline, Limits};

/// With any order, an object may name no more properties than this: [`ObjectProgress::names`] has a
/// bit for each.
const MAX_UNORDERED: usize = 128;
/// More properties known by a set of names only are refused.
const MAX_EXISTS: usize = 4;

/// How far an object has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct ObjectProgress {
    /// Names passed in order; or a set of names written, in any order.
    names: u128,
    /// Properties written, up to where it matters.
    count: u64,
    /// The demanded properties that have been written, as bits.
    met: u32,
}

/// A property that may come next.
struct NextProperty {
    names: Language,
    value: NodeId,
    to: ObjectProgress,
}

impl<'v> SchemaLowering<'v, '_> {
    pub(super) fn object(&mut self, case: &ObjectCase, spot: ValueSpot) -> Result<Expr, Problem> {
        let layout = self.layout(spot);
        let is_too_deep = layout.is_indented() && spot.level() >= super::layout::MAX_LEVEL;
        if is_too_deep || case.is_empty(self.values.deadline()) {
            return Ok(Expr::Alt(Vec::new()));
        }
        if case.exists.len() > MAX_EXISTS {
            return Err(Problem::too_large(format!(
                "an object must have more than {MAX_EXISTS} properties that are known by a pattern only"
            )));
        }
        let writer = ObjectWriter::new(
            case,
            self.options.key_order,
            self.limits,
            self.values.deadline(),
        )?;
        let mut states = MetStates::new(writer.start());
        let mut may_be_empty = false;
        while let Some(at) = states.next() {
            if states.count() > MAX_STATES {
                return Err(Problem::too_large(format!(
                    "an object's properties need more than {MAX_STATES} states; bounds on their number multiply with their order"
                )));
            }
            let first = at.count == 0;
            self.values.check_time()?;
            for step in self.steps(&writer, at)? {
                let Some(property) = self.property(&layout, &step, spot)? else {
                    continue;
                };
                let mut part = property;
                part.push(layout.behind());
                if !first {
                    part.insert(0, layout.comma());
                }
                states.edge(Expr::Seq(part), step.to);
            }
            if writer.skip(at) {
                let names = at.names + 1;
                states.edge(Expr::Seq(Vec::new()), ObjectProgress { names, ..at });
            }
            let done = writer.may_end(at);
            may_be_empty |= done && first;
            states.ends(done && !first);
        }
        let filled = Expr::Graph(Arc::new(states.into_graph()));
        let inside = layout.inside(filled, may_be_empty);
        Ok(layout.bracketed("{", inside, "}"))
    }

    /// The parts of a property, its key and its value; nothing if the style cannot write one.
    fn property(
        &mut self,
        layout: &Layout<'v>,
        step: &NextProperty,
        spot: ValueSpot,
    ) -> Result<Option<Vec<Expr>>, Problem> {
        if let Some(form) = layout.form() {
            let element = self.argument(layout, form, &step.names, step.value)?;
            return Ok(element.map(|element| vec![element]));
        }
        let Some(key) = self.key(layout, &step.names)? else {
            return Ok(None);
        };
        let value = self.reference(step.value, ValueSpot::Json(spot.level() + 1));
        Ok(Some(vec![key, layout.colon(), value]))
    }

    /// The properties that may come next.
    fn steps(
        &mut self,
        writer: &ObjectWriter<'_>,
        at: ObjectProgress,
    ) -> Result<Vec<NextProperty>, Problem> {
        let mut steps = Vec::new();
        if writer.is_full(at) {
            return Ok(steps);
        }
        for index in writer.next_names(at) {
            let named = writer.names[index];
            let key = self.name(&named.name);
            let mut to = writer.written(at, index);
            let met = writer.meets(|e| e.names.contains(&named.name));
            self.add(
                &mut steps,
                writer,
                &key,
                named.value,
                (at.met, met),
                &mut to,
            );
        }
        if writer.may_be_other(at) {
            for (names, value) in &writer.others {
                for (names, met) in writer.by_exists(names, self.values.deadline())? {
                    let mut to = ObjectProgress {
                        count: writer.count(at.count + 1),
                        ..at
                    };
                    self.add(&mut steps, writer, &names, *value, (at.met, met), &mut to);
                }
            }
        }
        Ok(steps)
    }

    /// The set of one name. Objects have many names in common.
    fn name(&mut self, name: &Arc<str>) -> Language {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let language = Language::literal(name);
        self.names.insert(name.clone(), language.clone());
        language
    }

    /// Adds a property, and apart from it the same with each demand that its name may meet.
    fn add(
        &mut self,
        steps: &mut Vec<NextProperty>,
        writer: &ObjectWriter<'_>,
        names: &Language,
        value: NodeId,
        (met, may_meet): (u32, u32),
        to: &mut ObjectProgress,
    ) {
        let open = may_meet & !met;
        let mut chosen = open;
        loop {
            let mut all = value;
            for (at, exists) in writer.case.exists.iter().enumerate() {
                if chosen >> at & 1 == 1 {
                    all = self.values.nodes().both(all, exists.value);
                }
            }
            if all != NEVER {
                to.met = met | chosen;
                steps.push(NextProperty {
                    names: names.clone(),
                    value: all,
                    to: *to,
                });
            }
            if chosen == 0 {
                return;
            }
            chosen = (chosen - 1) & open;
        }
    }
}

/// Refuses lists of names that have too many subsets. Each subset of names that may have been
/// written has states of its own: one for each letter of each name that may come next.
fn check_orders(names: &[&NamedProperty], max: Option<u64>, limit: u64) -> Result<(), Problem> {
    let count = names.len() as u64;
    let letters = names.iter().map(|n| n.name.len() as u64 + 1).sum::<u64>();
    let longest = max.map_or(count, |max| max.min(count));
    // Of the sets of one length, each name is missing in the same share.
    let (mut sets, mut states) = (1u64, 0u64);
    for length in 0..longest {
        let share = letters.saturating_mul(count - length) / count;
        states = states.saturating_add(sets.saturating_mul(share));
        sets = sets.saturating_mul(count - length) / (length + 1);
    }
    if states <= limit && names.len() <= MAX_UNORDERED {
        return Ok(());
    }
    let why = format!(
        "{count} properties may stand in any order: that takes a state for each set of names and each letter of the next one, about {states} (limit `states` = {limit})"
    );
    let help = "take the schema's order of keys, bound the number of properties by `maxProperties`, or raise `Limits::states` if this size is meant";
    let problem = Problem::too_large(why);
    Err(Problem {
        help: help.to_owned(),
        ..problem
    })
}

/// What an object's automaton is made from.
struct ObjectWriter<'c> {
    case: &'c ObjectCase,
    /// The names that there may be.
    names: Vec<&'c NamedProperty>,
    /// All other names, without those known, that may have a value.
    others: Vec<(Language, NodeId)>,
    /// Whether the names stand in their order or in any.
    order: KeyOrder,
    /// Up to which number of properties it matters how many there are.
    counted: u64,
}

impl<'c> ObjectWriter<'c> {
    fn new(
        case: &'c ObjectCase,
        order: KeyOrder,
        limits: &Limits,
        deadline: &Deadline,
    ) -> Result<Self, Problem> {
        let others = case.unnamed(|value| value != NEVER, deadline)?;
        let mut names: Vec<&NamedProperty> =
            case.names.iter().filter(|n| n.value != NEVER).collect();
        let order = match order {
            KeyOrder::Sorted => {
                names.sort_by_cached_key(|named| named.name.to_lowercase());
                KeyOrder::Schema
            }
            order => order,
        };
        if order == KeyOrder::Any {
            check_orders(&names, case.max, limits.states as u64)?;
        }
        let required = names.iter().filter(|n| n.required).count() as u64;
        let possible = match others.is_empty() {
            true => names.len() as u64,
            false => u64::MAX,
        };
        let min = if case.min > required { case.min } else { 0 };
        let max = case
            .max
            .filter(|&max| max < possible)
            .map_or(0, |max| max.max(1));
        Ok(ObjectWriter {
            case,
            names,
            others,
            order,
            counted: min.max(max).max(1),
        })
    }

    fn start(&self) -> ObjectProgress {
        ObjectProgress {
            names: 0,
            count: 0,
            met: 0,
        }
    }

    fn count(&self, count: u64) -> u64 {
        count.min(self.counted)
    }

    fn is_full(&self, at: ObjectProgress) -> bool {
        self.case.max.is_some_and(|max| at.count >= max)
    }

    /// The names that may be written next, skipping none.
    fn next_names(&self, at: ObjectProgress) -> Vec<usize> {
        match self.order {
            KeyOrder::Schema | KeyOrder::Sorted => {
                (at.names as usize..self.names.len()).take(1).collect()
            }
            KeyOrder::Any => (0..self.names.len())
                .filter(|index| at.names >> index & 1 == 0)
                .collect(),
        }
    }

    fn written(&self, at: ObjectProgress, index: usize) -> ObjectProgress {
        let names = match self.order {
            KeyOrder::Schema | KeyOrder::Sorted => at.names + 1,
            KeyOrder::Any => at.names | 1 << index,
        };
        ObjectProgress {
            names,
            count: self.count(at.count + 1),
            ..at
        }
    }

    /// Whether the next name may be left out.
    fn skip(&self, at: ObjectProgress) -> bool {
        self.order == KeyOrder::Schema
            && self
                .names
                .get(at.names as usize)
                .is_some_and(|n| !n.required)
    }

    fn may_be_other(&self, at: ObjectProgress) -> bool {
        self.order == KeyOrder::Any || at.names as usize == self.names.len()
    }

    fn may_end(&self, at: ObjectProgress) -> bool {
        let named = match self.order {
            KeyOrder::Schema | KeyOrder::Sorted => at.names as usize == self.names.len(),
            KeyOrder::Any => (self.names.iter().enumerate())
                .all(|(index, n)| !n.required || at.names >> index & 1 == 1),
        };
        let enough = at.count >= self.counted || at.count >= self.case.min;
        named && enough && at.met + 1 == 1 << self.case.exists.len()
    }

    /// The demands that a property may meet.
    fn meets(&self, may: impl Fn(&super::super::values::Exists) -> bool) -> u32 {
        let demands = self.case.exists.iter().enumerate();
        demands
            .filter(|(_, e)| may(e))
            .fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// Names apart by the demands that they may meet.
    fn by_exists(
        &self,
        names: &Language,
        deadline: &Deadline,
    ) -> Result<Vec<(Language, u32)>, Problem> {
        let mut parts = vec![(names.clone(), 0)];
        for (at, exists) in self.case.exists.iter().enumerate() {
            let mut next = Vec::new();
            for (names, met) in parts {
                next.push((names.intersect(&exists.names, deadline)?, met | 1 << at));
                next.push((names.minus(&exists.names, deadline)?, met));
            }
            next.retain(|part| !part.0.is_empty());
            parts = next;
        }
        Ok(parts)
    }
}
