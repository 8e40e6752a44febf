//! The keywords that exist, and what their values hold.

use super::draft::{Dialect, Draft};
use Draft::{Draft3, Draft4, Draft6, Draft7, Draft2019, Draft2020};
use Holds::{Either, List, Map, Nothing, One};

/// Where a keyword's value holds schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nowhere.
    Nothing,
    /// It is one.
    One,
    /// It is a list of them.
    List,
    /// Its members are.
    Map,
    /// It is one or a list of them.
    Either,
}

/// Whether a keyword restricts values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeywordRole {
    /// It does, or names what does.
    Restricts,
    /// It is for readers and tools.
    Annotates,
}

/// A keyword.
#[derive(Debug)]
pub(super) struct Keyword {
    pub name: &'static str,
    /// The first draft that has it.
    pub since: Draft,
    /// The last draft that has it.
    pub until: Draft,
    pub holds: Holds,
    pub role: KeywordRole,
}

const fn keyword(name: &'static str, since: Draft, until: Draft, holds: Holds) -> Keyword {
    let role = KeywordRole::Restricts;
    Keyword {
        name,
        since,
        until,
        holds,
        role,
    }
}

const fn annotation(name: &'static str, since: Draft) -> Keyword {
    let role = KeywordRole::Annotates;
    Keyword {
        name,
        since,
        until: Draft2020,
        holds: Nothing,
        role,
    }
}

/// All keywords.
pub(super) const KEYWORDS: &[Keyword] = &[
    keyword("$ref", Draft3, Draft2020, Nothing),
    keyword("$dynamicRef", Draft2020, Draft2020, Nothing),
    keyword("$recursiveRef", Draft2019, Draft2019, Nothing),
    // Only places to refer to, so in any draft.
    keyword("$defs", Draft3, Draft2020, Map),
    keyword("definitions", Draft3, Draft2020, Map),
    keyword("type", Draft3, Draft2020, List),
    keyword("enum", Draft3, Draft2020, Nothing),
    keyword("const", Draft6, Draft2020, Nothing),
    keyword("allOf", Draft4, Draft2020, List),
    keyword("anyOf", Draft4, Draft2020, List),
    keyword("oneOf", Draft4, Draft2020, List),
    keyword("not", Draft4, Draft2020, One),
    keyword("extends", Draft3, Draft3, Either),
    keyword("disallow", Draft3, Draft3, List),
    keyword("if", Draft7, Draft2020, One),
    keyword("then", Draft7, Draft2020, One),
    keyword("else", Draft7, Draft2020, One),
    keyword("minimum", Draft3, Draft2020, Nothing),
    keyword("maximum", Draft3, Draft2020, Nothing),
    keyword("exclusiveMinimum", Draft3, Draft2020, Nothing),
    keyword("exclusiveMaximum", Draft3, Draft2020, Nothing),
    keyword("multipleOf", Draft4, Draft2020, Nothing),
    keyword("divisibleBy", Draft3, Draft3, Nothing),
    keyword("minLength", Draft3, Draft2020, Nothing),
    keyword("maxLength", Draft3, Draft2020, Nothing),
    keyword("pattern", Draft3, Draft2020, Nothing),
    keyword("format", Draft3, Draft2020, Nothing),
    keyword("prefixItems", Draft2020, Draft2020, List),
    keyword("items", Draft3, Draft2020, Either),
    keyword("additionalItems", Draft3, Draft2019, One),
    keyword("unevaluatedItems", Draft2019, Draft2020, One),
    keyword("contains", Draft6, Draft2020, One),
    keyword("minContains", Draft2019, Draft2020, Nothing),
    keyword("maxContains", Draft2019, Draft2020, Nothing),
    keyword("minItems", Draft3, Draft2020, Nothing),
    keyword("maxItems", Draft3, Draft2020, Nothing),
    keyword("uniqueItems", Draft3, Draft2020, Nothing),
    keyword("properties", Draft3, Draft2020, Map),
    keyword("patternProperties", Draft3, Draft2020, Map),
    keyword("additionalProperties", Draft3, Draft2020, One),
    keyword("unevaluatedProperties", Draft2019, Draft2020, One),
    keyword("propertyNames", Draft6, Draft2020, One),
    keyword("required", Draft3, Draft2020, Nothing),
    keyword("minProperties", Draft4, Draft2020, Nothing),
    keyword("maxProperties", Draft4, Draft2020, Nothing),
    keyword("dependentRequired", Draft2019, Draft2020, Nothing),
    keyword("dependentSchemas", Draft2019, Draft2020, Map),
    // Split in two by draft 2019-09; its test suite still has it.
    keyword("dependencies", Draft3, Draft2020, Map),
    annotation("$schema", Draft3),
    annotation("id", Draft3),
    annotation("$id", Draft3),
    annotation("$anchor", Draft3),
    annotation("$dynamicAnchor", Draft3),
    annotation("$recursiveAnchor", Draft3),
    annotation("$vocabulary", Draft3),
    annotation("$comment", Draft3),
    annotation("title", Draft3),
    annotation("description", Draft3),
    annotation("default", Draft3),
    annotation("examples", Draft3),
    annotation("deprecated", Draft3),
    annotation("readOnly", Draft3),
    annotation("writeOnly", Draft3),
    annotation("contentEncoding", Draft3),
    annotation("contentMediaType", Draft3),
    annotation("contentSchema", Draft3),
];

/// Names that are near a keyword's and mean something else.
const OTHER_NAMES: &[&str] = &[
    "example", "format_", "forms", "form", "if_", "item", "min", "max",
];

/// The keyword `name`.
pub(super) fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == name)
}

/// The keyword `name` of any draft. A schema's members that are no keywords are ignored anyway, so
/// a list of keywords to ignore names such a member only by mistake.
///
/// # Errors
///
/// What is wrong with `name`, with the keywords that it could mean.
pub fn keyword_named(name: &str) -> Result<&'static str, String> {
    if let Some(keyword) = find(name) {
        return Ok(keyword.name);
    }
    let distance = |keyword: &Keyword| {
        let (name, other) = (name.to_lowercase(), keyword.name.to_lowercase());
        strsim::damerau_levenshtein(&name, &other)
    };
    let near = KEYWORDS.iter().map(|keyword| (distance(keyword), keyword));
    let mut near: Vec<_> = near.filter(|near| near.0 <= name.len() / 3).collect();
    near.sort_by_key(|near| near.0);
    let Some(nearest) = near.chunk_by(|a, b| a.0 == b.0).next() else {
        return Err(
            "no keyword of JSON Schema; other names are ignored wherever they stand".into(),
        );
    };
    let names = nearest
        .iter()
        .map(|(_, keyword)| format!("`{}`", keyword.name));
    let names = names.collect::<Vec<_>>().join(" or ");
    Err(format!("no keyword of JSON Schema; did you mean {names}?"))
}

impl Keyword {
    /// Whether a schema in this dialect has the keyword.
    pub fn is_in(&self, dialect: Dialect) -> bool {
        let Dialect { draft, declared } = dialect;
        // A schema that does not say may use an older spelling, but draft 3's own mean nothing to
        // its readers.
        self.since <= draft && (draft <= self.until || (!declared && self.until >= Draft7))
    }
}

/// The differences that a slip of a name of this length may have.
fn allowed(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    }
}

/// The restricting keywords that are about as long as `name`, if a name like it may be a slip.
fn as_long(name: &str) -> impl Iterator<Item = &'static Keyword> {
    let is_other =
        name.starts_with(['_', '@']) || name.starts_with("x-") || OTHER_NAMES.contains(&name);
    let length = name.len();
    KEYWORDS
        .iter()
        .filter(move |_| !is_other)
        .filter(|keyword| keyword.role == KeywordRole::Restricts && keyword.until == Draft2020)
        .filter(move |keyword| keyword.name.len().abs_diff(length) <= allowed(length))
}

/// Whether `name` has about the bytes of a restricting keyword, so that it may be a slip of it.
/// This is found out sooner than [`meant`].
pub(super) fn may_be_slip(name: &str) -> bool {
    let mut of_name = [0u8; 256];
    for byte in name.bytes().take(64) {
        of_name[usize::from(byte)] += 1;
    }
    as_long(name).any(|keyword| {
        // A difference takes away a byte of one name at most.
        let mut left = of_name;
        let missing = keyword.name.bytes().filter(|&byte| {
            let count = &mut left[usize::from(byte)];
            let is_missing = *count == 0;
            *count = count.saturating_sub(1);
            is_missing
        });
        missing.count() <= allowed(name.len())
    })
}

/// The restricting keyword that `name` is probably a slip of.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    let allowed = allowed(name.len());
    as_long(name)
        .map(|keyword| {
            (
                strsim::damerau_levenshtein(name, keyword.name),
                keyword.name,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_seen_and_other_words_are_not() {
        for (name, keyword) in [
            ("additonalProperties", Some("additionalProperties")),
            ("require", Some("required")),
            ("type:", Some("type")),
            ("minlength", Some("minLength")),
            ("min_items", Some("minItems")),
            ("form", None),
            ("name", None),
            ("version", None),
            ("x-type", None),
            ("_format", None),
            ("examples", None),
            ("nullable", None),
            ("options", None),
        ] {
            assert_eq!(meant(name), keyword, "{name}");
            assert!(may_be_slip(name) || keyword.is_none(), "{name}");
        }
    }

    #[test]
    fn keywords_by_name() {
        assert_eq!(keyword_named("uniqueItems"), Ok("uniqueItems"));
        assert_eq!(keyword_named("divisibleBy"), Ok("divisibleBy"));
        for (name, meant) in [
            ("UNIQUEITEMS", "did you mean `uniqueItems`?"),
            ("fromat", "did you mean `format`?"),
            ("mixItems", "did you mean `minItems` or `maxItems`?"),
            ("x-foo", "other names are ignored"),
            ("", "other names are ignored"),
        ] {
            let error = keyword_named(name).unwrap_err();
            assert!(error.contains(meant), "{name}: {error}");
        }
    }

    #[test]
    fn each_keyword_once() {
        for (index, keyword) in KEYWORDS.iter().enumerate() {
            assert!(
                KEYWORDS[index + 1..]
                    .iter()
                    .all(|other| other.name != keyword.name)
            );
        }
    }
}
