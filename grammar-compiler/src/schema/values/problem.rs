//! Why a schema cannot be honoured exactly, or has no values.

use crate::error::Diagnostic;
use crate::schema::model::Place;
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
    pub place: Option<Place>,
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
            code: "schema-limit",
            keyword: None,
            why: what.into(),
            help: "split the schema, make alternatives differ by a constant property, or loosen the keywords that multiply".to_owned(),
            place: None,
        }
    }

    /// The same, at a place, if it has none yet.
    #[must_use]
    pub fn or_at(mut self, place: impl FnOnce() -> Place) -> Self {
        self.place.get_or_insert_with(place);
        self
    }

    /// As a message for the user.
    pub fn diagnostic(self) -> Diagnostic {
        let pointer = self
            .place
            .as_ref()
            .map_or_else(String::new, |p| format!(" (at {})", p.pointer));
        let message = match &self.keyword {
            Some(keyword) => format!("`{keyword}` cannot be honoured exactly{pointer}: {}", self.why),
            None => format!("{}{pointer}", self.why),
        };
        let mut diagnostic = Diagnostic::error(self.code, message);
        if let Some(place) = self.place {
            diagnostic = diagnostic.at(place.span, "");
        }
        diagnostic.help(self.help)
    }
}

impl From<TooLarge> for Problem {
    fn from(error: TooLarge) -> Self {
        Problem::too_large(error.to_string())
    }
}
