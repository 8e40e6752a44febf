//! The types of formats: their fields, and which type is meant where none is said.

use crate::syntax::json_schema::document::{JsonNode, JsonValue};

/// A type and the fields of its objects, beside `type`.
pub(super) struct Type {
    pub(super) name: &'static str,
    /// Fields that must be there.
    required: &'static [&'static str],
    /// Fields that may be there.
    optional: &'static [&'static str],
    /// Whether it can be meant where no type is said.
    guessed: bool,
}

const fn guessed(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Type {
    Type {
        name,
        required,
        optional,
        guessed: true,
    }
}

const fn named(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Type {
    Type {
        guessed: false,
        ..guessed(name, required, optional)
    }
}

/// All types; those that can be guessed in the order in which they are tried.
pub(super) const TYPES: &[Type] = &[
    guessed("tag", &["begin", "content", "end"], &[]),
    guessed("const_string", &["value"], &[]),
    guessed(
        "json_schema",
        &["json_schema"],
        &["style", "any_order", "max_whitespace_cnt", "excludes"],
    ),
    // An empty object would be any text, so it must say what it excludes.
    guessed("any_text", &["excludes"], &["max_tokens", "max_chars"]),
    guessed("sequence", &["elements"], &[]),
    guessed("or", &["elements"], &[]),
    guessed(
        "triggered_tags",
        &["triggers", "tags"],
        &["at_least_one", "stop_after_first", "excludes"],
    ),
    guessed(
        "tags_with_separator",
        &["tags", "separator"],
        &["at_least_one", "stop_after_first"],
    ),
    guessed("optional", &["content"], &[]),
    guessed("plus", &["content"], &[]),
    guessed("star", &["content"], &[]),
    guessed("repeat", &["min", "max", "content"], &[]),
    guessed("dispatch", &["rules"], &["loop", "excludes"]),
    guessed("token_dispatch", &["rules"], &["loop", "exclude_tokens"]),
    named(
        "qwen_xml_parameter",
        &["json_schema"],
        &["any_order", "max_whitespace_cnt", "excludes"],
    ),
    named("grammar", &["grammar"], &["syntax"]),
    named("regex", &["pattern"], &[]),
    named("token", &["token"], &[]),
    named("exclude_token", &[], &["exclude_tokens"]),
    named("any_tokens", &[], &["exclude_tokens", "max_tokens"]),
    named(
        "token_triggered_tags",
        &["trigger_tokens", "tags"],
        &["exclude_tokens", "at_least_one", "stop_after_first"],
    ),
];

impl Type {
    /// The type of this name.
    pub(super) fn of(name: &str) -> Option<&'static Type> {
        TYPES.iter().find(|known| known.name == name)
    }

    /// The first type whose fields an object has, if it can have no others; or else the first whose
    /// necessary fields it has.
    pub(super) fn guess(node: &JsonNode) -> Option<&'static Type> {
        let members = node.members()?;
        let has = |name: &&str| node.get(name).is_some();
        let fits =
            |kind: &&Type| kind.guessed && kind.required.iter().all(has) && fits_values(kind, node);
        let mut fitting = TYPES.iter().filter(fits);
        let exact = |kind: &&Type| {
            members
                .iter()
                .all(|m| kind.fields().contains(&m.key.as_str()))
        };
        fitting.clone().find(exact).or_else(|| fitting.next())
    }

    /// The names of its fields.
    pub(super) fn fields(&self) -> Vec<&'static str> {
        let own = self.required.iter().chain(self.optional);
        std::iter::once("type").chain(own.copied()).collect()
    }
}

/// Whether the values of fields rule a type out: a rule whose trigger is not a text belongs to a
/// dispatch on tokens.
fn fits_values(kind: &Type, node: &JsonNode) -> bool {
    if kind.name != "dispatch" {
        return true;
    }
    let Some(JsonValue::Array(rules)) = node.get("rules").map(|rules| &rules.value) else {
        return true;
    };
    rules.iter().all(|rule| match &rule.value {
        JsonValue::Array(pair) => pair.first().is_none_or(|first| first.as_str().is_some()),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::syntax::json_schema::document;

    #[test]
    fn types_are_guessed_by_their_fields() {
        for (text, expected) in [
            (r#"{"begin": "a", "content": {}, "end": "b"}"#, Some("tag")),
            (r#"{"value": ""}"#, Some("const_string")),
            (
                r#"{"json_schema": true, "style": "json"}"#,
                Some("json_schema"),
            ),
            (r#"{"excludes": []}"#, Some("any_text")),
            (r#"{"elements": []}"#, Some("sequence")),
            (
                r#"{"triggers": [], "tags": [], "excludes": []}"#,
                Some("triggered_tags"),
            ),
            (
                r#"{"tags": [], "separator": ""}"#,
                Some("tags_with_separator"),
            ),
            (r#"{"content": {}}"#, Some("optional")),
            (r#"{"content": {}, "min": 1, "max": 2}"#, Some("repeat")),
            (r#"{"rules": [["a", {}]]}"#, Some("dispatch")),
            (r#"{"rules": [[1, {}]]}"#, Some("token_dispatch")),
            (
                r#"{"rules": [["a", {}]], "exclude_tokens": []}"#,
                Some("token_dispatch"),
            ),
            (r#"{"pattern": "a"}"#, None),
            ("{}", None),
            ("[]", None),
        ] {
            let node = document::parse(&Source::new("t", text), &Default::default()).unwrap();
            assert_eq!(Type::guess(&node).map(|kind| kind.name), expected, "{text}");
        }
    }
}
