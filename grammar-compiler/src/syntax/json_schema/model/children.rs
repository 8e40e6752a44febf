//! The schemas that a schema refers to.

use super::{ArrayKeywords, Condition, Keywords, ObjectKeywords, SchemaId, SchemaKind};

/// Visits each schema that a schema refers to, in a fixed order.
pub(super) fn for_each_child(kind: &mut SchemaKind, mut visit: impl FnMut(&mut SchemaId)) {
    let SchemaKind::Keywords(keywords) = kind else {
        return;
    };
    let Keywords {
        types: _,
        values: _,
        references,
        all_of,
        any_of,
        one_of,
        not,
        condition,
        number: _,
        string: _,
        array,
        object,
        places: _,
    } = &mut **keywords;
    let lists = [references, all_of, not].into_iter();
    let lists = lists.chain(any_of).chain(one_of);
    lists.flatten().for_each(&mut visit);
    if let Some(Condition {
        test,
        then,
        otherwise,
    }) = condition
    {
        visit(test);
        then.iter_mut().chain(otherwise).for_each(&mut visit);
    }
    of_array(array, &mut visit);
    of_object(object, &mut visit);
}

fn of_array(array: &mut ArrayKeywords, visit: &mut impl FnMut(&mut SchemaId)) {
    let ArrayKeywords {
        prefix,
        items,
        unevaluated,
        contains,
        contains_evaluates: _,
        min_contains: _,
        max_contains: _,
        min_items: _,
        max_items: _,
        unique: _,
    } = array;
    let single = [items, unevaluated, contains].into_iter().flatten();
    prefix.iter_mut().chain(single).for_each(visit);
}

fn of_object(object: &mut ObjectKeywords, visit: &mut impl FnMut(&mut SchemaId)) {
    let ObjectKeywords {
        declares: _,
        properties,
        patterns,
        additional,
        unevaluated,
        names,
        required: _,
        min_properties: _,
        max_properties: _,
        dependent_required: _,
        dependent_schemas,
    } = object;
    let named = [properties, patterns, dependent_schemas].into_iter();
    let named = named.flatten().map(|(_, id)| id);
    let single = [additional, unevaluated, names].into_iter().flatten();
    named.chain(single).for_each(visit);
}
