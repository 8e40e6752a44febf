//! Arguments read back, as the engines' parsers do: a value ends at the first closing tag. Written
//! apart from the compiler's table.

pub mod brackets;

use maskwright_compiler::syntax::json_schema::Style;
use serde_json::{Map, Value};

/// No more readings of a text than this are looked at.
pub const READINGS: usize = 20_000;
/// What stands before each tag in MiniMax M3's style.
const MARKER: &str = "]<]minimax[>[";

/// An element, and what is behind it.
struct Element {
    key: Option<String>,
    /// The word for what it holds; empty where the style has none.
    kind: String,
    body: Body,
}

enum Body {
    Text(String),
    Elements(Vec<Element>),
}

/// All arguments that a text may stand for, if it is one of the style: where nothing in an element
/// says what its value is, that is for the schema to say.
pub fn arguments(style: Style, text: &str) -> Option<Vec<Value>> {
    if style.form().is_none() {
        return Some(vec![brackets::arguments(style, text)?]);
    }
    let (elements, rest) = elements(style, text)?;
    rest.is_empty().then(|| objects(style, &elements))
}

/// The elements at the beginning of a text, with blanks around each.
fn elements(style: Style, text: &str) -> Option<(Vec<Element>, &str)> {
    let mut rest = text.trim_start();
    let mut elements = Vec::new();
    while let Some((element, behind)) = element(style, rest) {
        elements.push(element);
        rest = behind.trim_start();
    }
    Some((elements, rest))
}

fn element(style: Style, text: &str) -> Option<(Element, &str)> {
    let none = String::new;
    let (key, kind, text, rest) = match style {
        Style::Json
        | Style::Pythonic
        | Style::PythonicJson
        | Style::Gemma4
        | Style::FunctionGemma => return None,
        Style::QwenXml => {
            let (key, rest) = text.strip_prefix("<parameter=")?.split_once('>')?;
            let (text, rest) = rest.split_once("</parameter>")?;
            let text = text.strip_prefix('\n').unwrap_or(text);
            (
                key.to_owned(),
                none(),
                text.strip_suffix('\n').unwrap_or(text),
                rest,
            )
        }
        Style::MinimaxXml => {
            let (key, rest) = text.strip_prefix("<parameter name=\"")?.split_once("\">")?;
            let (text, rest) = rest.split_once("</parameter>")?;
            (key.to_owned(), none(), text, rest)
        }
        Style::DeepseekXml | Style::DeepseekV41Xml => {
            let blank = if style == Style::DeepseekXml { "" } else { " " };
            let rest = text.strip_prefix(&format!("<｜DSML｜{blank}parameter name=\""))?;
            let (key, rest) = rest.split_once("\" string=\"")?;
            let (kind, rest) = rest.split_once("\">")?;
            let (text, rest) = rest.split_once(&format!("</｜DSML｜{blank}parameter>"))?;
            let kind = match kind {
                "true" => "string",
                "false" => "json",
                _ => return None,
            };
            (key.to_owned(), kind.to_owned(), text, rest)
        }
        Style::GlmXml => {
            let (key, rest) = text.strip_prefix("<arg_key>")?.split_once("</arg_key>")?;
            let rest = rest.trim_start().strip_prefix("<arg_value>")?;
            let (text, rest) = rest.split_once("</arg_value>")?;
            (key.to_owned(), none(), text, rest)
        }
        Style::KimiK3Xml => {
            let rest = text.strip_prefix("<|open|>argument key=\"")?;
            let (key, rest) = rest.split_once("\" type=\"")?;
            let (kind, rest) = rest.split_once("\"<|sep|>")?;
            let (text, rest) = rest.split_once("<|close|>argument<|sep|>")?;
            let key = key.replace("&quot;", "\"").replace("&amp;", "&");
            (key, kind.to_owned(), text, rest)
        }
        Style::CohereXml => return cohere(text),
        Style::MinimaxM3Xml => return minimax_m3(text),
    };
    let (key, body) = (Some(key), Body::Text(text.to_owned()));
    Some((Element { key, kind, body }, rest))
}

fn cohere(text: &str) -> Option<(Element, &str)> {
    let rest = text.strip_prefix("<cofl:value")?;
    let (key, rest) = match rest.strip_prefix(" name=\"") {
        Some(rest) => {
            let (key, rest) = rest.split_once('"')?;
            let key = key.replace("&quot;", "\"").replace("&lt;", "<");
            (Some(key.replace("&gt;", ">").replace("&amp;", "&")), rest)
        }
        None => (None, rest),
    };
    let (kind, rest) = rest.strip_prefix(" type=\"")?.split_once("\">")?;
    let (body, rest) = match kind {
        "raw" | "json" => {
            let (text, rest) = rest.split_once("</cofl:value>")?;
            (Body::Text(text.to_owned()), rest)
        }
        "list" | "dict" => {
            let (inner, rest) = elements(Style::CohereXml, rest)?;
            (Body::Elements(inner), rest.strip_prefix("</cofl:value>")?)
        }
        _ => return None,
    };
    let kind = if kind == "raw" { "string" } else { kind };
    let kind = kind.to_owned();
    Some((Element { key, kind, body }, rest))
}

fn minimax_m3(text: &str) -> Option<(Element, &str)> {
    let rest = text.strip_prefix(MARKER)?.strip_prefix('<')?;
    let (key, rest) = rest.split_once('>').filter(|r| !r.0.starts_with('/'))?;
    let end = format!("</{key}>");
    let (text, behind) = rest.split_once(MARKER)?;
    let (body, rest) = match behind.strip_prefix(&end) {
        Some(rest) => (Body::Text(text.to_owned()), rest),
        None => {
            let (inner, rest) = elements(Style::MinimaxM3Xml, rest)?;
            let rest = rest.strip_prefix(MARKER)?.strip_prefix(&end)?;
            (Body::Elements(inner), rest)
        }
    };
    let (key, kind) = (Some(key.to_owned()), String::new());
    Some((Element { key, kind, body }, rest))
}

/// The objects that elements may stand for.
fn objects(style: Style, elements: &[Element]) -> Vec<Value> {
    let mut all = vec![Map::new()];
    for Element { key, kind, body } in elements {
        let Some(key) = key else {
            return Vec::new();
        };
        let values = values(style, kind, body);
        all = (all.iter())
            .flat_map(|object| {
                values.iter().map(|value| {
                    let mut longer = object.clone();
                    longer.insert(key.clone(), value.clone());
                    longer
                })
            })
            .take(READINGS)
            .collect();
    }
    all.into_iter().map(Value::Object).collect()
}

/// The arrays that elements may stand for.
fn arrays(style: Style, elements: &[Element]) -> Vec<Value> {
    let mut all = vec![Vec::new()];
    for Element { key, kind, body } in elements {
        if key
            .as_deref()
            .is_some_and(|key| style != Style::MinimaxM3Xml || key != "item")
        {
            return Vec::new();
        }
        let values = values(style, kind, body);
        all = (all.iter())
            .flat_map(|array| {
                values.iter().map(|value| {
                    let mut longer: Vec<Value> = array.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .take(READINGS)
            .collect();
    }
    all.into_iter().map(Value::Array).collect()
}

fn values(style: Style, kind: &str, body: &Body) -> Vec<Value> {
    let text = match body {
        Body::Text(text) => text,
        Body::Elements(elements) => {
            let mut all = Vec::new();
            if kind != "dict" {
                all.extend(arrays(style, elements));
            }
            if kind != "list" {
                all.extend(objects(style, elements));
            }
            return all;
        }
    };
    let string = || Value::from(text.as_str());
    let json = || serde_json::from_str::<Value>(text).ok();
    let of = |holds: fn(&Value) -> bool| json().filter(holds).into_iter().collect();
    match kind {
        "string" => vec![string()],
        "json" => of(|value| !value.is_string()),
        "null" => of(Value::is_null),
        "boolean" => of(Value::is_boolean),
        "number" => of(Value::is_number),
        "integer" => {
            of(|value| value.is_number() && value.as_f64().is_none_or(|n| n.fract() == 0.0))
        }
        "array" => of(Value::is_array),
        "object" => of(Value::is_object),
        "" => {
            let mut all = vec![string()];
            let is_nested = style == Style::MinimaxM3Xml;
            let fits = |value: &Value| {
                !value.is_string() && !(is_nested && (value.is_array() || value.is_object()))
            };
            all.extend(json().filter(fits));
            if is_nested && text.trim().is_empty() {
                all.extend([Value::Array(Vec::new()), Value::Object(Map::new())]);
            }
            all
        }
        _ => Vec::new(),
    }
}
