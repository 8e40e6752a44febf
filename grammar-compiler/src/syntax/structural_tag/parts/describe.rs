//! What a format says, without the places at which it says it.
//!
//! In: formats, and the text that their places lie in. Out: bytes to be hashed. What holds: formats
//! have equal bytes if and only if they are equal but for places.

use super::super::ast::{
    Delimiter, Dispatch, Format, FormatKind, JsonSchema, Tag, TriggeredTags, Unit,
};
use crate::digest::Digester;
use crate::syntax::embed::EmbedContent;

/// Calls with which a grammar names other files.
const EMBEDS: [&str; 2] = ["json_schema", "grammar"];

/// Writes formats as bytes.
pub(super) struct FormatWriter<'t> {
    source: &'t str,
    pub(super) fields: Digester,
    /// Whether other files may say what a format means.
    pub(super) reads_files: bool,
}

impl<'t> FormatWriter<'t> {
    pub(super) fn new(kind: &'static str, source: &'t str) -> Self {
        FormatWriter {
            source,
            fields: Digester::new(kind),
            reads_files: false,
        }
    }

    fn number(&mut self, number: u64) {
        self.fields.number(number);
    }

    fn text(&mut self, text: &str) {
        self.fields.text(text);
    }

    fn all<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| write(self, item));
    }

    fn delimiter(&mut self, delimiter: &Delimiter) {
        match delimiter {
            Delimiter::Text(text) => {
                self.fields.small(0);
                self.text(&text.value);
            }
            Delimiter::Token(id, _) => {
                self.fields.small(1);
                self.number((*id).into());
            }
        }
    }

    fn unit(&mut self, unit: Unit) {
        self.fields.flag(unit == Unit::Tokens);
    }

    pub(super) fn tag(&mut self, tag: &Tag) {
        let Tag {
            span: _,
            begin,
            content,
            ends,
        } = tag;
        self.delimiter(begin);
        self.format(content);
        self.ends(ends);
    }

    pub(super) fn ends(&mut self, ends: &[Delimiter]) {
        self.all(ends, Self::delimiter);
    }

    fn content(&mut self, content: &EmbedContent) {
        let source = self.source;
        match content {
            EmbedContent::File(path) => {
                self.reads_files = true;
                self.text(path);
            }
            EmbedContent::Here(span) => match source.get(span.start..span.end) {
                Some(text) => self.text(text),
                // No place of a format lies outside of its text.
                None => {
                    self.number(span.start as u64);
                    self.number(span.end as u64);
                }
            },
            EmbedContent::Text(source) => self.text(source.text()),
        }
    }

    fn schema(&mut self, schema: &JsonSchema) {
        self.content(&schema.content);
        self.style(schema);
    }

    /// A schema but for what it says: how its values are written.
    pub(super) fn style(&mut self, schema: &JsonSchema) {
        let JsonSchema {
            content: _,
            span: _,
            style,
            form,
            arguments,
            excludes,
            key_order,
            whitespace,
        } = schema;
        let fields = &mut self.fields;
        fields.field(style.name());
        fields.field(&form.as_deref());
        fields.field(arguments);
        fields.field(&excludes[..]);
        fields.field(key_order);
        fields.field(whitespace);
    }

    pub(super) fn format(&mut self, format: &Format) {
        let Format { span: _, kind } = format;
        match kind {
            FormatKind::ConstString(text) => {
                self.fields.small(0);
                self.text(&text.value);
            }
            FormatKind::JsonSchema(schema) => {
                self.fields.small(1);
                self.schema(schema);
            }
            FormatKind::Grammar(text) => {
                self.reads_files |= EMBEDS.iter().any(|call| text.value.contains(call));
                self.fields.small(2);
                self.text(&text.value);
            }
            FormatKind::Regex(text) => {
                self.fields.small(3);
                self.text(&text.value);
            }
            FormatKind::Any {
                unit,
                excludes,
                not_first,
                max_chars,
                max_tokens,
            } => {
                self.fields.small(4);
                self.unit(*unit);
                self.all(excludes, Self::delimiter);
                self.all(not_first, |writer, text| writer.text(text));
                self.fields.field(max_chars);
                self.fields.field(&max_tokens.map(u32::from));
            }
            FormatKind::Sequence(parts) => {
                self.fields.small(5);
                self.all(parts, Self::format);
            }
            FormatKind::Or(parts) => {
                self.fields.small(6);
                self.all(parts, Self::format);
            }
            FormatKind::Repeat { content, min, max } => {
                self.fields.small(7);
                self.format(content);
                self.number((*min).into());
                self.fields.field(max);
            }
            FormatKind::Token(id) => {
                self.fields.small(8);
                self.number((*id).into());
            }
            FormatKind::ExcludeToken(ids) => {
                self.fields.small(9);
                self.all(ids, |writer, &id| writer.number(id.into()));
            }
            FormatKind::Tag(_)
            | FormatKind::TriggeredTags(_)
            | FormatKind::TagsWithSeparator { .. }
            | FormatKind::Dispatch(_) => self.with_tags(kind),
        }
    }

    fn with_tags(&mut self, kind: &FormatKind) {
        match kind {
            FormatKind::Tag(tag) => {
                self.fields.small(10);
                self.tag(tag);
            }
            FormatKind::TriggeredTags(TriggeredTags {
                unit,
                triggers,
                tags,
                at_least_one,
                stop_after_first,
                excludes,
            }) => {
                self.fields.small(11);
                self.unit(*unit);
                self.all(triggers, Self::delimiter);
                self.all(tags, Self::tag);
                self.fields.flag(*at_least_one);
                self.fields.flag(*stop_after_first);
                self.all(excludes, Self::delimiter);
            }
            FormatKind::TagsWithSeparator {
                tags,
                separator,
                at_least_one,
                stop_after_first,
            } => {
                self.fields.small(12);
                self.all(tags, Self::tag);
                self.text(&separator.value);
                self.fields.flag(*at_least_one);
                self.fields.flag(*stop_after_first);
            }
            FormatKind::Dispatch(Dispatch {
                unit,
                rules,
                is_loop,
                excludes,
            }) => {
                self.fields.small(13);
                self.unit(*unit);
                self.all(rules, |writer, (trigger, format)| {
                    writer.delimiter(trigger);
                    writer.format(format);
                });
                self.fields.flag(*is_loop);
                self.all(excludes, Self::delimiter);
            }
            _ => {}
        }
    }
}
