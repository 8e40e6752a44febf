//! The shapes in which providers write tools and choices.
//!
//! In: the JSON of a request. Out: the nodes of its tools, of their names and schemas, and its
//! choice, whichever provider it is written for.
//!
//! | provider | the list | a tool | its schema | the choice |
//! |---|---|---|---|---|
//! | OpenAI, Anthropic, MCP | `tools`, `result.tools` | itself, or `function` | `parameters`, `input_schema`, `inputSchema` | `tool_choice` |
//! | OpenAI, before tools | `functions` | itself | `parameters` | `function_call` |
//! | Gemini | `tools[].functionDeclarations` | itself | `parameters`, `parametersJsonSchema` | `toolConfig.functionCallingConfig` |
//! | Bedrock, Converse | `toolConfig.tools` | `toolSpec` | `inputSchema.json` | `toolConfig.toolChoice` |

use crate::source::Span;
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::tools::choice::ToolChoice;

/// Members of requests that only [`read_nodes`](super::read_nodes) reads.
pub(super) const OTHER_MEMBERS: [&str; 4] =
    ["functions", "function_call", "toolConfig", "tool_config"];

/// The fields in which a tool's schema may stand.
pub(super) const SCHEMAS: [&str; 5] = [
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
];

/// A member that has one of two names, and is not `null`.
fn either<'n>(node: &'n JsonNode, names: [&str; 2]) -> Option<&'n JsonNode> {
    let mut found = names.into_iter().filter_map(|name| node.get(name));
    found.find(|value| value.value != JsonValue::Null)
}

fn config(node: &JsonNode) -> Option<&JsonNode> {
    either(node, ["toolConfig", "tool_config"])
}

/// The list of tools of a request; nothing if it has none, which is for `tools` to say.
pub(super) fn list(node: &JsonNode) -> Option<&JsonNode> {
    let in_config = config(node).and_then(|config| config.get("tools"));
    node.get("tools")
        .or(in_config)
        .or_else(|| node.get("functions"))
}

/// The tools of a list, those that Gemini declares together one by one.
pub(super) fn tools(items: &[JsonNode]) -> impl Iterator<Item = &JsonNode> {
    items.iter().flat_map(|item| {
        let names = ["functionDeclarations", "function_declarations"];
        match either(item, names).map(|declared| &declared.value) {
            Some(JsonValue::Array(declared)) => declared.as_slice(),
            _ => std::slice::from_ref(item),
        }
    })
}

/// What describes a tool: the tool itself, or a member of it.
pub(super) fn inner(tool: &JsonNode) -> Option<&JsonNode> {
    either(tool, ["function", "toolSpec"])
}

/// The schema of a tool in one of its fields: Bedrock wraps it.
pub(super) fn schema<'n>(tool: &JsonNode, field: &'n JsonNode) -> &'n JsonNode {
    let wrapped = field.get("json").filter(|_| tool.get("toolSpec").is_some());
    wrapped.unwrap_or(field)
}

/// What a request says of the choice of tools, and where.
pub(super) fn choice(reader: &mut FieldReader<'_>, node: &JsonNode) -> Option<(ToolChoice, Span)> {
    let config = config(node);
    let in_config = |name: &str| config.and_then(|config| config.get(name));
    let (place, choice) = if let Some(choice) = reader.optional(node, "tool_choice") {
        (choice, ToolChoice::read(reader, choice))
    } else if let Some(choice) = reader.optional(node, "function_call") {
        (choice, legacy(reader, choice))
    } else if let Some(choice) = in_config("toolChoice") {
        (choice, of_bedrock(reader, choice))
    } else {
        let gemini = in_config("functionCallingConfig");
        let choice = gemini.or_else(|| in_config("function_calling_config"))?;
        (choice, of_gemini(reader, choice))
    };
    Some((choice?, place.span))
}

/// `auto`, `none`, or `{"name": …}`.
fn legacy(reader: &mut FieldReader<'_>, node: &JsonNode) -> Option<ToolChoice> {
    match &node.value {
        JsonValue::String(_) => ToolChoice::read(reader, node),
        _ => named(reader, node, "`function_call`"),
    }
}

fn named(reader: &mut FieldReader<'_>, node: &JsonNode, what: &str) -> Option<ToolChoice> {
    let name = reader.required_text(node, what, "name")?;
    Some(ToolChoice::Named(name.value))
}

/// `{"auto": {}}`, `{"any": {}}`, or `{"tool": {"name": …}}`.
fn of_bedrock(reader: &mut FieldReader<'_>, node: &JsonNode) -> Option<ToolChoice> {
    if let Some(tool) = reader.optional(node, "tool") {
        return named(reader, tool, "`tool`");
    }
    match (node.get("auto"), node.get("any")) {
        (Some(_), None) => Some(ToolChoice::Auto),
        (None, Some(_)) => Some(ToolChoice::Required),
        _ => {
            let help = "write `{\"auto\": {}}`, `{\"any\": {}}` or `{\"tool\": {\"name\": …}}`";
            reader.malformed(node.span, "`toolChoice` has no choice", help);
            None
        }
    }
}

/// `{"mode": "AUTO", "allowedFunctionNames": […]}`.
fn of_gemini(reader: &mut FieldReader<'_>, node: &JsonNode) -> Option<ToolChoice> {
    let names = ["allowedFunctionNames", "allowed_function_names"];
    let allowed = either(node, names).map(|list| reader.list(names[0], list));
    let tools = match allowed {
        Some(items) => {
            let names = items?.iter().map(|item| reader.text(names[0], item));
            let names: Option<Vec<_>> = names.collect();
            names?.into_iter().map(|name| name.value).collect()
        }
        None => Vec::new(),
    };
    let mode = match reader.optional(node, "mode") {
        Some(mode) => reader.text("mode", mode)?,
        None => return Some(ToolChoice::Auto),
    };
    let required = match mode.value.to_ascii_uppercase().as_str() {
        "NONE" => return Some(ToolChoice::None),
        "AUTO" | "VALIDATED" | "MODE_UNSPECIFIED" => false,
        "ANY" => true,
        other => {
            let message = format!("`mode` is `{other}`");
            reader.malformed(
                mode.span,
                message,
                "write `AUTO`, `ANY`, `VALIDATED` or `NONE`",
            );
            return None;
        }
    };
    Some(match (tools.is_empty(), required) {
        (true, false) => ToolChoice::Auto,
        (true, true) => ToolChoice::Required,
        (false, required) => ToolChoice::Allowed { tools, required },
    })
}
