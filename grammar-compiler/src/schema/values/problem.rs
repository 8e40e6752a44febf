//! Why a schema cannot be honoured exactly, or has no values.

use crate::error::Diagnostic;
use crate::schema::model::Place;
use crate::schema::numbers;
use crate::schema::refusal::{refuse, warn};
use crate::schema::strings::TooLarge;

/// What stands in the way, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A short stable name.
    pub code: &'static str,
    /// The keyword, if one is at fault.
    pub keyword: Option<String>,
    /// Why.
    pub why: String,
    /// The way out.
    pub help: String,
    /// Where.
    pub place: Option<Box<Place>>,
}

impl Problem {
    /// A keyword that cannot be honoured exactly.
    pub fn keyword(
        code: &'static str,
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
        }
    }

    /// A size that has passed its bound.
    pub fn too_large(what: impl Into<String>) -> Self {
        Problem {
            code: "limit-exceeded",
            keyword: None,
            why: what.into(),
            help: "split the schema, make alternatives differ by a constant property, or loosen the keywords that multiply".to_owned(),
            place: None,
        }
    }

    /// The same, at a place, if it has none yet.
    #[must_use]
    pub fn or_at(mut self, place: impl FnOnce() -> Place) -> Self {
        self.place.get_or_insert_with(|| Box::new(place()));
        self
    }

    /// As a message for the user.
    pub fn diagnostic(self) -> Diagnostic {
        let place = self.place.unwrap_or_default();
        let keyword = self.keyword.unwrap_or_default();
        refuse(self.code, &place, &keyword, self.why, self.help)
    }

    /// As a warning that the keyword has been ignored.
    pub fn ignored(self) -> Diagnostic {
        let place = self.place.unwrap_or_default();
        let keyword = self.keyword.unwrap_or_default();
        let why = format!("ignored, though it cannot be honoured: {}", self.why);
        warn("schema-lenient", &place, &keyword, why, self.help)
    }
}

impl From<TooLarge> for Problem {
    fn from(error: TooLarge) -> Self {
        Problem::too_large(error.to_string())
    }
}

impl From<numbers::TooLarge> for Problem {
    fn from(error: numbers::TooLarge) -> Self {
        Problem::too_large(error.to_string())
    }
}
