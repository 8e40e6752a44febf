//! The fields of a JSON object, each asked for by name.
//!
//! In: an object. Out: values of the kinds that are asked for, and a diagnostic for each that is
//! missing, of another kind or unknown.

use crate::error::{Code, Diagnostic};
use crate::limits::{Deadline, Limits};
use crate::similar;
use crate::source::{Source, Span};
use crate::syntax::json_schema::document::{self, JsonNode, JsonValue};
use crate::syntax::json_schema::{Style, UnknownStyle};
use crate::vocabulary::TokenNames;

/// A text and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldText {
    /// The text, decoded.
    pub value: String,
    /// Where it stands, with its quotes.
    pub span: Span,
}

/// The codes of diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// Of a field that is missing or of another kind.
    pub malformed: Code,
    /// Of a field that is unknown.
    pub unknown: Code,
}

/// The JSON of a text. `example` is the way out if there is no text.
///
/// # Errors
/// If it is not JSON.
pub fn document(source: &Source, limits: &Limits, example: &str) -> Result<JsonNode, Diagnostic> {
    let is_empty = source.text().trim().is_empty();
    document::parse(source, limits).map_err(|error| match is_empty {
        true => error.help(example),
        false => error,
    })
}

/// What is being done.
pub(super) const DOING: &str = "reading fields";

/// The steps that a message takes.
const MESSAGE_STEPS: usize = 64;

/// What has been read, and what is wrong with it.
pub struct FieldReader<'o> {
    /// The tokens that texts may name.
    pub tokens: &'o TokenNames,
    /// How deep objects may nest.
    pub nesting: usize,
    /// When to stop. What has been read then is not the whole.
    pub deadline: Deadline,
    /// The codes of diagnostics.
    pub codes: Codes,
    /// What is wrong.
    pub errors: Vec<Diagnostic>,
}

impl FieldReader<'_> {
    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.errors.push(diagnostic);
    }

    pub fn malformed(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let diagnostic = Diagnostic::error(self.codes.malformed, message);
        self.errors.push(diagnostic.at(span, "").help(help));
    }

    /// Refuses a field of another kind than `expected`.
    pub fn wrong_kind(&mut self, name: &str, node: &JsonNode, expected: &str) {
        let message = format!("`{name}` must be {expected}; this is {}", node.value.kind());
        let diagnostic = Diagnostic::error(self.codes.malformed, message);
        self.errors.push(
            diagnostic
                .at(node.span, "")
                .help(format!("write {expected}")),
        );
    }

    /// Refuses every field of `node` that is not among `known`.
    pub fn only(&mut self, node: &JsonNode, what: &str, known: &[&str]) {
        let mut suggestions = similar::MAX_SUGGESTIONS;
        for member in node.members().unwrap_or_default() {
            if self.deadline.stops(DOING) {
                return;
            }
            let key = member.key.as_str();
            if known.contains(&key) {
                continue;
            }
            let listed = format!("`{}`", known.join("`, `"));
            let close = (suggestions > 0).then(|| similar::closest(key, known.iter().copied()));
            suggestions = suggestions.saturating_sub(1);
            // To make a message takes far longer than to look at a name.
            let _ = self.deadline.ticks(MESSAGE_STEPS, DOING);
            let help = match close.flatten() {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("its fields are {listed}"),
            };
            let message = format!("{what} has no field `{key}`");
            let diagnostic = Diagnostic::error(self.codes.unknown, message);
            self.errors.push(diagnostic.at(member.span, "").help(help));
        }
    }

    /// The field, unless it is missing or `null`, which says the same.
    pub fn optional<'n>(&self, node: &'n JsonNode, name: &str) -> Option<&'n JsonNode> {
        node.get(name)
            .filter(|value| value.value != JsonValue::Null)
    }

    /// The field; an error where it is missing.
    pub fn required<'n>(
        &mut self,
        node: &'n JsonNode,
        what: &str,
        name: &str,
    ) -> Option<&'n JsonNode> {
        let found = node.get(name);
        if node.members().is_none() {
            let message = format!("{what} is an object; this is {}", node.value.kind());
            self.malformed(node.span, message, &format!("write `{{\"{name}\": …}}`"));
        } else if found.is_none() {
            let place = Span::new(node.span.start, node.span.start + 1);
            let message = format!("{what} needs the field `{name}`");
            let diagnostic =
                Diagnostic::error(self.codes.malformed, message).at(place, "in this object");
            self.errors
                .push(diagnostic.help(format!("add `\"{name}\": …`")));
        }
        found
    }

    pub fn flag(&mut self, node: &JsonNode, name: &str) -> bool {
        match self.optional(node, name).map(|node| (&node.value, node)) {
            None => false,
            Some((JsonValue::Bool(flag), _)) => *flag,
            Some((_, node)) => {
                self.wrong_kind(name, node, "`true` or `false`");
                false
            }
        }
    }

    /// A number of this field from `least` to the greatest of 31 bits.
    pub fn number(&mut self, name: &str, node: &JsonNode, least: i64) -> Option<i64> {
        let JsonValue::Number(written) = &node.value else {
            self.wrong_kind(name, node, "a whole number");
            return None;
        };
        let most = i64::from(i32::MAX);
        let number = written.parse().ok().filter(|n| (least..=most).contains(n));
        if number.is_none() {
            let message = format!("`{name}` is {written}");
            let help = format!("write a whole number from {least} to {most}");
            self.malformed(node.span, message, &help);
        }
        number
    }

    pub fn count(&mut self, node: &JsonNode, name: &str) -> Option<u32> {
        let value = self.optional(node, name)?;
        let number = self.number(name, value, 0)?;
        u32::try_from(number).ok()
    }

    pub fn text(&mut self, name: &str, node: &JsonNode) -> Option<FieldText> {
        match node.as_str() {
            Some(value) => Some(FieldText {
                value: value.to_owned(),
                span: node.span,
            }),
            None => {
                self.wrong_kind(name, node, "a string");
                None
            }
        }
    }

    pub fn required_text(&mut self, node: &JsonNode, what: &str, name: &str) -> Option<FieldText> {
        let value = self.required(node, what, name)?;
        self.text(name, value)
    }

    /// A text that must not be empty.
    pub fn filled_text(&mut self, name: &str, node: &JsonNode) -> Option<FieldText> {
        let text = self.text(name, node)?;
        if text.value.is_empty() {
            self.malformed(
                text.span,
                format!("an empty text in `{name}`"),
                "write a text, or take it out",
            );
            return None;
        }
        Some(text)
    }

    pub fn list<'n>(&mut self, name: &str, node: &'n JsonNode) -> Option<&'n [JsonNode]> {
        match &node.value {
            JsonValue::Array(items) => Some(items),
            _ => {
                self.wrong_kind(name, node, "a list");
                None
            }
        }
    }

    /// The list of a field that must be there and must not be empty.
    pub fn filled_list<'n>(
        &mut self,
        node: &'n JsonNode,
        what: &str,
        name: &str,
    ) -> Option<&'n [JsonNode]> {
        let value = self.required(node, what, name)?;
        let items = self.list(name, value)?;
        if items.is_empty() {
            self.malformed(
                value.span,
                format!("`{name}` is empty"),
                "add at least one element",
            );
            return None;
        }
        Some(items)
    }

    /// A list of texts that are not empty; no such field is an empty list.
    pub fn texts(&mut self, node: &JsonNode, name: &str) -> Vec<FieldText> {
        let Some(value) = self.optional(node, name) else {
            return Vec::new();
        };
        let items = self.list(name, value).unwrap_or_default();
        let texts = items.iter().filter_map(|item| self.filled_text(name, item));
        texts.collect()
    }

    /// The name of a style.
    pub fn style(&mut self, node: &JsonNode) -> Option<Style> {
        let name = self.text("style", node)?;
        let style = name.value.parse().ok();
        if style.is_none() {
            let help = match similar::closest(&name.value, Style::ALL.map(Style::name)) {
                Some(close) => format!("did you mean `{close}`?"),
                None => UnknownStyle.to_string(),
            };
            let message = format!("there is no style `{}`", name.value);
            self.malformed(name.span, message, &help);
        }
        style
    }
}
