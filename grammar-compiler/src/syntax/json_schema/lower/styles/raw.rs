//! Texts of strings in elements: raw, or in JSON that stands in an element.

use super::super::super::strings::{
    self, Escapes, Language, json_char, json_text_of_class, raw_text,
};
use super::super::super::values::DOING;
use super::super::super::values::{Problem, StringCase};
use super::super::SchemaLowering;
use super::without::without;
use crate::error::Code;
use crate::grammar::{Expr, Words};
use crate::limits::{Deadline, LimitExceeded, Limits};
use std::sync::Arc;

/// Up to this number, strings are a list, each of which must be writable.
const MAX_LISTED: usize = 1_000;

impl SchemaLowering<'_, '_> {
    /// The raw texts of strings, up to `end`. If they are `trimmed`, a line feed at their beginning
    /// and one at their end do not belong to the strings.
    pub(super) fn raw_string(
        &self,
        case: &StringCase,
        end: &str,
        trimmed: bool,
    ) -> Result<Expr, Problem> {
        let deadline = self.values.deadline();
        let language = case.to_language(deadline);
        deadline.confirm(DOING)?;
        let language = language.map_err(|_| self.too_long(case, end))?;
        if let Some(word) = listed(&language, |word| !end.is_empty() && word.contains(end)) {
            return Err(self.unwritable(&format!("the value {word:?}"), end));
        }
        if let Some(word) = listed(&language, |word| self.is_excluded(word)) {
            return Err(self.excluded(&format!("the value {word:?}")));
        }
        let texts = match trimmed {
            true => with_line_feeds(&language, deadline)?,
            false => language,
        };
        let (words, _) = match end {
            // What ends it is a token, which is no text, or unknown.
            "" => (raw_text(&texts, deadline)?, false),
            _ => without(raw_text(&texts, deadline)?, end, self.limits, deadline)?,
        };
        if words.is_empty() {
            return Err(self.unwritable("any of these strings", end));
        }
        let (words, _) = self.without_excluded(words)?;
        if words.is_empty() {
            return Err(self.excluded("any of these strings"));
        }
        if words.states.len() > self.limits.states {
            return Err(self.too_long(case, end));
        }
        Ok(Expr::Words(Arc::new(words)))
    }

    /// That a string cannot be written.
    fn unwritable(&self, what: &str, end: &str) -> Problem {
        let style = self.options.style_name();
        let problem = Problem::keyword(
            Code::SchemaStyle,
            "",
            format!(
                "the style `{style}` cannot write {what}: `{end}` ends the text of every string"
            ),
            format!("allow strings without `{end}`, or take another style"),
        );
        let keywords = ["const", "enum", "pattern", "format", "anyOf", "oneOf"];
        self.values.blame(problem, &keywords)
    }

    /// That what is excluded leaves no way to write a string.
    fn excluded(&self, what: &str) -> Problem {
        let style = self.options.style_name();
        let problem = Problem::keyword(
            Code::SchemaStyle,
            "",
            format!("the style `{style}` cannot write {what} without a text of `excludes`"),
            "exclude less, allow other strings, or take the style `json`, which has escapes",
        );
        let keywords = ["const", "enum", "pattern", "format", "anyOf", "oneOf"];
        self.values.blame(problem, &keywords)
    }

    /// Whether a text, as it is written, contains one that is excluded.
    pub(in super::super) fn is_excluded(&self, written: &str) -> bool {
        let mut excludes = self.options.excludes.iter();
        excludes.any(|excluded| written.contains(excluded.as_str()))
    }

    /// The texts that contain nothing that is excluded, and whether there are others.
    pub(in super::super) fn without_excluded(
        &self,
        words: Words,
    ) -> Result<(Words, bool), LimitExceeded> {
        self.excluded.cut_from(words, self.values.deadline())
    }

    /// That a length is too large to be counted.
    pub(super) fn too_long(&self, case: &StringCase, end: &str) -> Problem {
        let style = self.options.style_name();
        let (keyword, bound) = case.bound();
        let problem = Problem::keyword(
            Code::LimitExceeded,
            keyword,
            format!(
                "in the style `{style}` a string of up to {bound} characters takes more than {} states, since it must not contain `{end}`",
                self.limits.states
            ),
            format!(
                "take `{keyword}` out or lower it, or raise `Limits::states` if this size is meant"
            ),
        );
        self.values.blame(problem, &[keyword])
    }
}

/// A string of a list that cannot be written.
pub(in super::super) fn listed(
    language: &Language,
    is_wrong: impl Fn(&str) -> bool,
) -> Option<String> {
    let words = language.words(MAX_LISTED)?;
    words.into_iter().find(|word| is_wrong(word))
}

/// The texts of which, without a line feed at their beginning and one at their end, a string of the
/// set is left.
fn with_line_feeds(
    language: &Language,
    deadline: &Deadline,
) -> Result<Language, strings::LanguageError> {
    if language.is_any() {
        return Ok(language.clone());
    }
    let line_feed = Language::literal("\n");
    let behind = line_feed.concat(&Language::any(), deadline)?;
    let before = Language::any().concat(&line_feed, deadline)?;
    let ended = language.concat(&line_feed, deadline)?;
    let ended = ended.union(&language.minus(&before, deadline)?, deadline)?;
    let begun = line_feed.concat(&ended, deadline)?;
    begun.union(&ended.minus(&behind, deadline)?, deadline)
}

/// The JSON texts of a character in an element that ends with `end`, where they are counted: the
/// first one of `end` is always escaped.
pub(in super::super) fn json_character(
    escapes: Escapes,
    end: &str,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Expr, LimitExceeded> {
    let first = end.chars().next().unwrap_or_default();
    let mut buffer = [0; 4];
    let first_text = first.encode_utf8(&mut buffer);
    let (others, _) = without(json_char(escapes), first_text, limits, deadline)?;
    let (escaped, _) = without(
        json_text_of_class(&[(first, first)], Escapes::Any),
        first_text,
        limits,
        deadline,
    )?;
    let words = |words| Expr::Words(Arc::new(words));
    Ok(Expr::Alt(vec![words(others), words(escaped)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_feeds_around_a_string_are_not_its_own() {
        let stripped = |text: &str| {
            let text = text.strip_prefix('\n').unwrap_or(text);
            text.strip_suffix('\n').unwrap_or(text).to_owned()
        };
        for words in [
            vec!["a"],
            vec![""],
            vec!["\n"],
            vec!["a\n", "\n\nb"],
            vec!["\na\n", "a"],
        ] {
            let language = Language::literals(words.iter().copied(), &Deadline::never()).unwrap();
            let texts = with_line_feeds(&language, &Deadline::never()).unwrap();
            for code in 0..3u32.pow(6) {
                let letters = (0..6).map(|at| ["", "a", "\n"][(code / 3u32.pow(at) % 3) as usize]);
                let text: String = letters.collect();
                let expected = words.contains(&stripped(&text).as_str());
                assert_eq!(texts.contains(&text), expected, "{words:?}: {text:?}");
            }
        }
    }
}
