//! Keys of elements, and keys without quotes.

use crate::error::Code;
use maskwright_core::style::{Form, Keys, Notation};

use super::super::super::strings::{Language, LanguageError, LanguageState, raw_text};
use super::super::super::values::{ANY, NodeId, Problem};
use super::super::SchemaLowering;
use super::raw::listed;
use crate::grammar::characters::complement;
use crate::grammar::{Expr, Words};
use crate::limits::Deadline;
use std::sync::Arc;

/// More names than this are no list.
const MAX_NAMES: usize = 1_000;
/// No pattern that describes names has this one, a character that stands for nothing.
const UNDESCRIBED: &str = "\u{10ffff}";

impl SchemaLowering<'_, '_> {
    /// The texts of keys of these names, apart where a closing tag repeats them; nothing if the
    /// style leaves such keys out: names that no schema describes are `[A-Za-z_][A-Za-z0-9_]*`, and
    /// where tags repeat them there are none.
    pub(super) fn keys(
        &self,
        form: &Form<'_>,
        names: &Language,
        value: NodeId,
    ) -> Result<Option<Vec<Words>>, Problem> {
        let deadline = self.values.deadline();
        let writable = writable(form, deadline)?;
        if let Some(name) = listed(names, |name| !writable.contains(name)) {
            return Err(self.unwritable_name(&name, "in a tag"));
        }
        if let Some(name) = listed(names, |name| self.is_excluded(&written(name, form))) {
            return Err(self.unwritable_name(&name, "without a text of `excludes`"));
        }
        let is_described = !names.contains(UNDESCRIBED);
        if form.closing.is_some() {
            return match names.words(MAX_NAMES) {
                Some(names) => {
                    let names = names.iter().map(|name| Language::literal(name));
                    let keys = names.map(|name| raw_text(&name, deadline));
                    Ok(Some(keys.collect::<Result<_, _>>()?))
                }
                None if !is_described && value == ANY => Ok(None),
                None => Err(self.unlisted_names(value)),
            };
        }
        let mut names = names.intersect(&writable, deadline)?;
        if !is_described && !form.any_key {
            names = names.intersect(&identifiers(deadline)?, deadline)?;
        }
        let names = escaped(&names, form, deadline)?;
        let (words, _) = self.without_excluded(raw_text(&names, deadline)?)?;
        Ok((!words.is_empty()).then(|| vec![words]))
    }

    /// The text of a key without quotes, one of these names; nothing if the style leaves such keys
    /// out.
    pub(in super::super) fn bare_key(&self, names: &Language) -> Result<Option<Expr>, Problem> {
        let deadline = self.values.deadline();
        let (writable, place) = match self.notation.keys {
            Keys::Arguments => (identifiers(deadline)?, "as that of an argument"),
            Keys::Quoted | Keys::Bare => (
                without_any_of(&Notation::NOT_BARE, deadline)?,
                "without quotes",
            ),
        };
        if let Some(name) = listed(names, |name| !writable.contains(name)) {
            return Err(self.unwritable_name(&name, place));
        }
        if let Some(name) = listed(names, |name| self.is_excluded(name)) {
            return Err(self.unwritable_name(&name, "without a text of `excludes`"));
        }
        let mut texts = names.intersect(&writable, deadline)?;
        if names.contains(UNDESCRIBED) {
            let known = match self.notation.keys {
                Keys::Arguments => arguments(deadline)?,
                Keys::Quoted | Keys::Bare => identifiers(deadline)?,
            };
            texts = texts.intersect(&known, deadline)?;
        }
        let (words, _) = self.without_excluded(raw_text(&texts, deadline)?)?;
        Ok((!words.is_empty()).then(|| Expr::Words(Arc::new(words))))
    }

    fn unwritable_name(&self, name: &str, place: &str) -> Problem {
        let style = self.options.style_name();
        let problem = Problem::keyword(
            Code::SchemaStyle,
            "",
            format!("the style `{style}` cannot write the name {name:?} {place}"),
            "rename the property, or take another style",
        );
        self.values
            .blame(problem, &["properties", "required", "const", "enum"])
    }

    fn unlisted_names(&self, value: NodeId) -> Problem {
        let style = self.options.style_name();
        let problem = Problem::keyword(
            Code::SchemaStyle,
            "",
            format!(
                "in the style `{style}` a closing tag repeats the name of its property, so that all names must be known"
            ),
            "name them by `properties`, with `\"additionalProperties\": false`, or take another style",
        );
        let keywords = [
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
        ];
        let problem = self.values.blame(problem, &keywords);
        let place = self.values.place_of(value);
        problem.or_at(|| place)
    }
}

/// The names that can stand in a tag.
fn writable(form: &Form<'_>, deadline: &Deadline) -> Result<Language, LanguageError> {
    let names = without_any_of(form.forbidden, deadline)?;
    match form.not_first {
        Some(first) => {
            let first = Language::literal(first.encode_utf8(&mut [0; 4]));
            names.minus(&first.concat(&Language::any(), deadline)?, deadline)
        }
        None => Ok(names),
    }
}

/// The texts that are not empty and have none of these characters.
fn without_any_of(forbidden: &[char], deadline: &Deadline) -> Result<Language, LanguageError> {
    let mut forbidden = forbidden.to_vec();
    forbidden.sort_unstable();
    let allowed = complement(forbidden.iter().map(|&c| (c, c)));
    Language::class(&allowed).repeat(1, None, deadline)
}

/// The names of arguments that no schema describes. Python's keywords are none of them, though
/// engines read an argument that is called so.
fn arguments(deadline: &Deadline) -> Result<Language, LanguageError> {
    let keywords = Language::literals(Notation::PYTHON_KEYWORDS, deadline)?;
    identifiers(deadline)?.minus(&keywords, deadline)
}

/// `[A-Za-z_][A-Za-z0-9_]*`.
fn identifiers(deadline: &Deadline) -> Result<Language, LanguageError> {
    let letters = [('A', 'Z'), ('_', '_'), ('a', 'z')];
    let more = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
    let more = Language::class(&more).repeat(0, None, deadline)?;
    Language::class(&letters).concat(&more, deadline)
}

/// A name with characters written otherwise.
fn written(name: &str, form: &Form<'_>) -> String {
    let mut written = String::with_capacity(name.len());
    for c in name.chars() {
        match form.escape(c) {
            Some(text) => written.push_str(text),
            None => written.push(c),
        }
    }
    written
}

/// The strings of a set with characters written otherwise.
fn escaped(
    language: &Language,
    form: &Form<'_>,
    deadline: &Deadline,
) -> Result<Language, LanguageError> {
    if form.escapes.is_empty() {
        return Ok(language.clone());
    }
    let mut states: Vec<LanguageState> = language.states().to_vec();
    for at in 0..language.states().len() {
        let edges = std::mem::take(&mut states[at].edges);
        for (low, high, to) in edges {
            let mut apart: Vec<char> = form.escapes.to_vec();
            apart.retain(|&c| low <= c && c <= high);
            apart.sort_unstable();
            let gaps = complement(apart.iter().map(|&c| (c, c)));
            let plain = gaps.iter().map(|gap| (gap.0.max(low), gap.1.min(high), to));
            states[at]
                .edges
                .extend(plain.filter(|edge| edge.0 <= edge.1));
            for text in apart.iter().filter_map(|&c| form.escape(c)) {
                let mut from = at;
                let last = text.chars().count().saturating_sub(1);
                for (index, c) in text.chars().enumerate() {
                    let next = if index == last {
                        to
                    } else {
                        states.len() as u32
                    };
                    states[from].edges.push((c, c, next));
                    if index != last {
                        from = states.len();
                        states.push(LanguageState::default());
                    }
                }
            }
        }
    }
    Language::from_states(states, deadline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_written_otherwise() {
        let form = Form {
            escapes: &['"', '&'],
            ..Form::PLAIN
        };
        let literal = escaped(&Language::literal("a&\"b"), &form, &Deadline::never()).unwrap();
        assert_eq!(literal, Language::literal("a&amp;&quot;b"));
        let any = escaped(&Language::any(), &form, &Deadline::never()).unwrap();
        for (text, expected) in [
            ("", true),
            ("é<", true),
            ("&amp;&amp;", true),
            ("&", false),
            ("\"", false),
            ("&lt;", false),
        ] {
            assert_eq!(any.contains(text), expected, "{text}");
        }
    }
}
