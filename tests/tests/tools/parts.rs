//! What a reader finds in an output, and whether it is what was meant.

use crate::random::{Tool, says_kinds};
use crate::render::{Found, Json, element};
use crate::wire::{Style, Wire};
use maskwright::calls::{CallFormat, Part};
use serde_json::{Map, Value};

/// The parts of an output, texts that follow each other joined. An output that is no whole one is
/// an error.
pub fn parts(format: &CallFormat<'_>, text: &str) -> Result<Vec<Found>, String> {
    let mut all = Vec::new();
    for part in format.parts(text) {
        add(&mut all, format, part)?;
    }
    Ok(all)
}

/// Adds a part.
pub fn add(all: &mut Vec<Found>, format: &CallFormat<'_>, part: Part<'_>) -> Result<(), String> {
    match (part, all.last_mut()) {
        (Part::Text(text), Some(Found::Text(last))) => last.push_str(text),
        (Part::Text(text), _) => all.push(Found::Text(text.to_owned())),
        (Part::Reasoning(text), Some(Found::Reasoning(last))) => last.push_str(text),
        (Part::Reasoning(text), _) => all.push(Found::Reasoning(text.to_owned())),
        (Part::CutOff(begun), _) => return Err(format!("cut off: {begun:?}")),
        (Part::Call(call), _) => {
            if !call.is_closed() {
                return Err(format!("not closed: {call:?}"));
            }
            let json = format.to_json(&call);
            let json = json.map_err(|error| format!("{error}: {:?}", call.arguments()))?;
            let value = serde_json::from_str(&json);
            let value = value.map_err(|error| format!("{error}: {json}"))?;
            all.push(Found::Call(call.name().to_owned(), value));
        }
    }
    Ok(())
}

/// Whether what is found is what was meant.
///
/// Where no tag says what a value is, a text may stand for several values: `1` for the number and
/// the string, `\n1` too where blanks may stand around a number. Then arguments are right if they
/// have the same texts but for blanks, and the tool's schema allows them: what the schema does not
/// allow is never found.
pub fn are_meant(wire: &Wire, tools: &[Tool], found: &[Found], meant: &[Found]) -> bool {
    found.len() == meant.len()
        && found.iter().zip(meant).all(|both| match both {
            (
                Found::Call(name, Value::Object(found)),
                Found::Call(meant_name, Value::Object(meant)),
            ) => {
                let tool = tools.iter().find(|tool| tool.name == *name);
                let known = tool.filter(|tool| tool.schema.is_some());
                let is_allowed =
                    known.is_none_or(|tool| tool.judge.allows(&Value::Object(found.clone())));
                name == meant_name && is_meant(wire.style, is_allowed, found, meant)
            }
            (found, meant) => found == meant,
        })
}

fn is_meant(
    style: Style,
    is_allowed: bool,
    found: &Map<String, Value>,
    meant: &Map<String, Value>,
) -> bool {
    if found == meant {
        return true;
    }
    let same = |key: &str, found: &Value, meant: &Value| {
        // Blanks may stand around what is no string.
        let text = |value: &Value| {
            let text = element(style, Some(key), value, Json::COMPACT)?;
            Some(text.split_whitespace().collect::<String>())
        };
        found == meant || text(found) == text(meant)
    };
    let keys = found.keys().eq(meant.keys());
    let mut both = found.iter().zip(meant.values());
    is_allowed
        && !says_kinds(style)
        && keys
        && both.all(|((key, found), meant)| same(key, found, meant))
}
