//! Forms of elements that a user gives.

use super::super::compiled::{Compiled, Words};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema::{
    self, FormFields, OwnedForm, SchemaOptions, Whitespace,
};
use maskwright_tests::harness::unhurried;
use std::sync::Arc;

fn form(name: &str, open: &str, end: &str) -> Arc<OwnedForm> {
    let fields = FormFields::default()
        .open(open.to_owned())
        .key_end("\">".to_owned())
        .end(end.to_owned());
    Arc::new(OwnedForm::new(name, fields).expect("it is a form"))
}

fn minicpm() -> Arc<OwnedForm> {
    form("minicpm_5", "<param name=\"", "</param>")
}

fn options(form: Arc<OwnedForm>) -> SchemaOptions {
    SchemaOptions::default()
        .form(Some(form))
        .whitespace(Whitespace::Compact)
}

const TOOL: &str = r#"{"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}, "l": {"type": "array"}},
    "required": ["a"], "additionalProperties": false}"#;

#[test]
fn tags_of_ones_own() {
    let step = form(
        "step_3",
        "<steptml:parameter name=\"",
        "</steptml:parameter>",
    );
    let words = Words::bytes();
    for form in [minicpm(), step] {
        let compiled = Compiled::new(TOOL, &words, &options(form.clone()), &unhurried());
        let compiled = compiled.unwrap_or_else(|error| panic!("{error}"));
        let (open, end) = (form.form().open, form.form().end);
        let element = |key: &str, text: &str| format!("{open}{key}\">{text}{end}");
        for (text, expected) in [
            (element("a", "x"), true),
            (element("a", "x</p") + &element("n", "3"), true),
            (element("a", "") + &element("l", "[\"x\",{}]"), true),
            (element("n", "3"), false),
            (element("a", "x") + &element("n", "\"3\""), false),
            (element("a", "x") + &element("z", "3"), false),
            (element("a", "x") + end, false),
            ("{\"a\": \"x\"}".to_owned(), false),
        ] {
            assert_eq!(compiled.accepts(&text), expected, "{}: {text}", form.name());
            // What is accepted is found again where it stands.
            let found = form.form().extent(&format!("{text}</invoke>"));
            assert!(!expected || found == Some(text.len()), "{text}");
        }
    }
}

#[test]
fn errors_name_the_form() {
    let refuse = |schema: &str| {
        let parsed = json_schema::parse(&Source::new("t.json", schema), &options(minicpm()).into());
        parsed.map(|_| ()).expect_err(schema).to_string()
    };
    let message = refuse(r#"{"type": "object", "properties": {"v": {"const": "</param>"}}}"#);
    assert!(
        message.contains("the style `minicpm_5` cannot write the value"),
        "{message}"
    );
    // The character that ends a key need not be named.
    let message = refuse(r#"{"type": "object", "properties": {"a\"b": true}}"#);
    assert!(message.contains("cannot write the name"), "{message}");
    // A style that is named later is meant.
    let mut named = options(minicpm());
    named.set("style", &["json"]).expect("it is a style");
    assert!(named.form.is_none());
}
