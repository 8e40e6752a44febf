//! Why a schema cannot be honoured exactly, or has no values.

use crate::error::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::syntax::json_schema::document;
use crate::syntax::json_schema::model::SchemaPlace;
use crate::syntax::json_schema::numbers;
use crate::syntax::json_schema::refusal::{refuse, warn};
use crate::syntax::json_schema::strings::LanguageError;
use std::ops::Range;

/// What stands in the way, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A short stable name.
    pub code: Code,
    /// The keyword, if one is at fault.
    pub keyword: Option<String>,
    /// Why.
    pub why: String,
    /// The way out.
    pub help: String,
    /// Where.
    pub place: Option<Box<SchemaPlace>>,
    /// The string there that it is about, decoded, and the bytes of it that are at fault.
    pub within: Option<Box<(String, Range<usize>)>>,
}

impl Problem {
    /// A keyword that cannot be honoured exactly.
    pub fn keyword(
        code: Code,
        keyword: &str,
        why: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Problem {
            code,
            keyword: Some(keyword.to_owned()),
            why: why.into(),
            help: help.into(),
            place: None,
            within: None,
        }
    }

    /// A size that has passed its bound.
    pub fn too_large(what: impl Into<String>) -> Self {
        Problem {
            code: Code::LimitExceeded,
            keyword: None,
            why: what.into(),
            help: "split the schema, make alternatives differ by a constant property, or loosen the keywords that multiply".to_owned(),
            place: None,
            within: None,
        }
    }

    /// The same, at a place, if it has none yet.
    #[must_use]
    pub fn or_at(mut self, place: impl FnOnce() -> SchemaPlace) -> Self {
        self.place.get_or_insert_with(|| Box::new(place()));
        self
    }

    /// The same about a part of a string at its place.
    #[must_use]
    pub fn within(mut self, text: &str, part: Range<usize>) -> Self {
        self.within = Some(Box::new((text.to_owned(), part)));
        self
    }

    /// As a message for the user.
    pub fn diagnostic(self, source: &Source) -> Diagnostic {
        let place = self.place_in(source);
        let keyword = self.keyword.unwrap_or_default();
        refuse(self.code, &place, &keyword, self.why, self.help)
    }

    /// As a warning.
    pub fn warning(self, source: &Source) -> Diagnostic {
        let place = self.place_in(source);
        let keyword = self.keyword.unwrap_or_default();
        warn(self.code, &place, &keyword, self.why, self.help)
    }

    /// That the keyword has been ignored.
    #[must_use]
    pub fn ignored(self) -> Self {
        Problem {
            code: Code::SchemaLenient,
            why: format!("ignored, though it cannot be honoured: {}", self.why),
            ..self
        }
    }

    /// The place, narrowed down to the part of a string that is at fault, if that is found in the
    /// text.
    fn place_in(&self, source: &Source) -> SchemaPlace {
        let place = self.place.as_deref().cloned().unwrap_or_default();
        let narrow = |within: &(String, Range<usize>)| {
            let (text, part) = within;
            let Span { start, end } = document::part_of_string(source, place.span, text, part)?;
            // Where there is no character, as at the end of a pattern, the place is the whole.
            (start < end).then_some(Span { start, end })
        };
        let span = self.within.as_deref().and_then(narrow);
        SchemaPlace {
            span: span.unwrap_or(place.span),
            ..place
        }
    }
}

impl From<LanguageError> for Problem {
    fn from(error: LanguageError) -> Self {
        Problem::too_large(error.to_string())
    }
}

impl From<numbers::NumbersTooLarge> for Problem {
    fn from(error: numbers::NumbersTooLarge) -> Self {
        Problem::too_large(error.to_string())
    }
}
