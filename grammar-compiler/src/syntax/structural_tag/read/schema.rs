//! The fields of `json_schema`.
//!
//! In: an object. Out: the place of the schema and how its values are written.

use super::super::ast::{FormatKind, JsonSchema};
use crate::syntax::embed::EmbedContent;
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::json_schema::{KeyOrder, Style, Whitespace};

impl FieldReader<'_> {
    pub(super) fn schema(&mut self, name: &str, node: &JsonNode, what: &str) -> Option<FormatKind> {
        let schema = self.required(node, what, "json_schema")?;
        if !matches!(schema.value, JsonValue::Object(_) | JsonValue::Bool(_)) {
            let message = format!(
                "a schema is an object or a boolean; this is {}",
                schema.value.kind()
            );
            self.malformed(
                schema.span,
                message,
                "write the schema itself, not a text of it",
            );
            return None;
        }
        let style = match self.optional(node, "style") {
            Some(style) => self.style(style)?,
            None if name == "qwen_xml_parameter" => Style::QwenXml,
            None => Style::Json,
        };
        let excludes: Vec<String> = self
            .texts(node, "excludes")
            .into_iter()
            .map(|text| text.value)
            .collect();
        let whitespace = match self.count(node, "max_whitespace_cnt") {
            Some(count) if count > u32::from(u8::MAX) => {
                let place = node
                    .get("max_whitespace_cnt")
                    .map_or(node.span, |count| count.span);
                let help = "write a number up to 255, or leave it out for any number of blanks";
                self.malformed(place, format!("`max_whitespace_cnt` is {count}"), help);
                Whitespace::Unbounded
            }
            count => match count.and_then(|count| u8::try_from(count).ok()) {
                Some(most) => Whitespace::Flexible(most),
                None => Whitespace::Unbounded,
            },
        };
        Some(FormatKind::JsonSchema(JsonSchema {
            content: EmbedContent::Here(schema.span),
            span: schema.span,
            style,
            form: None,
            arguments: false,
            excludes,
            key_order: match self.flag(node, "any_order") {
                true => KeyOrder::Any,
                false => KeyOrder::Schema,
            },
            whitespace,
        }))
    }
}
