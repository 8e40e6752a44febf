//! Whether a tool may or must be called, and which.
//!
//! In: `tool_choice` as OpenAI and Anthropic write it, or an option's text. Out: [`ToolChoice`],
//! whose names have not been looked for among the tools yet.

use crate::digest::{DigestFields, Digester};
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use std::fmt;

/// Whether a tool may or must be called, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// Text, calls or both, as the model likes.
    Auto,
    /// No call: text.
    None,
    /// At least one call, and no text.
    Required,
    /// One call of this tool.
    Named(String),
    /// As `Auto` or `Required`, with these tools only.
    Allowed {
        /// Their names.
        tools: Vec<String>,
        /// Whether one of them must be called.
        required: bool,
    },
}

impl DigestFields for ToolChoice {
    fn write_fields(&self, to: &mut Digester) {
        match self {
            ToolChoice::Auto => to.small(0),
            ToolChoice::None => to.small(1),
            ToolChoice::Required => to.small(2),
            ToolChoice::Named(name) => {
                to.small(3);
                to.field(name);
            }
            ToolChoice::Allowed { tools, required } => {
                to.small(4);
                to.field(&tools[..]);
                to.field(required);
            }
        }
    }
}

impl fmt::Display for ToolChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolChoice::Auto => f.write_str("auto"),
            ToolChoice::None => f.write_str("none"),
            ToolChoice::Required => f.write_str("required"),
            ToolChoice::Named(name) if ToolChoice::of(name) != *self => write!(f, "tool:{name}"),
            ToolChoice::Named(name) => f.write_str(name),
            ToolChoice::Allowed { tools, required } => {
                let mode = if *required { "required" } else { "auto" };
                write!(f, "{mode}:{}", tools.join(","))
            }
        }
    }
}

impl ToolChoice {
    /// What an option's text says: `auto`, `none`, `required` or `any`; `auto:a,b` or
    /// `required:a,b` for some tools; else the name of a tool. A tool whose name reads as one of
    /// these is named as `tool:auto`.
    pub fn of(text: &str) -> Self {
        let allowed = |names: &str, required| ToolChoice::Allowed {
            tools: names
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect(),
            required,
        };
        match (text, text.split_once(':')) {
            ("auto", _) => ToolChoice::Auto,
            ("none", _) => ToolChoice::None,
            ("required" | "any", _) => ToolChoice::Required,
            (_, Some(("auto", names))) => allowed(names, false),
            (_, Some(("required" | "any", names))) => allowed(names, true),
            (_, Some(("tool", name))) => ToolChoice::Named(name.to_owned()),
            _ => ToolChoice::Named(text.to_owned()),
        }
    }

    /// Reads `tool_choice` of a request.
    pub(super) fn read(reader: &mut FieldReader<'_>, node: &JsonNode) -> Option<Self> {
        let words = [
            ("auto", ToolChoice::Auto),
            ("none", ToolChoice::None),
            ("required", ToolChoice::Required),
            ("any", ToolChoice::Required),
        ];
        let word = |text: &str| {
            words
                .iter()
                .find(|word| word.0 == text)
                .map(|word| word.1.clone())
        };
        let help = "write `auto`, `none`, `required`, or `{\"type\": \"function\", \"function\": {\"name\": …}}`";
        if let JsonValue::String(text) = &node.value {
            if word(text).is_none() {
                reader.malformed(node.span, format!("`tool_choice` is `{text}`"), help);
            }
            return word(text);
        }
        let kind = reader.required(node, "`tool_choice`", "type")?;
        let kind = reader.text("type", kind)?;
        match kind.value.as_str() {
            "function" | "tool" | "custom" => {
                let inner = described(reader, node);
                let name = reader.required_text(inner, "`tool_choice`", "name")?;
                Some(ToolChoice::Named(name.value))
            }
            "allowed_tools" => {
                let inner = reader.optional(node, "allowed_tools").unwrap_or(node);
                Self::allowed(reader, inner)
            }
            text => {
                let choice = word(text);
                if choice.is_none() {
                    reader.malformed(
                        kind.span,
                        format!("`tool_choice` is of type `{text}`"),
                        help,
                    );
                }
                choice
            }
        }
    }

    /// `{"mode": "auto", "tools": [{"type": "function", "function": {"name": …}}]}`.
    fn allowed(reader: &mut FieldReader<'_>, node: &JsonNode) -> Option<Self> {
        let what = "`allowed_tools`";
        let mode = reader.required_text(node, what, "mode")?;
        let required = match mode.value.as_str() {
            "auto" => false,
            "required" => true,
            other => {
                let message = format!("`mode` is `{other}`");
                reader.malformed(mode.span, message, "write `auto` or `required`");
                return None;
            }
        };
        let items = reader.filled_list(node, what, "tools")?;
        let mut tools = Vec::new();
        for item in items {
            let inner = described(reader, item);
            tools.push(
                reader
                    .required_text(inner, "an allowed tool", "name")?
                    .value,
            );
        }
        Some(ToolChoice::Allowed { tools, required })
    }
}

/// What names a tool: a member of this, or this itself.
fn described<'n>(reader: &FieldReader<'_>, node: &'n JsonNode) -> &'n JsonNode {
    let mut inner = ["function", "custom"].into_iter();
    let inner = inner.find_map(|name| reader.optional(node, name));
    inner.unwrap_or(node)
}
