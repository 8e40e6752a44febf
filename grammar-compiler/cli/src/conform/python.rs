//! JSON as Python's `json.dumps` writes it: `", "` and `": "`, ASCII only, numbers as `repr` has
//! them.

use maskwright_compiler::syntax::json_schema::document::{JsonNode, JsonValue};
use std::fmt::Write;

/// The text of a value. Nests as deep as the parser allows.
pub fn dumps(node: &JsonNode) -> String {
    let mut text = String::new();
    write(node, &mut text);
    text
}

fn write(node: &JsonNode, out: &mut String) {
    match &node.value {
        JsonValue::Null => out.push_str("null"),
        JsonValue::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        JsonValue::Number(text) => out.push_str(&number(text)),
        JsonValue::String(text) => string(text, out),
        JsonValue::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write(item, out);
            }
            out.push(']');
        }
        JsonValue::Object(members) => {
            out.push('{');
            for (index, member) in members.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                string(&member.key, out);
                out.push_str(": ");
                write(&member.value, out);
            }
            out.push('}');
        }
    }
}

/// A string with its quotes.
pub fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// A number: integers by their digits, others as the shortest text of the nearest double.
fn number(text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return if text == "-0" {
            "0".into()
        } else {
            text.into()
        };
    }
    let Ok(value) = text.parse::<f64>() else {
        return text.into();
    };
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        // `Debug` has the point and a zero, as Python has; it only turns to exponents elsewhere.
        let plain = format!("{value}");
        return if plain.contains('.') {
            plain
        } else {
            plain + ".0"
        };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maskwright_compiler::limits::Limits;
    use maskwright_compiler::source::Source;
    use maskwright_compiler::syntax::json_schema::document::parse;

    #[test]
    fn as_python_writes() {
        for (text, dumped) in [
            (
                r#"{"b":1,"a":[true,null,{}],"c":[]}"#,
                r#"{"b": 1, "a": [true, null, {}], "c": []}"#,
            ),
            (
                r#""é😀\/\u0000\u007f\t\"\\""#,
                r#""\u00e9\ud83d\ude00/\u0000\u007f\t\"\\""#,
            ),
            (
                "[-0, 0.0, -0.0, 12345678901234567890]",
                "[0, 0.0, -0.0, 12345678901234567890]",
            ),
            (
                "[1e5, 1e15, 1e16, 1.5e16, 123456789012345680.0]",
                "[100000.0, 1000000000000000.0, 1e+16, 1.5e+16, 1.2345678901234568e+17]",
            ),
            (
                "[0.0001, 0.00001, 1.5e-7, 1e-300, 5e-324]",
                "[0.0001, 1e-05, 1.5e-07, 1e-300, 5e-324]",
            ),
            ("[2.50, 1E2, 1e400]", "[2.5, 100.0, Infinity]"),
        ] {
            let node = parse(&Source::new("", text), &Limits::default()).unwrap();
            assert_eq!(dumps(&node), dumped, "{text}");
        }
    }
}
