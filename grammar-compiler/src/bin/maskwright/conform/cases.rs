//! Reading cases: rows of JSON, grouped by grammar.
//!
//! In: a file of lines, each `{"source", "kind", "grammar", "input", "accept"}` or
//! `{"name", "schema", "tests": [{"valid", "data"}]}`. Out: [`Group`]s in the order of their first rows.
//! Every row ends up in some group: what cannot be run is a group that says why.

use super::Problem;
use crate::failure::Failure;
use crate::input;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// How a grammar is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// EBNF with a rule `root`.
    Ebnf,
    /// A regular expression.
    Regex,
    /// Something that cannot be compiled: the code to count it under.
    Unsupported(String),
}

/// An input and its recorded verdict.
#[derive(Clone, Debug)]
pub struct Case {
    /// The row's line in the file, from 1.
    pub line: usize,
    /// Where the row says it is from.
    pub source: String,
    /// The input.
    pub input: String,
    /// Is it a sentence?
    pub accept: bool,
}

/// The cases of one grammar.
#[derive(Clone, Debug)]
pub struct Group {
    /// How the grammar is written.
    pub kind: Kind,
    /// The grammar.
    pub grammar: String,
    /// The cases; none where the kind is not supported.
    pub cases: Vec<Case>,
    /// The number of cases in the file, whether or not they can be run.
    pub case_count: usize,
    /// The line of the first row.
    line: usize,
    source: String,
}

impl Group {
    /// A problem with the grammar, or with one of its cases.
    pub fn problem(&self, problem: &'static str, detail: String, case: Option<&Case>) -> Problem {
        Problem {
            line: case.map_or(self.line, |case| case.line),
            source: case.map_or(&self.source, |case| &case.source).clone(),
            problem,
            detail,
            grammar: self.grammar.clone(),
            input: case.map(|case| case.input.clone()),
        }
    }
}

/// Reads a file of rows.
pub fn read(path: &Path) -> Result<Vec<Group>, Failure> {
    let mut content = input::read(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut plain = Vec::new();
        let mut decoder = flate2::read::MultiGzDecoder::new(content.as_slice());
        decoder
            .read_to_end(&mut plain)
            .map_err(Failure::file(path))?;
        content = plain;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<(Kind, String), usize> = HashMap::new();
    for (number, line) in content.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let row = row(number + 1, line);
        let key = (row.kind.clone(), row.grammar.clone());
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

/// One row, as a group of its own.
fn row(line: usize, text: &[u8]) -> Group {
    let text_of = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let Ok(value) = serde_json::from_slice::<Value>(text) else {
        return unsupported(
            line,
            "row-malformed",
            String::from_utf8_lossy(text).into_owned(),
            0,
        );
    };
    let source = ["source", "name"]
        .iter()
        .find_map(|key| value.get(key))
        .map(text_of)
        .unwrap_or_default();
    let mut group = if let (Some(schema), Some(tests)) = (value.get("schema"), value.get("tests")) {
        let tests = tests.as_array().map_or(0, Vec::len);
        unsupported(
            line,
            "kind-json_schema-not-supported",
            schema.to_string(),
            tests,
        )
    } else {
        verdict_row(line, &value, &source).unwrap_or_else(|code| {
            unsupported(
                line,
                &code,
                value.get("grammar").map(text_of).unwrap_or_default(),
                1,
            )
        })
    };
    group.source = source;
    group
}

/// A row with one input; the code to count it under, if it cannot be run.
fn verdict_row(line: usize, value: &Value, source: &str) -> Result<Group, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let kind = match text("kind").as_deref() {
        Some("ebnf") => Kind::Ebnf,
        Some("regex") => Kind::Regex,
        Some(other) => return Err(format!("kind-{other}-not-supported")),
        None => return Err("row-malformed".into()),
    };
    let accept = value.get("accept").and_then(Value::as_bool);
    let (Some(grammar), Some(input), Some(accept)) = (text("grammar"), text("input"), accept)
    else {
        return Err("row-malformed".into());
    };
    let case = Case {
        line,
        source: source.to_owned(),
        input,
        accept,
    };
    Ok(Group {
        kind,
        grammar,
        cases: vec![case],
        case_count: 1,
        line,
        source: String::new(),
    })
}

fn unsupported(line: usize, code: &str, grammar: String, case_count: usize) -> Group {
    let kind = Kind::Unsupported(code.to_owned());
    Group {
        kind,
        grammar,
        cases: Vec::new(),
        case_count,
        line,
        source: String::new(),
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
            r#"{"name": "n", "schema": {"type": "null"}, "tests": [{"valid": true, "data": null}]}"#,
            r#"{"kind": "regex", "grammar": "a"}"#,
            r#"{"kind": "#,
        ];
        let kinds: Vec<Kind> = rows
            .iter()
            .map(|text| row(1, text.as_bytes()).kind)
            .collect();
        let unsupported = |code: &str| Kind::Unsupported(code.into());
        let expected = [
            Kind::Ebnf,
            unsupported("kind-structural_tag-not-supported"),
            unsupported("kind-json_schema-not-supported"),
            unsupported("row-malformed"),
            unsupported("row-malformed"),
        ];
        assert_eq!(kinds, expected);
    }
}
