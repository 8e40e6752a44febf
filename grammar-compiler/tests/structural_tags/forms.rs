//! Formats within formats, and the other forms in which tags are written.

use crate::support::{a, any, check, check_tags, refused, tag, text, triggered, with};
use maskwright_compiler::grammar::interpret::accepts_bytes;
use maskwright_compiler::syntax::GrammarText;
use serde_json::{Value, json};

#[test]
fn or_star_grammar_and_repetitions_of_text() {
    let either = json!({"type": "or", "elements": [text("a"), any(&["x"])]});
    check(
        tag("<", either, ">"),
        &["<a>", "<b>", "<>"],
        &["<x>", "<b>>"],
    );
    let star = json!({"type": "star", "content": a()});
    check_tags(tag("[", star, "]"), &["[]", "[AA]"], &["[A", "[B]"]);
    let grammar =
        json!({"type": "grammar", "grammar": "root ::= item (\",\" item)*\nitem ::= [a-z]+"});
    check(tag("(", grammar, ")"), &["(a,bc)"], &["()", "(a,)"]);
    let repeat = json!({"type": "repeat", "min": 1, "max": 2, "content": tag("-", any(&[]), "")});
    assert_eq!(refused(repeat), ["tag-without-end"]);
    let list = json!({"type": "repeat", "min": 2, "max": 3, "content": tag("-", any(&["-"]), "")});
    check(list, &["-a-b", "--", "-a-b-c"], &["-a", "----"]);
}

#[test]
fn delimiters_that_are_prefixes_of_each_other() {
    // The trigger is the beginning of the end: both are open.
    let format = tag(
        "[",
        triggered(&["<"], &[tag("<f>", text("1"), "</f>")]),
        "</t>",
    );
    check(
        format,
        &["[</t>", "[x<f>1</f>y</t>"],
        &["[<</t>", "[x<f>1</f>", "[<x</t>"],
    );
    // An exclude is the beginning of the end, as in the tags of Kimi K3.
    let format = tag("", any(&["<|open|>", "<|close|>"]), "<|close|>r<|sep|>");
    check(
        format,
        &["x<|close|>r<|sep|>", "<|close|>r<|sep|>"],
        &["<|close|>x<|close|>r<|sep|>", "<|open|>"],
    );
}

#[test]
fn types_are_guessed() {
    check_tags(
        json!({"triggers": ["<f="], "tags": [{"begin": "<f=a>", "content": {"value": "1"}, "end": "</f>"}]}),
        &["xAy"],
        &["B"],
    );
    check(
        json!({"content": {"value": "a"}, "min": 1, "max": 2}),
        &["a", "aa"],
        &["", "aaa"],
    );
    check(
        json!({"elements": [{"json_schema": {"type": "null"}}, {"excludes": ["x"]}]}),
        &["nullab"],
        &["nullx"],
    );
}

#[test]
fn the_legacy_form_and_requests_of_engines() {
    let legacy = json!({"type": "structural_tag", "triggers": ["<f="], "structures": [
        {"begin": "<f=a>", "schema": {"type": "integer"}, "end": "</f>"}]});
    let as_text = legacy.to_string();
    for request in [
        legacy.clone(),
        json!({"model": "m", "messages": [], "response_format": legacy}),
        json!({"structured_outputs": {"structural_tag": as_text}}),
        json!({"extra_body": {"structured_outputs": {"structural_tag": as_text}}}),
        json!({"text": "p", "sampling_params": {"structural_tag": as_text, "temperature": 0}}),
        json!({"guided_decoding": {"structural_tag": as_text}, "response_format": null}),
        json!({"guide_type": "STRUCTURAL_TAG", "guide": as_text}),
    ] {
        let parsed = GrammarText::structural_tag(request.to_string()).parse(&Default::default());
        let grammar = parsed.unwrap_or_else(|error| panic!("{error}")).grammar;
        assert!(accepts_bytes(&grammar, b"x<f=a>12</f>y"), "{request}");
        assert!(!accepts_bytes(&grammar, b"x<f=a>no</f>y"), "{request}");
    }
    let both =
        json!({"response_format": legacy, "structured_outputs": {"structural_tag": as_text}});
    let error = GrammarText::structural_tag(both.to_string()).parse(&Default::default());
    assert_eq!(error.unwrap_err().code(), "tag-malformed");
}

#[test]
fn schemas_forbid_what_they_do_not_declare() {
    let schema = |schema: Value| json!({"type": "json_schema", "json_schema": schema});
    let object = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    check(
        schema(object.clone()),
        &["{}", r#"{"a": 1}"#, "{ \n\t  \"a\"  :  1 }"],
        &[r#"{"a": 1, "b": 2}"#, r#" {"a": 1}"#, r#"{"a": 1} "#],
    );
    check(schema(true.into()), &[r#"{"b": {"c": 1}}"#], &[]);
    // A bare object declares nothing; one with an empty list of properties declares that.
    check(
        schema(json!({"type": "object"})),
        &["{}", r#"{"b": {"c": 1}}"#],
        &["1"],
    );
    check(
        schema(json!({"type": "object", "properties": {}})),
        &["{}"],
        &[r#"{"b": 1}"#],
    );
    let mut open = object.clone();
    open["additionalProperties"] = json!({"type": "null"});
    check(schema(open), &[r#"{"a": 1, "b": null}"#], &[r#"{"b": 1}"#]);
    // What schemas in place declare counts; each by itself would forbid the other's.
    let both = json!({"allOf": [object, {"properties": {"b": {"type": "null"}}}]});
    check(
        schema(both),
        &[r#"{"a": 1, "b": null}"#],
        &[r#"{"a": 1, "c": 1}"#],
    );
    // One schema at a value and in place.
    let nested = json!({"$ref": "#/$defs/node", "$defs": {"node": {
        "type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}});
    check(
        schema(nested),
        &[r#"{"next": {"next": {}}}"#],
        &[r#"{"next": {"x": 1}}"#],
    );
    let compact = with(
        schema(json!({"type": "array"})),
        &[("max_whitespace_cnt", 0.into())],
    );
    check(compact, &["[1,2]"], &["[1, 2]"]);
}
