//! Keywords of numbers and strings as conditions.
//!
//! In: [`Keywords`]. Out: the set of numbers, and the strings, that they allow. What holds: a
//! keyword that cannot be honoured is refused, or ignored with a warning if the user has asked for
//! that.

use super::bounds::reachable;
use super::shape::StringCase;
use super::state::DOING;
use super::{Problem, SchemaValues};
use crate::error::Code;
use crate::syntax::json_schema::model::{Keywords, SchemaId, SchemaPlace};
use crate::syntax::json_schema::numbers::{self, Decimal, NumberSet};
use crate::syntax::json_schema::strings::{self, Language, Pattern, PatternError};

/// The numbers on one side of a bound.
type Bounded = fn(&Decimal) -> NumberSet;

impl SchemaValues<'_> {
    pub(super) fn numbers(&mut self, keywords: &Keywords) -> Result<Option<NumberSet>, Problem> {
        let number = &keywords.number;
        let mut set = NumberSet::all();
        let bounds: [(&str, &Option<String>, Bounded); 4] = [
            ("minimum", &number.minimum, |d| {
                NumberSet::at_least(d, false)
            }),
            ("maximum", &number.maximum, |d| NumberSet::at_most(d, false)),
            ("exclusiveMinimum", &number.exclusive_minimum, |d| {
                NumberSet::at_least(d, true)
            }),
            ("exclusiveMaximum", &number.exclusive_maximum, |d| {
                NumberSet::at_most(d, true)
            }),
        ];
        for (keyword, bound, make) in bounds {
            if let Some(text) = bound {
                set = set.intersect(&make(&decimal(keyword, text)?))?;
            }
        }
        if let Some(format) = &keywords.string.format
            && self.number_formats
            && let Some(numbers) = numbers::of_format(format)
        {
            set = set.intersect(&numbers)?;
        }
        if let Some(text) = &number.multiple_of {
            let multiples = NumberSet::multiple_of(&decimal("multipleOf", text)?);
            match multiples {
                Ok(multiples) => set = set.intersect(&multiples)?,
                Err(error) => self.refuse(Problem::keyword(
                    Code::SchemaUndecided,
                    "multipleOf",
                    error.to_string(),
                    "use a divisor with few digits that are not zero",
                ))?,
            }
        }
        Ok((!set.is_all()).then_some(set))
    }

    pub(super) fn strings(&mut self, keywords: &Keywords) -> Result<Option<StringCase>, Problem> {
        let string = &keywords.string;
        let mut case = StringCase {
            language: Language::any(),
            min: string.min_length,
            max: string.max_length.and_then(reachable),
        };
        if let Some(pattern) = &string.pattern
            && let Some(language) = self.pattern("pattern", pattern, None)?
        {
            case.language = case.language.intersect(&language, self.deadline)?;
        }
        if let Some(format) = &string.format
            && let Some(language) = self.format(format, string.format_of_draft_3)?
        {
            case.language = case.language.intersect(&language, self.deadline)?;
        }
        Ok((case != StringCase::any()).then_some(case))
    }

    /// The strings that match a pattern, which stands at `place` or is the keyword's value; nothing
    /// if it is to be ignored.
    fn pattern(
        &mut self,
        keyword: &str,
        pattern: &str,
        place: Option<SchemaPlace>,
    ) -> Result<Option<Language>, Problem> {
        if let Some(known) = self.patterns.get(pattern) {
            return Ok(Some(known.clone()));
        }
        let problem = |error: PatternError| {
            let why = format!("the pattern {pattern:?}: {}", error.message);
            let problem = Problem::keyword(Code::SchemaPattern, keyword, why, error.help);
            Problem {
                place: place.clone().map(Box::new),
                ..problem.within(pattern, error.span)
            }
        };
        let read = strings::read_pattern(pattern, self.deadline);
        self.deadline.confirm(DOING)?;
        match read {
            Ok(Pattern { language, doubts }) => {
                doubts
                    .into_iter()
                    .for_each(|doubt| self.warn(problem(doubt)));
                self.patterns.insert(pattern.to_owned(), language.clone());
                Ok(Some(language))
            }
            Err(error) => {
                self.refuse(problem(error))?;
                Ok(None)
            }
        }
    }

    /// [`Self::pattern`] of a name of `patternProperties`, whose value is `schema`.
    pub(super) fn name_pattern(
        &mut self,
        keywords: &Keywords,
        pattern: &str,
        schema: SchemaId,
    ) -> Result<Option<Language>, Problem> {
        let name = "patternProperties";
        let held = self.model.schema(schema).map(|schema| schema.place.span);
        let place = keywords.place(name).zip(held);
        let place = place.map(|(place, span)| SchemaPlace {
            span,
            ..place.clone()
        });
        self.pattern(name, pattern, place)
    }

    fn format(&mut self, name: &str, of_draft_3: bool) -> Result<Option<Language>, Problem> {
        if !self.formats {
            return Ok(None);
        }
        let key = (name.to_owned(), of_draft_3);
        if let Some(known) = self.known_formats.get(&key) {
            return Ok(Some(known.clone()));
        }
        let language = match of_draft_3 {
            true => strings::format_of_draft_3(name),
            false => strings::format(name),
        };
        if let Some(language) = &language {
            self.known_formats.insert(key, language.clone());
        }
        if language.is_none() && strings::is_standard_format(name) {
            self.refuse(Problem::keyword(
                Code::SchemaFormat,
                "format",
                format!("`{name}` is no regular set of strings"),
                "replace it by a `pattern`, or take formats as annotations",
            ))?;
        }
        Ok(language)
    }
}

pub(super) fn decimal(keyword: &str, text: &str) -> Result<Decimal, Problem> {
    Decimal::parse(text).ok_or_else(|| {
        Problem::keyword(
            Code::LimitExceeded,
            keyword,
            format!("`{text}` has too many digits"),
            "round it",
        )
    })
}
