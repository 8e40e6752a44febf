//! Arguments as the templates of models render them, written from their documents rather than from
//! the compiler's table.

mod brackets;

use super::super::random::{choices, orders, texts as json_texts};
use maskwright_compiler::syntax::json_schema::Style;
use serde_json::{Map, Value};

/// Up to so many orders of keys.
const ORDERS: usize = 24;

/// The texts of arguments, one for each order of keys; nothing if they are too many.
pub fn arguments(style: Style, arguments: &Map<String, Value>) -> Option<Vec<String>> {
    if style.form().is_none() {
        return brackets::arguments(style, arguments);
    }
    let members = arguments.iter().map(|(key, value)| {
        let texts = texts(style, value)?;
        Some(
            texts
                .iter()
                .map(|text| element(style, Some(key), value, text))
                .collect(),
        )
    });
    let members = members.collect::<Option<Vec<Vec<String>>>>()?;
    let orders = orders(members.len());
    let mut all = Vec::new();
    for parts in choices(&members) {
        for order in &orders {
            all.push(order.iter().map(|&at| parts[at]).collect());
        }
    }
    (all.len() <= ORDERS).then_some(all)
}

/// The texts of a value within its element.
fn texts(style: Style, value: &Value) -> Option<Vec<String>> {
    let is_nested = matches!(style, Style::CohereXml | Style::MinimaxM3Xml);
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Object(members) if is_nested => arguments(style, members),
        Value::Array(items) if is_nested => {
            let items = items.iter().map(|item| {
                let texts = texts(style, item)?;
                Some(
                    texts
                        .iter()
                        .map(|text| element(style, None, item, text))
                        .collect(),
                )
            });
            let items = items.collect::<Option<Vec<Vec<String>>>>()?;
            Some(choices(&items).iter().map(|parts| parts.concat()).collect())
        }
        other => json_texts(other),
    }
}

/// An element with this text; items have no key.
fn element(style: Style, key: Option<&str>, value: &Value, text: &str) -> String {
    let name = key.unwrap_or_default();
    match style {
        Style::Json
        | Style::Pythonic
        | Style::PythonicJson
        | Style::Gemma4
        | Style::FunctionGemma => {
            unreachable!("it has no elements")
        }
        Style::QwenXml => format!("<parameter={name}>\n{text}\n</parameter>\n"),
        Style::MinimaxXml => format!("<parameter name=\"{name}\">{text}</parameter>\n"),
        Style::DeepseekXml => {
            let is_string = value.is_string();
            format!(
                "<｜DSML｜parameter name=\"{name}\" string=\"{is_string}\">{text}</｜DSML｜parameter>\n"
            )
        }
        Style::DeepseekV41Xml => {
            let is_string = value.is_string();
            format!(
                "<｜DSML｜ parameter name=\"{name}\" string=\"{is_string}\">{text}</｜DSML｜ parameter>\n"
            )
        }
        Style::GlmXml => {
            format!("<arg_key>{name}</arg_key>\n<arg_value>{text}</arg_value>\n")
        }
        Style::CohereXml => {
            let kind = match value {
                Value::String(_) => "raw",
                Value::Array(_) => "list",
                Value::Object(_) => "dict",
                _ => "json",
            };
            let name = name.replace('&', "&amp;").replace('<', "&lt;");
            let name = name.replace('>', "&gt;").replace('"', "&quot;");
            let name = key.map_or(String::new(), |_| format!(" name=\"{name}\""));
            format!("<cofl:value{name} type=\"{kind}\">{text}</cofl:value>")
        }
        Style::KimiK3Xml => {
            let kind = match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            let name = name.replace('&', "&amp;").replace('"', "&quot;");
            format!(
                "<|open|>argument key=\"{name}\" type=\"{kind}\"<|sep|>{text}<|close|>argument<|sep|>"
            )
        }
        Style::MinimaxM3Xml => {
            let name = key.unwrap_or("item");
            format!("]<]minimax[>[<{name}>{text}]<]minimax[>[</{name}>")
        }
    }
}
