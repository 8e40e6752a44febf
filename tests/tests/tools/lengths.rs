//! Bounds on the length of long strings, in every format.

use crate::compiled::{Compiled, Words};
use crate::outputs::OUTPUTS;
use maskwright_compiler::syntax::tools::{Reasoning, ToolOptions};
use maskwright_tests::effort;
use serde_json::json;

/// The output of a row with another value in the place of `x`.
fn with_value(output: &str, value: &str) -> Option<String> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let (at, _) = output.char_indices().rev().find(|&(at, c)| {
        let (before, behind) = (
            output[..at].chars().next_back(),
            output[at + c.len_utf8()..].chars().next(),
        );
        c == 'x' && !is_letter(before) && !is_letter(behind)
    })?;
    Some(format!("{}{value}{}", &output[..at], &output[at + 1..]))
}

/// In tables, too, a string has at least and at most as many characters as the schema says.
#[test]
fn long_bounds_are_exact_in_every_format() {
    let words = Words::bytes();
    let mut compared = 0;
    let few = if effort::is_full() { 1 } else { 6 };
    for output in OUTPUTS.iter().step_by(few) {
        for (min, max) in [(0usize, 200), (1, 300), (180, 190), (250, 250)] {
            let schema = json!({"type": "string", "minLength": min, "maxLength": max});
            let schema = json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
            let tools = json!([{"name": "f", "parameters": schema}]).to_string();
            let options = ToolOptions::format(output.format).reasoning(Reasoning::None);
            let compiled = Compiled::of(&tools, options, &words)
                .unwrap_or_else(|error| panic!("{}: {error}", output.format));
            let is_taken = |value: &str| {
                with_value(output.one, value).is_some_and(|output| compiled.accepts(&output).1)
            };
            if !is_taken(&"a".repeat(max)) {
                continue;
            }
            compared += 1;
            for unit in ["a", "é", "<", "a</€", "]<"] {
                let lengths = [min.saturating_sub(1), min, max - 1, max, max + 1];
                for length in lengths {
                    let value: String = unit.chars().cycle().take(length).collect();
                    let expected = (min..=max).contains(&length);
                    let what = format!("{} {min} {max}: {length} of {unit:?}", output.format);
                    assert_eq!(is_taken(&value), expected, "{what}");
                }
            }
        }
    }
    println!("{compared} compared");
    assert!(compared * few > 2 * OUTPUTS.len(), "{compared} compared");
}
