//! URIs: joining them, and showing them in messages.

use fluent_uri::{Iri, IriRef};

/// The URI of a document that has none. Relative references in it are resolved against this.
pub(super) const NAMELESS: &str = "json-schema://document/";

/// A reference cut into URI and fragment, still encoded.
pub(super) fn split(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// `reference`, which has no fragment, resolved against `base` and normalised. A text that is no
/// URI stays as it is.
pub(super) fn join(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let joined = IriRef::parse(reference)
        .ok()
        .zip(Iri::parse(base).ok())
        .and_then(|(reference, base)| reference.resolve_against(&base).ok());
    match joined {
        Some(joined) => joined.normalize().into_string(),
        None => reference.to_owned(),
    }
}

/// What a user calls it.
pub(super) fn shown(uri: &str) -> &str {
    uri.strip_prefix(NAMELESS).unwrap_or(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining() {
        for (base, reference, joined) in [
            ("http://a.org/b/c.json", "d.json", "http://a.org/b/d.json"),
            ("http://a.org/b/c.json", "/d", "http://a.org/d"),
            ("http://a.org/b/c.json", "", "http://a.org/b/c.json"),
            ("http://a.org", "x", "http://a.org/x"),
            (
                NAMELESS,
                "person.json",
                "json-schema://document/person.json",
            ),
            ("urn:example:1", "urn:example:2", "urn:example:2"),
            ("urn:example:1", "a", "a"),
            (NAMELESS, "not a uri", "not a uri"),
            (NAMELESS, "HTTP://A.org/%7ea", "http://a.org/~a"),
        ] {
            assert_eq!(join(base, reference), joined, "{base} {reference}");
        }
        assert_eq!(shown("json-schema://document/person.json"), "person.json");
    }
}
