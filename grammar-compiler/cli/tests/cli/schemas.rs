//! `--schema` in every command, and `conform` on rows about schemas.

use crate::support::Folder;
use serde_json::{Value, json};

const PERSON: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "minimum": 0}},
  "required": ["name"],
  "additionalProperties": false
}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("person.json", PERSON);
    folder
}

/// Whether `accept` accepts `input`, with options.
fn accepts(folder: &Folder, options: &[&str], input: &str) -> bool {
    let args = [&["accept", "--schema", "person.json"], options, &[input]].concat();
    let run = folder.run(&args);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    run.code == 0
}

#[test]
fn accept_and_its_options() {
    let folder = folder();
    let spaced = r#"{"name": "a", "age": 3}"#;
    let compact = r#"{"name":"a","age":3}"#;
    let turned = r#"{"age": 3, "name": "a"}"#;
    assert!(accepts(&folder, &[], spaced) && accepts(&folder, &[], compact));
    assert!(!accepts(&folder, &[], turned));
    assert!(!accepts(&folder, &[], r#"{"name": ""}"#));
    assert!(accepts(&folder, &["--key-order", "any"], turned));
    assert!(!accepts(&folder, &["--whitespace", "compact"], spaced));
    assert!(accepts(&folder, &["--whitespace", "compact"], compact));
    assert!(!accepts(&folder, &["--whitespace", "spaced"], compact));
    let integral = r#"{"name": "a", "age": 3.0}"#;
    assert!(!accepts(&folder, &[], integral));
    assert!(accepts(&folder, &["--integral-fractions"], integral));
    let escaped = r#"{"name": "\u0061"}"#;
    assert!(accepts(&folder, &[], escaped));
    assert!(!accepts(&folder, &["--escapes", "shortest"], escaped));
}

#[test]
fn wrong_usage() {
    let folder = folder();
    let code = |args: &[&str]| folder.run(args).code;
    assert_eq!(
        code(&["check", "--ebnf", "lists.ebnf", "--whitespace", "compact"]),
        2
    );
    assert_eq!(
        code(&["check", "--schema", "person.json", "--whitespace", "tight"]),
        2
    );
    assert_eq!(
        code(&["check", "--schema", "person.json", "--root", "a"]),
        2
    );
    assert_eq!(
        code(&["check", "--schema", "person.json", "--ebnf", "lists.ebnf"]),
        2
    );
    assert_eq!(
        code(&["check", "--schema", "person.json", "--document", "x"]),
        2
    );
}

#[test]
fn lenient_takes_keywords_only() {
    let folder = folder();
    let run = |names: &str| folder.run(&["check", "--schema", "person.json", "--lenient", names]);
    assert_eq!(run("uniqueItems,divisibleBy").code, 0);
    let slip = run("format,uniqueItem");
    assert_eq!(slip.code, 2);
    for part in ["--lenient", "'uniqueItem'", "did you mean `uniqueItems`?"] {
        assert!(slip.stderr.contains(part), "{part} in {}", slip.stderr);
    }
    let other = run("x-foo");
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("no keyword"), "{}", other.stderr);
}

#[test]
fn check_names_the_pointer() {
    let folder = folder();
    folder.write("wrong.json", r#"{"properties": {"a": {"type": "int"}}}"#);
    let run = folder.run(&["check", "--schema", "wrong.json", "--json"]);
    let error = &run.json()["errors"][0];
    assert_eq!((run.code, &error["code"]), (1, &json!("schema-malformed")));
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("#/properties/a")
    );
    assert_eq!((&error["line"], &error["column"]), (&json!(1), &json!(23)));
    assert!(error["help"].as_str().unwrap().contains("integer"));
}

#[test]
fn other_documents_are_given_by_their_uri() {
    let folder = folder();
    folder.write(
        "root.json",
        r#"{"$ref": "http://a.org/person.json#/properties/age"}"#,
    );
    let args = ["accept", "--schema", "root.json", "5"];
    let run = folder.run(&args);
    assert!(
        run.stderr.contains("http://a.org/person.json"),
        "{}",
        run.stderr
    );
    let document = ["--document", "http://a.org/person.json=person.json"];
    assert_eq!(folder.run(&[&args[..], &document].concat()).code, 0);
}

#[test]
fn other_documents_are_read_from_a_folder() {
    let folder = folder();
    folder.write(
        "list.json",
        r#"{"items": {"$ref": "http://a.org/person.json#/properties/age"}}"#,
    );
    let run = |base: &str, text: &str| {
        let documents = format!(".={base}");
        folder.run(&[
            "accept",
            "--schema",
            "list.json",
            "--documents",
            &documents,
            text,
        ])
    };
    assert_eq!(run("http://a.org/", "[5]").code, 0);
    assert_eq!(run("http://a.org", "[-5]").code, 1);
    let other = run("http://b.org/", "[5]");
    assert_eq!(other.code, 1);
    assert!(
        other.stderr.contains("http://a.org/person.json"),
        "{}",
        other.stderr
    );
    let wrong = run("a.org", "[5]");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("such as `http://localhost:1234/`"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_draft_that_is_none_is_refused_with_the_list() {
    let folder = folder();
    for none in ["5", "draft-05", "8"] {
        let run = folder.run(&["check", "--schema", "person.json", "--draft", none]);
        assert_eq!(run.code, 2);
        let list = "`3`, `4`, `6`, `7`, `2019-09` or `2020-12`";
        assert!(run.stderr.contains(list), "{}", run.stderr);
    }
}

#[test]
fn a_warning_is_told_beside_the_error() {
    let folder = folder();
    folder.write("slip.json", r#"{"type": "object", "propertes": {"a": {}}, "required": ["a"], "additionalProperties": false}"#);
    let run = folder.run(&["check", "--schema", "slip.json"]);
    assert_eq!(run.code, 1);
    for part in [
        "no value satisfies this schema",
        "did you mean `properties`?",
    ] {
        assert!(
            run.stdout.contains(part) || run.stderr.contains(part),
            "{part}: {}",
            run.stderr
        );
    }
    let json = folder
        .run(&["check", "--schema", "slip.json", "--json"])
        .json();
    assert_eq!(json["errors"].as_array().map(Vec::len), Some(1), "{json}");
    assert_eq!(
        json["warnings"][0]["code"], "schema-unknown-keyword",
        "{json}"
    );
}

#[test]
fn texts_as_models_write_them() {
    let folder = folder();
    let usual = ["--whitespace", "usual"];
    for text in [
        "{\n  \"name\": \"a\",\n  \"age\": 3\n}\n",
        "{\n\t\"name\": \"a\"\n}",
        r#"{"name":"a","age":3}"#,
        r#" {"name": "a", "age": 3}"#,
    ] {
        assert!(accepts(&folder, &usual, text), "{text:?}");
    }
    assert!(!accepts(&folder, &usual, "{\"name\"\n:\t\"a\"}"));
    assert!(!accepts(
        &folder,
        &["--digits", "2"],
        r#"{"name": "a", "age": 300}"#
    ));
    assert!(accepts(
        &folder,
        &["--digits", "3,0"],
        r#"{"name": "a", "age": 300}"#
    ));
}

#[test]
fn report_shows_what_is_ignored() {
    let folder = folder();
    folder.write("lenient.json", r#"{"type": "integer", "minimum": "0"}"#);
    let run = |more: &[&str]| {
        let args = ["report", "--schema", "lenient.json", "--json"];
        folder.run(&[&args[..], &folder.vocabulary(), more].concat())
    };
    assert_eq!(run(&[]).code, 1);
    let report = run(&["--lenient", "minimum,maximum"]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    let warnings = &report.json()["warnings"];
    assert_eq!(warnings[0]["code"], "schema-lenient");
    assert!(report.stderr.contains("schema-lenient"));
}

#[test]
fn conform_counts_schemas() {
    let folder = folder();
    let person: Value = serde_json::from_str(PERSON).unwrap();
    let row = |schema: &str, tests: Value| {
        format!(r#"{{"name": "n", "schema": {schema}, "tests": {tests}}}"#)
    };
    let rows = [
        row(
            &PERSON.replace('\n', ""),
            json!([
                {"valid": true, "data": {"name": "é\u{1F600}"}},
                {"valid": false, "data": {"name": ""}},
                {"valid": false, "data": 1},
            ]),
        ),
        // Keys in another order; a wrong verdict each way.
        row(
            r#"{"properties": {"b": {"type": "integer"}, "a": {"type": "integer"}}}"#,
            json!([{"valid": true, "data": {"a": 1, "b": 2}}]),
        ),
        row(r#"{"type": "integer"}"#, json!([{"valid": true, "data": "1"}, {"valid": false, "data": 7}])),
        row(r#"{"type": "int"}"#, json!([{"valid": true, "data": 1}])),
        // No value satisfies these; the first one's instances say the same.
        row(r#"{"not": {}}"#, json!([{"valid": false, "data": 1}, {"valid": false, "data": {}}])),
        row(r#"{"not": true}"#, json!([{"valid": false, "data": 1}, {"valid": true, "data": 2}])),
        row(r#"{"enum": []}"#, json!([])),
        row(r#"{"type": "number", "maximum": 1e16}"#, json!([{"valid": true, "data": 1e-7}, {"valid": true, "data": 1e16}])),
        json!({"kind": "json_schema", "grammar": person, "input": "{\"name\": \"x\"}", "accept": true}).to_string(),
        json!({"kind": "json_schema", "grammar": person, "input": "", "accept": true, "oracle_2020_12": "not-json"}).to_string(),
        json!({"kind": "json_schema", "grammar": person, "input": "<a>", "accept": true, "options": {"json_format": "xml"}}).to_string(),
    ];
    folder.write("rows.jsonl", rows.join("\n"));
    let args = ["conform", "rows.jsonl", "--json", "--failures", "failures"];
    let run = folder.run(&[&args[..], &folder.vocabulary()].concat());
    let mut report = run.json();
    let failures = String::from_utf8(folder.read("failures")).unwrap();
    assert_eq!(run.code, 1, "{failures}");
    for timed in ["compile_ms", "table_bytes", "mask_ns", "accept_ns"] {
        assert!(report[timed]["p99"].is_number(), "{timed} in {report}");
        report.as_object_mut().unwrap().remove(timed);
    }
    assert_eq!(
        report,
        json!({
            "schemas": 10, "schemas_refused": 5, "schemas_on_graphs": 0, "schemas_unsatisfiable": 1, "schemas_right": 5,
            "refused_by": {"format-xml-not-json": 1, "schema-malformed": 1, "schema-unsatisfiable": 3},
            "tests": 16, "valid": 6, "valid_refused": 1, "valid_refused_order": 1, "valid_too_deep": 0, "invalid": 4, "invalid_accepted": 1,
            "tokens": report["tokens"], "tokens_refused": 0,
        }),
        "{failures}"
    );
    let problems: Vec<Value> = failures
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<&str> = problems
        .iter()
        .map(|p| p["problem"].as_str().unwrap())
        .collect();
    let expected = [
        "sentence-refused-order",
        "sentence-refused",
        "non-sentence-accepted",
        "grammar-refused",
        "grammar-refused",
        "grammar-refused",
        "grammar-refused",
        "grammar-refused",
    ];
    assert_eq!(names, expected, "{failures}");

    let some = folder.run(&["conform", "rows.jsonl", "--json", "--every", "3"]);
    assert_eq!(some.json()["schemas"], 4);
}

#[test]
fn an_order_is_found_though_a_required_key_stands_between() {
    // Until `z` is there, `z` leaves more keys possible than `a`, which it closes; then there are
    // too many orders to try.
    let folder = folder();
    let keys: Vec<String> = (0..20).map(|k| format!("k{k}")).collect();
    let in_order = ["a", "z"]
        .into_iter()
        .chain(keys.iter().map(String::as_str));
    let properties: Vec<String> = in_order
        .map(|key| format!(r#""{key}": {{"const": 1}}"#))
        .collect();
    let schema = format!(
        r#"{{"properties": {{{}}}, "required": ["z"]}}"#,
        properties.join(", ")
    );
    let members = |value: u32| {
        let keys = ["z", "a"]
            .into_iter()
            .chain(keys.iter().rev().map(String::as_str));
        let members: Vec<String> = keys.map(|key| format!(r#""{key}": {value}"#)).collect();
        members.join(", ")
    };
    let tests = format!(
        r#"[{{"valid": true, "data": {{{}}}}}, {{"valid": true, "data": {{{}}}}}]"#,
        members(1),
        members(2)
    );
    folder.write(
        "rows.jsonl",
        format!(r#"{{"name": "n", "schema": {schema}, "tests": {tests}}}"#),
    );
    let report = folder.run(&["conform", "rows.jsonl", "--json"]).json();
    let refused = (&report["valid_refused_order"], &report["valid_refused"]);
    assert_eq!(refused, (&1.into(), &1.into()), "{report}");
}
