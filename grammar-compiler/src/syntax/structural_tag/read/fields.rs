//! The fields of an object, each asked for by name.
//!
//! In: an object. Out: values of the kinds that are asked for, and a diagnostic for each that is missing, of another kind or unknown.

use super::super::ast::{Delimiter, Text};
use crate::error::Diagnostic;
use crate::similar;
use crate::source::Span;
use crate::syntax::json_schema::document::{Node, Value};
use crate::vocabulary::TokenNames;

/// What has been read, and what is wrong with it.
pub(super) struct Reader<'o> {
    pub(super) tokens: &'o TokenNames,
    /// How deep formats may nest.
    pub(super) nesting: usize,
    pub(super) errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.errors.push(diagnostic);
    }

    pub(super) fn malformed(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let diagnostic = Diagnostic::error("tag-malformed", message);
        self.errors.push(diagnostic.at(span, "").help(help));
    }

    fn wrong_kind(&mut self, name: &str, node: &Node, expected: &str) {
        let message = format!("`{name}` must be {expected}; this is {}", node.value.kind());
        let diagnostic = Diagnostic::error("tag-malformed", message);
        self.errors.push(
            diagnostic
                .at(node.span, "")
                .help(format!("write {expected}")),
        );
    }

    /// Refuses every field of `node` that is not among `known`.
    pub(super) fn only(&mut self, node: &Node, what: &str, known: &[&str]) {
        for member in node.members().unwrap_or_default() {
            let key = member.key.as_str();
            if known.contains(&key) {
                continue;
            }
            let listed = format!("`{}`", known.join("`, `"));
            let help = match similar::closest(key, known.iter().copied()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("its fields are {listed}"),
            };
            let message = format!("{what} has no field `{key}`");
            let diagnostic = Diagnostic::error("tag-unknown-field", message);
            self.errors.push(diagnostic.at(member.span, "").help(help));
        }
    }

    /// The field, unless it is missing or `null`, which says the same.
    pub(super) fn optional<'n>(&self, node: &'n Node, name: &str) -> Option<&'n Node> {
        node.get(name).filter(|value| value.value != Value::Null)
    }

    /// The field; an error where it is missing.
    pub(super) fn required<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        name: &str,
    ) -> Option<&'n Node> {
        let found = node.get(name);
        if found.is_none() {
            let place = Span::new(node.span.start, node.span.start + 1);
            let message = format!("{what} needs the field `{name}`");
            let diagnostic =
                Diagnostic::error("tag-malformed", message).at(place, "in this object");
            self.errors
                .push(diagnostic.help(format!("add `\"{name}\": …`")));
        }
        found
    }

    pub(super) fn flag(&mut self, node: &Node, name: &str) -> bool {
        match self.optional(node, name).map(|node| (&node.value, node)) {
            None => false,
            Some((Value::Bool(flag), _)) => *flag,
            Some((_, node)) => {
                self.wrong_kind(name, node, "`true` or `false`");
                false
            }
        }
    }

    /// A number of this field from `least` to the greatest of 31 bits.
    pub(super) fn number(&mut self, name: &str, node: &Node, least: i64) -> Option<i64> {
        let Value::Number(written) = &node.value else {
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

    pub(super) fn count(&mut self, node: &Node, name: &str) -> Option<u32> {
        let value = self.optional(node, name)?;
        let number = self.number(name, value, 0)?;
        u32::try_from(number).ok()
    }

    pub(super) fn text(&mut self, name: &str, node: &Node) -> Option<Text> {
        match node.as_str() {
            Some(value) => Some(Text {
                value: value.to_owned(),
                span: node.span,
            }),
            None => {
                self.wrong_kind(name, node, "a string");
                None
            }
        }
    }

    pub(super) fn required_text(&mut self, node: &Node, what: &str, name: &str) -> Option<Text> {
        let value = self.required(node, what, name)?;
        self.text(name, value)
    }

    /// A text that must not be empty.
    pub(super) fn filled_text(&mut self, name: &str, node: &Node) -> Option<Text> {
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

    pub(super) fn list<'n>(&mut self, name: &str, node: &'n Node) -> Option<&'n [Node]> {
        match &node.value {
            Value::Array(items) => Some(items),
            _ => {
                self.wrong_kind(name, node, "a list");
                None
            }
        }
    }

    /// The list of a field that must be there and must not be empty.
    pub(super) fn filled_list<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        name: &str,
    ) -> Option<&'n [Node]> {
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
    pub(super) fn texts(&mut self, node: &Node, name: &str) -> Vec<Delimiter> {
        let Some(value) = self.optional(node, name) else {
            return Vec::new();
        };
        let items = self.list(name, value).unwrap_or_default();
        let texts = items.iter().filter_map(|item| self.filled_text(name, item));
        texts.map(Delimiter::Text).collect()
    }

    /// A list of tokens; no such field is an empty list.
    pub(super) fn token_list(&mut self, node: &Node, name: &str) -> Vec<Delimiter> {
        let Some(value) = self.optional(node, name) else {
            return Vec::new();
        };
        let items = self.list(name, value).unwrap_or_default();
        let tokens = items.iter().filter_map(|item| self.token(name, item));
        tokens
            .map(|(id, span)| Delimiter::Token(id, span))
            .collect()
    }

    /// A token, by id or name; or an object of type `token`.
    pub(super) fn token(&mut self, name: &str, node: &Node) -> Option<(u32, Span)> {
        let found = match &node.value {
            Value::Number(_) => {
                let id = self.number(name, node, 0)?;
                self.tokens.by_id(u32::try_from(id).ok()?)
            }
            Value::String(text) => self.tokens.by_name(text),
            Value::Object(_) => {
                self.only(node, "`token`", &["type", "token"]);
                let token = self.required(node, "`token`", "token")?;
                let is_token = node
                    .get("type")
                    .is_none_or(|kind| kind.as_str() == Some("token"));
                if !is_token || matches!(token.value, Value::Object(_)) {
                    self.wrong_kind(name, node, "a token: its id or its name");
                    return None;
                }
                return self.token("token", token);
            }
            _ => {
                self.wrong_kind(name, node, "a token: its id or its name");
                return None;
            }
        };
        match found {
            Ok(id) => Some((id, node.span)),
            Err(error) => {
                let diagnostic = Diagnostic::error(error.code(), error.to_string());
                self.errors
                    .push(diagnostic.at(node.span, "").help(error.help()));
                None
            }
        }
    }
}
