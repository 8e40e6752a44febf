//! From JSON to a format.
//!
//! In: the text of a format. Out: [`ToolFormat`]. All errors are found together.

use super::template::Template;
use super::{FrameText, Layout, OpenedBy, ReasoningText, SectionText, ToolFormat};
use crate::error::{Code, Diagnostic, Error};
use crate::limits::Limits;
use crate::similar;
use crate::source::{Source, Span};
use crate::syntax::fields::{Codes, Reader, Text};
use crate::syntax::json_schema::document::{self, Node, Value};
use crate::syntax::json_schema::{FormFields, KeyOrder, OwnedForm, Style};
use crate::vocabulary::TokenNames;
use std::sync::Arc;

const CODES: Codes = Codes {
    malformed: Code::FormatMalformed,
    unknown: Code::FormatMalformed,
};

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

const OPENERS: [(&str, OpenedBy); 3] = [
    ("prompt", OpenedBy::Prompt),
    ("model", OpenedBy::Model),
    ("either", OpenedBy::Either),
];

/// Reads a format.
pub(super) fn read(source: &Source, limits: &Limits) -> Result<ToolFormat, Error> {
    let refused = |errors| Error::in_source(source, errors);
    let node = document::parse(source, limits).map_err(|error| refused(vec![error]))?;
    let tokens = TokenNames::default();
    let mut reader = Reader {
        tokens: &tokens,
        nesting: limits.nesting,
        codes: CODES,
        errors: Vec::new(),
    };
    let format = reader.tool_format(&node, source);
    match format {
        Some(format) if reader.errors.is_empty() => Ok(format),
        _ => {
            reader.errors.sort_by_key(Diagnostic::span);
            Err(refused(reader.errors))
        }
    }
}

impl Reader<'_> {
    fn tool_format(&mut self, node: &Node, source: &Source) -> Option<ToolFormat> {
        let what = "a format";
        if node.members().is_none() {
            let message = format!("a format is an object; this is {}", node.value.kind());
            self.malformed(node.span, message, "write `{\"call\": \"…\"}`");
            return None;
        }
        self.only(node, what, &FIELDS);
        let layout = self.choice(node, "layout", &LAYOUTS, Layout::Anywhere);
        let (arguments, form) = match self.optional(node, "arguments") {
            Some(form) if form.members().is_some() => (Style::Json, Some(self.form(form)?)),
            Some(style) => (self.style(style)?, None),
            None => (Style::Json, None),
        };
        let sections = self.one_or_more(node, "section", Reader::section);
        let calls = self.calls(node, what, arguments, !sections.is_empty());
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
            texts: self.one_or_more(node, "text", Reader::frame),
            excludes: self.texts(node, "excludes"),
            end: self.text_or(node, "end", ""),
            stop: self.values(node, "stop"),
        };
        self.fits_layout(node, &format);
        self.triggers_begin_calls(&format);
        Some(format)
    }

    fn calls(&mut self, node: &Node, what: &str, style: Style, in_section: bool) -> Vec<Template> {
        if self.required(node, what, "call").is_none() {
            return Vec::new();
        }
        let texts = self.one_or_more(node, "call", |reader, node| {
            reader.filled_text("call", node)
        });
        let mut calls = Vec::new();
        for text in texts {
            match Template::parse(&text, style, in_section) {
                Ok(call) => calls.push(call),
                Err(diagnostic) => self.error(diagnostic),
            }
        }
        calls
    }

    /// Elements of arguments that no style has.
    fn form(&mut self, node: &Node) -> Option<Arc<OwnedForm>> {
        let what = "a form of arguments";
        let flags = ["gap", "lines", "trimmed", "blanks", "any_key"];
        let others = [
            "open",
            "key_end",
            "kinds",
            "integer",
            "kind_end",
            "end",
            "closing",
            "item",
            "forbidden",
            "not_first",
            "escapes",
        ];
        let known: Vec<&str> = others.into_iter().chain(flags).collect();
        self.only(node, what, &known);
        let plain = FormFields::default();
        let mut read = |name: &str| {
            let value = self.required(node, what, name)?;
            Some(self.text(name, value)?.value)
        };
        let (open, key_end, end) = (read("open")?, read("key_end")?, read("end")?);
        let optional = |reader: &mut Self, name: &str| {
            let value = reader.optional(node, name)?;
            Some(reader.text(name, value)?.value)
        };
        let characters = |reader: &mut Self, name: &str| -> Vec<char> {
            optional(reader, name).map_or_else(Vec::new, |text| text.chars().collect())
        };
        let fields = FormFields {
            open,
            key_end,
            end,
            gap: self.flag(node, "gap"),
            lines: self.flag(node, "lines"),
            trimmed: self.flag(node, "trimmed"),
            blanks: node.get("blanks").is_none() || self.flag(node, "blanks"),
            any_key: self.flag(node, "any_key"),
            kinds: self.kinds(node).unwrap_or(plain.kinds),
            integer: optional(self, "integer"),
            kind_end: optional(self, "kind_end").unwrap_or_default(),
            item: optional(self, "item"),
            closing: self.closing(node),
            forbidden: characters(self, "forbidden"),
            not_first: characters(self, "not_first").first().copied(),
            escapes: characters(self, "escapes"),
        };
        match OwnedForm::new("own", fields) {
            Ok(form) => Some(Arc::new(form)),
            Err(error) => {
                let place = node.get(error.field).map_or(node.span, |value| value.span);
                let help = "what is written must be told apart when it is read back";
                self.malformed(place, error.to_string(), help);
                None
            }
        }
    }

    /// The words for the kinds of values: `{"null": …, "boolean": …, "number": …, "string": …, "array": …, "object": …}`.
    fn kinds(&mut self, node: &Node) -> Option<[String; 6]> {
        let value = self.optional(node, "kinds")?;
        let names = ["null", "boolean", "number", "string", "array", "object"];
        self.only(value, "`kinds`", &names);
        let words = names.map(|name| self.required_text(value, "`kinds`", name));
        let words: Option<Vec<String>> = words.into_iter().map(|word| Some(word?.value)).collect();
        words?.try_into().ok()
    }

    /// What stands before and behind the key in a closing tag.
    fn closing(&mut self, node: &Node) -> Option<(String, String)> {
        let value = self.optional(node, "closing")?;
        let texts = self.list("closing", value)?;
        let [before, behind] = texts else {
            let help = "write the texts before and behind the key: `[\"</\", \">\"]`";
            self.malformed(value.span, "`closing` is two texts", help);
            return None;
        };
        let before = self.text("closing", before)?.value;
        Some((before, self.text("closing", behind)?.value))
    }

    fn section(&mut self, node: &Node) -> Option<SectionText> {
        let what = "a section";
        self.only(node, what, &["begin", "end"]);
        let begin = self.required(node, what, "begin")?;
        let end = self.required(node, what, "end")?;
        Some(SectionText {
            begin: self.filled_text("begin", begin)?,
            end: self.filled_text("end", end)?,
        })
    }

    fn reasoning(&mut self, node: &Node) -> Option<ReasoningText> {
        let what = "reasoning";
        self.only(node, what, &["begin", "end", "after", "opened_by"]);
        let begin = self.required(node, what, "begin")?;
        let end = self.required(node, what, "end")?;
        Some(ReasoningText {
            begin: self.filled_text("begin", begin)?,
            end: self.filled_text("end", end)?,
            after: self.text_or(node, "after", ""),
            opened_by: self.choice(node, "opened_by", &OPENERS, OpenedBy::Either),
        })
    }

    fn frame(&mut self, node: &Node) -> Option<FrameText> {
        let what = "a text";
        self.only(node, what, &["begin", "end"]);
        let begin = self.required(node, what, "begin")?;
        let begin = self.filled_text("begin", begin)?;
        self.required(node, what, "end")?;
        let ends = self.one_or_more(node, "end", |reader, node| reader.filled_text("end", node));
        Some(FrameText { begin, ends })
    }

    /// What a layout needs, and what has no meaning in it.
    fn fits_layout(&mut self, node: &Node, format: &ToolFormat) {
        let place = |name: &str| node.get(name).map_or(node.span, |value| value.span);
        let framed = matches!(format.layout, Layout::Blocks | Layout::Messages);
        if framed && format.texts.is_empty() {
            let place = place("layout");
            self.malformed(
                place,
                "this layout has frames around texts",
                "say in `text` what texts begin and end with",
            );
        }
        let useless = [
            (!framed && !format.texts.is_empty(), "text"),
            (
                format.layout != Layout::Blocks && !format.end.value.is_empty(),
                "end",
            ),
            (
                format.layout != Layout::Anywhere && !format.triggers.is_empty(),
                "trigger",
            ),
            (
                format.layout != Layout::Anywhere && !format.before.value.is_empty(),
                "before",
            ),
        ];
        for (_, name) in useless.into_iter().filter(|useless| useless.0) {
            let help = "leave it out, or choose another `layout`";
            self.malformed(
                place(name),
                format!("`{name}` has no meaning in this layout"),
                help,
            );
        }
        if format.layout == Layout::Blocks
            && (format.sections.len() != 1 || format.texts.len() != 1)
        {
            let help = "give one `section` and one `text`";
            self.malformed(
                place("layout"),
                "this layout is one text and one section",
                help,
            );
        }
        if format.layout == Layout::AtStart && format.sections.is_empty() {
            let help = "give a `section`, such as `{\"begin\": \"[\", \"end\": \"]\"}`";
            self.malformed(
                place("layout"),
                "this layout needs a frame around calls",
                help,
            );
        }
    }

    /// Each trigger must begin what it announces, and each call or section needs one.
    fn triggers_begin_calls(&mut self, format: &ToolFormat) {
        if format.triggers.is_empty() {
            return;
        }
        let begins: Vec<Text> = match format.sections.as_slice() {
            [] => format.calls.iter().map(Template::begin).collect(),
            sections => sections.iter().map(|s| s.begin.clone()).collect(),
        };
        let begins_with = |begin: &Text, trigger: &Text| begin.value.starts_with(&trigger.value);
        for trigger in &format.triggers {
            if !begins.iter().any(|begin| begins_with(begin, trigger)) {
                let message = format!("nothing begins with the trigger `{}`", trigger.value);
                let help = "write the beginning of a section or, without sections, of a call up to its first place";
                self.malformed(trigger.span, message, help);
            }
        }
        for begin in &begins {
            // What no trigger begins with was marked at the trigger, if that is the only one.
            if format.triggers.len() == 1 && begins.len() == 1 {
                continue;
            }
            let fitting = format
                .triggers
                .iter()
                .filter(|trigger| begins_with(begin, trigger));
            if fitting.count() != 1 {
                let message = "this begins with no trigger, or with two";
                let help = "give one trigger for each beginning";
                self.malformed(begin.span, message, help);
            }
        }
    }

    /// The elements of a list, or one element.
    fn one_or_more<T>(
        &mut self,
        node: &Node,
        name: &str,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = self.optional(node, name) else {
            return Vec::new();
        };
        let items = match &value.value {
            Value::Array(items) if items.is_empty() => {
                let help = "add an element, or leave the field out";
                self.malformed(value.span, format!("`{name}` is empty"), help);
                return Vec::new();
            }
            Value::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        items.iter().filter_map(|item| read(self, item)).collect()
    }

    fn text_or(&mut self, node: &Node, name: &str, default: &str) -> Text {
        let read = match self.optional(node, name) {
            Some(value) => self.text(name, value),
            None => None,
        };
        read.unwrap_or_else(|| Text {
            value: default.to_owned(),
            span: Span::new(node.span.start, node.span.start + 1),
        })
    }

    fn values(&mut self, node: &Node, name: &str) -> Vec<String> {
        let texts = self.texts(node, name).into_iter();
        texts.map(|text| text.value).collect()
    }

    fn choice<T: Copy>(&mut self, node: &Node, name: &str, known: &[(&str, T)], default: T) -> T {
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
