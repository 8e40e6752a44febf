//! From sets of values to a grammar of their texts.
//!
//! In: [`SchemaValues`] and the node of the whole value. Out: a [`Grammar`] with a rule for each
//! node that can occur; its sentences are the texts of the values, as the [`SchemaOptions`] say
//! they are written.
//!
//! Objects are automata over properties: known ones in their order, each at most once, then all
//! others. Keys are written out in the object's own automaton, so an unknown key leaves the known
//! ones at the first byte that differs. Values are references; quoted strings and brackets are
//! spans that may be called.
//!
//! A value's rule is one for each `ValueSpot` at which it may stand: in brackets, or in an element
//! of a model's own style (`styles`). In brackets it is written as the style's [`Notation`] says;
//! in styles of elements that is JSON.

mod array;
mod layout;
mod object;
mod scalar;
mod spot;
mod states;
mod styles;
mod unique;

use crate::maps::{IdMap, IdSet, KeyedMap};
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::grammar::check::{for_each_ref, unproductive_rules};
use crate::grammar::{BoundedWords, Expr, Grammar, Rule, RuleId, Words};
use crate::syntax::spell::Speller;
use maskwright_core::style::{Form, Keys, Notation, Quoting};

use super::model::SchemaId;
use super::numbers::{NumberForms, NumberSet};
use super::options::{SchemaOptions, Whitespace};
use super::strings::{Language, QuotedTexts};
use super::values::{Literal, NodeId, Problem, SchemaValues, StringCase, ValueAtom, ValueShape};
use crate::limits::Limits;
use crate::syntax::ParseOptions;
use layout::{Inside, Layout};
use spot::ValueSpot;
pub(crate) use styles::markups;
use styles::{EndedKey, EndedTexts, Needles};

/// An automaton of one object or array may have no more states than this.
const MAX_STATES: usize = 50_000;

/// The grammar of the texts of `root`, as the options for schemas, tags and tokens say.
///
/// # Errors
///
/// If something cannot be honoured exactly, or a limit is passed.
pub fn lower(
    values: &mut SchemaValues<'_>,
    root: NodeId,
    options: &ParseOptions,
) -> Result<LoweredSchema, Problem> {
    let ParseOptions {
        schema,
        tags,
        tokens,
        limits,
        ..
    } = options;
    let form = schema.element_form();
    let notation = schema.notation();
    let raw = match form {
        Some(_) => raw_options(values, root, schema)?,
        None => None,
    };
    let schema = raw.as_ref().unwrap_or(schema);
    let has_delimiters = form.is_some() || notation.quoting == Quoting::Raw;
    let speller = has_delimiters.then(|| Speller::new(tokens, tags.spelled));
    let excludes = schema.excludes.iter().map(String::as_bytes);
    let excluded = Needles::new(excludes, limits)?;
    let mut lowering = SchemaLowering {
        values,
        options: schema,
        limits,
        form: form.as_ref(),
        notation,
        speller: speller.unwrap_or_default(),
        excluded,
        holds_end: false,
        rules: Vec::new(),
        ids: IdMap::default(),
        pending: Vec::new(),
        strings: KeyedMap::default(),
        bounded: IdMap::default(),
        quoted: QuotedTexts::new(scalar::decoder(form.as_ref(), notation)),
        counted: KeyedMap::default(),
        bounded_raws: KeyedMap::default(),
        ended: KeyedMap::default(),
        names: KeyedMap::default(),
        numbers: KeyedMap::default(),
    };
    let whole = ValueSpot::whole(lowering.form, notation, schema.arguments);
    let value = lowering.value(root, whole);
    while let Some((id, node, spot)) = lowering.pending.pop() {
        lowering.values.check_time()?;
        let expr = lowering.node(node, spot)?;
        lowering.rules[id.0 as usize].expr = expr;
    }
    let ids = std::mem::take(&mut lowering.ids);
    let mut rules = std::mem::take(&mut lowering.rules);
    let holds_end = lowering.holds_end;
    let mut root = value;
    // Elements, and the arguments of a call in Python, have their blanks within.
    let has_blanks_within = form.is_some() || notation.keys == Keys::Arguments;
    let has_usual_blanks = matches!(schema.whitespace, Whitespace::Usual(_));
    if has_usual_blanks && schema.outer_blanks && !has_blanks_within {
        root = RuleId(rules.len() as u32);
        rules.push(Rule::new("text", layout::whole(Expr::Ref(value))));
    }
    let grammar = Grammar::new(rules, root);
    let unproductive = unproductive_rules(&grammar).into_iter().collect();
    let never = never(&grammar, &unproductive, &ids, lowering.values);
    Ok(LoweredSchema {
        grammar,
        holds_end,
        unproductive,
        never,
    })
}

/// The options for a value that is no object and is written as its raw text, if it is one: no text
/// in it contains what ends it.
fn raw_options(
    values: &mut SchemaValues<'_>,
    root: NodeId,
    options: &SchemaOptions,
) -> Result<Option<SchemaOptions>, Problem> {
    let Some(ends) = options.raw_ends.as_ref().filter(|_| !options.arguments) else {
        return Ok(None);
    };
    let shape = values.shape(root, false);
    let shape = shape.map_err(|problem| {
        let place = values.place_of(root);
        problem.or_at(|| place)
    })?;
    if !shape.objects.is_empty() || *shape == ValueShape::never() {
        return Ok(None);
    }
    let excludes = options
        .excludes
        .iter()
        .chain(ends.texts.iter())
        .cloned()
        .collect();
    Ok(Some(options.clone().excludes(excludes)))
}

/// A schema's grammar, and what the schema has no values for.
pub struct LoweredSchema {
    /// The grammar.
    pub grammar: Grammar,
    /// Whether what ends a raw value is written behind it: the first of `raw_ends`.
    pub(crate) holds_end: bool,
    /// The rules that no text matches.
    pub(crate) unproductive: IdSet<RuleId>,
    /// Schemas that values are described by and that no value satisfies, ascending.
    pub never: Vec<SchemaId>,
}

/// The schemas by themselves that no value satisfies, but those that only depend on another one.
fn never(
    grammar: &Grammar,
    never: &IdSet<RuleId>,
    ids: &IdMap<(NodeId, ValueSpot), RuleId>,
    values: &mut SchemaValues<'_>,
) -> Vec<SchemaId> {
    if never.is_empty() {
        return Vec::new();
    }
    let is_first = |id: RuleId| {
        let mut depends = false;
        if let Some(rule) = grammar.rules.get(id.0 as usize) {
            for_each_ref(&rule.expr, &mut |other| depends |= never.contains(&other));
        }
        never.contains(&id) && !depends
    };
    // A node may have values at one spot only.
    let is_somewhere = |entry: &(&(NodeId, ValueSpot), &RuleId)| !never.contains(entry.1);
    let some: IdSet<NodeId> = ids
        .iter()
        .filter(is_somewhere)
        .map(|entry| entry.0.0)
        .collect();
    let found = ids
        .iter()
        .filter(|entry| is_first(*entry.1) && !some.contains(&entry.0.0));
    let schema =
        |(&(node, _), _): (&(NodeId, ValueSpot), &RuleId)| match values.nodes().literals(node) {
            &[
                Literal {
                    atom: ValueAtom::Schema(id),
                    holds: true,
                },
            ] => Some(id),
            _ => None,
        };
    let schemas: BTreeSet<SchemaId> = found.filter_map(schema).collect();
    schemas.into_iter().collect()
}

struct SchemaLowering<'v, 'm> {
    values: &'v mut SchemaValues<'m>,
    options: &'v SchemaOptions,
    limits: &'v Limits,
    /// How elements are written, in styles that have some.
    form: Option<&'v Form<'v>>,
    /// How values are written in brackets.
    notation: &'static Notation,
    /// The tokens that delimiters are cut at.
    speller: Speller,
    /// What no text may contain.
    excluded: Needles,
    /// Whether what ends the whole value, which is raw, is written behind it.
    holds_end: bool,
    rules: Vec<Rule>,
    ids: IdMap<(NodeId, ValueSpot), RuleId>,
    pending: Vec<(RuleId, NodeId, ValueSpot)>,
    /// The texts of sets of strings: an object asks for each of its keys wherever that may come.
    strings: KeyedMap<Language, Arc<Words>>,
    /// Those of `strings` with a greatest number of characters, by where they lie in memory: there
    /// they stay as long as `strings` has them.
    bounded: IdMap<(usize, u32), Arc<BoundedWords>>,
    quoted: QuotedTexts,
    /// The rules of long raw strings, by the bounds on their lengths and what ends them.
    counted: KeyedMap<(u32, u32, String), RuleId>,
    /// The same for those whose automaton is counted.
    bounded_raws: KeyedMap<(StringCase, String), RuleId>,
    /// The automata of these, without bounds.
    ended: KeyedMap<EndedKey, Option<EndedTexts>>,
    /// For each name the set that has only it.
    names: KeyedMap<Arc<str>, Language>,
    /// The texts of sets of numbers.
    numbers: KeyedMap<(NumberSet, NumberForms), Arc<Words>>,
}

impl<'v> SchemaLowering<'v, '_> {
    /// The rule of a node at a spot. Only indented layouts tell levels apart.
    fn value(&mut self, node: NodeId, spot: ValueSpot) -> RuleId {
        let spot = match spot {
            ValueSpot::Json(_) if !self.layout(spot).is_indented() => ValueSpot::Json(0),
            _ => spot,
        };
        if let Some(&id) = self.ids.get(&(node, spot)) {
            return id;
        }
        let id = RuleId(self.rules.len() as u32);
        let name = self.values.pointer(node).unwrap_or("value");
        let rule = Rule::new(name, Expr::Alt(Vec::new()));
        let place = self.values.place_of(node);
        self.rules.push(rule.at(place.span, Vec::new()));
        self.ids.insert((node, spot), id);
        self.pending.push((id, node, spot));
        id
    }

    fn reference(&mut self, node: NodeId, spot: ValueSpot) -> Expr {
        Expr::Ref(self.value(node, spot))
    }

    /// The layout inside of what stands at a spot.
    fn layout(&self, spot: ValueSpot) -> Layout<'v> {
        let inside = match (spot, self.form) {
            (ValueSpot::Arguments | ValueSpot::Element(_), Some(form)) => Inside::Elements(form),
            (ValueSpot::Arguments, None) if self.notation.keys == Keys::Arguments => Inside::Call,
            _ => Inside::Brackets,
        };
        Layout::new(self.options.whitespace, spot.level(), inside)
    }

    fn node(&mut self, node: NodeId, spot: ValueSpot) -> Result<Expr, Problem> {
        self.values.look_at(node);
        let shape = self.values.shape(node, false);
        let lowered = shape.and_then(|shape| match (spot, self.form) {
            (ValueSpot::Arguments, _) => self.arguments(&shape),
            (ValueSpot::Element(word), Some(form)) => self.element_value(form, word, &shape),
            _ => self.shape(&shape, spot),
        });
        lowered.map_err(|problem| {
            let place = self.values.place_of(node);
            problem.or_at(|| place)
        })
    }

    /// The texts of a shape's values, those of strings in quotes.
    fn shape(&mut self, shape: &ValueShape, spot: ValueSpot) -> Result<Expr, Problem> {
        let mut cases = self.scalars(shape)?;
        cases.extend(self.composites(shape, spot)?);
        Ok(either(cases))
    }

    /// The texts of arrays and objects.
    fn composites(&mut self, shape: &ValueShape, spot: ValueSpot) -> Result<Vec<Expr>, Problem> {
        let mut cases = Vec::new();
        for case in &shape.arrays {
            self.values.check_time()?;
            cases.push(self.array(case, spot)?);
        }
        for case in &shape.objects {
            cases.push(self.object(case, spot)?);
        }
        Ok(cases)
    }
}

/// One of these.
fn either(mut cases: Vec<Expr>) -> Expr {
    match cases.len() {
        1 => cases.remove(0),
        _ => Expr::Alt(cases),
    }
}
