//! One call of a tool.

use super::{CallPart, ToolCall, ToolLowering};
use crate::source::{Source, Span};
use crate::syntax::embed::EmbedContent;
use crate::syntax::fields::FieldText;
use crate::syntax::json_schema::KeyOrder;
use crate::syntax::structural_tag::ast::{Delimiter, Format, FormatKind, JsonSchema, Tag};
use crate::syntax::tools::blanks::soft_blanks;
use crate::syntax::tools::format::{Piece, Place, Template};
use crate::syntax::tools::read::{Arguments, Tool, input_schema};
use serde_json::{Value, json};
use std::ops::Range;

impl ToolLowering<'_> {
    /// A text up to its first soft blanks, and the rest; the whole text if other blanks are not
    /// allowed.
    pub(super) fn split_first(&self, text: &FieldText) -> (Delimiter, Vec<Format>) {
        let whole = (self.delimiter(text), Vec::new());
        if !self.tools.blanks {
            return whole;
        }
        let mut parts = soft_blanks(&text.value);
        match parts.next() {
            Some((before, true)) => {
                let rest = text.value.get(before.len()..).unwrap_or_default();
                (self.part(text, before), self.soft(text, rest))
            }
            _ => whole,
        }
    }

    /// A text up to its last soft blanks, and the rest.
    pub(super) fn split_last(&self, text: &FieldText) -> (Vec<Format>, Delimiter) {
        let parts = soft_blanks(&text.value);
        let last = parts.last().filter(|_| self.tools.blanks);
        match last {
            Some((last, false)) if last.len() < text.value.len() => {
                let before = text.value.strip_suffix(last).unwrap_or_default();
                (self.soft(text, before), self.part(text, last))
            }
            _ => (Vec::new(), self.delimiter(text)),
        }
    }

    fn part(&self, text: &FieldText, part: &str) -> Delimiter {
        Delimiter::Text(FieldText {
            value: self.copy(part, text.span),
            span: self.shift(text.span),
        })
    }

    /// One call of a tool, in ways that are alike up to the end of the arguments.
    pub(super) fn call(&self, ways: &[&Template], tool: &Tool) -> Tag {
        let first = ways.first().map_or_else(Span::default, |way| way.span());
        let span = self.shift(first);
        let ways = self.with_room(ways, tool);
        let pieces = ways.iter().map(|way| way.pieces());
        let (mut parts, mut rests) = call_parts(pieces, tool, self.tools.blanks);
        let begin = match parts.first() {
            Some(CallPart::Text(_)) => parts.remove(0),
            _ => CallPart::Text(String::new()),
        };
        // One way ends with its last text.
        let end = match rests.as_mut_slice() {
            [rest] => rest.pop_if(|part| matches!(part, CallPart::Text(_))),
            _ => None,
        };
        let delimiter = |part: Option<CallPart>| {
            let value = match part {
                Some(CallPart::Text(text)) => text,
                _ => String::new(),
            };
            Delimiter::Text(FieldText { value, span })
        };
        Tag {
            span: tool.name.span,
            begin: delimiter(Some(begin)),
            content: self.parts_and_rests(parts, rests, tool, span),
            ends: vec![delimiter(end)],
        }
    }

    /// These ways if there is room for a call in each of them, or none.
    fn with_room<'w, 't>(&self, ways: &'w [&'t Template], tool: &Tool) -> &'w [&'t Template] {
        match ways.iter().all(|way| self.has_room_for(way, tool)) {
            true => ways,
            false => &[],
        }
    }

    /// Some parts in order, and behind them one of the rests.
    fn parts_and_rests(
        &self,
        parts: Vec<CallPart>,
        rests: Vec<Vec<CallPart>>,
        tool: &Tool,
        span: Span,
    ) -> Format {
        let content = |part: CallPart| self.content(part, tool, span);
        let mut all: Vec<Format> = parts.into_iter().map(content).collect();
        let rests = rests.into_iter();
        let mut rests = rests.map(|rest| rest.into_iter().map(content).collect::<Vec<Format>>());
        match rests.len() {
            0 | 1 => all.extend(rests.next().unwrap_or_default()),
            _ => {
                let rests = rests.map(|rest| self.sequence(rest)).collect();
                all.push(self.either(rests));
            }
        }
        self.sequence(all)
    }

    /// A call that ends where the tool's name would begin, with this token.
    pub(super) fn hole(&self, template: &Template, hole: u32) -> Tag {
        let span = self.shift(template.span());
        let text = |value: String| FieldText { value, span };
        let written = template.span().end - template.span().start;
        let pieces = match self.has_room(written, template.span()) {
            true => template.around_name().0,
            false => &[],
        };
        let (begin, before) = match pieces {
            [Piece::Text(begin), before @ ..] => (begin.clone(), before),
            before => (String::new(), before),
        };
        let kinds = before.iter().map(|piece| match piece {
            Piece::Text(part) => FormatKind::ConstString(text(part.clone())),
            Piece::Place(_) => FormatKind::Regex(self.shifted(self.format.id())),
        });
        let kinds = kinds.chain([FormatKind::Token(hole)]);
        Tag {
            span,
            begin: Delimiter::Text(text(begin)),
            content: self.sequence(kinds.map(|kind| Format { span, kind })),
            ends: vec![Delimiter::Text(text(String::new()))],
        }
    }

    /// The rest of a call, from `behind` bytes behind the tool's name, in ways that are alike up to
    /// the end of the arguments.
    pub(super) fn piece(&self, ways: &[&Template], tool: &Tool, behind: usize) -> Format {
        let Some(first) = ways.first() else {
            return self.sequence([]);
        };
        let span = self.shift(first.span());
        let ways = self.with_room(ways, tool);
        let (parts, rests) = rest_parts(ways, tool, behind, self.tools.blanks);
        self.parts_and_rests(parts, rests, tool, span)
    }

    /// A part of a call between its delimiters.
    fn content(&self, part: CallPart, tool: &Tool, span: Span) -> Format {
        Format {
            span: tool.name.span,
            kind: match part {
                CallPart::Text(value) => FormatKind::ConstString(FieldText { value, span }),
                CallPart::Blanks => self.blanks(span),
                CallPart::Id => FormatKind::Regex(self.shifted(self.format.id())),
                CallPart::Arguments => FormatKind::JsonSchema(self.schema(tool)),
            },
        }
    }

    /// The text that a call of a tool begins with, up to its identifier or its arguments.
    pub(super) fn begin(&self, template: &Template, tool: &Tool) -> String {
        let parts = parts(template.pieces(), tool, self.tools.blanks);
        match parts.into_iter().next() {
            Some(CallPart::Text(text)) => text,
            _ => String::new(),
        }
    }

    fn schema(&self, tool: &Tool) -> JsonSchema {
        // Where there is no room for this, nothing is made behind it.
        self.has_room(tool.arguments.bytes(), self.format.id().span);
        let text = |text: &str| EmbedContent::Text(Source::new("<arguments>", text));
        let schema = &self.options.schema;
        JsonSchema {
            content: match &tool.arguments {
                Arguments::Schema(place) => EmbedContent::Here(*place),
                Arguments::None => text("{\"type\": \"object\", \"additionalProperties\": false}"),
                // Where a tag is its key's name, what the schema does not name cannot be written.
                Arguments::Any(names) if self.repeats_keys() => {
                    let members = names.iter().map(|name| (name.clone(), Value::Bool(true)));
                    let properties = Value::Object(members.collect());
                    text(&json!({"type": "object", "properties": properties}).to_string())
                }
                Arguments::Any(_) => text("{\"type\": \"object\", \"additionalProperties\": true}"),
                Arguments::Input(pattern) => text(&input_schema(pattern.as_ref()).to_string()),
            },
            span: match &tool.arguments {
                Arguments::Input(Some(pattern)) => pattern.span,
                _ => tool.name.span,
            },
            style: self.format.arguments(),
            form: self.format.form().cloned(),
            arguments: true,
            excludes: Vec::new(),
            key_order: match schema.key_order {
                KeyOrder::Schema => self.format.key_order(),
                order => order,
            },
            whitespace: schema.whitespace,
        }
    }

    /// Whether a tag behind a value repeats its key.
    pub(super) fn repeats_keys(&self) -> bool {
        let own = self.format.form().map(|form| form.form().closing.is_some());
        let of_style = self.format.arguments().form();
        own.unwrap_or_else(|| of_style.is_some_and(|form| form.closing.is_some()))
    }
}

/// The text around the tool's name, between what else differs from call to call, and the place of
/// the name in it.
pub(in super::super) fn name(call: ToolCall<'_>, blanks: bool) -> (String, Range<usize>) {
    let (before, behind) = call.template.around_name();
    let mut text = match before.last() {
        Some(Piece::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let start = text.len();
    text.push_str(&call.tool.name.value);
    let end = text.len();
    if let Some(CallPart::Text(behind)) = parts(behind, call.tool, blanks).first() {
        text.push_str(behind);
    }
    (text, start..end)
}

/// The parts of a call up to its arguments, which the ways have in common, and for each way the
/// parts behind them. Each way is given as pieces.
fn call_parts<'t>(
    ways: impl Iterator<Item = &'t [Piece]>,
    tool: &Tool,
    blanks: bool,
) -> (Vec<CallPart>, Vec<Vec<CallPart>>) {
    let mut common = Vec::new();
    let mut rests = Vec::new();
    for way in ways {
        let mut parts = parts(way, tool, blanks);
        let arguments = parts
            .iter()
            .position(|part| matches!(part, CallPart::Arguments));
        let behind = parts.split_off(arguments.map_or(parts.len(), |at| at + 1));
        rests.push(behind);
        common = parts;
    }
    (common, rests)
}

/// The same for the rest of a call, from `behind` bytes behind the tool's name.
pub(super) fn rest_parts(
    ways: &[&Template],
    tool: &Tool,
    behind: usize,
    blanks: bool,
) -> (Vec<CallPart>, Vec<Vec<CallPart>>) {
    let pieces = ways.iter().map(|way| way.around_name().1);
    let (mut parts, rests) = call_parts(pieces, tool, blanks);
    if let Some(CallPart::Text(text)) = parts.first_mut() {
        *text = text.get(behind..).unwrap_or_default().to_owned();
    }
    parts.retain(|part| match part {
        CallPart::Text(text) => !text.is_empty(),
        _ => true,
    });
    (parts, rests)
}

/// A call's pieces with the name in them, texts that follow each other joined.
fn parts(pieces: &[Piece], tool: &Tool, blanks: bool) -> Vec<CallPart> {
    let mut parts: Vec<CallPart> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Place(Place::Name) => push(&mut parts, &tool.name.value),
            Piece::Place(Place::Id) => parts.push(CallPart::Id),
            Piece::Place(Place::Arguments) => parts.push(CallPart::Arguments),
            Piece::Text(text) if blanks => {
                for (text, blanks) in soft_blanks(text) {
                    push(&mut parts, text);
                    if blanks {
                        parts.push(CallPart::Blanks);
                    }
                }
            }
            Piece::Text(text) => push(&mut parts, text),
        }
    }
    parts
}

fn push(parts: &mut Vec<CallPart>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(CallPart::Text(last)) => last.push_str(text),
        _ => parts.push(CallPart::Text(text.to_owned())),
    }
}
