//! Rows whose grammars are JSON: `{"name", "schema", "tests": [{"valid", "data"}]}`, and those of
//! the kinds `json_schema` and `structural_tag`.
//!
//! Read with places, so that a grammar keeps its text: the order of a schema's keys has a meaning.

use super::cases::{Case, Group, MALFORMED, Reading};
use super::python;
use maskwright_compiler::error::Code;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::Kind;
use maskwright_compiler::syntax::json_schema::document::{JsonNode, JsonValue, parse};

/// The row in `text`, if it is one about a schema: a group, or the code to count it under and the
/// number of its cases.
pub fn read(line: usize, text: &str) -> Option<Result<Group, (String, usize)>> {
    let source = Source::new("row", text);
    let row = parse(&source, &Limits::default()).ok()?;
    let schema = row.get("schema").or_else(|| row.get("grammar"))?;
    let grammar = source.slice(schema.span).to_owned();
    let group = |reading, cases: Vec<Case>| Group {
        reading,
        case_count: cases.len(),
        line,
        ..Group::new(grammar, cases)
    };
    if let Some(JsonValue::Array(tests)) = row.get("tests").map(|tests| &tests.value) {
        let cases: Option<Vec<Case>> = tests.iter().map(|test| case(line, test)).collect();
        let malformed = || (MALFORMED.to_owned(), tests.len());
        let reading = Reading::As(Kind::JsonSchema);
        return Some(
            cases
                .map(|cases| group(reading, cases))
                .ok_or_else(malformed),
        );
    }
    match row.get("kind").and_then(JsonNode::as_str) {
        Some("json_schema") => {}
        Some("structural_tag") => {
            let reading = Reading::As(Kind::StructuralTag);
            let case = tag_verdict(line, &row).map(|case| group(reading, vec![case]));
            return Some(case.ok_or_else(|| (MALFORMED.to_owned(), 1)));
        }
        _ => return None,
    }
    let option = |name: &str| Some(&row.get("options")?.get(name)?.value);
    if let Some(JsonValue::String(format)) = option("json_format")
        && format != "json"
    {
        return Some(Err((format!("format-{format}-not-json"), 1)));
    }
    let reading = match option("any_order") {
        Some(JsonValue::Bool(true)) => Reading::KeysInAnyOrder,
        _ => Reading::As(Kind::JsonSchema),
    };
    let case = verdict(line, &row).map(|case| group(reading, vec![case]));
    Some(case.ok_or_else(|| (MALFORMED.to_owned(), 1)))
}

/// An instance, as the text that Python gives it.
fn case(line: usize, test: &JsonNode) -> Option<Case> {
    let JsonValue::Bool(accept) = test.get("valid")?.value else {
        return None;
    };
    let data = test.get("data")?;
    Some(Case {
        line,
        source: String::new(),
        input: python::dumps(data).into_bytes(),
        accept,
        instance: Some(data.clone()),
        repeats_keys: false,
    })
}

/// A text of a structural tag.
fn tag_verdict(line: usize, row: &JsonNode) -> Option<Case> {
    let accept = &row.get("accept")?.value;
    Some(Case {
        line,
        source: String::new(),
        input: row.get("input")?.as_str()?.as_bytes().to_vec(),
        accept: *accept == JsonValue::Bool(true),
        instance: None,
        repeats_keys: false,
    })
}

/// A text. The specification's verdict wins over that of an engine; a text that is no JSON is no
/// sentence.
fn verdict(line: usize, row: &JsonNode) -> Option<Case> {
    let verdict = row.get("oracle_2020_12").or_else(|| row.get("accept"))?;
    let input = row.get("input")?.as_str()?;
    let parsed = |text: &str| parse(&Source::new("input", text), &Limits::default());
    let (instance, repeats_keys) = match parsed(input) {
        Ok(instance) => (Some(instance), false),
        Err(error) if error.code() == Code::JsonDuplicateKey => {
            // The last of several values, as most parsers have it.
            let value: Option<serde_json::Value> = serde_json::from_str(input).ok();
            (
                value.and_then(|value| parsed(&value.to_string()).ok()),
                true,
            )
        }
        Err(_) => (None, false),
    };
    Some(Case {
        line,
        source: String::new(),
        input: input.as_bytes().to_vec(),
        accept: verdict.value == JsonValue::Bool(true),
        instance,
        repeats_keys,
    })
}
