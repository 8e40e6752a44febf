//! What is to be compiled: a `GrammarText` and options of a compile, from JSON.
//!
//! In: `{"kind", "text", "options", "timeLimit", "deterministic", "limits"}`. Out: the text with
//! its options. What holds: an option that the kind does not have is an error that names it.

use std::time::Duration;

use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::lark::LarkOptions;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::{Kind, Settings};
use maskwright_compiler::{GrammarText, Options};
use serde_json::Value;

use crate::objects::Failure;

/// The text of a request.
pub(crate) fn text(request: &Value) -> Result<GrammarText, Failure> {
    let kind = kind(request)?;
    let text = request["text"]
        .as_str()
        .ok_or_else(|| Failure::text("`text` is missing"))?;
    let mut options = options(request)?;
    let text = GrammarText::text(kind, text);
    Ok(match kind {
        Kind::Tools => {
            let at = options.iter().position(|(name, _)| name == "format");
            let format = at.and_then(|at| options.remove(at).1.pop());
            let format = format.ok_or_else(|| Failure::text("tools need a `format`, by name"))?;
            let mut tools = ToolOptions::format(&format);
            for (name, values) in &options {
                let value = values.first().map_or("", String::as_str);
                tools.set(name, value).map_err(|error| wrong(name, error))?;
            }
            text.tool_options(tools)
        }
        Kind::JsonSchema => text.schema_options(set_all::<SchemaOptions>(&options)?),
        Kind::StructuralTag => {
            let of_tags = |(name, _): &(String, _)| TagOptions::names().any(|known| known == name);
            let (tags, schemas): (Vec<_>, Vec<_>) = options.into_iter().partition(of_tags);
            text.tag_options(set_all(&tags)?)
                .schema_options(set_all(&schemas)?)
        }
        Kind::Lark => text.lark_options(set_all::<LarkOptions>(&options)?),
        Kind::Ebnf => match options.as_slice() {
            [] => text,
            [(name, values)] if name == "root" => text.root(values.concat()),
            [(name, _), ..] => return Err(wrong(name, "there is no such option")),
        },
        _ => match options.first() {
            None => text,
            Some((name, _)) => return Err(wrong(name, "there is no such option")),
        },
    })
}

/// How a request is compiled: on one thread, since there is no other.
pub(crate) fn compile_options(request: &Value) -> Result<Options, Failure> {
    let mut limits = Limits::default();
    for (name, value) in request["limits"].as_object().into_iter().flatten() {
        let value = value
            .as_u64()
            .ok_or_else(|| wrong(name, "expected a number"))?;
        limits = limit(limits, name, value)?;
    }
    if let Some(seconds) = request["timeLimit"].as_f64() {
        let time = Duration::try_from_secs_f64(seconds);
        limits = limits.time(time.map_err(|error| wrong("timeLimit", error))?);
    }
    let deterministic = request["deterministic"].as_bool().unwrap_or(false);
    Ok(Options::default()
        .threads(1)
        .deterministic(deterministic)
        .limits(limits))
}

fn limit(limits: Limits, name: &str, value: u64) -> Result<Limits, Failure> {
    let size = usize::try_from(value).unwrap_or(usize::MAX);
    Ok(match name {
        "grammar_bytes" => limits.grammar_bytes(size),
        "nesting" => limits.nesting(size),
        "repetition" => limits.repetition(u32::try_from(value).unwrap_or(u32::MAX)),
        "automaton_states" => limits.automaton_states(size),
        "states" => limits.states(size),
        "branches" => limits.branches(size),
        "table_bytes" => limits.table_bytes(size),
        "work" => limits.work(value),
        _ => return Err(wrong(name, "there is no such limit")),
    })
}

fn kind(request: &Value) -> Result<Kind, Failure> {
    let name = request["kind"].as_str().unwrap_or("");
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join("`, `");
        Failure::text(&format!("`kind`: expected one of `{names}`"))
    })
}

/// The options by name, each with its values as texts. One that is null is left as it is.
fn options(request: &Value) -> Result<Vec<(String, Vec<String>)>, Failure> {
    let mut out = Vec::new();
    for (name, value) in request["options"].as_object().into_iter().flatten() {
        let values = match value {
            Value::Null => continue,
            Value::Array(values) => values.iter().map(one).collect(),
            value => one(value).map(|value| vec![value]),
        };
        let values: Option<Vec<String>> = values;
        let values = values.ok_or_else(|| wrong(name, "expected a text, a flag or a number"))?;
        out.push((name.clone(), values));
    }
    Ok(out)
}

fn one(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

fn set_all<O: Settings>(options: &[(String, Vec<String>)]) -> Result<O, Failure> {
    let mut set = O::default();
    for (name, values) in options {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        set.set_named(name, &values)
            .map_err(|error| wrong(name, error))?;
    }
    Ok(set)
}

fn wrong(name: &str, why: impl std::fmt::Display) -> Failure {
    Failure::text(&format!("`{name}`: {why}"))
}
