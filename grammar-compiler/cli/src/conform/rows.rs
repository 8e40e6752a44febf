//! Reading cases: rows of JSON, grouped by grammar.
//!
//! In: a file of lines, each `{"source", "kind", "grammar", "input", "accept"}` or
//! `{"name", "schema", "tests": [{"valid", "data"}]}`, or as `lark_rows` says. Out: [`Group`]s in
//! the order of their first rows; a row with tests is a group of its own. Every row ends up in some
//! group: what cannot be run is a group that says why.

use super::cases::{Case, Group, MALFORMED, Reading};
use super::{lark_rows, schema_rows};
use crate::failure::Failure;
use crate::read;
use maskwright_compiler::file;
use maskwright_compiler::syntax::Kind;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// Reads a file of rows.
pub fn read(path: &Path) -> Result<Vec<Group>, Failure> {
    let mut content = read::read(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        let decoder = flate2::read::MultiGzDecoder::new(content.as_slice());
        content = file::read_all(decoder, file::MAX_BYTES).map_err(Failure::file(path))?;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<(Reading, String), usize> = HashMap::new();
    let folder = lark_rows::folder_of(path);
    for (number, line) in content.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (row, is_whole) = row(number + 1, line, &folder);
        if is_whole {
            groups.push(row);
            continue;
        }
        let key = (row.reading.clone(), row.grammar.clone());
        match known.get(&key).and_then(|&at| groups.get_mut(at)) {
            Some(group) => {
                group.cases.extend(row.cases);
                group.case_count += row.case_count;
            }
            None => {
                known.insert(key, groups.len());
                groups.push(row);
            }
        }
    }
    Ok(groups)
}

/// One row, as a group of its own, and whether it has all cases of its grammar. The names of
/// grammars are relative to `folder`.
fn row(line: usize, text: &[u8], folder: &Path) -> (Group, bool) {
    let text_of = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let Ok(value) = serde_json::from_slice::<Value>(text) else {
        let text = String::from_utf8_lossy(text).into_owned();
        return (unsupported(line, MALFORMED, text, 0), false);
    };
    let field = |keys: [&str; 2]| keys.iter().find_map(|key| value.get(key)).map(text_of);
    let source = field(["source", "name"]).unwrap_or_default();
    let grammar = || field(["grammar", "schema"]).unwrap_or_default();
    let of_schema = std::str::from_utf8(text).ok();
    let mut is_whole = value.get("tests").is_some();
    let mut group = match of_schema.and_then(|text| schema_rows::read(line, text)) {
        Some(Ok(group)) => group,
        Some(Err((code, cases))) => unsupported(line, &code, grammar(), cases),
        None if value.get("kind").and_then(Value::as_str) == Some("lark") => {
            let read = lark_rows::read(line, &value, folder);
            let read = read.map(|(group, is_verdict)| {
                is_whole = is_verdict;
                group
            });
            read.unwrap_or_else(|code| unsupported(line, &code, grammar(), 1))
        }
        None => {
            verdict_row(line, &value).unwrap_or_else(|code| unsupported(line, &code, grammar(), 1))
        }
    };
    group
        .cases
        .iter_mut()
        .for_each(|case| case.source.clone_from(&source));
    group.source = source;
    (group, is_whole)
}

/// A row with one input; the code to count it under, if it cannot be run.
fn verdict_row(line: usize, value: &Value) -> Result<Group, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let reading = match text("kind").as_deref() {
        Some("ebnf") => Reading::As(Kind::Ebnf),
        Some("regex") => Reading::As(Kind::Regex),
        Some(other) => return Err(format!("kind-{other}-not-supported")),
        None => return Err(MALFORMED.into()),
    };
    let accept = value.get("accept").and_then(Value::as_bool);
    let (Some(grammar), Some(input), Some(accept)) = (text("grammar"), text("input"), accept)
    else {
        return Err(MALFORMED.into());
    };
    let case = Case {
        line,
        source: String::new(),
        input: input.into_bytes(),
        accept,
        instance: None,
        repeats_keys: false,
    };
    Ok(Group {
        reading,
        line,
        ..Group::new(grammar, vec![case])
    })
}

fn unsupported(line: usize, code: &str, grammar: String, case_count: usize) -> Group {
    let reading = Reading::Unsupported(code.to_owned());
    Group {
        reading,
        case_count,
        line,
        ..Group::new(grammar, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_some_group() {
        let rows = [
            r#"{"source": "s", "kind": "ebnf", "grammar": "root ::= \"a\"", "input": "a", "accept": true}"#,
            r#"{"source": "s", "kind": "structural_tag", "grammar": {"x": 1}, "input": "a", "accept": true}"#,
            r#"{"source": "s", "kind": "lark", "grammar": {"x": 1}, "input": "a", "accept": true}"#,
            r#"{"name": "n", "schema": {"type": "null"}, "tests": [{"valid": true, "data": null}]}"#,
            r#"{"kind": "json_schema", "grammar": {}, "input": "1", "accept": false, "oracle_2020_12": true}"#,
            r#"{"kind": "json_schema", "grammar": {}, "input": "1", "accept": true, "options": {"json_format": "xml"}}"#,
            r#"{"schema": {}, "tests": [{"data": 1}]}"#,
            r#"{"kind": "regex", "grammar": "a"}"#,
            r#"{"kind": "#,
        ];
        let readings: Vec<Reading> = rows
            .iter()
            .map(|text| row(1, text.as_bytes(), Path::new("")).0.reading)
            .collect();
        let unsupported = |code: &str| Reading::Unsupported(code.into());
        let expected = [
            Reading::As(Kind::Ebnf),
            Reading::As(Kind::StructuralTag),
            unsupported("row-malformed"),
            Reading::As(Kind::JsonSchema),
            Reading::As(Kind::JsonSchema),
            unsupported("format-xml-not-json"),
            unsupported("row-malformed"),
            unsupported("row-malformed"),
            unsupported("row-malformed"),
        ];
        assert_eq!(readings, expected);
    }
}
