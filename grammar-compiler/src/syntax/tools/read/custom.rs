//! OpenAI's tools of the type `custom`, whose input is a text.
//!
//! In: the JSON of such a tool. Out: a [`Tool`] with one argument, the string `input`: a template
//! of a model knows only functions, and engines describe such a tool to it as this function. What
//! holds: the input is any text, or what a pattern matches as a whole. In a regular expression `.`
//! takes no line feed, as in the patterns of schemas and unlike in other regular expressions here.
//!
//! In Chat Completions and in Responses:
//!
//! ```text
//! {"type": "custom", "custom": {"name", "format":
//!     {"type": "grammar", "grammar": {"syntax", "definition"}}}}
//! {"type": "custom", "name", "format": {"type": "grammar", "syntax", "definition"}}
//! ```

use super::{Arguments, Tool, ToolReading, ecma, kinds, shapes};
use crate::source::Source;
use crate::syntax::fields::FieldText;
use crate::syntax::json_schema::document::{self, JsonNode};
use crate::syntax::regex::{self, PatternReading};
use serde_json::{Value, json};
use std::sync::Arc;

/// The fields of such a tool that have a meaning here. With the last one it is a function.
const FIELDS: [&str; 6] = [
    "type",
    "custom",
    "name",
    "description",
    "format",
    "input_schema",
];

/// The fields of its `format`.
const FORMAT_FIELDS: [&str; 4] = ["type", "grammar", "syntax", "definition"];

/// The way out for an input that is not regular.
const AS_FUNCTION: &str = "write it as a regular expression, with `\"syntax\": \"regex\"`, or \
                           describe the tool as a function, with a JSON Schema in `parameters`";

impl ToolReading<'_> {
    /// Whether a tool takes a text. Tools of other types than this and functions are run by their
    /// provider.
    pub(super) fn is_custom(&mut self, node: &JsonNode) -> Option<bool> {
        let Some(kind) = self.reader.optional(node, "type") else {
            return Some(false);
        };
        let text = self.reader.text("type", kind)?;
        match text.value.as_str() {
            "function" => return Some(false),
            // Anthropic calls a tool with a schema so.
            "custom" => return Some(node.get("input_schema").is_none()),
            _ => {}
        }
        let message = format!(
            "a tool of type `{}` has no schema of its arguments",
            text.value
        );
        let help = "describe it as a function, with its name and `parameters`";
        self.reader.malformed(text.span, message, help);
        None
    }

    /// Reads a tool of this type.
    pub(super) fn custom(&mut self, outer: &JsonNode) -> Option<Tool> {
        let inner = self.reader.optional(outer, "custom");
        let node = inner.unwrap_or(outer);
        for node in [Some(outer), inner].into_iter().flatten() {
            self.unknown_fields(node, &FIELDS);
        }
        let name = self.reader.required(node, "a tool", "name")?;
        let name = self.reader.filled_text("name", name)?;
        let mut schemas = shapes::SCHEMAS.iter();
        if let Some(schema) = schemas.find_map(|field| self.reader.optional(node, field)) {
            let message = "a tool of type `custom` has no schema of its input";
            let help = "describe it as a function, or say in `format` what its input is";
            self.reader.malformed(schema.span, message, help);
            return None;
        }
        let pattern = match self.reader.optional(node, "format") {
            Some(format) => self.pattern(format)?,
            None => None,
        };
        Some(Tool {
            name,
            arguments: Arguments::Input(pattern),
            values: self.values_of_input(),
        })
    }

    /// The pattern of a `format`; an inner nothing if any text will do.
    fn pattern(&mut self, format: &JsonNode) -> Option<Option<FieldText>> {
        let what = "`format`";
        self.unknown_fields(format, &FORMAT_FIELDS);
        let kind = self.reader.required_text(format, what, "type")?;
        match kind.value.as_str() {
            "text" => return Some(None),
            "grammar" => {}
            other => {
                let message = format!("`type` of a format is `{other}`");
                let help = "write `text` or `grammar`";
                self.reader.malformed(kind.span, message, help);
                return None;
            }
        }
        let (what, inner) = ("a grammar", self.reader.optional(format, "grammar"));
        if let Some(inner) = inner {
            self.unknown_fields(inner, &FORMAT_FIELDS[2..]);
        }
        let grammar = inner.unwrap_or(format);
        let syntax = self.reader.required_text(grammar, what, "syntax")?;
        match syntax.value.as_str() {
            "regex" => {}
            "lark" => {
                let message = "the input of a tool cannot be described in Lark: a grammar with \
                               a lexer cannot stand in another grammar";
                self.reader.malformed(syntax.span, message, AS_FUNCTION);
                return None;
            }
            other => {
                let message = format!("`syntax` of a grammar is `{other}`");
                self.reader.malformed(syntax.span, message, "write `regex`");
                return None;
            }
        }
        let definition = self.reader.required_text(grammar, what, "definition")?;
        self.regex(definition).map(Some)
    }

    /// A regular expression as a pattern of ECMA-262.
    fn regex(&mut self, definition: FieldText) -> Option<FieldText> {
        let FieldText { value, span } = definition;
        let reading = PatternReading {
            dot_matches_newline: false,
            ..PatternReading::default()
        };
        let nesting = self.limits.nesting;
        let why = match regex::to_expr(&value, reading, nesting, self.limits) {
            Ok(expr) => match ecma::pattern(&expr) {
                Some(value) => return Some(FieldText { value, span }),
                None => "it has bytes that are no characters".to_owned(),
            },
            Err(error) => error.message().to_owned(),
        };
        let message = format!("the input of a tool cannot be described so: {why}");
        let help = "write a regular expression that the whole input matches, such as `[a-z]+`";
        self.reader.malformed(span, message, help);
        None
    }

    fn values_of_input(&self) -> Arc<[kinds::ToolValue]> {
        let source = Source::new("<input>", input_schema(None).to_string());
        let schema = document::parse(&source, self.limits).ok();
        let values = schema.zip(self.told).and_then(|(schema, told)| {
            // If the time is over, the caller says so.
            kinds::values(&schema, told.nested, &self.reader.deadline)
        });
        values.unwrap_or_default().into()
    }
}

/// The schema of the arguments.
pub(in super::super) fn input_schema(pattern: Option<&FieldText>) -> Value {
    // A schema's pattern is searched for.
    let pattern = pattern.map(|pattern| format!("^(?:{})$", pattern.value));
    let input = match pattern {
        Some(pattern) => json!({"type": "string", "pattern": pattern}),
        None => json!({"type": "string"}),
    };
    json!({
        "type": "object",
        "properties": {"input": input},
        "required": ["input"],
        "additionalProperties": false
    })
}
