//! Fields that name tokens.
//!
//! In: an id, a name, or an object of type `token`. Out: the id, which the vocabulary has.

use super::super::ast::Delimiter;
use crate::error::Diagnostic;
use crate::source::Span;
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};

impl FieldReader<'_> {
    /// A list of texts that are not empty, as delimiters.
    pub(super) fn delimiters(&mut self, node: &JsonNode, name: &str) -> Vec<Delimiter> {
        let texts = self.texts(node, name).into_iter();
        texts.map(Delimiter::Text).collect()
    }

    /// A list of tokens; no such field is an empty list.
    pub(super) fn token_list(&mut self, node: &JsonNode, name: &str) -> Vec<Delimiter> {
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
    pub(super) fn token(&mut self, name: &str, node: &JsonNode) -> Option<(u32, Span)> {
        let found = match &node.value {
            JsonValue::Number(_) => {
                let id = self.number(name, node, 0)?;
                self.tokens.by_id(u32::try_from(id).ok()?)
            }
            JsonValue::String(text) => self.tokens.by_name(text),
            JsonValue::Object(_) => {
                self.only(node, "`token`", &["type", "token"]);
                let token = self.required(node, "`token`", "token")?;
                let is_token = node
                    .get("type")
                    .is_none_or(|kind| kind.as_str() == Some("token"));
                if !is_token || matches!(token.value, JsonValue::Object(_)) {
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
