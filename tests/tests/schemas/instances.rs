//! Valid instances are accepted, invalid ones refused.

use crate::cases::{self, Style, restyle};
use crate::compiled::{Compiled, Words};
use crate::judge::Judge;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};
use maskwright_tests::harness::unhurried;

/// Each way of setting blanks, with the styles that it allows.
const STYLES: [(Whitespace, &[Style]); 5] = [
    (Whitespace::Compact, &[Style::Compact]),
    (Whitespace::Spaced, &[Style::Spaced]),
    (
        Whitespace::Flexible(2),
        &[Style::Compact, Style::Spaced, Style::Wide],
    ),
    (Whitespace::Indent(2), &[Style::Lines("  ")]),
    (
        // The deepest instance by four blanks a level.
        Whitespace::Usual(48),
        &[
            Style::Compact,
            Style::Spaced,
            Style::Lines("  "),
            Style::Lines("    "),
            Style::Lines("\t"),
            Style::Lines(""),
        ],
    ),
];

#[test]
fn the_validator_agrees_with_the_files() {
    for case in cases::load() {
        let judge = Judge::new(&serde_json::from_str(case.schema.get()).unwrap());
        let verdicts =
            (case.valid.iter().map(|v| (v, true))).chain(case.invalid.iter().map(|v| (v, false)));
        for (instance, expected) in verdicts {
            let value = serde_json::from_str(instance.get()).unwrap();
            assert_eq!(judge.allows(&value), expected, "{}: {instance}", case.name);
        }
    }
}

#[test]
fn valid_instances_are_accepted_and_invalid_ones_refused() {
    let words = Words::bytes();
    let mut wrong = Vec::new();
    for case in cases::load() {
        for (whitespace, styles) in STYLES {
            let options = SchemaOptions::default().whitespace(whitespace);
            let compiled = match Compiled::new(case.schema.get(), &words, &options, &unhurried()) {
                Ok(compiled) => compiled,
                Err(error) => {
                    wrong.push(format!("{}: {error}", case.name));
                    break;
                }
            };
            for &style in styles {
                for instance in &case.valid {
                    let text = restyle(instance.get(), style);
                    if !compiled.accepts(&text) {
                        wrong.push(format!("{}: refuses {text}, {whitespace:?}", case.name));
                    }
                }
                for instance in &case.invalid {
                    let text = restyle(instance.get(), style);
                    if compiled.accepts(&text) {
                        wrong.push(format!("{}: accepts {text}, {whitespace:?}", case.name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Core 2019-09, section 9.3.1.3: what `items`, `additionalItems` and other `unevaluatedItems` have
/// looked at. The validator follows 2020-12 here, so this case is in no file.
#[test]
fn contains_evaluates_nothing_in_2019_09() {
    let schema = r#"{
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "items": [{"const": "x"}], "contains": {"enum": ["x", 1]}, "unevaluatedItems": false
    }"#;
    let words = Words::bytes();
    let compiled = Compiled::new(schema, &words, &SchemaOptions::default(), &unhurried()).unwrap();
    assert!(compiled.accepts(r#"["x"]"#));
    for text in [r#"["x", 1]"#, "[1]", "[]"] {
        assert!(!compiled.accepts(text), "{text}");
    }
}

/// As many cases as alternatives, not as their products: the property that tells them apart is
/// demanded beside them.
#[test]
fn thirty_alternatives_by_one_property_compile() {
    let list = |one: &dyn Fn(u32) -> String| (0..30).map(one).collect::<Vec<_>>().join(",");
    let branches = list(&|n| {
        format!(
            r#"{{"properties": {{"k": {{"const": {n}}}, "x{n}": {{"type": "null"}}}}, "required": ["x{n}"]}}"#
        )
    });
    let conditions = list(&|n| {
        format!(
            r#"{{"if": {{"properties": {{"k": {{"const": {n}}}}}, "required": ["k"]}}, "then": {{"required": ["x{n}"]}}}}"#
        )
    });
    let words = Words::bytes();
    for (alternatives, others) in [
        (format!(r#""oneOf": [{branches}]"#), false),
        (format!(r#""anyOf": [{branches}]"#), false),
        (format!(r#""allOf": [{conditions}]"#), true),
    ] {
        let schema = format!(r#"{{"type": "object", "required": ["k"], {alternatives}}}"#);
        let options = SchemaOptions::default();
        let compiled = Compiled::new(&schema, &words, &options, &unhurried()).unwrap();
        for text in [r#"{"k": 0, "x0": null}"#, r#"{"k": 29, "x29": null}"#] {
            assert!(compiled.accepts(text), "{alternatives}: {text}");
        }
        for text in [r#"{"k": 3}"#, r#"{"k": 3, "x4": null}"#, r#"{"x3": null}"#] {
            assert!(!compiled.accepts(text), "{alternatives}: {text}");
        }
        assert_eq!(compiled.accepts(r#"{"k": 30}"#), others, "{alternatives}");
    }
}

#[test]
fn a_nested_constant_in_an_open_object_compiles() {
    let schema = r#"{"properties": {"c": {"const": ["é", {"a": "", "b": "é"}]}}}"#;
    let words = Words::bytes();
    let options = SchemaOptions::default();
    let compiled = Compiled::new(schema, &words, &options, &unhurried());
    assert!(compiled.is_ok_and(|c| c.accepts(r#"{"c": ["é", {"a": "", "b": "é"}]}"#)));
}

#[test]
fn a_schema_may_be_asked_for_by_a_published_metaschema() {
    // One keyword each, as the drafts name them in different orders.
    let valid = [
        r#"true"#,
        r#"{"type": ["string", "null"]}"#,
        r##"{"properties": {"a": {"$ref": "#"}, "b": {"required": ["a", "b"]}}}"##,
        r#"{"not": {"enum": [1, "a", null]}}"#,
    ];
    let invalid = [
        r#"1"#,
        r#"{"type": ["string", "string"]}"#,
        r#"{"type": 1}"#,
        r#"{"properties": {"a": {"minLength": -1}}}"#,
        r#"{"not": {"required": "a"}}"#,
    ];
    let words = Words::bytes();
    for uri in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = format!(r#"{{"$schema": "{uri}", "$ref": "{uri}"}}"#);
        let judge = Judge::new(&serde_json::from_str(&schema).unwrap());
        let options = SchemaOptions::default();
        let compiled = Compiled::new(&schema, &words, &options, &unhurried()).unwrap();
        let verdicts = (valid.iter().map(|v| (v, true))).chain(invalid.iter().map(|v| (v, false)));
        for (instance, expected) in verdicts {
            let value = serde_json::from_str(instance).unwrap();
            assert_eq!(judge.allows(&value), expected, "{uri}: {instance}");
            assert_eq!(compiled.accepts(instance), expected, "{uri}: {instance}");
        }
    }
}

#[test]
fn bounds_on_items_are_counted() {
    let words = Words::bytes();
    let array = |items: usize| format!("[{}]", vec!["{\"a\":[1]}"; items].join(","));
    for (whitespace, styles) in STYLES {
        let options = SchemaOptions::default().whitespace(whitespace);
        for most in [1000, 50_000] {
            let schema = format!(
                r#"{{"items": {{"type": "object", "properties": {{"a": {{"type": "array", "items": {{"type": "integer"}}}}}},
                    "required": ["a"], "additionalProperties": false}}, "type": "array", "minItems": 3, "maxItems": {most}}}"#
            );
            let compiled = Compiled::new(&schema, &words, &options, &unhurried()).unwrap();
            assert!(compiled.size() < 100_000, "{whitespace:?}: {most}");
            for &style in styles {
                let accepts = |items| compiled.accepts(&restyle(&array(items), style));
                for (items, expected) in [(2, false), (3, true), (most, true), (most + 1, false)] {
                    assert_eq!(
                        accepts(items),
                        expected,
                        "{whitespace:?}: {items} of {most}"
                    );
                }
            }
        }
    }
}

#[test]
fn characters_behind_a_beginning_are_counted() {
    let words = Words::bytes();
    let options = SchemaOptions::default();
    let long =
        |beginning: &str, c: &str, count: usize| format!("\"{beginning}{}\"", c.repeat(count));
    for max in [1000, 50_000] {
        let schema = format!(
            r#"{{"type": "string", "pattern": "^https?://|^[0-9]$", "minLength": 12, "maxLength": {max}}}"#
        );
        let compiled = Compiled::new(&schema, &words, &options, &unhurried()).unwrap();
        assert!(compiled.size() < 50_000, "{}", compiled.size());
        for (text, expected) in [
            (long("http://", "a", 4), false),
            (long("http://", "a", 5), true),
            (long("https://", "a", 3), false),
            (long("https://", "é", 4), true),
            (long("http://", "é", max - 7), true),
            (long("http://", "a", max - 6), false),
            (long("https://", "\\n", max - 8), true),
            (long("https://", "\\ud83d\\ude00", max - 7), false),
            (long("ftp://", "a", 20), false),
            (long("7", "", 0), false),
        ] {
            assert_eq!(
                compiled.accepts(&text),
                expected,
                "{max}: {text:.40}, {}",
                text.len()
            );
        }
    }
}

/// A bound that is counted in digits, and a large one beside a format, are exact at their ends.
#[test]
fn long_bounds_beside_patterns_and_formats_are_exact() {
    let words = Words::bytes();
    let options = SchemaOptions::default();
    let compiled = |schema: &str| Compiled::new(schema, &words, &options, &unhurried()).unwrap();
    let of_words = compiled(
        r#"{"type": "string", "pattern": "^\\S+( \\S+)*$", "minLength": 3, "maxLength": 100000}"#,
    );
    assert!(of_words.size() < 500_000, "{}", of_words.size());
    for (text, expected) in [
        ("a b".to_owned(), true),
        ("ab".to_owned(), false),
        ("é ".repeat(49_999) + "xx", true),
        ("é ".repeat(50_000), false),
        ("é ".repeat(50_000) + "x", false),
        ("a".repeat(100_000), true),
        ("a".repeat(100_001), false),
    ] {
        let length = text.chars().count();
        assert_eq!(
            of_words.accepts(&format!("\"{text}\"")),
            expected,
            "{length}"
        );
    }
    let uri = compiled(r#"{"type": "string", "format": "uri", "minLength": 1, "maxLength": 2083}"#);
    for begun in [
        "http://a/",
        "http://[2001:db8::1]/",
        "s://u@[1:2:3:4:5:6:192.168.100.100]:80?",
        "x:%41",
        "http://[v7.x]#",
    ] {
        let of_length = |length: usize| format!("\"{begun}{}\"", "a".repeat(length - begun.len()));
        for (length, expected) in [(2_082, true), (2_083, true), (2_084, false)] {
            assert_eq!(
                uri.accepts(&of_length(length)),
                expected,
                "{begun}: {length}"
            );
        }
    }
    // A host in brackets begins within the first 128 characters.
    let of_user = |length: usize| format!("\"http://{}@[::1]/\"", "a".repeat(length));
    assert!(uri.accepts(&of_user(120)) && !uri.accepts(&of_user(121)));
    let few = compiled(r#"{"type": "string", "format": "uri", "maxLength": 500}"#);
    assert!(few.accepts(&of_user(400)));
}
