//! Options of schemas: blanks, digits, formats of numbers, orders of keys, documents in folders.

mod messages;

use crate::compiled::{Compiled, Words};
use maskwright_compiler::error::Error;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema::numbers::NumberForms;
use maskwright_compiler::syntax::json_schema::{self, DocumentFolder, SchemaOptions, Whitespace};
use maskwright_compiler::syntax::{ParseOptions, Parsed};
use maskwright_tests::harness::unhurried;
use maskwright_tests::random::Random;
use std::path::Path;

fn compiled<'w>(schema: &str, words: &'w Words, options: &SchemaOptions) -> Compiled<'w> {
    Compiled::new(schema, words, options, &unhurried()).unwrap_or_else(|e| panic!("{schema}: {e}"))
}

fn read(schema: &str, options: &SchemaOptions) -> Result<Parsed, Error> {
    json_schema::parse(&Source::new("schema", schema), &options.clone().into())
}

fn refused(schema: &str, options: &SchemaOptions) -> Error {
    let result = read(schema, options);
    result.map(|_| ()).expect_err(schema)
}

/// The verdicts of texts, each with what is expected.
fn check(compiled: &Compiled<'_>, expected: bool, texts: &[&str]) {
    for text in texts {
        assert_eq!(compiled.accepts(text), expected, "{text:?}");
    }
}

/// A part of a JSON text between which blanks may stand.
const PARTS: [&[&str]; 4] = [
    &[
        "{", "\"a\"", ":", "[", "1", ",", "2", "]", ",", "\"b\"", ":", "{", "}", "}",
    ],
    &["[", "[", "]", ",", "[", "null", "]", "]"],
    &["{", "\"a\"", ":", "\"x\"", "}"],
    &["1"],
];

/// Blanks that are tried; those behind the mark are never right within a value.
const BLANKS: [&str; 12] = [
    "", " ", "\n", "\n  ", "\n\t", "\n \t ", "\n    ", "  ", "\t", "\r\n", " \n", "\n     ",
];

/// Whether blanks may stand between two parts, as `usual:4` is documented; nothing before is the
/// beginning, nothing behind the end.
fn is_usual(before: Option<&str>, blanks: &str, behind: Option<&str>) -> bool {
    let (Some(before), Some(behind)) = (before, behind) else {
        return blanks.len() <= 4;
    };
    let is_empty = matches!((before, behind), ("[", "]") | ("{", "}"));
    let is_line = || {
        let indentation = blanks.strip_prefix('\n');
        indentation.is_some_and(|i| i.len() <= 4 && i.bytes().all(|b| b == b' ' || b == b'\t'))
    };
    let line = || {
        let opens = matches!(before, "[" | "{") || before == ",";
        let closes = matches!(behind, "]" | "}");
        !is_empty && (opens || closes) && is_line()
    };
    blanks.is_empty() || (blanks == " " && matches!(before, "," | ":")) || line()
}

#[test]
fn blanks_are_those_that_models_write() {
    let words = Words::bytes();
    let options = SchemaOptions::default().whitespace(Whitespace::Usual(4));
    let inside = compiled("true", &words, &options.clone().outer_blanks(false));
    let compiled = compiled("true", &words, &options);
    let mut random = Random::new(1);
    let mut verdicts = [0, 0];
    for round in 0..6000 {
        let parts = PARTS[round % PARTS.len()];
        let mut text = String::new();
        let mut expected = true;
        for at in 0..=parts.len() {
            // Mostly none, so that many texts are right.
            let blanks = match random.below(4) {
                0 => BLANKS[random.below(BLANKS.len())],
                _ => "",
            };
            let before = at.checked_sub(1).map(|at| parts[at]);
            expected &= is_usual(before, blanks, parts.get(at).copied());
            text += blanks;
            text += parts.get(at).copied().unwrap_or_default();
        }
        verdicts[usize::from(expected)] += 1;
        assert_eq!(compiled.accepts(&text), expected, "{text:?}");
        expected &= text.trim_ascii() == text;
        assert_eq!(
            inside.accepts(&text),
            expected,
            "within the value: {text:?}"
        );
    }
    assert!(verdicts.iter().all(|&count| count > 500), "{verdicts:?}");
}

/// Tables for the blanks that models write are not much larger than those of one blank anywhere: a
/// state for each of the blanks of a line, in each place.
#[test]
fn usual_blanks_cost_little() {
    let words = Words::bytes();
    let size = |schema: &str, whitespace| {
        let options = SchemaOptions::default().whitespace(whitespace);
        compiled(schema, &words, &options).size()
    };
    for case in crate::cases::load() {
        let schema = case.schema.get();
        let flexible = size(schema, Whitespace::Flexible(1));
        let usual = size(schema, Whitespace::Usual(8));
        assert!(
            usual < flexible * 2 + 2000,
            "{}: {usual}, {flexible}",
            case.name
        );
    }
}

#[test]
fn digits_are_bounded() {
    let words = Words::bytes();
    let options =
        SchemaOptions::default().numbers(NumberForms::default().digits("3,2,1".parse().unwrap()));
    let any = compiled(r#"{"type": ["number", "null"]}"#, &words, &options);
    check(&any, true, &["null", "999", "-0.25", "1.5e-9", "100E+3"]);
    check(&any, false, &["1000", "0.125", "1e10", "1e00"]);
    let integers = compiled(r#"{"type": "integer", "minimum": -5000}"#, &words, &options);
    check(&integers, true, &["0", "-999", "999"]);
    check(&integers, false, &["-1000", "1000", "1.0"]);
    for seed in 0..200 {
        let text = any.generate(&mut Random::new(seed)).expect("numbers end");
        assert!(text.len() <= 12, "{}", text.escape_ascii());
    }
    let error = refused(r#"{"type": "integer", "minimum": 1000}"#, &options);
    assert_eq!(error.code(), "schema-unsatisfiable");
}

#[test]
fn formats_of_numbers_are_demanded_by_an_option() {
    let words = Words::bytes();
    let schema = r#"{"properties": {
        "a": {"type": "integer", "format": "int32"}, "b": {"type": "integer", "format": "uint64"},
        "c": {"type": "number", "format": "double"}, "d": {"type": ["integer", "string"], "format": "uint8"},
        "e": {"not": {"format": "int8"}}
    }}"#;
    let texts = [
        r#"{"a": 2147483647}"#,
        r#"{"a": -2147483648}"#,
        r#"{"b": 18446744073709551615}"#,
        r#"{"c": 1.7976931348623157e308}"#,
        r#"{"d": "x"}"#,
        r#"{"d": 255}"#,
    ];
    let beyond = [
        r#"{"a": 2147483648}"#,
        r#"{"a": -2147483649}"#,
        r#"{"b": 18446744073709551616}"#,
        r#"{"b": -1}"#,
        r#"{"c": 1.8e308}"#,
        r#"{"c": 1e999}"#,
        r#"{"d": 256}"#,
        r#"{"a": -0}"#,
    ];
    let annotations = SchemaOptions::default();
    let demanded = annotations.clone().number_formats(true);
    let strict = compiled(schema, &words, &demanded);
    check(&strict, true, &texts);
    check(&strict, true, &[r#"{"e": 128}"#, r#"{"e": 0.5}"#]);
    check(&strict, false, &beyond);
    check(&strict, false, &[r#"{"e": 127}"#, r#"{"e": "x"}"#]);
    let without = schema.replace(r#"{"not": {"format": "int8"}}"#, "true");
    let loose = compiled(&without, &words, &annotations);
    check(&loose, true, &texts);
    check(&loose, true, &beyond);
}

/// A required name that no schema declares has any value; elsewhere nothing is declared.
#[test]
fn what_is_required_is_declared_where_others_are_forbidden() {
    let words = Words::bytes();
    let closed = SchemaOptions::default().undeclared(false);
    let declared = closed.clone().declare_required(true);
    let schema = r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/inner"}}, "required": ["a", "z"],
        "$defs": {"inner": {"allOf": [{"required": ["b", "c"]}, {"properties": {"b": {"type": "null"}}}]}}}"##;
    let error = refused(schema, &closed).to_string();
    assert!(
        error.contains("`z`") && error.contains("declare_required"),
        "{error}"
    );
    let found = compiled(schema, &words, &declared);
    // `c` is declared where it is required, before `b`.
    let inner = r#""a":{"c":[1],"b":null}"#;
    check(&found, true, &[&format!(r#"{{{inner},"z":{{"any":0}}}}"#)]);
    check(&found, true, &[&format!(r#"{{{inner},"z":"x"}}"#)]);
    check(
        &found,
        false,
        &[&format!(r#"{{{inner}}}"#), r#"{"a":{"b":null},"z":1}"#],
    );
    check(&found, false, &[&format!(r#"{{{inner},"z":1,"y":1}}"#)]);
    // Undeclared properties are allowed, so nothing has to be declared.
    let open = SchemaOptions::default().declare_required(true);
    let open = compiled(
        r#"{"type": "object", "properties": {}, "required": ["z"]}"#,
        &words,
        &open,
    );
    check(&open, true, &[r#"{"z":1,"y":2}"#]);
    check(&open, false, &[r#"{"y":2}"#]);
}

/// Draft 4, section 3.5 of its core: an integer has no fraction and no exponent.
#[test]
fn integers_of_drafts_3_and_4_are_written_without_a_fraction() {
    let words = Words::bytes();
    let options = SchemaOptions::default().numbers(NumberForms::default().integral_fractions(true));
    let with = |uri: &str, rest: &str| {
        let schema = format!(r#"{{"$schema": "http://json-schema.org/{uri}/schema#", {rest}}}"#);
        compiled(&schema, &words, &options)
    };
    for old in ["draft-03", "draft-04"] {
        let integer = with(old, r#""type": "integer""#);
        check(&integer, true, &["1", "-20", "0"]);
        check(&integer, false, &["1.0", "1e2", "10.0e1", "0.5"]);
        // Numbers are compared by their value.
        check(&with(old, r#""enum": [1]"#), true, &["1", "1.0"]);
        check(
            &with(old, r#""type": "number", "minimum": 1"#),
            true,
            &["1", "1.0", "1.5"],
        );
        let both = with(old, r#""type": "integer", "minimum": 3, "maximum": 4"#);
        check(&both, true, &["3", "4"]);
        check(&both, false, &["3.0", "2", "5"]);
    }
    let either = with(
        "draft-04",
        r#""anyOf": [{"type": "integer"}, {"enum": [1, 0.5]}]"#,
    );
    check(&either, true, &["1", "1.0", "0.5", "2"]);
    check(&either, false, &["2.0", "0.25"]);
    let all = with(
        "draft-04",
        r#""anyOf": [{"type": "integer"}, {"type": "number"}]"#,
    );
    check(&all, true, &["1", "1.0", "2.5"]);
    let unique = with(
        "draft-04",
        r#""type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 2}, "uniqueItems": true"#,
    );
    check(&unique, true, &["[1,2]", "[2]", "[]"]);
    check(&unique, false, &["[1.0]", "[1,1]"]);
    check(
        &with("draft-07", r#""type": "integer""#),
        true,
        &["1", "1.0"],
    );
}

#[test]
fn draft_3_has_a_time_without_offset_and_formats_without_grammar() {
    let words = Words::bytes();
    let schema = r#"{"$schema": "http://json-schema.org/draft-03/schema#", "properties": {
        "at": {"type": "string", "format": "time"}, "of": {"type": "string", "format": "color"}}}"#;
    let options = SchemaOptions::default();
    let made = read(schema, &options).unwrap();
    let warning = made.warnings.iter().find(|w| w.code() == "schema-format");
    let span = warning
        .and_then(|w| w.span())
        .expect("a warning with a place");
    assert_eq!(&schema[span.start..span.end], r#""format": "color""#);
    let compiled = compiled(schema, &words, &options);
    check(
        &compiled,
        true,
        &[r#"{"at": "23:59:59"}"#, r#"{"of": "anything"}"#],
    );
    check(
        &compiled,
        false,
        &[r#"{"at": "23:59:59Z"}"#, r#"{"at": "24:00:00"}"#],
    );
}

#[test]
fn documents_are_read_from_folders() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents_are_read_from_folders");
    std::fs::create_dir_all(folder.join("nested")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("integer.json", r#"{"type": "integer"}"#);
    write(
        "nested/list.json",
        r#"{"type": "array", "items": {"$ref": "../integer.json"}}"#,
    );
    write("broken.json", "{");
    let options = SchemaOptions::default().documents(vec![
        DocumentFolder::new(&folder, "http://localhost:1234/").unwrap(),
    ]);
    let words = Words::bytes();
    let list = r#"{"$ref": "http://localhost:1234/nested/list.json"}"#;
    let lists = compiled(list, &words, &options);
    check(&lists, true, &["[1, 2]"]);
    check(&lists, false, &["[1.5]", "1"]);
    let made = read(list, &options).unwrap();
    let names: Vec<_> = made
        .files
        .iter()
        .filter_map(|file| file.file_name())
        .collect();
    assert_eq!(names, ["list.json", "integer.json"]);
    // With an `$id` below the folder's URI, references are relative to it.
    let relative = r#"{"$id": "http://localhost:1234/root.json", "properties": {"a": {"$ref": "integer.json"}}}"#;
    check(
        &compiled(relative, &words, &options),
        false,
        &[r#"{"a": "x"}"#],
    );
    let other = refused(r#"{"$ref": "http://localhost:1234/no.json"}"#, &options);
    assert_eq!(other.code(), "schema-other-document");
    let broken = refused(r#"{"$ref": "http://localhost:1234/broken.json"}"#, &options);
    assert!(broken.message().contains("cannot be read: 1:1"), "{broken}");
    let mut small = ParseOptions::from(options.clone());
    small.limits.grammar_bytes = 50;
    let list = r##"{"$ref":"http://localhost:1234/nested/list.json"}"##;
    let large = json_schema::parse(&Source::new("schema", list), &small).unwrap_err();
    assert_eq!(large.code(), "limit-exceeded");
    assert!(large.message().contains("`grammar_bytes` = 50"), "{large}");
}

#[test]
fn a_length_that_takes_too_many_states_may_be_ignored() {
    let schema = r#"{"type": "string", "format": "uri", "minLength": 20, "maxLength": 2048}"#;
    let error = refused(schema, &SchemaOptions::default());
    let text = error.to_string();
    assert!(text.contains("`maxLength` at `#`: counting"), "{text}");
    assert!(text.contains("1:54"), "{text}");
    let lenient = SchemaOptions::default().lenient(vec!["maxLength".into()]);
    let parsed = read(schema, &lenient).unwrap();
    assert_eq!(parsed.warnings.len(), 1);
    let words = Words::bytes();
    // What can be counted still is.
    let compiled = compiled(schema, &words, &lenient);
    check(&compiled, false, &["\"https://a.example\""]);
    check(
        &compiled,
        true,
        &[
            "\"https://a.example/b/c\"",
            &format!("\"https://a.example/{}\"", "b".repeat(3000)),
        ],
    );
}
