//! Keys of elements.

use maskwright_core::style::Form;

use super::super::super::strings::{Language, State, TooLarge, raw_text};
use super::super::super::values::{ANY, NodeId, Problem};
use super::super::Lowering;
use super::raw::listed;
use crate::grammar::Words;
use crate::grammar::characters::complement;

/// More names than this are no list.
const MAX_NAMES: usize = 1_000;
/// No pattern that describes names has this one, a character that stands for nothing.
const UNDESCRIBED: &str = "\u{10ffff}";

impl Lowering<'_, '_> {
    /// The texts of keys of these names, apart where a closing tag repeats them; nothing if the style leaves such keys out: names that no
    /// schema describes are `[A-Za-z_][A-Za-z0-9_]*`, and where tags repeat them there are none.
    pub(super) fn keys(
        &self,
        form: &Form,
        names: &Language,
        value: NodeId,
    ) -> Result<Option<Vec<Words>>, Problem> {
        let writable = writable(form)?;
        if let Some(name) = listed(names, |name| !writable.contains(name)) {
            return Err(self.unwritable_name(&name));
        }
        let is_described = !names.contains(UNDESCRIBED);
        if form.closing.is_some() {
            return match names.words(MAX_NAMES) {
                Some(names) => {
                    let keys = names.iter().map(|name| raw_text(&Language::literal(name)));
                    Ok(Some(keys.collect()))
                }
                None if !is_described && value == ANY => Ok(None),
                None => Err(self.unlisted_names(value)),
            };
        }
        let mut names = names.intersect(&writable)?;
        if !is_described && !form.any_key {
            names = names.intersect(&identifiers()?)?;
        }
        let names = escaped(&names, form.escapes)?;
        Ok((!names.is_empty()).then(|| vec![raw_text(&names)]))
    }

    fn unwritable_name(&self, name: &str) -> Problem {
        let style = self.options.style;
        let problem = Problem::keyword(
            "schema-style",
            "",
            format!("the style `{style}` cannot write the name {name:?} in a tag"),
            "rename the property, or take another style",
        );
        self.values
            .blame(problem, &["properties", "required", "const", "enum"])
    }

    fn unlisted_names(&self, value: NodeId) -> Problem {
        let style = self.options.style;
        let problem = Problem::keyword(
            "schema-style",
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
fn writable(form: &Form) -> Result<Language, TooLarge> {
    let mut forbidden = form.forbidden.to_vec();
    forbidden.sort_unstable();
    let allowed = complement(forbidden.iter().map(|&c| (c, c)));
    let names = Language::class(&allowed).repeat(1, None)?;
    match form.not_first {
        Some(first) => names
            .minus(&Language::literal(first.encode_utf8(&mut [0; 4])).concat(&Language::any())?),
        None => Ok(names),
    }
}

/// `[A-Za-z_][A-Za-z0-9_]*`.
fn identifiers() -> Result<Language, TooLarge> {
    let letters = [('A', 'Z'), ('_', '_'), ('a', 'z')];
    let more = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
    Language::class(&letters).concat(&Language::class(&more).repeat(0, None)?)
}

/// The strings of a set with characters written otherwise.
fn escaped(language: &Language, escapes: &[(char, &str)]) -> Result<Language, TooLarge> {
    if escapes.is_empty() {
        return Ok(language.clone());
    }
    let mut states: Vec<State> = language.states().to_vec();
    for at in 0..language.states().len() {
        let edges = std::mem::take(&mut states[at].edges);
        for (low, high, to) in edges {
            let mut apart: Vec<char> = escapes.iter().map(|e| e.0).collect();
            apart.retain(|&c| low <= c && c <= high);
            apart.sort_unstable();
            let gaps = complement(apart.iter().map(|&c| (c, c)));
            let plain = gaps.iter().map(|gap| (gap.0.max(low), gap.1.min(high), to));
            states[at]
                .edges
                .extend(plain.filter(|edge| edge.0 <= edge.1));
            for &(_, text) in escapes.iter().filter(|e| apart.contains(&e.0)) {
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
                        states.push(State::default());
                    }
                }
            }
        }
    }
    Language::from_states(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_written_otherwise() {
        let escapes = [('"', "&quot;"), ('&', "&amp;")];
        let literal = escaped(&Language::literal("a&\"b"), &escapes).unwrap();
        assert_eq!(literal, Language::literal("a&amp;&quot;b"));
        let any = escaped(&Language::any(), &escapes).unwrap();
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
