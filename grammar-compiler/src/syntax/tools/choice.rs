//! Whether a tool may or must be called, and which.
//!
//! In: `tool_choice` as OpenAI and Anthropic write it, or an option's text. Out: [`ChosenTools`]. What holds: every tool that is named is there; where one must be called, there is one.

use super::format::ToolFormat;
use super::read::{Tool, ToolSet};
use super::{Reasoning, ToolOptions};
use crate::error::{Code, Diagnostic};
use crate::similar;
use crate::source::Span;
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use std::collections::HashSet;
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

/// What may be called.
#[derive(Debug)]
pub(super) struct ChosenTools<'s> {
    /// The tools that may be called, in the order of the request.
    pub(super) tools: Vec<&'s Tool>,
    /// All tools.
    pub(super) all: &'s [Tool],
    pub(super) mode: Mode,
    /// Whether several may be called.
    pub(super) parallel: bool,
}

/// Whether a tool must be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Auto,
    None,
    /// At least one.
    Required,
    /// Exactly one.
    One,
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
    /// What an option's text says: `auto`, `none`, `required` or `any`; `auto:a,b` or `required:a,b` for some tools; else the name of a tool. A tool
    /// whose name reads as one of these is named as `tool:auto`.
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
            "function" | "tool" => {
                let inner = reader.optional(node, "function").unwrap_or(node);
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
            let inner = reader.optional(item, "function").unwrap_or(item);
            tools.push(
                reader
                    .required_text(inner, "an allowed tool", "name")?
                    .value,
            );
        }
        Some(ToolChoice::Allowed { tools, required })
    }
}

/// The tools that may be called.
pub(super) fn choose<'s>(
    set: &'s ToolSet,
    format: &ToolFormat,
    options: &ToolOptions,
) -> Result<ChosenTools<'s>, Diagnostic> {
    let said = set.choice.as_ref();
    let (choice, place) = match (&options.choice, said) {
        (Some(choice), _) => (choice, None),
        (None, Some((choice, place))) => (choice, Some(*place)),
        (None, None) => (&ToolChoice::Auto, None),
    };
    // An option has no place in the text.
    let place = match place {
        Some(place) => (place, ""),
        None => (Span::default(), "the tools are here"),
    };
    let thinks = matches!(options.reasoning, Reasoning::Required | Reasoning::Opened);
    if thinks && !format.has_reasoning() {
        let message = format!(
            "reasoning is {}, and the format has none",
            options.reasoning.name()
        );
        return Err(Diagnostic::error(Code::ToolChoice, message)
            .at(place.0, place.1)
            .help("choose another format, or leave `reasoning` out"));
    }
    let (tools, mode) = callable(set, choice, place)?;
    if tools.is_empty() && mode == Mode::Required {
        let message = "a tool must be called, and there is none";
        return Err(Diagnostic::error(Code::ToolChoice, message)
            .at(place.0, place.1)
            .help("add a tool, or choose `auto`"));
    }
    Ok(ChosenTools {
        mode: if tools.is_empty() { Mode::None } else { mode },
        tools,
        all: &set.tools,
        parallel: options.parallel.or(set.parallel).unwrap_or(true),
    })
}

/// The tools that a choice allows, in the order of the request, and whether one of them must be called.
fn callable<'s>(
    set: &'s ToolSet,
    choice: &ToolChoice,
    place: (Span, &str),
) -> Result<(Vec<&'s Tool>, Mode), Diagnostic> {
    let named = |name: &String| find(set, name, place);
    let all = || set.tools.iter().collect();
    Ok(match choice {
        ToolChoice::Auto => (all(), Mode::Auto),
        ToolChoice::None => (Vec::new(), Mode::None),
        ToolChoice::Required => (all(), Mode::Required),
        ToolChoice::Named(name) => (vec![named(name)?], Mode::One),
        ToolChoice::Allowed { tools, required } => {
            let names: HashSet<&str> = tools.iter().map(String::as_str).collect();
            let is_allowed = |tool: &&Tool| names.contains(tool.name.value.as_str());
            let mode = match required {
                true => Mode::Required,
                false => Mode::Auto,
            };
            let found: Vec<&Tool> = set.tools.iter().filter(is_allowed).collect();
            if found.len() < names.len() {
                // No two tools have the same name, so one of these has no tool.
                tools.iter().try_for_each(|name| named(name).map(drop))?;
            }
            (found, mode)
        }
    })
}

/// The tool of this name.
fn find<'s>(
    set: &'s ToolSet,
    name: &str,
    (place, label): (Span, &str),
) -> Result<&'s Tool, Diagnostic> {
    let mut tools = set.tools.iter();
    tools.find(|tool| tool.name.value == name).ok_or_else(|| {
        let names = set.tools.iter().map(|tool| tool.name.value.as_str());
        let help = match similar::closest(name, names) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "name one of the tools, `auto`, `none` or `required`".to_owned(),
        };
        let message = match name {
            "" => "the choice of tools has an empty name".to_owned(),
            _ => format!("there is no tool `{}` to choose", short(name)),
        };
        Diagnostic::error(Code::ToolChoice, message)
            .at(place, label)
            .help(help)
    })
}

/// A name as messages show it: the beginning of a long one.
pub(super) fn short(name: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = name
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if name.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
