//! Equal schemas are one.

use super::*;
use crate::limits::Deadline;

/// The schemas that the root leads to when equal ones are one.
fn merged(text: &str) -> Model {
    let mut model = read(text);
    merge(&mut model, &Deadline::never());
    model
}

fn property(model: &Model, name: &str) -> SchemaId {
    let properties = &root(model).object.properties;
    let found = properties.iter().find(|property| property.0 == name);
    found.unwrap_or_else(|| panic!("no `{name}`")).1
}

fn are_one(text: &str) -> bool {
    let model = merged(text);
    property(&model, "a") == property(&model, "b")
}

#[test]
fn copies_are_one_wherever_they_stand() {
    for (a, b) in [
        (r#"{"type": "string"}"#, r#"{"type": "string"}"#),
        (
            r##"{"$ref": "#/$defs/x"}"##,
            r##"{"allOf": [{"$ref": "#/$defs/x"}]}"##,
        ),
        (
            r##"{"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}]}"##,
            r##"{"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}], "title": "B"}"##,
        ),
        (
            r#"{"items": {"properties": {"p": {"const": [1]}}}}"#,
            r#"{"description": "b", "items": {"properties": {"p": {"const": [1], "default": 1}}}}"#,
        ),
        // What it refers to, and what refers to it.
        (
            r##"{"items": {"$ref": "#/$defs/tree"}}"##,
            r##"{"items": {"$ref": "#/$defs/tree"}}"##,
        ),
        (
            r#"{"enum": ["x", {"y": null}]}"#,
            r#"{"enum": ["x",  {"y": null}]}"#,
        ),
    ] {
        let definitions = r##""$defs": {"x": {"minimum": 3},
            "tree": {"properties": {"l": {"$ref": "#/$defs/tree"}, "r": {"type": ["null"]}}}}"##;
        let text = format!(r#"{{{definitions}, "properties": {{"a": {a}, "b": {b}}}}}"#);
        assert!(are_one(&text), "{text}");
    }
}

#[test]
fn schemas_that_differ_stay_apart() {
    for (a, b) in [
        (r#"{"type": "string"}"#, r#"{"type": "number"}"#),
        (r#"{"enum": ["x", "y"]}"#, r#"{"enum": ["xy"]}"#),
        (r#"{"const": 1}"#, r#"{"const": "1"}"#),
        (
            r#"{"required": ["x"]}"#,
            r#"{"dependentRequired": {"x": []}}"#,
        ),
        (
            r#"{"properties": {"x": true}}"#,
            r#"{"patternProperties": {"x": true}}"#,
        ),
        (
            r#"{"items": {"type": "null"}}"#,
            r#"{"contains": {"type": "null"}}"#,
        ),
        // Properties are written in the order of the keywords.
        (
            r#"{"properties": {"x": true}, "allOf": [{"properties": {"y": true}}]}"#,
            r#"{"allOf": [{"properties": {"y": true}}], "properties": {"x": true}}"#,
        ),
    ] {
        let text = format!(r#"{{"properties": {{"a": {a}, "b": {b}}}}}"#);
        assert!(!are_one(&text), "{text}");
    }
}

#[test]
fn references_in_circles_stay() {
    let model = merged(
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
    );
    assert!(root(&model).only_reference().is_some());
}

/// Each level is a copy of the other: they are found from the leaves up, in one round.
#[test]
fn deep_copies_are_one() {
    let deep = (0..200).fold("true".to_owned(), |inner, _| {
        format!(r#"{{"items": {inner}}}"#)
    });
    assert!(are_one(&format!(
        r#"{{"properties": {{"a": {deep}, "b": {deep}}}}}"#
    )));
}
