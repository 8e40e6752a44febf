//! Calls of tools: the tools, and texts with calls of them.
//!
//! In: the schemas of MaskBench that are the parameters of functions, with their instances. Out: a
//! [`Task`] for some number of tools: the tools in the forms that engines read, and texts that are
//! free text with calls in it, as Qwen 3 writes them.

use peers_common::{SingleTool, Source, Task, Text, Tools};
use serde_json::{Map, Value, json};
use tiktoken_rs::CoreBPE;

use super::{ROUNDS, Row, maskbench, spaced};
use crate::Result;

/// The collections of MaskBench that are tools, by the beginnings of their schemas' names.
const COLLECTIONS: [&str; 2] = ["BFCL", "Glaiveai2K"];
/// Tools that are left out: with no other properties than theirs, no value satisfies the schema.
/// `dependencies` there asks for a property that is not declared.
const UNSATISFIABLE: [&str; 4] = [
    "calculate_area_08e029cf",
    "calculate_area_7eea9e32",
    "calculate_area_d402e1cc",
    "calculate_area_f8e04f89",
];
/// The longest name of a tool.
const LONGEST_NAME: usize = 60;
/// Texts of a task, valid and invalid, at most.
const TEXTS: usize = 16;
/// Calls of a valid text.
const CALLS: usize = 3;
/// Compiling is not repeated once it took so long in all: six seconds.
const ENOUGH_NS: u64 = 6_000_000_000;

/// What stands between calls, in turn.
const PROSE: [&str; 8] = [
    "Let me look that up for you. I will need two things first: the date, and where you are.\n",
    "Sure! If a < b and b <= c, then a <c; in HTML that is `<b>a &lt; c</b>`, and \"quoted\" text stays as it is.\n\n",
    "The steps are:\n\n1. ask the first service,\n2. compare {\"what\": \"comes back\"},\n3. answer.\n\n",
    "Grüße aus Köln, 東京 и Москва 🙂 – and here is what I found so far.\n",
    "```python\ndef tool_call(name, *args):\n    return {\"name\": name, \"arguments\": list(args)}\n```\n",
    "I could write <tool>, <tool_ or </tool_call> here, and none of them would be a call.\n",
    "Thanks for waiting. The next question needs another function, since the first one knows nothing about prices.\n",
    "",
];

/// A tool and arguments for it.
#[derive(Clone)]
struct Tool {
    name: String,
    parameters: Value,
    valid: Vec<String>,
    invalid: Vec<String>,
}

impl Tool {
    /// The same tool under another name.
    fn renamed(&self) -> Tool {
        Tool {
            name: format!("{}_2", self.name),
            ..self.clone()
        }
    }
}

/// The work for so many tools: every k-th of all; beyond their number they come again under other
/// names. Nothing without MaskBench.
pub fn task(count: usize, tokenizer: &CoreBPE) -> Result<Option<Task>> {
    let rows = maskbench()?;
    let is_tool = |row: &&Row| COLLECTIONS.iter().any(|of| row.name.starts_with(of));
    let tools: Vec<Tool> = rows.iter().filter(is_tool).map(tool).collect();
    let satisfiable = |tool: &&Tool| !UNSATISFIABLE.contains(&tool.name.as_str());
    let tools: Vec<&Tool> = tools.iter().filter(satisfiable).collect();
    if tools.is_empty() {
        return Ok(None);
    }
    let step = (tools.len() / count).max(1);
    let again: Vec<Tool> = tools
        .iter()
        .take(count.saturating_sub(tools.len()))
        .map(|tool| tool.renamed())
        .collect();
    let tools: Vec<&Tool> = tools
        .into_iter()
        .step_by(step)
        .chain(&again)
        .take(count)
        .collect();
    if tools.len() < count {
        return Err(format!("there are no {count} tools").into());
    }
    let valid = texts(calls(&tools, |tool| &tool.valid), CALLS);
    let invalid = texts(calls(&tools, |tool| &tool.invalid), 1);
    let text = |valid: bool, text: &String| Text {
        valid,
        tokens: tokenizer.encode_ordinary(text),
    };
    let valid = valid.iter().map(|of| text(true, of));
    let texts = valid.chain(invalid.iter().map(|of| text(false, of)));
    Ok(Some(Task {
        name: format!("tools/{count}"),
        texts: texts.collect(),
        source: Source::Tools(forms(&tools)),
        rounds: ROUNDS,
        kept_masks: 0,
        enough_ns: ENOUGH_NS,
    }))
}

fn tool(row: &Row) -> Tool {
    let name = row
        .name
        .split_once("---")
        .map_or(&*row.name, |(_, name)| name);
    let letters = name.chars().map(|letter| match letter {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '-' => letter,
        _ => '_',
    });
    let arguments = |valid: bool| {
        let tests = row.tests.iter().filter(move |test| test.valid == valid);
        tests.map(|test| spaced(&ordered(&test.data, &row.schema)))
    };
    Tool {
        name: letters.take(LONGEST_NAME).collect(),
        parameters: row.schema.clone(),
        valid: arguments(true).collect(),
        invalid: arguments(false).collect(),
    }
}

/// A value with its keys in the order in which the schema declares them, which is the order that
/// the engines take.
fn ordered(value: &Value, schema: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let declared = schema["properties"].as_object();
            let of = |key: &String| declared.and_then(|declared| declared.get(key));
            let first = declared.into_iter().flat_map(Map::keys);
            let first = first.filter(|key| object.contains_key(*key));
            let others = object.keys().filter(|key| of(key).is_none());
            let pairs = first.chain(others).map(|key| {
                let schema = of(key).unwrap_or(&Value::Null);
                (key.clone(), ordered(&object[key], schema))
            });
            Value::Object(pairs.collect())
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| ordered(item, &schema["items"]));
            Value::Array(items.collect())
        }
        _ => value.clone(),
    }
}

/// A call of each tool with each of its arguments: one of every tool, then the second ones, and so
/// on.
fn calls(tools: &[&Tool], arguments: impl Fn(&Tool) -> &Vec<String>) -> Vec<String> {
    let most = tools.iter().map(|tool| arguments(tool).len()).max();
    let turns = (0..most.unwrap_or(0)).flat_map(|turn| tools.iter().map(move |tool| (turn, tool)));
    let calls = turns.filter_map(|(turn, tool)| {
        let arguments = arguments(tool).get(turn)?;
        Some(format!(
            "<tool_call>\n{{\"name\": \"{}\", \"arguments\": {arguments}}}\n</tool_call>",
            tool.name
        ))
    });
    calls.collect()
}

/// Texts with so many calls each, and free text around them. The calls are taken evenly from all.
fn texts(calls: Vec<String>, of_text: usize) -> Vec<String> {
    let every = (calls.len() / (TEXTS * of_text)).max(1);
    let calls: Vec<String> = calls.into_iter().step_by(every).collect();
    let mut prose = PROSE.into_iter().cycle();
    let texts = calls.chunks(of_text).take(TEXTS).map(|calls| {
        let mut text = String::new();
        for call in calls {
            text.extend(prose.next());
            text.push_str(call);
            text.push('\n');
        }
        text.extend(prose.next());
        text
    });
    texts.collect()
}

/// The tools in all forms.
fn forms(tools: &[&Tool]) -> Tools {
    let request = tools.iter().map(|tool| {
        json!({
            "type": "function",
            "function": {"name": tool.name, "parameters": tool.parameters}
        })
    });
    let tags = tools.iter().map(|tool| {
        json!({
            "type": "tag",
            "begin": begin(tool),
            "content": {"type": "json_schema", "json_schema": tool.parameters},
            "end": END
        })
    });
    let tag = json!({
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": [TRIGGER],
            "tags": tags.collect::<Vec<_>>()
        }
    });
    Tools {
        request: Value::Array(request.collect()).to_string(),
        structural_tag: tag.to_string(),
        lark: lark(tools),
        trigger: TRIGGER.to_owned(),
        end: END.to_owned(),
        single: single(tools),
    }
}

fn single(tools: &[&Tool]) -> Vec<SingleTool> {
    let tools = tools.iter().map(|tool| SingleTool {
        begin: begin(tool)[TRIGGER.len()..].to_owned(),
        schema: closed(&tool.parameters).to_string(),
    });
    tools.collect()
}

const TRIGGER: &str = "<tool_call>";
const END: &str = "}\n</tool_call>";

fn begin(tool: &Tool) -> String {
    format!("{TRIGGER}\n{{\"name\": \"{}\", \"arguments\": ", tool.name)
}

/// What llguidance's `StructTag` makes of triggers that are no special tokens: text up to the first
/// trigger, as a lazy lexeme. Objects of its schemas have no other properties than the declared
/// ones, as the other engines take these tools.
fn lark(tools: &[&Tool]) -> String {
    let names = (0..tools.len()).map(|index| format!("tag_{index}"));
    let names: Vec<String> = names.collect();
    let mut text = format!(
        "%llguidance {{}}\nstart: ({})* tag_end\ntag_end: TEXT\nTEXT: /(.|\\n)*/\n",
        names.join(" | ")
    );
    for (name, tool) in names.iter().zip(tools) {
        // Keywords that it does not know are ignored, and `oneOf` is read as `anyOf`; otherwise
        // some of the tools are refused.
        let begin = &begin(tool)[TRIGGER.len()..];
        let (trigger, begin, end) = (json!(TRIGGER), json!(begin), json!(END));
        let mut schema = closed(&tool.parameters);
        schema["x-guidance"] = json!({"lenient": true, "coerce_one_of": true});
        text.push_str(&format!("{name}_trigger[lazy]: TEXT {trigger}\n{name}: {name}_trigger {begin} %json {schema} {end}\n"));
    }
    text
}

/// A schema whose objects have declared properties only, where it does not say otherwise. Parts of
/// `oneOf` and its like that only add to an object have no type; they stay as they are.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let pairs = object
                .iter()
                .map(|(key, value)| (key.clone(), closed(value)));
            let mut object: Map<String, Value> = pairs.collect();
            let is_object = object.get("type") == Some(&json!("object"));
            if is_object && object.get("properties").is_some_and(Value::is_object) {
                object.entry("additionalProperties").or_insert(false.into());
            }
            Value::Object(object)
        }
        Value::Array(items) => Value::Array(items.iter().map(closed).collect()),
        _ => schema.clone(),
    }
}
