//! Tags, and free text with tags or rules in it.
//!
//! In: the fields of a format. Out: tags and rules, each with its delimiters.

use super::super::ast::{Delimiter, Dispatch, Format, FormatKind, Tag, TriggeredTags, Unit};
use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};

impl FieldReader<'_> {
    pub(super) fn tag(&mut self, node: &JsonNode, unit: Unit, depth: usize) -> Option<Tag> {
        let what = "`tag`";
        let begin = self.required(node, what, "begin");
        let begin = begin.and_then(|begin| self.delimiter("begin", begin));
        if let (Unit::Tokens, Some(begin @ Delimiter::Text(text))) = (unit, &begin) {
            let message = format!("the tag begins with the text {}", begin.shown());
            let help = "tags of `token_triggered_tags` begin with a token: `{\"type\": \"token\", \"token\": …}`";
            self.malformed(text.span, message, help);
        }
        let ends = self.ends(node, what);
        let content = self.required(node, what, "content");
        let content = content.and_then(|content| self.format(content, depth));
        Some(Tag {
            span: node.span,
            begin: begin?,
            content: content?,
            ends: ends?,
        })
    }

    fn ends(&mut self, node: &JsonNode, what: &str) -> Option<Vec<Delimiter>> {
        let end = self.required(node, what, "end")?;
        if !matches!(end.value, JsonValue::Array(_)) {
            return Some(vec![self.delimiter("end", end)?]);
        }
        let items = self.filled_list(node, what, "end")?;
        let ends: Vec<Option<Delimiter>> = items
            .iter()
            .map(|item| self.delimiter("end", item))
            .collect();
        ends.into_iter().collect()
    }

    /// A text, or an object that names a token.
    fn delimiter(&mut self, name: &str, node: &JsonNode) -> Option<Delimiter> {
        match node.value {
            JsonValue::Object(_) => {
                let (id, span) = self.token(name, node)?;
                Some(Delimiter::Token(id, span))
            }
            _ => self.text(name, node).map(Delimiter::Text),
        }
    }

    pub(super) fn tags(
        &mut self,
        node: &JsonNode,
        what: &str,
        unit: Unit,
        depth: usize,
    ) -> Option<Vec<Tag>> {
        let items = self.filled_list(node, what, "tags")?;
        let tags: Vec<Option<Tag>> = items
            .iter()
            .map(|item| {
                if item.members().is_none() {
                    let message = format!("a tag is an object; this is {}", item.value.kind());
                    self.malformed(
                        item.span,
                        message,
                        "write `{\"begin\": …, \"content\": …, \"end\": …}`",
                    );
                    return None;
                }
                if let Some(kind) = item.get("type").filter(|kind| kind.as_str() != Some("tag")) {
                    let help = "put the format into the `content` of a tag";
                    self.malformed(kind.span, "only tags can stand in `tags`", help);
                    return None;
                }
                self.only(item, "`tag`", &["type", "begin", "content", "end"]);
                self.tag(item, unit, depth)
            })
            .collect();
        tags.into_iter().collect()
    }

    pub(super) fn triggered_tags(
        &mut self,
        node: &JsonNode,
        what: &str,
        unit: Unit,
        depth: usize,
    ) -> Option<FormatKind> {
        let (triggers, excludes) = match unit {
            Unit::Text => ("triggers", self.delimiters(node, "excludes")),
            Unit::Tokens => ("trigger_tokens", self.token_list(node, "exclude_tokens")),
        };
        let some = self.filled_list(node, what, triggers).is_some();
        let triggers = match unit {
            _ if !some => Vec::new(),
            Unit::Text => self.delimiters(node, triggers),
            Unit::Tokens => self.token_list(node, triggers),
        };
        Some(FormatKind::TriggeredTags(TriggeredTags {
            unit,
            triggers,
            tags: self.tags(node, what, unit, depth)?,
            at_least_one: self.flag(node, "at_least_one"),
            stop_after_first: self.flag(node, "stop_after_first"),
            excludes,
        }))
    }

    pub(super) fn dispatch(
        &mut self,
        node: &JsonNode,
        what: &str,
        unit: Unit,
        depth: usize,
    ) -> Option<FormatKind> {
        let items = self.filled_list(node, what, "rules")?;
        let rules: Vec<Option<(Delimiter, Format)>> = items
            .iter()
            .map(|item| self.rule(item, unit, depth))
            .collect();
        let is_loop = self.optional(node, "loop").is_none() || self.flag(node, "loop");
        let excludes = match unit {
            Unit::Text => self.delimiters(node, "excludes"),
            Unit::Tokens => self.token_list(node, "exclude_tokens"),
        };
        Some(FormatKind::Dispatch(Dispatch {
            unit,
            rules: rules.into_iter().collect::<Option<_>>()?,
            is_loop,
            excludes,
        }))
    }

    /// `["trigger", format]`.
    fn rule(&mut self, node: &JsonNode, unit: Unit, depth: usize) -> Option<(Delimiter, Format)> {
        let pair = self.list("rules", node)?;
        let [trigger, format] = pair else {
            let help = "a rule is a list of two: the trigger and what follows it";
            let elements = match pair.len() {
                1 => "one element".to_owned(),
                count => format!("{count} elements"),
            };
            self.malformed(node.span, format!("this rule has {elements}"), help);
            return None;
        };
        let trigger = match unit {
            Unit::Text => self.filled_text("rules", trigger).map(Delimiter::Text),
            Unit::Tokens => {
                let token = self.token("rules", trigger);
                token.map(|(id, span)| Delimiter::Token(id, span))
            }
        };
        let format = self.format(format, depth);
        Some((trigger?, format?))
    }
}
