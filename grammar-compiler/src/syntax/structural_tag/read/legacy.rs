//! The legacy form of structural tags.
//!
//! In: an object with `structures`. Out: triggered tags, each with a schema.

use super::super::ast::{Delimiter, Format, FormatKind, JsonSchema, Tag, TriggeredTags, Unit};
use crate::syntax::embed::EmbedContent;
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::JsonNode;
use crate::syntax::json_schema::{KeyOrder, Style, Whitespace};

impl FieldReader<'_> {
    /// `{"structures": [{"begin", "schema", "end"}], "triggers": […]}`: tags with schemas.
    pub(super) fn legacy(&mut self, node: &JsonNode) -> Option<Format> {
        let what = "a structural tag";
        let known = [
            "type",
            "structures",
            "triggers",
            "at_least_one",
            "stop_after_first",
        ];
        self.only(node, what, &known);
        let structures = self.filled_list(node, what, "structures")?;
        let tags = structures.iter().filter_map(|node| {
            let what = "a structure";
            self.only(node, what, &["begin", "schema", "end"]);
            let begin = self.required(node, what, "begin")?;
            let begin = self.text("begin", begin).map(Delimiter::Text);
            let schema = self.required(node, what, "schema")?;
            let end = self.required(node, what, "end")?;
            let end = self.text("end", end).map(Delimiter::Text);
            let span = schema.span;
            let schema = JsonSchema {
                content: EmbedContent::Here(span),
                span,
                style: Style::Json,
                form: None,
                arguments: false,
                excludes: Vec::new(),
                key_order: KeyOrder::Schema,
                whitespace: Whitespace::Unbounded,
            };
            Some(Tag {
                span: node.span,
                begin: begin?,
                content: Format {
                    span,
                    kind: FormatKind::JsonSchema(schema),
                },
                ends: vec![end?],
            })
        });
        let tags = tags.collect();
        let triggers = self
            .filled_list(node, what, "triggers")
            .map(|_| self.delimiters(node, "triggers"))?;
        let kind = FormatKind::TriggeredTags(TriggeredTags {
            unit: Unit::Text,
            triggers,
            tags,
            at_least_one: self.flag(node, "at_least_one"),
            stop_after_first: self.flag(node, "stop_after_first"),
            excludes: Vec::new(),
        });
        let span = node.span;
        Some(Format { span, kind })
    }
}
