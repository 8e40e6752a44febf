//! Formats in few words, and checks of their texts.

use maskwright_compiler::grammar::interpret::accepts_bytes;
use maskwright_compiler::syntax::{GrammarText, Parsed};
use serde_json::{Value, json};

pub fn read(format: &Value) -> Parsed {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let parsed = GrammarText::structural_tag(text).parse(&Default::default());
    parsed.unwrap_or_else(|error| panic!("{error}"))
}

/// Compares verdicts with those of a format: texts that are sentences, and texts that are not.
pub fn check(format: Value, sentences: &[&str], others: &[&str]) {
    check_bytes(
        format,
        &sentences
            .iter()
            .map(|text| text.as_bytes())
            .collect::<Vec<_>>(),
        &others
            .iter()
            .map(|text| text.as_bytes())
            .collect::<Vec<_>>(),
    );
}

pub fn check_bytes(format: Value, sentences: &[&[u8]], others: &[&[u8]]) {
    let grammar = read(&format).grammar;
    for text in sentences {
        let shown = String::from_utf8_lossy(text);
        assert!(
            accepts_bytes(&grammar, text),
            "{shown:?} must be a text of {format}"
        );
    }
    for text in others {
        let shown = String::from_utf8_lossy(text);
        assert!(
            !accepts_bytes(&grammar, text),
            "{shown:?} must not be a text of {format}"
        );
    }
}

/// The codes of what is refused.
pub fn refused(format: Value) -> Vec<&'static str> {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let error = GrammarText::structural_tag(text).parse(&Default::default());
    let error = error.map(|parsed| parsed.grammar.to_string()).unwrap_err();
    assert!(error.position().is_some(), "no place: {error}");
    let with_help = error
        .diagnostics()
        .iter()
        .all(|diagnostic| diagnostic.way_out().is_some());
    assert!(with_help, "no way out: {error}");
    error
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.code().as_str())
        .collect()
}

pub fn warned(format: Value) -> Vec<&'static str> {
    read(&format)
        .warnings
        .iter()
        .map(|warning| warning.code().as_str())
        .collect()
}

pub fn tag(begin: &str, content: Value, end: impl Into<Value>) -> Value {
    json!({"type": "tag", "begin": begin, "content": content, "end": end.into()})
}

pub fn any(excludes: &[&str]) -> Value {
    json!({"type": "any_text", "excludes": excludes})
}

pub fn text(value: &str) -> Value {
    json!({"type": "const_string", "value": value})
}

pub fn triggered(triggers: &[&str], tags: &[Value]) -> Value {
    json!({"type": "triggered_tags", "triggers": triggers, "tags": tags})
}

pub fn with(mut format: Value, fields: &[(&str, Value)]) -> Value {
    for (name, value) in fields {
        format[*name] = value.clone();
    }
    format
}

pub fn dispatch(rules: &[(&str, &str)]) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|(trigger, value)| json!([trigger, text(value)]))
        .collect();
    json!({"type": "dispatch", "rules": rules})
}

pub fn separated(tags: &[Value], separator: &str) -> Value {
    json!({"type": "tags_with_separator", "tags": tags, "separator": separator})
}

pub fn a() -> Value {
    tag("<f=a>", text("1"), "</f>")
}

pub fn b() -> Value {
    tag("<f=b>", text("2"), "</f>")
}

pub const A: &str = "<f=a>1</f>";

pub const B: &str = "<f=b>2</f>";

/// Texts in which `A` and `B` stand for the tags.
pub fn with_tags(texts: &[&str]) -> Vec<String> {
    texts
        .iter()
        .map(|text| text.replace('A', A).replace('B', B))
        .collect()
}

pub fn check_tags(format: Value, sentences: &[&str], others: &[&str]) {
    let (sentences, others) = (with_tags(sentences), with_tags(others));
    check(
        format,
        &sentences.iter().map(String::as_str).collect::<Vec<_>>(),
        &others.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}
