//! From the tools of a request to typed tools.
//!
//! In: JSON: a list of tools, or a request that has one. Out: [`ToolSet`]. What holds: every tool
//! has a name of its own that the format can write, and the place of its schema.
//!
//! | shape | a tool | its schema |
//! |---|---|---|
//! | OpenAI, Chat Completions | `{"type": "function", "function": {"name", "parameters", "strict"}}` | `parameters` |
//! | OpenAI, Responses | `{"type": "function", "name", "parameters", "strict"}` | `parameters` |
//! | Anthropic | `{"name", "input_schema"}` | `input_schema` |
//! | MCP | `{"name", "inputSchema"}` | `inputSchema` |
//!
//! Those of other providers: [`shapes`]. Tools without a schema: [`custom`].

use super::choice::ToolChoice;
use super::format::ToolFormat;
use crate::error::{Code, Diagnostic, Error};
use crate::limits::{Deadline, Limits};
use crate::similar;
use crate::source::{Source, Span};
use crate::syntax::ParseOptions;
use crate::syntax::fields::{self, Codes, FieldReader, FieldText};
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use maskwright_core::style::Kind;
use std::sync::Arc;

mod custom;
mod ecma;
mod facts;
mod kinds;
mod names;
mod outline;
mod shapes;

pub(super) use custom::input_schema;
pub(super) use kinds::ToolValue;
use names::names;
pub(super) use names::short;

const CODES: Codes = Codes {
    malformed: Code::ToolMalformed,
    unknown: Code::ToolUnknownField,
};

/// What a list of tools looks like.
const EXAMPLE: &str =
    "write `[{\"type\": \"function\", \"function\": {\"name\": …, \"parameters\": …}}]`";

/// Fields of tools that have a meaning here.
const FIELDS: [&str; 11] = [
    "type",
    "function",
    "toolSpec",
    "name",
    "description",
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
    "strict",
];

/// Fields of tools that say nothing of their arguments.
const OTHER_FIELDS: [&str; 18] = [
    "title",
    "annotations",
    "icons",
    "outputSchema",
    "output_schema",
    "returns",
    "return",
    "response",
    "execution",
    "_meta",
    "cache_control",
    "defer_loading",
    "allowed_callers",
    "eager_input_streaming",
    "input_examples",
    "examples",
    "id",
    "metadata",
];

/// The tools of a request, and what else it says of calls.
#[derive(Debug)]
pub(super) struct ToolSet {
    pub(super) tools: Vec<Tool>,
    /// What `tool_choice` says, and its place.
    pub(super) choice: Option<(ToolChoice, Span)>,
    /// What `parallel_tool_calls` says.
    pub(super) parallel: Option<bool>,
    /// Slips, probably.
    pub(super) warnings: Vec<Diagnostic>,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tool {
    pub(super) name: FieldText,
    pub(super) arguments: Arguments,
    /// What the schema says of the kinds of arguments; nothing if the format's calls say these
    /// themselves.
    pub(super) values: Arc<[ToolValue]>,
}

/// What a tool's arguments are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    /// The tool has none.
    None,
    /// Any object. The schema names these properties.
    Any(Vec<String>),
    /// By the schema at this place.
    Schema(Span),
    /// The string `input`: what this pattern of ECMA-262 matches as a whole, if there is one.
    Input(Option<FieldText>),
}

impl Arguments {
    /// The bytes of the texts that they hold.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Arguments::Any(names) => names.iter().map(String::len).sum(),
            Arguments::Input(Some(pattern)) => pattern.value.len(),
            Arguments::None | Arguments::Schema(_) | Arguments::Input(None) => 0,
        }
    }
}

/// Reads the tools of a request. Other fields of a request are not looked at.
pub(super) fn read(
    source: &Source,
    format: &ToolFormat,
    options: &ParseOptions,
) -> Result<ToolSet, Error> {
    match outline::read(source, format, options) {
        Some(set) => Ok(set),
        None => read_nodes(source, format, options),
    }
}

/// Reads the tools of a request, and says what is wrong.
fn read_nodes(
    source: &Source,
    format: &ToolFormat,
    options: &ParseOptions,
) -> Result<ToolSet, Error> {
    let refused = |errors| Error::in_source(source, errors);
    let node = fields::document(source, &options.limits, EXAMPLE);
    let node = node.map_err(|error| refused(vec![error]))?;
    let reader = FieldReader {
        tokens: &options.tokens,
        nesting: options.limits.nesting,
        deadline: Deadline::start(&options.limits),
        codes: CODES,
        errors: Vec::new(),
    };
    let mut reading = ToolReading {
        reader,
        limits: &options.limits,
        strict: options.tools.strict,
        told: told_kinds(format),
        warnings: Vec::new(),
    };
    let set = reading.request(&node);
    Deadline::start(&options.limits).confirm(fields::DOING)?;
    if let Some(set) = &set {
        reading
            .reader
            .errors
            .append(&mut names(&set.tools, format, &reading.reader.deadline));
    }
    let ToolReading {
        reader, warnings, ..
    } = reading;
    let mut errors = reader.errors;
    match set {
        Some(set) if errors.is_empty() => Ok(ToolSet { warnings, ..set }),
        _ => {
            let in_time = Deadline::start(&options.limits).confirm(fields::DOING);
            in_time.map_err(|limit| refused(vec![Diagnostic::from(&limit)]))?;
            errors.sort_by_key(Diagnostic::span);
            Err(refused(errors))
        }
    }
}

/// That a reader has to be told the kinds of arguments.
#[derive(Clone, Copy)]
struct Told {
    /// Those of values within arrays and objects, too.
    nested: bool,
}

/// What a reader has to be told of arguments; nothing where the format's calls say of each value
/// what it is.
fn told_kinds(format: &ToolFormat) -> Option<Told> {
    let own = format.form().map(|form| form.form());
    let form = own.as_ref().or(format.arguments().form())?;
    let is_word_of = |kind: Kind, other: Kind| form.kind(kind) == form.kind(other);
    let mut others = Kind::ALL.into_iter().filter(|&kind| kind != Kind::String);
    let nested = form.item.is_some();
    let is_left_open = others.any(|kind| is_word_of(Kind::String, kind))
        || nested && is_word_of(Kind::Array, Kind::Object);
    is_left_open.then_some(Told { nested })
}

struct ToolReading<'o> {
    reader: FieldReader<'o>,
    limits: &'o Limits,
    strict: Option<bool>,
    /// See [`told_kinds`].
    told: Option<Told>,
    warnings: Vec<Diagnostic>,
}

/// For so many unknown fields of a request a similar one is looked for.
const MAX_UNKNOWN: usize = 1_000;

/// The steps that a field takes.
const FIELD_STEPS: usize = 16;

impl ToolReading<'_> {
    fn request(&mut self, node: &JsonNode) -> Option<ToolSet> {
        // MCP's answer to `tools/list` has them in `result`.
        let node = match node.get("result") {
            Some(result) if node.get("tools").is_none() => result,
            _ => node,
        };
        let list = match &node.value {
            JsonValue::Array(_) => node,
            JsonValue::Object(_) => match shapes::list(node) {
                Some(list) => list,
                None => self.reader.required(node, "a request", "tools")?,
            },
            _ => {
                let message = format!("tools are a list; this is {}", node.value.kind());
                self.reader.malformed(node.span, message, EXAMPLE);
                return None;
            }
        };
        // Clients write `null` where there are none.
        let items = match list.value {
            JsonValue::Null => &[],
            _ => self.reader.list("tools", list)?,
        };
        let tools = shapes::tools(items)
            .filter_map(|item| self.tool(item))
            .collect();
        let choice = shapes::choice(&mut self.reader, node);
        let by_anthropic = self.reader.optional(node, "tool_choice");
        let disabled =
            by_anthropic.map(|choice| self.reader.flag(choice, "disable_parallel_tool_use"));
        let parallel = match self.reader.optional(node, "parallel_tool_calls") {
            Some(_) => Some(self.reader.flag(node, "parallel_tool_calls")),
            None => disabled.filter(|&disabled| disabled).map(|_| false),
        };
        Some(ToolSet {
            tools,
            choice,
            parallel,
            warnings: Vec::new(),
        })
    }

    fn tool(&mut self, node: &JsonNode) -> Option<Tool> {
        let what = "a tool";
        if node.members().is_none() {
            let message = format!("a tool is an object; this is {}", node.value.kind());
            self.reader.malformed(
                node.span,
                message,
                "write `{\"name\": …, \"parameters\": …}`",
            );
            return None;
        }
        if self.is_custom(node)? {
            return self.custom(node);
        }
        let outer = node;
        let node = match shapes::inner(node) {
            Some(function) => {
                self.unknown_fields(outer, &FIELDS);
                function
            }
            None => node,
        };
        self.unknown_fields(node, &FIELDS);
        let name = self.reader.required(node, what, "name")?;
        let name = self.reader.filled_text("name", name)?;
        let schema = self.schema_of(outer, node)?;
        let says = [outer, node].map(|node| match node.get("strict") {
            Some(_) => Some(self.reader.flag(node, "strict")),
            None => None,
        });
        let strict = self.strict.or(says[1]).or(says[0]).unwrap_or(true);
        let arguments = match schema {
            None => Arguments::None,
            Some(schema) if !strict => {
                let properties = schema.get("properties").and_then(JsonNode::members);
                let properties = properties.unwrap_or_default().iter();
                Arguments::Any(properties.map(|property| property.key.clone()).collect())
            }
            Some(schema) => self.schema(schema)?,
        };
        let values = match (&arguments, schema, self.told) {
            (Arguments::Schema(_), Some(schema), Some(told)) => {
                // If the time is over, the caller says so.
                let values = kinds::values(schema, told.nested, &self.reader.deadline);
                values.unwrap_or_default().into()
            }
            _ => Arc::default(),
        };
        Some(Tool {
            name,
            arguments,
            values,
        })
    }

    /// The schema of a tool, if it has one; an outer `None` if it has two.
    fn schema_of<'n>(
        &mut self,
        outer: &JsonNode,
        node: &'n JsonNode,
    ) -> Option<Option<&'n JsonNode>> {
        let fields = shapes::SCHEMAS.iter();
        let schemas = fields.filter_map(|field| self.reader.optional(node, field));
        let mut schemas = schemas.map(|field| shapes::schema(outer, field));
        let first = schemas.next();
        let (Some(one), Some(other)) = (first, schemas.next()) else {
            return Some(first);
        };
        let diagnostic = Diagnostic::error(CODES.malformed, "a tool has two schemas")
            .at(other.span, "and here")
            .at(one.span, "here")
            .help("leave one of them out");
        self.reader.error(diagnostic);
        None
    }

    fn schema(&mut self, schema: &JsonNode) -> Option<Arguments> {
        match &schema.value {
            JsonValue::Object(members) if members.is_empty() => Some(Arguments::None),
            JsonValue::Object(_) => Some(Arguments::Schema(schema.span)),
            _ => {
                let message = format!(
                    "the schema of a tool's arguments is an object; this is {}",
                    schema.value.kind()
                );
                self.reader.malformed(
                    schema.span,
                    message,
                    "write `{\"type\": \"object\", \"properties\": …}`",
                );
                None
            }
        }
    }

    /// Warns of fields that are not among these.
    fn unknown_fields(&mut self, node: &JsonNode, known: &[&str]) {
        for member in node.members().unwrap_or_default() {
            if self
                .reader
                .deadline
                .ticks(FIELD_STEPS, fields::DOING)
                .is_err()
            {
                return;
            }
            let looks = self.warnings.len() < MAX_UNKNOWN;
            self.warnings
                .extend(unknown_field(&member.key, member.span, known, looks));
        }
    }
}

/// A warning if a tool's field is unknown. Providers add fields to tools, so that is no error; a
/// slip would be. Whether it is like a known one is only looked for if `looks`.
fn unknown_field(key: &str, place: Span, known: &[&str], looks: bool) -> Option<Diagnostic> {
    if known.contains(&key) || OTHER_FIELDS.contains(&key) {
        return None;
    }
    let message = format!("a tool's field `{key}` is not known, and is ignored");
    let close = looks.then(|| similar::closest(key, known.iter().copied()));
    let close = close.flatten();
    let help = match close {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("the known fields are `{}`", known.join("`, `")),
    };
    let warning = Diagnostic::warning(CODES.unknown, message);
    Some(warning.at(place, "").help(help))
}

#[cfg(test)]
mod tests;
