//! From JSON to a format.
//!
//! In: the text of a format. Out: [`ToolFormat`]. All errors are found together.

use super::template::{Surroundings, Template};
use super::{FrameText, Layout, OpenedBy, ReasoningText, SectionText, ToolFormat};
use super::{layout, told};
use crate::error::{Code, Diagnostic, Error};
use crate::limits::{Deadline, Limits};
use crate::similar;
use crate::source::{Source, Span};
use crate::syntax::fields::{self, Codes, FieldReader, FieldText};
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::json_schema::{KeyOrder, Style};
use crate::vocabulary::TokenNames;

const CODES: Codes = Codes {
    malformed: Code::FormatMalformed,
    unknown: Code::FormatMalformed,
};

const EXAMPLE: &str = "write `{\"call\": \"…\"}`";

const FIELDS: [&str; 16] = [
    "about",
    "aliases",
    "layout",
    "call",
    "id",
    "arguments",
    "key_order",
    "section",
    "separator",
    "trigger",
    "before",
    "reasoning",
    "text",
    "excludes",
    "end",
    "stop",
];

const LAYOUTS: [(&str, Layout); 4] = [
    ("anywhere", Layout::Anywhere),
    ("at_start", Layout::AtStart),
    ("blocks", Layout::Blocks),
    ("messages", Layout::Messages),
];

const KEY_ORDERS: [(&str, KeyOrder); 3] = [
    ("schema", KeyOrder::Schema),
    ("sorted", KeyOrder::Sorted),
    ("any", KeyOrder::Any),
];

/// The most ways of writing a call: each is compared with the others for each tool.
const MOST_WAYS: usize = 64;

/// Reads a format.
pub(super) fn read(source: &Source, limits: &Limits) -> Result<ToolFormat, Error> {
    let refused = |errors| Error::in_source(source, errors);
    let node = fields::document(source, limits, EXAMPLE);
    let node = node.map_err(|error| refused(vec![error]))?;
    let tokens = TokenNames::default();
    let mut reader = FieldReader {
        tokens: &tokens,
        nesting: limits.nesting,
        deadline: Deadline::start(limits),
        codes: CODES,
        errors: Vec::new(),
    };
    let format = reader.tool_format(&node, source);
    // After this point: fields of the right kinds, and a layout that has what it needs.

    if let Some(format) = format.as_ref().filter(|_| reader.errors.is_empty()) {
        told::check(&mut reader, format, limits);
    }
    let in_time = reader.deadline.confirm(fields::DOING);
    in_time.map_err(|limit| refused(vec![Diagnostic::from(&limit)]))?;
    match format {
        Some(format) if reader.errors.is_empty() => Ok(format),
        _ => {
            reader.errors.sort_by_key(Diagnostic::span);
            Err(refused(reader.errors))
        }
    }
}

impl FieldReader<'_> {
    fn tool_format(&mut self, node: &JsonNode, source: &Source) -> Option<ToolFormat> {
        let what = "a format";
        if node.members().is_none() {
            let message = format!("a format is an object; this is {}", node.value.kind());
            self.malformed(node.span, message, EXAMPLE);
            return None;
        }
        self.only(node, what, &FIELDS);
        let layout = self.choice(node, "layout", &LAYOUTS, Layout::Anywhere);
        let (arguments, form) = match self.optional(node, "arguments") {
            Some(form) if form.members().is_some() => (Style::Json, Some(self.form(form)?)),
            Some(style) => (self.style(style)?, None),
            None => (Style::Json, None),
        };
        let sections = self.one_or_more(node, "section", FieldReader::section);
        let surroundings = match layout {
            _ if !sections.is_empty() => Surroundings::Section,
            Layout::Messages => Surroundings::Messages,
            _ => Surroundings::Text,
        };
        let calls = self.calls(node, what, arguments, surroundings);
        let stop = self.texts(node, "stop");
        let format = ToolFormat {
            source: source.clone(),
            about: self.text_or(node, "about", "").value,
            aliases: self.values(node, "aliases"),
            layout,
            calls,
            id: self.text_or(node, "id", "[A-Za-z0-9_-]{1,64}"),
            arguments,
            form,
            key_order: self.choice(node, "key_order", &KEY_ORDERS, KeyOrder::Schema),
            sections,
            separator: self.text_or(node, "separator", ""),
            triggers: self.one_or_more(node, "trigger", |reader, node| {
                reader.filled_text("trigger", node)
            }),
            before: self.text_or(node, "before", ""),
            reasoning: match self.optional(node, "reasoning") {
                Some(reasoning) => self.reasoning(reasoning),
                None => None,
            },
            texts: self.one_or_more(node, "text", FieldReader::frame),
            excludes: self.texts(node, "excludes"),
            end: self.text_or(node, "end", ""),
            stop_at: stop.iter().map(|name| name.span).collect(),
            stop: stop.into_iter().map(|name| name.value).collect(),
        };
        layout::check(self, node, &format);
        Some(format)
    }

    fn calls(
        &mut self,
        node: &JsonNode,
        what: &str,
        style: Style,
        surroundings: Surroundings,
    ) -> Vec<Template> {
        if self.required(node, what, "call").is_none() {
            return Vec::new();
        }
        let texts = self.one_or_more(node, "call", |reader, node| {
            reader.filled_text("call", node)
        });
        if let Some(more) = texts.get(MOST_WAYS) {
            let message = format!("a call has more than {MOST_WAYS} ways to be written");
            self.malformed(more.span, &message, "leave ways out that no model writes");
            return Vec::new();
        }
        let mut calls = Vec::new();
        for text in texts {
            match Template::parse(&text, style, surroundings) {
                Ok(call) => calls.push(call),
                Err(diagnostic) => self.error(diagnostic),
            }
        }
        calls
    }

    fn section(&mut self, node: &JsonNode) -> Option<SectionText> {
        let what = "a section";
        self.only(node, what, &["begin", "end"]);
        let begin = self.required(node, what, "begin")?;
        let end = self.required(node, what, "end")?;
        Some(SectionText {
            begin: self.filled_text("begin", begin)?,
            end: self.filled_text("end", end)?,
        })
    }

    fn reasoning(&mut self, node: &JsonNode) -> Option<ReasoningText> {
        let what = "reasoning";
        self.only(node, what, &["begin", "end", "after", "opened_by"]);
        let begin = self.required(node, what, "begin")?;
        let end = self.required(node, what, "end")?;
        Some(ReasoningText {
            begin: self.filled_text("begin", begin)?,
            end: self.filled_text("end", end)?,
            after: self.text_or(node, "after", ""),
            opened_by: self.choice(
                node,
                "opened_by",
                &OpenedBy::ALL.map(|opener| (opener.name(), opener)),
                OpenedBy::Either,
            ),
        })
    }

    fn frame(&mut self, node: &JsonNode) -> Option<FrameText> {
        let what = "a text";
        self.only(node, what, &["begin", "end"]);
        let begin = self.required(node, what, "begin")?;
        let begin = self.filled_text("begin", begin)?;
        let ends = self.one_or_more(node, "end", |reader, node| reader.filled_text("end", node));
        Some(FrameText { begin, ends })
    }

    /// The elements of a list, or one element.
    fn one_or_more<T>(
        &mut self,
        node: &JsonNode,
        name: &str,
        mut read: impl FnMut(&mut Self, &JsonNode) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = self.optional(node, name) else {
            return Vec::new();
        };
        let items = match &value.value {
            JsonValue::Array(items) if items.is_empty() => {
                let help = "add an element, or leave the field out";
                self.malformed(value.span, format!("`{name}` is empty"), help);
                return Vec::new();
            }
            JsonValue::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        items.iter().filter_map(|item| read(self, item)).collect()
    }

    fn text_or(&mut self, node: &JsonNode, name: &str, default: &str) -> FieldText {
        let read = match self.optional(node, name) {
            Some(value) => self.text(name, value),
            None => None,
        };
        read.unwrap_or_else(|| FieldText {
            value: default.to_owned(),
            span: Span::new(node.span.start, node.span.start + 1),
        })
    }

    fn values(&mut self, node: &JsonNode, name: &str) -> Vec<String> {
        let texts = self.texts(node, name).into_iter();
        texts.map(|text| text.value).collect()
    }

    fn choice<T: Copy>(
        &mut self,
        node: &JsonNode,
        name: &str,
        known: &[(&str, T)],
        default: T,
    ) -> T {
        let Some(value) = self.optional(node, name) else {
            return default;
        };
        let Some(text) = self.text(name, value) else {
            return default;
        };
        let found = known.iter().find(|(known, _)| *known == text.value);
        if let Some((_, choice)) = found {
            return *choice;
        }
        let names = known.iter().map(|(name, _)| *name);
        let help = match similar::closest(&text.value, names.clone()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!(
                "write one of `{}`",
                names.collect::<Vec<&str>>().join("`, `")
            ),
        };
        self.malformed(text.span, format!("`{name}` is `{}`", text.value), &help);
        default
    }
}
