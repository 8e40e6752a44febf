//! Tools of MaskBench, as requests bring them.

use maskwright_compiler::GrammarText;
use maskwright_compiler::syntax::tools::ToolOptions;
use serde_json::{Value, json};
use std::error::Error;
use std::io::BufRead;

/// A tool and arguments for it.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The schema of its arguments.
    pub parameters: Value,
    /// Arguments that the schema allows, as texts.
    pub valid: Vec<String>,
    /// Arguments that it does not.
    pub invalid: Vec<String>,
}

impl Tool {
    /// The same with another description for each number: a tool that no request has had.
    pub fn of_request(&self, number: usize) -> Tool {
        let mut tool = self.clone();
        tool.parameters["description"] = json!(format!("of request {number}"));
        tool
    }
}

/// A request with these tools, in the format `qwen_3`.
pub fn request(tools: &[Tool]) -> GrammarText {
    request_in("qwen_3", tools)
}

/// A request with these tools, in a format.
pub fn request_in(format: &str, tools: &[Tool]) -> GrammarText {
    let tools = tools.iter().map(|tool| {
        json!({"type": "function", "function": {"name": tool.name, "parameters": tool.parameters}})
    });
    let tools = Value::Array(tools.collect());
    GrammarText::tools(tools.to_string()).tool_options(ToolOptions::format(format))
}

/// The tools among the lines of MaskBench: its schemas that are parameters of functions (BFCL and
/// Glaive), each name once.
///
/// # Errors
///
/// If a line cannot be read.
pub fn tools(input: impl BufRead) -> Result<Vec<Tool>, Box<dyn Error>> {
    let mut tools: Vec<Tool> = Vec::new();
    for line in input.lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let name = row["name"].as_str().unwrap_or_default();
        if !["BFCL", "Glaiveai2K"].iter().any(|of| name.starts_with(of)) {
            continue;
        }
        let name = name.split_once("---").map_or(name, |(_, name)| name);
        let letters = name.chars().map(|c| match c {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '-' => c,
            _ => '_',
        });
        let tests = row["tests"].as_array().into_iter().flatten();
        let written = |valid: bool| {
            let tests = tests.clone().filter(move |test| test["valid"] == valid);
            tests.map(|test| spaced(&test["data"])).collect()
        };
        let tool = Tool {
            name: letters.take(56).collect(),
            parameters: row["schema"].clone(),
            valid: written(true),
            invalid: written(false),
        };
        // Of some schemas no value is valid, or their names are the same.
        if tools.iter().all(|known| known.name != tool.name) && is_fine(&tool) {
            tools.push(tool);
        }
    }
    Ok(tools)
}

fn is_fine(tool: &Tool) -> bool {
    let text = request(std::slice::from_ref(tool));
    text.parse(&Default::default()).is_ok()
}

/// JSON with a blank behind colons and commas, as models write it.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let members = object.iter();
            let members = members.map(|(key, value)| format!("{}: {}", json!(key), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!(
                "[{}]",
                items.iter().map(spaced).collect::<Vec<_>>().join(", ")
            )
        }
        other => other.to_string(),
    }
}
