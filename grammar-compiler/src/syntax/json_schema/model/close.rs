//! Objects without properties that their schema does not declare.
//!
//! In: a [`Model`]. Out: the same, changed for each schema of a value that declares properties, be
//! it none, and says nothing about other properties: it then allows no others. A property is
//! declared if some schema that applies in place declares it, as for
//! `unevaluatedProperties: false`. A schema that declares nothing allows any object.

use super::{Keywords, Model, Schema, SchemaId, SchemaKind, SchemaPlace};
use crate::limits::Deadline;
use crate::maps::{IdMap, IdSet};
use std::collections::BTreeSet;

/// Allows no properties that are not declared. When the deadline passes, it stops early.
pub fn close(model: &mut Model, deadline: &Deadline) {
    let values: IdSet<SchemaId> = std::iter::once(model.root)
        .chain(all(model, values_of))
        .collect();
    let in_place: IdSet<SchemaId> = all(model, in_place_of).into_iter().collect();
    let mut open: Vec<SchemaId> = values
        .into_iter()
        .filter(|&id| is_open(model, id, deadline))
        .collect();
    open.sort_unstable();
    let mut wrappers = IdMap::default();
    let never = SchemaId(model.schemas.len() as u32);
    model.schemas.push(Schema {
        place: model
            .schema(model.root)
            .map(|root| root.place.clone())
            .unwrap_or_default(),
        kind: SchemaKind::Never,
    });
    for id in open {
        // What applies in place somewhere must not say it there: it speaks of all properties of the
        // value.
        if in_place.contains(&id) {
            let wrapper = SchemaId(model.schemas.len() as u32);
            let place = model
                .schema(id)
                .map(|schema| schema.place.clone())
                .unwrap_or_default();
            let mut keywords = Keywords {
                references: vec![id],
                ..Keywords::default()
            };
            keywords.object.unevaluated = Some(never);
            let kind = SchemaKind::Keywords(Box::new(keywords));
            model.schemas.push(Schema { place, kind });
            wrappers.insert(id, wrapper);
        } else if let Some(keywords) = keywords_mut(model, id) {
            let is_alone = in_place_of(keywords).is_empty();
            match is_alone {
                true => keywords.object.additional = Some(never),
                false => keywords.object.unevaluated = Some(never),
            }
        }
    }
    if wrappers.is_empty() {
        return;
    }
    for schema in &mut model.schemas {
        if let SchemaKind::Keywords(keywords) = &mut schema.kind {
            values_mut(keywords, &mut |id| {
                *id = wrappers.get(id).copied().unwrap_or(*id)
            });
        }
    }
    model.root = wrappers.get(&model.root).copied().unwrap_or(model.root);
}

fn keywords_mut(model: &mut Model, id: SchemaId) -> Option<&mut Keywords> {
    match &mut model.schemas.get_mut(id.0 as usize)?.kind {
        SchemaKind::Keywords(keywords) => Some(keywords),
        SchemaKind::Any | SchemaKind::Never => None,
    }
}

fn all(model: &Model, of: impl Fn(&Keywords) -> Vec<SchemaId>) -> Vec<SchemaId> {
    let keywords = model
        .schemas
        .iter()
        .filter_map(|schema| match &schema.kind {
            SchemaKind::Keywords(keywords) => Some(keywords),
            SchemaKind::Any | SchemaKind::Never => None,
        });
    keywords.flat_map(|keywords| of(keywords)).collect()
}

/// The schemas of parts of the value.
fn values_of(keywords: &Keywords) -> Vec<SchemaId> {
    let mut found = Vec::new();
    values_mut(&mut keywords.clone(), &mut |id| found.push(*id));
    found
}

fn values_mut(keywords: &mut Keywords, visit: &mut impl FnMut(&mut SchemaId)) {
    let (array, object) = (&mut keywords.array, &mut keywords.object);
    array.prefix.iter_mut().for_each(&mut *visit);
    let single = [
        &mut array.items,
        &mut array.unevaluated,
        &mut object.additional,
        &mut object.unevaluated,
    ];
    single.into_iter().flatten().for_each(&mut *visit);
    let named = object.properties.iter_mut().chain(&mut object.patterns);
    named.for_each(|(_, id)| visit(id));
}

/// The schemas that speak of the same value.
fn in_place_of(keywords: &Keywords) -> Vec<SchemaId> {
    let lists = [&keywords.references, &keywords.all_of, &keywords.not];
    let mut found: Vec<SchemaId> = lists.into_iter().flatten().copied().collect();
    let one_of = keywords.any_of.iter().chain(&keywords.one_of).flatten();
    found.extend(one_of);
    if let Some(condition) = keywords.condition {
        found.push(condition.test);
        found.extend(condition.then);
        found.extend(condition.otherwise);
    }
    found.extend(keywords.object.dependent_schemas.iter().map(|(_, id)| *id));
    // A schema that one item must match does not say which items are allowed.
    found.extend(keywords.array.contains);
    found
}

/// Whether a schema describes objects and leaves open what other properties they have.
fn is_open(model: &Model, root: SchemaId, deadline: &Deadline) -> bool {
    let mut seen = IdSet::default();
    let mut pending = vec![root];
    let mut declares = false;
    while let Some(id) = pending.pop() {
        if deadline.stops("closing objects") {
            break;
        }
        let Some(SchemaKind::Keywords(keywords)) = model.schema(id).map(|schema| &schema.kind)
        else {
            continue;
        };
        if !seen.insert(id) {
            continue;
        }
        let object = &keywords.object;
        let is_said = object.additional.is_some() || object.unevaluated.is_some();
        if id == root && (is_said || !keywords.types.object) || !keywords.values.is_empty() {
            return false;
        }
        declares |= object.declares;
        let places = in_place_of(keywords);
        let not: IdSet<&SchemaId> = keywords.not.iter().collect();
        // If the time is over, the next step says so.
        let _ = deadline.ticks(places.len(), "closing objects");
        pending.extend(places.into_iter().filter(|id| !not.contains(id)));
    }
    declares
}

/// A name in a `required` that always holds where a schema does, but in none of its `properties`,
/// though objects are to have no others: with its place.
pub fn undeclared_required(model: &Model, root: SchemaId) -> Option<(SchemaPlace, String)> {
    let (id, name) = undeclared_name(model, root, false)?;
    match &model.schema(id)?.kind {
        SchemaKind::Keywords(keywords) => Some((keywords.place("required")?.clone(), name)),
        SchemaKind::Any | SchemaKind::Never => None,
    }
}

/// Declares such names as properties of any value, beside the `required` that names them. When the
/// deadline passes, it stops early.
pub fn declare_required(model: &mut Model, deadline: &Deadline) {
    let any = SchemaId(model.schemas.len() as u32);
    let place = model.schema(model.root).map(|root| root.place.clone());
    model.schemas.push(Schema {
        place: place.unwrap_or_default(),
        kind: SchemaKind::Any,
    });
    let mut values = all(model, values_of);
    values.push(model.root);
    values.sort_unstable();
    values.dedup();
    for value in values {
        while !deadline.stops("declaring what is required")
            && let Some((id, name)) = undeclared_name(model, value, true)
            && let Some(keywords) = keywords_mut(model, id)
        {
            keywords.object.properties.push((name, any));
        }
    }
}

/// The schema whose `required` has a name as [`undeclared_required`] looks for, and the name. If the
/// schema `must_close` objects, some schema that applies in place has to say so.
fn undeclared_name(model: &Model, root: SchemaId, must_close: bool) -> Option<(SchemaId, String)> {
    let keywords = |id: SchemaId| match &model.schema(id)?.kind {
        SchemaKind::Keywords(keywords) => Some(&**keywords),
        SchemaKind::Any | SchemaKind::Never => None,
    };
    let reached = |next: &dyn Fn(&Keywords) -> Vec<SchemaId>| {
        let mut seen = IdSet::default();
        let mut pending = vec![root];
        let mut found = Vec::new();
        while let Some(id) = pending.pop() {
            if let Some(keywords) = keywords(id).filter(|_| seen.insert(id)) {
                found.push((id, keywords));
                pending.extend(next(keywords));
            }
        }
        found
    };
    let always = reached(&|keywords| [&keywords.references[..], &keywords.all_of].concat());
    let in_place = reached(&in_place_of);
    let is_never = |id: SchemaId| {
        let kind = model.schema(id).map(|schema| &schema.kind);
        matches!(kind, Some(SchemaKind::Never))
    };
    let mut is_closed = false;
    let mut is_open = |(_, keywords): &(SchemaId, &Keywords)| {
        let object = &keywords.object;
        is_closed |= object.additional.or(object.unevaluated).is_some();
        let says = [object.additional, object.unevaluated]
            .into_iter()
            .flatten();
        !object.patterns.is_empty() || says.into_iter().any(|id| !is_never(id))
    };
    if in_place.iter().any(&mut is_open) || must_close && !is_closed {
        return None;
    }
    let declared = in_place
        .iter()
        .flat_map(|(_, keywords)| &keywords.object.properties);
    let declared: BTreeSet<&str> = declared.map(|(name, _)| name.as_str()).collect();
    always.into_iter().find_map(|(id, keywords)| {
        let mut names = keywords.object.required.iter();
        let name = names.find(|name| !declared.contains(name.as_str()))?;
        Some((id, name.clone()))
    })
}
