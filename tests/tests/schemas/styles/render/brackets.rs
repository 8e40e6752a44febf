//! Arguments in styles with brackets: JSON, the calls of Python, and what Gemma writes.

use super::super::super::random::{choices, orders};
use super::ORDERS;
use maskwright_compiler::syntax::json_schema::Style;
use serde_json::{Map, Value};

/// The texts of arguments, one for each order of keys; nothing if they are too many.
pub fn arguments(style: Style, arguments: &Map<String, Value>) -> Option<Vec<String>> {
    match style {
        Style::Pythonic | Style::PythonicJson => {
            members(style, arguments, &|key, text| format!("{key}={text}"))
        }
        _ => value(style, &Value::Object(arguments.clone())),
    }
}

fn value(style: Style, value_: &Value) -> Option<Vec<String>> {
    let texts = match value_ {
        Value::Null if style == Style::Pythonic => vec!["None".to_owned()],
        Value::Bool(true) if style == Style::Pythonic => vec!["True".to_owned()],
        Value::Bool(false) if style == Style::Pythonic => vec!["False".to_owned()],
        Value::String(text) => vec![string(style, text)],
        Value::Array(items) => {
            let items = items.iter().map(|item| value(style, item));
            let items = items.collect::<Option<Vec<_>>>()?;
            let all = choices(&items).into_iter();
            all.map(|parts| format!("[{}]", parts.join(comma(style))))
                .collect()
        }
        Value::Object(object) => {
            let member = |key: &str, text: &str| match style {
                Style::Pythonic | Style::PythonicJson => {
                    format!("{}: {text}", string(style, key))
                }
                Style::Json => format!("{}:{text}", string(style, key)),
                _ => format!("{key}:{text}"),
            };
            let members = members(style, object, &member)?.into_iter();
            members.map(|members| format!("{{{members}}}")).collect()
        }
        scalar => vec![scalar.to_string()],
    };
    (texts.len() <= ORDERS).then_some(texts)
}

/// The members of an object in all orders.
fn members(
    style: Style,
    object: &Map<String, Value>,
    member: &dyn Fn(&str, &str) -> String,
) -> Option<Vec<String>> {
    let all = object.iter().map(|(key, inner)| {
        let texts = value(style, inner)?;
        Some(texts.iter().map(|text| member(key, text)).collect())
    });
    let all = all.collect::<Option<Vec<Vec<String>>>>()?;
    let orders = orders(all.len());
    let mut texts = Vec::new();
    for parts in choices(&all) {
        for order in &orders {
            let ordered: Vec<&str> = order.iter().map(|&at| parts[at]).collect();
            texts.push(ordered.join(comma(style)));
        }
    }
    (texts.len() <= ORDERS).then_some(texts)
}

fn comma(style: Style) -> &'static str {
    match style {
        Style::Pythonic | Style::PythonicJson => ", ",
        _ => ",",
    }
}

fn string(style: Style, text: &str) -> String {
    match style {
        Style::Gemma4 => format!("<|\"|>{text}<|\"|>"),
        Style::FunctionGemma => format!("<escape>{text}<escape>"),
        Style::Pythonic => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{}\"", escaped.replace('\n', "\\n"))
        }
        _ => Value::from(text).to_string(),
    }
}
