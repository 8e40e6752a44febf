//! References: where they lead, also by dynamic anchors.

use super::super::*;
use super::{read, read_with, referred};

#[test]
fn references_lead_to_places() {
    for (schema, targets) in [
        (
            r##"{"$ref": "#/$defs/a", "$defs": {"a": {}}}"##,
            vec!["#/$defs/a"],
        ),
        (r##"{"$ref": "#"}"##, vec!["#"]),
        (
            r##"{"$ref": "#/definitions/a%25b~1c~0d", "definitions": {"a%b/c~d": true}}"##,
            vec!["#/definitions/a%b~1c~0d"],
        ),
        (
            r##"{"$ref": "#/definitions/a b|c", "definitions": {"a b|c": true}}"##,
            vec!["#/definitions/a b|c"],
        ),
        (
            r##"{"prefixItems": [{}, {"$ref": "#/prefixItems/0"}]}"##,
            vec!["#/prefixItems/0"],
        ),
        (
            r##"{"$ref": "#x", "$defs": {"a": {"$anchor": "x"}}}"##,
            vec!["#/$defs/a"],
        ),
        // Places that hold no schema by the specification.
        (
            r##"{"$ref": "#/components/schemas/a", "components": {"schemas": {"a": {"$ref": "#/x"}}}, "x": {}}"##,
            vec!["#/components/schemas/a", "#/x"],
        ),
        (
            r##"{"$ref": "#/properties", "properties": {"type": {"type": "string"}}}"##,
            vec![],
        ),
        // Base URIs.
        (
            r##"{"$id": "http://a.org/root.json", "$ref": "item.json", "$defs": {"i": {"$id": "item.json", "$ref": "root.json#/$defs/j"}, "j": {}}}"##,
            vec!["#/$defs/i", "#/$defs/j"],
        ),
        (
            r##"{"$id": "http://a.org/x/", "$ref": "/y/b", "$defs": {"a": {"$id": "http://a.org/y/b", "$ref": "#/z", "z": true}}}"##,
            vec!["#/$defs/a", "#/$defs/a/z"],
        ),
        (
            r##"{"$id": "urn:example:1", "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "urn:example:1#b"}, "b": {"$anchor": "b"}}}"##,
            vec!["#/$defs/a", "#/$defs/b"],
        ),
        (
            r##"{"$id": "person.json", "$ref": "person.json#/$defs/a", "$defs": {"a": {}}}"##,
            vec!["#/$defs/a"],
        ),
        // The same anchor in two resources.
        (
            r##"{"$ref": "c#x", "$defs": {"a": {"$anchor": "x"}, "b": {"$id": "c", "allOf": [{"$anchor": "x"}]}}}"##,
            vec!["#/$defs/b/allOf/0"],
        ),
        // Cycles that only refer.
        (
            r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
            vec!["#/$defs/a", "#/$defs/b", "#/$defs/a"],
        ),
        // `$id` in an `enum` or under an unknown keyword names nothing.
        (
            r##"{"$id": "http://a.org/", "$ref": "b", "enum": [{"$id": "b"}], "x": {"$id": "b"}, "$defs": {"c": {"$id": "b"}}}"##,
            vec!["#/$defs/c"],
        ),
    ] {
        match read_with(schema, &ModelOptions::default()) {
            Ok(model) => assert_eq!(referred(&model), targets, "{schema}"),
            Err(error) => assert!(targets.is_empty(), "{schema}\n{error}"),
        }
    }
}

#[test]
fn dynamic_references_depend_on_the_way() {
    // The tree's children are what the outermost schema on the way says, so `tree` is read twice.
    let model = read(
        r##"{"$id": "http://a.org/root", "anyOf": [{"$ref": "tree"}, {"$ref": "strict"}], "$defs": {
            "t": {"$id": "tree", "$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}},
            "s": {"$id": "strict", "$dynamicAnchor": "node", "$ref": "tree", "minItems": 1}}}"##,
    );
    let trees = model
        .schemas
        .iter()
        .filter(|s| s.place.pointer == "#/$defs/t");
    assert_eq!(trees.count(), 2);
    let mut targets = referred(&model);
    targets.sort();
    assert_eq!(
        targets,
        [
            "#/$defs/s",
            "#/$defs/s",
            "#/$defs/t",
            "#/$defs/t",
            "#/$defs/t"
        ]
    );
}

#[test]
fn a_dynamic_reference_to_a_plain_anchor_is_plain() {
    let model = read(
        r##"{"$id": "http://a.org/root", "$dynamicAnchor": "x", "$dynamicRef": "b#x", "$defs": {
            "b": {"$id": "b", "$anchor": "x"}}}"##,
    );
    assert_eq!(referred(&model), ["#/$defs/b"]);
    let model = read(
        r##"{"$id": "http://a.org/root", "$ref": "l", "$defs": {"foo": {"$anchor": "i"},
            "l": {"$id": "l", "items": {"$dynamicRef": "#i"}, "$defs": {"i": {"$dynamicAnchor": "i"}}}}}"##,
    );
    assert_eq!(referred(&model), ["#/$defs/l", "#/$defs/l/$defs/i"]);
}

#[test]
fn recursive_references() {
    let schema = |anchor: bool| {
        format!(
            r##"{{"$schema": "https://json-schema.org/draft/2019-09/schema", "$id": "http://a.org/s", "$recursiveAnchor": {anchor},
                "$ref": "tree", "$defs": {{"t": {{"$id": "tree", "$recursiveAnchor": true, "items": {{"$recursiveRef": "#"}}}}}}}}"##
        )
    };
    assert_eq!(referred(&read(&schema(true))), ["#/$defs/t", "#"]);
    assert_eq!(referred(&read(&schema(false))), ["#/$defs/t", "#/$defs/t"]);
}

#[test]
fn very_many_references_that_lead_nowhere_are_told_at_once() {
    let count = 50_000;
    let list = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let references = list(&|at| format!(r##"{{"$ref":"#/$defs/no{at}"}}"##));
    let definitions = list(&|at| format!(r#""n{at}":true"#));
    let text = format!(r#"{{"anyOf":[{references}],"$defs":{{{definitions}}}}}"#);
    let error = read_with(&text, &ModelOptions::default()).unwrap_err();
    assert_eq!(error.diagnostics().len(), count);
    assert_eq!(error.diagnostics()[0].way_out(), Some("did you mean `n0`?"));
}
