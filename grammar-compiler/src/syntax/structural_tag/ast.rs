//! Structural tags as typed formats.
//!
//! What [`read`](super::read) makes of the JSON. What holds: every text and token has its place;
//! tokens are ids of the vocabulary; all numbers are in range; `optional`, `plus` and `star` are
//! repetitions; formats of tokens and formats of text that mean the same are one kind with another
//! [`Unit`].

use crate::source::Span;
use crate::syntax::embed::EmbedContent;
pub use crate::syntax::fields::FieldText;
use crate::syntax::json_schema::{KeyOrder, OwnedForm, Style, Whitespace};
use std::sync::Arc;

/// The mark that ends free text: a text, or one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// These characters.
    Text(FieldText),
    /// The token of this id, which is named at this place.
    Token(u32, Span),
}

/// What free text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Characters.
    Text,
    /// Tokens, whatever their texts.
    Tokens,
}

/// A format and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: FormatKind,
}

/// The kinds of formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// `const_string`: this text.
    ConstString(FieldText),
    /// `json_schema`: a text of one of the schema's values.
    JsonSchema(JsonSchema),
    /// `grammar`: a sentence of a grammar in EBNF.
    Grammar(FieldText),
    /// `regex`: a text that the pattern matches as a whole.
    Regex(FieldText),
    /// `any_text`, `any_tokens`: free text without any of the excludes.
    Any {
        /// The unit that it is made of.
        unit: Unit,
        /// What does not occur in it.
        excludes: Vec<Delimiter>,
        /// What it does not begin with.
        not_first: Vec<String>,
        /// The most characters.
        max_chars: Option<u32>,
        /// The most tokens.
        max_tokens: Option<u16>,
    },
    /// `sequence`: all in order.
    Sequence(Vec<Format>),
    /// `or`: any one.
    Or(Vec<Format>),
    /// `optional`, `plus`, `star`, `repeat`.
    Repeat {
        /// What is repeated.
        content: Box<Format>,
        /// The least number of times.
        min: u32,
        /// The greatest number of times.
        max: Option<u32>,
    },
    /// `tag`.
    Tag(Box<Tag>),
    /// `triggered_tags`, `token_triggered_tags`.
    TriggeredTags(TriggeredTags),
    /// `tags_with_separator`.
    TagsWithSeparator {
        /// Any one of these.
        tags: Vec<Tag>,
        /// What stands between two of them.
        separator: FieldText,
        /// Whether there must be one.
        at_least_one: bool,
        /// Whether there can be one only.
        stop_after_first: bool,
    },
    /// `dispatch`, `token_dispatch`.
    Dispatch(Dispatch),
    /// `token`: exactly this token.
    Token(u32),
    /// `exclude_token`: any one token but these.
    ExcludeToken(Vec<u32>),
}

/// `json_schema`, `qwen_xml_parameter`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonSchema {
    /// The schema.
    pub content: EmbedContent,
    /// Its place.
    pub span: Span,
    /// How values are written.
    pub style: Style,
    /// Elements of a form that no style has, in place of the style.
    pub form: Option<Arc<OwnedForm>>,
    /// Whether the value is an object: the arguments of a tool.
    pub arguments: bool,
    /// What no string and no key contains.
    pub excludes: Vec<String>,
    /// The order of an object's keys.
    pub key_order: KeyOrder,
    /// Blanks between two tokens of JSON.
    pub whitespace: Whitespace,
}

/// `tag`: its begin, its content, one of its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Where it stands.
    pub span: Span,
    /// What it begins with; may be empty.
    pub begin: Delimiter,
    /// Its content.
    pub content: Format,
    /// Its ends; one may be empty.
    pub ends: Vec<Delimiter>,
}

/// Free text with tags in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriggeredTags {
    /// What the free text is made of.
    pub unit: Unit,
    /// Where free text ends: each begin of a tag has one of these as a prefix.
    pub triggers: Vec<Delimiter>,
    /// The tags.
    pub tags: Vec<Tag>,
    /// Whether it begins with a tag.
    pub at_least_one: bool,
    /// Whether nothing follows the first tag.
    pub stop_after_first: bool,
    /// What does not occur in the free text.
    pub excludes: Vec<Delimiter>,
}

/// Free text with formats in it, each behind a text of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// What the free text is made of.
    pub unit: Unit,
    /// Triggers and what follows them.
    pub rules: Vec<(Delimiter, Format)>,
    /// Whether free text follows again.
    pub is_loop: bool,
    /// What does not occur in the free text.
    pub excludes: Vec<Delimiter>,
}

impl Delimiter {
    /// Where it is named.
    pub fn span(&self) -> Span {
        match self {
            Delimiter::Text(text) => text.span,
            Delimiter::Token(_, span) => *span,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Delimiter::Text(text) => Some(&text.value),
            Delimiter::Token(..) => None,
        }
    }

    /// The steps that it takes to look through it: a token is one.
    pub fn steps(&self) -> usize {
        self.text().map_or(1, str::len)
    }

    /// Whether it is the empty text.
    pub fn is_empty(&self) -> bool {
        self.text() == Some("")
    }

    /// Whether both are the same text or token, wherever they stand.
    pub fn is(&self, other: &Delimiter) -> bool {
        match (self, other) {
            (Delimiter::Text(one), Delimiter::Text(other)) => one.value == other.value,
            (Delimiter::Token(one, _), Delimiter::Token(other, _)) => one == other,
            _ => false,
        }
    }

    /// As messages name it.
    pub fn shown(&self) -> String {
        match self {
            Delimiter::Text(text) => format!("`{}`", text.value),
            Delimiter::Token(id, _) => format!("the token {id}"),
        }
    }
}

impl Tag {
    /// The ends that are not empty.
    pub fn filled_ends(&self) -> impl Iterator<Item = &Delimiter> {
        self.ends.iter().filter(|end| !end.is_empty())
    }

    /// Whether it can end without an end.
    pub fn may_end_anywhere(&self) -> bool {
        self.ends.iter().any(Delimiter::is_empty)
    }
}

impl Format {
    /// Whether the last part of it can be free text, which ends with what follows it.
    pub fn ends_in_text(&self) -> bool {
        match &self.kind {
            FormatKind::Any { .. } | FormatKind::TriggeredTags(_) | FormatKind::Dispatch(_) => true,
            FormatKind::Sequence(parts) => parts.last().is_some_and(Format::ends_in_text),
            FormatKind::Or(parts) => parts.iter().any(Format::ends_in_text),
            FormatKind::Repeat { content, .. } => content.ends_in_text(),
            FormatKind::Tag(tag) => tag.ends_in_text(),
            FormatKind::TagsWithSeparator { tags, .. } => tags.iter().any(Tag::ends_in_text),
            FormatKind::ConstString(_)
            | FormatKind::JsonSchema(_)
            | FormatKind::Grammar(_)
            | FormatKind::Regex(_)
            | FormatKind::Token(_)
            | FormatKind::ExcludeToken(_) => false,
        }
    }
}

impl Tag {
    fn ends_in_text(&self) -> bool {
        self.may_end_anywhere() && self.content.ends_in_text()
    }
}
