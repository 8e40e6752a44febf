//! Outputs as the models' templates render them.
//!
//! In: a [`Wire`] and what is meant. Out: the text, if the model can say it, and the parts that a
//! reader must find.

use crate::random::{Called, Item};
use crate::wire::{Id, Layout, Style, Wire};
use maskwright_tests::random::Random;
use serde_json::{Map, Value};

/// What a reader finds, texts that follow each other joined.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    Reasoning(String),
    Text(String),
    Call(String, Value),
}

/// Where an output begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The model writes all of it.
    Plain,
    /// The prompt has written what reasoning begins with.
    InReasoning,
}

/// An output that is being written.
pub struct Render<'r> {
    wire: Wire,
    random: &'r mut Random,
    text: String,
    found: Vec<Found>,
    calls: usize,
}

/// The text of an output, and what is found in it; nothing if the model cannot say it.
pub fn output(
    wire: &Wire,
    items: &[Item],
    start: Start,
    random: &mut Random,
) -> Option<(String, Vec<Found>)> {
    let mut render = Render {
        wire: *wire,
        random,
        text: String::new(),
        found: Vec::new(),
        calls: 0,
    };
    match wire.layout {
        Layout::Messages(frames) => render.messages(items, frames, start)?,
        Layout::Blocks => render.blocks(items)?,
        Layout::Anywhere | Layout::AtStart => render.free(items, start)?,
    }
    Some((render.text, render.found))
}

/// One call with its section around it, or several.
pub fn calls(wire: &Wire, calls: &[Called], random: &mut Random) -> Option<String> {
    let wire = Wire {
        layout: Layout::AtStart,
        ..*wire
    };
    let (text, _) = output(&wire, &[Item::Calls(calls.to_vec())], Start::Plain, random)?;
    Some(text)
}

impl Render<'_> {
    fn say(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.found.last_mut() {
            Some(Found::Text(last)) => last.push_str(text),
            _ => self.found.push(Found::Text(text.to_owned())),
        }
    }

    fn think(&mut self, text: &str, with_begin: bool) {
        let reasoning = self.wire.reasoning.expect("the model has reasoning");
        if with_begin {
            self.text.push_str(reasoning.begin);
        }
        self.text.push_str(text);
        self.text.push_str(reasoning.end);
        self.text.push_str(reasoning.after);
        match self.found.last_mut() {
            _ if text.is_empty() => {}
            Some(Found::Reasoning(last)) => last.push_str(text),
            _ => self.found.push(Found::Reasoning(text.to_owned())),
        }
    }

    fn free(&mut self, items: &[Item], start: Start) -> Option<()> {
        for item in items {
            match item {
                Item::Reasoning(text) => self.think(text, start == Start::Plain),
                Item::Text(text) => self.say(text),
                Item::Calls(calls) => self.group(calls, self.wire.sections.is_empty())?,
            }
        }
        Some(())
    }

    /// Kimi K3.
    fn blocks(&mut self, items: &[Item]) -> Option<()> {
        let mut has_thought = false;
        for item in items {
            match item {
                Item::Reasoning(text) => {
                    self.think(text, false);
                    has_thought = true;
                }
                Item::Text(text) => {
                    if has_thought {
                        self.text.push_str("<|open|>response<|sep|>");
                    }
                    self.say(text);
                    self.text.push_str("<|close|>response<|sep|>");
                }
                Item::Calls(calls) => self.group(calls, false)?,
            }
        }
        self.text.push_str("<|close|>message<|sep|>");
        Some(())
    }

    fn messages(&mut self, items: &[Item], frames: &[(&str, &str)], start: Start) -> Option<()> {
        let between = match self.wire.sections.is_empty() {
            true => self.wire.separator,
            false => "",
        };
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text.push_str(between);
            }
            match item {
                Item::Reasoning(text) => self.think(text, at > 0 || start == Start::Plain),
                Item::Text(text) => {
                    let (begin, end) = self.random.pick(frames).copied()?;
                    let last = format!("{text}{between}");
                    if end.is_empty() && last.find(between) != Some(text.len()) {
                        return None;
                    }
                    self.text.push_str(begin);
                    // Texts of two messages are two parts, which a reader may join.
                    self.say(text);
                    self.text.push_str(end);
                }
                Item::Calls(calls) => self.group(calls, false)?,
            }
        }
        Some(())
    }

    /// Calls that stand together. `is_text`: what stands between them is read as text.
    fn group(&mut self, calls: &[Called], is_text: bool) -> Option<()> {
        let section = self.random.pick(self.wire.sections).copied();
        let (begin, end) = section.unwrap_or_default();
        self.text.push_str(begin);
        for (at, call) in calls.iter().enumerate() {
            match is_text {
                _ if at == 0 => {}
                true => self.say(self.wire.separator),
                false => self.text.push_str(self.wire.separator),
            }
            self.call(call)?;
        }
        self.text.push_str(end);
        Some(())
    }

    fn call(&mut self, call: &Called) -> Option<()> {
        let template = self.random.pick(self.wire.calls).copied()?;
        let id = match self.wire.id {
            Id::Number => self.calls.to_string(),
            Id::Letters => "aB3dE6gH9".to_owned(),
        };
        self.calls += 1;
        let mut json = Json::random(self.random);
        let arguments = arguments(self.wire.style, &call.arguments, &mut json)?;
        let (before, behind) = template.split_once("$A")?;
        let before = before.replace("$I", &id).replace("$N", &call.name);
        let behind = behind.replace("$I", &id);
        self.text.extend([&before, arguments.as_str(), &behind]);
        let value = Value::Object(call.arguments.clone());
        self.found.push(Found::Call(call.name.clone(), value));
        Some(())
    }
}

/// How JSON is written.
#[derive(Clone, Copy, Debug)]
pub struct Json {
    is_spaced: bool,
}

impl Json {
    /// Without blanks.
    pub const COMPACT: Json = Json { is_spaced: false };

    fn random(random: &mut Random) -> Self {
        Json {
            is_spaced: random.below(2) == 0,
        }
    }

    fn comma(self) -> &'static str {
        if self.is_spaced { ", " } else { "," }
    }

    fn colon(self) -> &'static str {
        if self.is_spaced { ": " } else { ":" }
    }

    fn text(self, value: &Value) -> String {
        match value {
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.text(item)).collect();
                format!("[{}]", items.join(self.comma()))
            }
            Value::Object(members) => {
                let member = |(key, value): (&String, &Value)| {
                    format!(
                        "{}{}{}",
                        Value::from(key.as_str()),
                        self.colon(),
                        self.text(value)
                    )
                };
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(self.comma()))
            }
            scalar => scalar.to_string(),
        }
    }
}

/// Arguments in a style; nothing if they hold what ends a string or an element there.
pub fn arguments(style: Style, arguments: &Map<String, Value>, json: &mut Json) -> Option<String> {
    match style {
        Style::Json => Some(json.text(&Value::Object(arguments.clone()))),
        Style::Python => {
            let all = arguments
                .iter()
                .map(|(key, value)| format!("{key}={}", python(value)));
            Some(all.collect::<Vec<_>>().join(", "))
        }
        Style::PythonJson => {
            let all = arguments
                .iter()
                .map(|(key, value)| format!("{key}={}", json.text(value)));
            Some(all.collect::<Vec<_>>().join(", "))
        }
        Style::Marks(mark) => marked(mark, &Value::Object(arguments.clone())),
        _ => {
            let all = arguments.iter();
            let all = all.map(|(key, value)| element(style, Some(key), value, *json));
            all.collect()
        }
    }
}

fn python(value: &Value) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{}\"", text.replace('\n', "\\n"))
        }
        Value::Array(items) => format!("[{}]", join(items.iter().map(python).collect())),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(key, value)| {
                format!("{}: {}", python(&Value::from(key.as_str())), python(value))
            });
            format!("{{{}}}", join(members.collect()))
        }
    }
}

fn marked(mark: &str, value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) if format!("{text}{mark}").find(mark) != Some(text.len()) => {
            return None;
        }
        Value::String(text) => format!("{mark}{text}{mark}"),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| marked(mark, item)).collect();
            format!("[{}]", items?.join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            // The template of Gemma 4 sorts keys.
            if mark == "<|\"|>" {
                members.sort_by_key(|(key, _)| key.to_lowercase());
            }
            let members: Option<Vec<String>> = (members.into_iter())
                .map(|(key, value)| Some(format!("{key}:{}", marked(mark, value)?)))
                .collect();
            format!("{{{}}}", members?.join(","))
        }
        scalar => scalar.to_string(),
    })
}

/// One element; items of arrays have no key.
pub fn element(style: Style, key: Option<&str>, value: &Value, json: Json) -> Option<String> {
    let name = key.unwrap_or("item");
    let raw = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => json.text(other),
    };
    let inner = || match value {
        Value::Array(items) => items
            .iter()
            .map(|item| element(style, None, item, json))
            .collect(),
        Value::Object(members) => {
            let members = members.iter();
            members
                .map(|(key, value)| element(style, Some(key), value, json))
                .collect()
        }
        scalar => Some(raw(scalar)),
    };
    let is_string = value.is_string();
    let (begin, text, end) = match style {
        Style::Elements(template) | Style::Flagged(template) => {
            let (begin, end) = template.split_once("$V")?;
            let flag = if is_string { "true" } else { "false" };
            (
                begin.replace("$T", flag).replace("$K", name),
                raw(value),
                end.to_owned(),
            )
        }
        Style::KimiK3 => {
            let kind = kind(value);
            let begin = format!("<|open|>argument key=\"{name}\" type=\"{kind}\"<|sep|>");
            (begin, raw(value), "<|close|>argument<|sep|>".to_owned())
        }
        Style::Cohere => {
            let kind = match value {
                Value::String(_) => "raw",
                Value::Array(_) => "list",
                Value::Object(_) => "dict",
                _ => "json",
            };
            let name = key.map_or(String::new(), |key| format!(" name=\"{key}\""));
            let begin = format!("<cofl:value{name} type=\"{kind}\">");
            let whole = format!("{begin}{}</cofl:value>", inner()?);
            let is_cut =
                !value.is_array() && !value.is_object() && raw(value).contains("</cofl:value>");
            return (!is_cut).then_some(whole);
        }
        Style::MinimaxM3 => {
            let whole = format!("]<]minimax[>[<{name}>{}]<]minimax[>[</{name}>", inner()?);
            // A text ends where the mark is complete first.
            let is_cut = is_string
                && format!("{}]<]minimax[>[", raw(value)).find("]<]minimax[>[")
                    != Some(raw(value).len());
            return (!is_cut).then_some(whole);
        }
        Style::Json | Style::Python | Style::PythonJson | Style::Marks(_) => return None,
    };
    // What ends the value is complete nowhere before it, and line feeds that a reader takes away
    // are not the string's.
    let tag = end.trim_matches('\n');
    let is_cut = format!("{text}{tag}").find(tag) != Some(text.len());
    let is_trimmed = begin.starts_with("<parameter=")
        && !begin.ends_with('\n')
        && is_string
        && (text.starts_with('\n') || text.ends_with('\n'));
    (!is_cut && !is_trimmed).then(|| format!("{begin}{text}{end}"))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
