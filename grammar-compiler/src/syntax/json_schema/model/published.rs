//! The metaschemas that the JSON Schema project publishes, which a schema may refer to without a
//! resolver.
//!
//! Nobody can edit these, so two keywords are relaxed in them: `format` is an annotation, as their
//! `$vocabulary` says, and `uniqueItems` is ignored, with a warning, where it cannot be honoured
//! (arrays of names).

use super::uri;

macro_rules! published {
    ($($uri:literal => $file:literal,)*) => {
        &[$(($uri, include_str!(concat!("published/", $file)))),*]
    };
}

/// URI, without scheme and fragment, and text.
const PUBLISHED: &[(&str, &str)] = published! {
    "json-schema.org/draft-03/schema" => "draft3.json",
    "json-schema.org/draft-04/schema" => "draft4.json",
    "json-schema.org/draft-06/schema" => "draft6.json",
    "json-schema.org/draft-07/schema" => "draft7.json",
    "json-schema.org/draft/2019-09/schema" => "draft2019-09/schema.json",
    "json-schema.org/draft/2019-09/meta/applicator" => "draft2019-09/meta/applicator.json",
    "json-schema.org/draft/2019-09/meta/content" => "draft2019-09/meta/content.json",
    "json-schema.org/draft/2019-09/meta/core" => "draft2019-09/meta/core.json",
    "json-schema.org/draft/2019-09/meta/format" => "draft2019-09/meta/format.json",
    "json-schema.org/draft/2019-09/meta/meta-data" => "draft2019-09/meta/meta-data.json",
    "json-schema.org/draft/2019-09/meta/validation" => "draft2019-09/meta/validation.json",
    "json-schema.org/draft/2020-12/schema" => "draft2020-12/schema.json",
    "json-schema.org/draft/2020-12/meta/applicator" => "draft2020-12/meta/applicator.json",
    "json-schema.org/draft/2020-12/meta/content" => "draft2020-12/meta/content.json",
    "json-schema.org/draft/2020-12/meta/core" => "draft2020-12/meta/core.json",
    "json-schema.org/draft/2020-12/meta/format-annotation" => "draft2020-12/meta/format-annotation.json",
    "json-schema.org/draft/2020-12/meta/format-assertion" => "draft2020-12/meta/format-assertion.json",
    "json-schema.org/draft/2020-12/meta/meta-data" => "draft2020-12/meta/meta-data.json",
    "json-schema.org/draft/2020-12/meta/unevaluated" => "draft2020-12/meta/unevaluated.json",
    "json-schema.org/draft/2020-12/meta/validation" => "draft2020-12/meta/validation.json",
};

/// The text of the metaschema `uri`, which has no fragment. People write it with either scheme.
pub(super) fn text(uri: &str) -> Option<&'static str> {
    let name = (uri.strip_prefix("https://")).or_else(|| uri.strip_prefix("http://"))?;
    let found = PUBLISHED.iter().find(|(uri, _)| *uri == name)?;
    Some(found.1)
}

/// Whether a place, as messages show it, is in a published metaschema.
pub(in crate::syntax::json_schema) fn holds(pointer: &str) -> bool {
    text(uri::split(pointer).0).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::source::Source;
    use crate::syntax::json_schema::document::{JsonNode, parse};
    use crate::syntax::json_schema::model::Draft;

    #[test]
    fn each_is_what_its_uri_says() {
        for (uri, text) in PUBLISHED {
            let root = parse(&Source::new(*uri, *text), &Limits::default()).unwrap();
            let id = root.get("$id").or_else(|| root.get("id"));
            let id = id.and_then(JsonNode::as_str).unwrap();
            let plain = id.trim_end_matches('#');
            assert_eq!(plain.split_once("://").unwrap().1, *uri);
            assert!(text.len() > 100 && super::text(plain) == Some(text));
        }
        for draft in Draft::ALL {
            assert!(holds(draft.uri()), "{draft}");
        }
        assert!(!holds("#/properties/id"));
        assert!(!holds("person.json#/$defs/a"));
        assert!(!holds("http://example.org/draft-07/schema#"));
    }
}
