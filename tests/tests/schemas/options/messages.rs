//! Errors and warnings about options, and ways out of them that work.

use super::{check, compiled, read, refused};
use crate::compiled::{Compiled, Words};
use maskwright_compiler::Options;
use maskwright_compiler::error::{Error, Severity};
use maskwright_compiler::syntax::json_schema::{KeyOrder, SchemaOptions, Whitespace};

#[test]
fn warnings_stand_beside_an_error() {
    let schema = r#"{"type": "object", "propertes": {"a": {}}, "required": ["a"], "additionalProperties": false}"#;
    for schema in [
        schema.to_owned(),
        schema.replace(
            r#""additionalProperties": false"#,
            r#""additionalProperties": 1"#,
        ),
        schema
            .replace(
                r#""additionalProperties": false"#,
                r#""uniqueItems": true, "type": "array""#,
            )
            .replacen(r#""type": "object", "#, "", 1),
    ] {
        let error = refused(&schema, &SchemaOptions::default());
        let of = |severity| {
            error
                .diagnostics()
                .iter()
                .filter(move |d| d.severity() == severity)
        };
        assert_eq!(of(Severity::Error).count(), 1, "{error}");
        let mut warnings = of(Severity::Warning);
        let help = warnings.next().and_then(|w| w.way_out());
        assert_eq!(help, Some("did you mean `properties`?"), "{error}");
        assert!(error.to_string().contains("did you mean `properties`?"));
    }
}

/// The number behind `what` in a way out.
fn advised(error: &Error, what: &str) -> usize {
    let text = error.to_string();
    let (_, rest) = text.split_once(what).expect("a bound is advised");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("it is a number")
}

#[test]
fn ways_out_of_unique_items_work() {
    let words = Words::bytes();
    let options = SchemaOptions::default();
    let list = |count: usize, value: &dyn Fn(usize) -> String| {
        (0..count).map(value).collect::<Vec<_>>().join(",")
    };
    let kinds: [&dyn Fn(usize) -> String; 3] = [
        &|n| format!("\"value number {n}\""),
        &|n| format!("{n}.5"),
        &|n| format!("[{n}]"),
    ];
    for kind in kinds {
        let values = list(16, kind);
        let schema = |max: &str| {
            format!(
                r#"{{"type": "array", "uniqueItems": true, "items": {{"enum": [{values}]}}{max}}}"#
            )
        };
        let error = refused(&schema(""), &options);
        assert!(error.message().contains("16 values"), "{error}");
        assert!(!error.to_string().contains("by `enum`"), "{error}");
        let bounded = schema(&format!(
            r#", "maxItems": {}"#,
            advised(&error, r#""maxItems": "#)
        ));
        // Within the default limits.
        Compiled::new(&bounded, &words, &options, &Options::default())
            .unwrap_or_else(|e| panic!("{e}"));
        let few = list(advised(&error, "list "), kind);
        let few =
            format!(r#"{{"type": "array", "uniqueItems": true, "items": {{"enum": [{few}]}}}}"#);
        Compiled::new(&few, &words, &options, &Options::default())
            .unwrap_or_else(|e| panic!("{e}"));
    }
    // Arrays and objects that an `enum` lists are told apart, by their values.
    let schema = r#"{"uniqueItems": true, "type": "array", "items": {"enum": [[1], [2.0], {"a": 1, "b": [2]}, {"b": [2e0], "a": 1.0}, "x"]}}"#;
    let compiled = compiled(schema, &words, &options);
    check(
        &compiled,
        true,
        &[
            "[]",
            "[[1], [2]]",
            r#"["x", {"a": 1, "b": [2]}]"#,
            r#"[{"b": [2], "a": 1}, [1]]"#,
        ],
    );
    check(
        &compiled,
        false,
        &[
            "[[1], [1]]",
            r#"[{"a": 1, "b": [2]}, {"b": [2], "a": 1}]"#,
            r#"["x", [2], "x"]"#,
        ],
    );
    let composite = refused(
        r#"{"uniqueItems": true, "type": "array", "items": {"type": "array"}}"#,
        &options,
    );
    assert!(
        composite
            .to_string()
            .contains("these items may be arrays or objects"),
        "{composite}"
    );
    let contains = refused(
        r#"{"uniqueItems": true, "type": "array", "items": {"enum": [1, 2]}, "contains": {"const": 1}}"#,
        &options,
    );
    assert!(
        contains.to_string().contains("take out `contains`"),
        "{contains}"
    );
}

#[test]
fn keys_in_any_order_are_bounded_by_states() {
    let words = Words::bytes();
    let options = SchemaOptions::default().key_order(KeyOrder::Any);
    let schema = |count: u32, more: &str| {
        let properties: Vec<String> = (0..count)
            .map(|n| format!(r#""k{n}": {{"type": "null"}}"#))
            .collect();
        let properties = properties.join(",");
        format!(
            r#"{{"type": "object", "properties": {{{properties}}}, "required": ["k1", "k3"], "additionalProperties": false{more}}}"#
        )
    };
    let ten = compiled(&schema(10, ""), &words, &options);
    check(
        &ten,
        true,
        &[
            r#"{"k3": null, "k9": null, "k1": null}"#,
            r#"{"k1":null,"k0":null,"k3":null,"k2":null}"#,
        ],
    );
    check(
        &ten,
        false,
        &[
            r#"{"k3": null}"#,
            r#"{"k3": null, "k1": null, "k3": null}"#,
            r#"{"k3": null, "k1": null, "kx": null}"#,
        ],
    );
    let error = refused(&schema(40, ""), &options);
    assert_eq!(error.code(), "limit-exceeded");
    for part in [
        "40 properties",
        "`states` = 100000",
        "maxProperties",
        "schema's order",
    ] {
        assert!(error.to_string().contains(part), "{part} in {error}");
    }
    let bounded = compiled(&schema(40, r#", "maxProperties": 2"#), &words, &options);
    check(&bounded, true, &[r#"{"k3": null, "k1": null}"#]);
    check(
        &bounded,
        false,
        &[r#"{"k3": null, "k1": null, "k0": null}"#],
    );
}

/// Deep levels that an indented layout leaves out are no reason to say that a schema has no values.
#[test]
fn levels_that_are_left_out_are_not_told_of() {
    let schema =
        r##"{"properties": {"next": {"$ref": "#"}}, "required": ["name"], "type": "object"}"##;
    let options = SchemaOptions::default().whitespace(Whitespace::Indent(2));
    let warnings = read(schema, &options).expect("lists have values").warnings;
    let told: Vec<&str> = warnings.iter().map(|warning| warning.message()).collect();
    assert!(told.is_empty(), "{told:?}");
}
