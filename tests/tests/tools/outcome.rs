//! What must hold for an output that was written under the masks.
//!
//! In: its tokens and its text. Out: the names of the tools that it calls, or what is wrong.

use crate::compiled::{Compiled, Words};
use crate::parts::{add, parts};
use crate::random::{Tool, says_kinds};
use crate::render::Found;
use crate::wire::{Style, Wire};
use maskwright::calls::{Call, CallFormat, Part, Reader};
use maskwright_compiler::syntax::json_schema;
use maskwright_tests::read_arguments::{self, READINGS};
use serde_json::Value;
use std::ops::Range;

/// Digits of a number from which on the validator, which computes with floats, rounds.
const DIGITS: usize = 15;

pub fn check(
    compiled: &Compiled<'_>,
    words: &Words,
    wire: &Wire,
    tools: &[Tool],
    ids: &[u32],
    text: &str,
) -> Result<Vec<String>, String> {
    let style = compiled
        .parsed
        .calls
        .as_ref()
        .map(|calls| calls.format().arguments());
    let style = style.expect("tools were read");
    compiled.read(|format| {
        let found = parts(format, text)?;
        accounts(format, wire, text)?;
        for part in format.parts(text) {
            if let Part::Call(call) = part {
                is_valid(format, wire, style, tools, &call)?;
            }
        }
        let grown = grown(format, words, ids)?;
        if grown != found {
            return Err(format!("token by token: {grown:?}\nas a whole: {found:?}"));
        }
        let calls = found.into_iter().filter_map(|part| match part {
            Found::Call(name, _) => Some(name),
            _ => None,
        });
        Ok(calls.collect())
    })
}

/// The parts of a text that grows token by token.
fn grown(format: &CallFormat<'_>, words: &Words, ids: &[u32]) -> Result<Vec<Found>, String> {
    let mut reader = Reader::new(format);
    let (mut bytes, mut all) = (Vec::new(), Vec::new());
    for &id in ids {
        bytes.extend_from_slice(&words.texts[id as usize]);
        // A character may be cut.
        let whole = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        while let Some(part) = reader.next(whole, false) {
            add(&mut all, format, part)?;
        }
    }
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    while let Some(part) = reader.next(&text, true) {
        add(&mut all, format, part)?;
    }
    Ok(all)
}

/// Whether the parts are in order, and nothing stands between them but what the wire says.
fn accounts(format: &CallFormat<'_>, wire: &Wire, text: &str) -> Result<(), String> {
    let place = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        start..start + part.len()
    };
    let mut at = 0;
    let gap = |range: Range<usize>| {
        let between = text.get(range.clone()).ok_or("parts overlap")?;
        let around = wire.around();
        let mut rest = between;
        while !rest.is_empty() {
            let next = around.iter().find_map(|text| rest.strip_prefix(text));
            rest = next.ok_or(format!("{between:?} stands between parts"))?;
        }
        Ok::<(), String>(())
    };
    for part in format.parts(text) {
        let range = match part {
            Part::Text(text) | Part::Reasoning(text) => place(text),
            Part::Call(call) => call.at(),
            Part::CutOff(begun) => return Err(format!("cut off: {begun:?}")),
        };
        gap(at..range.start)?;
        at = range.end;
    }
    gap(at..text.len())
}

/// Whether a call is one of a tool, with valid arguments.
///
/// Where no tag says what a value is, and the schema allows more than one kind, the reader guesses.
/// Then one of the readings must be valid: `1` may be a number or a string.
fn is_valid(
    format: &CallFormat<'_>,
    wire: &Wire,
    style: json_schema::Style,
    tools: &[Tool],
    call: &Call<'_>,
) -> Result<(), String> {
    let tool = tools.iter().find(|tool| tool.name == call.name());
    let tool = tool.ok_or(format!("no tool is called {}", call.name()))?;
    let text = call.arguments();
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    if numbers.map(str::len).max().unwrap_or(0) > DIGITS {
        return Ok(());
    }
    let json = format.to_json(call).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    if tool.judge.allows(&value) {
        return Ok(());
    }
    let wrong = || Err(format!("not valid: {text:?} as {json}"));
    if says_kinds(wire.style) {
        return wrong();
    }
    // Two formats have the elements of MiniMax with other tags.
    let (style, text) = match wire.style {
        Style::Elements(element)
            if style == json_schema::Style::Json || format.arguments.form() != style.form() =>
        {
            if text.contains("parameter name") && !element.contains("parameter name") {
                return Ok(());
            }
            let (open, _) = element.split_once("$K").unwrap_or_default();
            let text = text.replace(open, "<parameter name=\"");
            let end = wire.element_end().unwrap_or_default();
            (
                json_schema::Style::MinimaxXml,
                text.replace(end, "</parameter>"),
            )
        }
        _ => (style, text.to_owned()),
    };
    let readings = read_arguments::arguments(style, &text).unwrap_or_default();
    match readings.len() >= READINGS || readings.iter().any(|value| tool.judge.allows(value)) {
        true => Ok(()),
        false => wrong(),
    }
}
