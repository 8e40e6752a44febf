//! Rows of the kind `lark`: `{"grammar" or "grammar_file", "input" or "input_hex", "accept"}`, with
//! `options` that are Lark's own (`parser`, `lexer`, `start`); and `{"grammar", "compiles"}`.
//!
//! A `grammar_file` is relative to the folder two above that of the file of rows. Where the row has
//! no options, those in `options.json` beside it apply. A `start` of the row goes before others.

use super::cases::{Case, Group, LarkReading, MALFORMED, Reading};
use maskwright_compiler::file;
use maskwright_compiler::syntax::Settings;
use maskwright_compiler::syntax::lark::LarkOptions;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};

/// What rows may have that is not supported: a vocabulary or grammars of their own, and steps by
/// tokens.
const NOT_SUPPORTED: [&str; 3] = ["vocab", "steps", "named_grammars"];

/// The folder that the names of grammars in a file of rows are relative to.
pub fn folder_of(rows: &Path) -> PathBuf {
    let rows = std::path::absolute(rows).unwrap_or_else(|_| rows.to_owned());
    let above = rows.ancestors().nth(3).unwrap_or(Path::new(""));
    above.to_owned()
}

/// The row as a group, and whether it is a verdict on the grammar as a whole; the code to count it
/// under, if it cannot be run.
pub fn read(line: usize, row: &Value, folder: &Path) -> Result<(Group, bool), String> {
    let options = row.get("options");
    let is_given = |key: &&str| row.get(key).or_else(|| options?.get(key)).is_some();
    if let Some(key) = NOT_SUPPORTED.iter().find(|key| is_given(key)) {
        return Err(format!("lark-{}-not-supported", key.replace('_', "-")));
    }
    let (grammar, beside) = grammar(row, folder)?;
    let reading = Reading::Lark(reading(row, options.or(beside.as_ref()))?);
    let group = |cases| Group {
        reading,
        line,
        ..Group::new(grammar, cases)
    };
    if let Some(compiles) = row.get("compiles") {
        let compiles = Some(compiles.as_bool().ok_or(MALFORMED)?);
        let of_grammar = Group {
            compiles,
            case_count: 1,
            ..group(Vec::new())
        };
        return Ok((of_grammar, true));
    }
    let case = Case {
        line,
        source: String::new(),
        input: input(row).ok_or(MALFORMED)?,
        accept: row
            .get("accept")
            .and_then(Value::as_bool)
            .ok_or(MALFORMED)?,
        instance: None,
        repeats_keys: false,
    };
    Ok((group(vec![case]), false))
}

/// The grammar of a row, and the options beside its file.
fn grammar(row: &Value, folder: &Path) -> Result<(String, Option<Value>), String> {
    let text = |key| row.get(key).and_then(Value::as_str);
    if let Some(grammar) = text("grammar") {
        return Ok((grammar.to_owned(), None));
    }
    let file = Path::new(text("grammar_file").ok_or(MALFORMED)?);
    let is_below = |step| matches!(step, Component::Normal(_));
    if !file.components().all(is_below) {
        return Err(MALFORMED.to_owned());
    }
    let path = folder.join(file);
    let grammar = file::read_text(&path, file::MAX_BYTES);
    let grammar = grammar.map_err(|_| "lark-grammar-file-not-read")?;
    let options = file::read_text(&path.with_file_name("options.json"), file::MAX_BYTES);
    let options = options.ok().map(|text| serde_json::from_str(&text));
    let options = options.transpose().map_err(|_| MALFORMED)?;
    Ok((grammar, options))
}

/// How the row says that its grammar is read.
fn reading(row: &Value, options: Option<&Value>) -> Result<LarkReading, String> {
    let option = |key: &str| options.and_then(|options| options.get(key));
    let text = |key: &str| match option(key) {
        Some(value) => value.as_str().map(Some).ok_or(MALFORMED),
        None => Ok(None),
    };
    let mut settings = Vec::new();
    for name in ["parser", "lexer"] {
        if let Some(value) = text(name)? {
            settings.push((name, vec![value.to_owned()]));
        }
    }
    if let Some(start) = row.get("start").or_else(|| option("start")) {
        settings.push(("start", names(start).ok_or(MALFORMED)?));
    }
    // What `LarkOptions` does not have is no option of reading.
    settings.retain(|(name, _)| LarkOptions::names().any(|known| known == *name));
    let reading = LarkReading(settings);
    match reading.options() {
        Ok(_) => Ok(reading),
        Err((name, value)) => Err(format!("{name}-{value}-not-supported")),
    }
}

/// A name, or a list of names.
fn names(value: &Value) -> Option<Vec<String>> {
    let name = |value: &Value| value.as_str().map(str::to_owned);
    match value {
        Value::Array(values) => values.iter().map(name).collect(),
        one => Some(vec![name(one)?]),
    }
}

/// The bytes of the input.
fn input(row: &Value) -> Option<Vec<u8>> {
    let text = |key| row.get(key).and_then(Value::as_str);
    if let Some(input) = text("input") {
        return Some(input.as_bytes().to_vec());
    }
    let digits: Option<Vec<u8>> = text("input_hex")?
        .chars()
        .map(|digit| Some(digit.to_digit(16)? as u8))
        .collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| high << 4 | low);
    rest.is_empty().then(|| bytes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn code(row: Value) -> String {
        let read = read(1, &row, Path::new(""));
        read.map(|_| ()).unwrap_err()
    }

    #[test]
    fn options_are_those_of_lark() {
        let row = json!({
            "grammar": "a: \"x\"", "input_hex": "7aFf", "accept": true,
            "options": {"parser": "lalr", "lexer": "basic", "start": "a"},
        });
        let (group, is_whole) = read(1, &row, Path::new("")).unwrap();
        assert_eq!(
            (group.cases[0].input.as_slice(), is_whole),
            (&b"z\xff"[..], false)
        );
        let Reading::Lark(reading) = group.reading else {
            panic!("{:?}", group.reading);
        };
        let options = reading.options().unwrap();
        assert_eq!(
            (options.lexer.name(), options.start),
            ("basic", vec!["a".to_owned()])
        );
    }

    #[test]
    fn a_start_of_the_row_goes_before_others() {
        let row = json!({
            "grammar": "", "input": "", "accept": true, "start": ["a", "b"],
            "options": {"start": "c"},
        });
        let Reading::Lark(reading) = read(1, &row, Path::new("")).unwrap().0.reading else {
            panic!("another reading");
        };
        assert_eq!(reading.options().unwrap().start, ["a", "b"]);
    }

    #[test]
    fn rows_that_cannot_be_run_say_why() {
        let with = |of: Value| json!({"grammar": "", "input": "a", "accept": true, "options": of});
        assert_eq!(
            code(with(json!({"vocab": ["a"]}))),
            "lark-vocab-not-supported"
        );
        let named = json!({"named_grammars": {"x": ""}});
        assert_eq!(code(with(named)), "lark-named-grammars-not-supported");
        assert_eq!(
            code(with(json!({"lexer": "custom"}))),
            "lexer-custom-not-supported"
        );
        assert_eq!(code(with(json!({"lexer": 1}))), MALFORMED);
        let steps = json!({"grammar": "", "steps": [], "accept": true});
        assert_eq!(code(steps), "lark-steps-not-supported");
        for row in [
            json!({"grammar": {"x": 1}, "input": "a", "accept": true}),
            json!({"grammar": "", "input_hex": "abc", "accept": true}),
            json!({"grammar": "", "input_hex": "xy", "accept": true}),
            json!({"grammar": "", "input": "a"}),
            json!({"grammar": "", "compiles": 1}),
            json!({"grammar_file": "../a.lark", "input": "a", "accept": true}),
            json!({"grammar_file": "/a.lark", "input": "a", "accept": true}),
        ] {
            assert_eq!(code(row.clone()), MALFORMED, "{row}");
        }
    }
}
