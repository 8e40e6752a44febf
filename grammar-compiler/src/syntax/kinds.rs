//! Schemas that have values of all kinds.
//!
//! In: nothing. Out: schemas of objects. What holds: each kind of value stands where another member
//! must follow, where one may follow, and where none can. So grammars of these schemas have most of
//! the token sets that those of others have.

use serde_json::{Value, json};

/// Schemas of objects.
pub(super) fn objects() -> Vec<Value> {
    let of_members = kinds().into_iter().map(|kind| {
        let properties = json!({"a": kind, "b": kind, "c": kind});
        json!({"type": "object", "properties": properties, "required": ["a", "b"]})
    });
    let whole = [
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}}),
    ];
    whole.into_iter().chain(of_members).collect()
}

/// Kinds of values.
fn kinds() -> Vec<Value> {
    let scalars = ["string", "integer", "number", "boolean"];
    let scalars = scalars.map(|name| json!({"type": name}));
    let list = |items: &Value| json!({"type": "array", "items": items});
    let lists = scalars.iter().map(list);
    let object = json!({"type": "object", "properties": {"d": scalars[0], "e": scalars[0]}, "required": ["d"]});
    let others = [list(&object), object, json!({"type": "object"}), json!({})];
    let lists: Vec<Value> = lists.collect();
    scalars.into_iter().chain(lists).chain(others).collect()
}
